/** What is special of the sink of the newest rows, on a real WebSocket, with a clock that is moved by hand. */

import t, { type Test } from 'tap';
import { type Failure, failed, ShapeError } from '../../../../actors/failure.ts';
import { isRecord } from '../../../../actors/read.ts';
import type { Parsed, RowsOf } from '../../../../actors/sources/define.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import { listedMarkets } from '../../../../actors/sources/streams/around.ts';
import { newestRows, TopicRows } from '../../../../actors/sources/streams/newest.ts';
import type { LatestStream } from '../../../../actors/sources/streams/stream.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type {
  DerivativeRow,
  FeedStatus,
  LiveTopic,
  MarketRows,
  OpenInterestRow,
  Reading,
} from '../../../../actors/topics/index.ts';
import { type Interval, Pace } from '../../../../config/pace.ts';
import { settle } from '../../../support/clock.ts';
import { interest, rate } from '../../../support/feed-stage.ts';
import { rowsAlone } from '../../../support/guarded.ts';
import { streamScene } from '../../../support/streaming.ts';
import { until } from '../../../support/until.ts';
import { listed } from '../../venues/stream-suite.ts';

/** The rows of numbers by market; null in place of a number is a bad row. */
function rowsOf<Row>(
  numbers: Readonly<Record<string, unknown>>,
  rowOf: (market: string, number: number) => Row,
): Parsed<Row> {
  const parsed: Parsed<Row> = { rows: [], dropped: [] };
  for (const [market, number] of Object.entries(numbers)) {
    if (typeof number === 'number') parsed.rows.push(rowOf(market, number));
    else parsed.dropped.push({ key: market, code: 'bad_row' });
  }
  return parsed;
}

/** `{"A": 100}` is a mark, `{"interest": {"A": 1}}` open interest; one with a type is not about data, a text is unreadable. */
function parse(message: unknown): Partial<RowsOf<LiveTopic>> | null {
  if (!isRecord(message)) throw new ShapeError('no object');
  if ('type' in message) return null;
  const { interest: values, ...marks } = message;
  return {
    ...(Object.keys(marks).length > 0 && { derivatives: rowsOf(marks, rate) }),
    ...(isRecord(values) && { openInterest: rowsOf(values, interest) }),
  };
}

type Topic = 'derivatives' | 'openInterest';

const every = 30_000;
const silence = 60_000;

async function setup(t: Test, interval: Interval = 'auto') {
  const { server, clock, supervisor, peer } = await streamScene(t);
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const published: Reading<DerivativeRow>[] = [];
  const interests: Reading<OpenInterestRow>[] = [];
  const statuses: Record<Topic, FeedStatus[]> = { derivatives: [], openInterest: [] };
  const state = { refusal: null as Failure | null, cost: 0 };
  const named = { source: 'x', part: 'all' };
  const rows = [...listed([{ market: 'A' }, { market: 'B' }]).values()];
  newest.accept('instruments', { ...named, asked: 0, received: 0, rows });
  const stream: LatestStream<Topic> = {
    url: 'wss://x.example/stream',
    channels: (instruments) => [`subscribe ${[...instruments.keys()]}`],
    reply: (message) => (isRecord(message) && message.type === 'ping' ? 'pong' : null),
    silence,
    parse,
  };
  const statusOf = (topic: Topic) =>
    new StatusRow({ ...named, topic }, (one) => statuses[topic].push(one));
  const statusRows = {
    derivatives: statusOf('derivatives'),
    openInterest: statusOf('openInterest'),
  };
  const all = rowsAlone(clock);
  /** A publication takes `cost` ms of the processor. */
  let spent = 0;
  const topicOf = <T extends Topic>(topic: T, to: Reading<MarketRows[T]>[]) => {
    const publish = async (_topic: string, _key: string, reading: unknown) => {
      spent += state.cost;
      if (state.refusal === null) to.push(reading as Reading<MarketRows[T]>);
      return state.refusal;
    };
    const rows = all.of(topic, 'all', 1e9);
    const still = { watch: { frozen: () => false }, observe() {} };
    const own = { ...named, ...still, topic, rows, status: statusRows[topic] };
    return new TopicRows<T>({ ...own, publish });
  };
  const topics = () =>
    [topicOf('derivatives', published), topicOf('openInterest', interests)] as const;
  const before = { ...named, asked: clock.now(), received: clock.now() };
  all.of('derivatives', 'all', 1e9).load({ ...before, rows: [rate('A', 100), rate('B', 100)] });
  all.of('openInterest', 'all', 1e9).load({ ...before, rows: [interest('A', 500)] });
  supervisor.spawn({
    name: 'all',
    behaviour: newestRows({
      ...{ ...named, stream, topics, gateway: `http://${server.host}`, random: () => 0 },
      markets: listedMarkets({ ...named, book }),
      status: statusRows.derivatives,
      pace: new Pace(interval, () => clock.monotonic() + spent),
      onLost() {},
    }),
  });
  await settle();
  /** Moves the clock by `ms` once what was sent before has arrived: the answer to a ping shows that. */
  const pass = async (from: Awaited<ReturnType<typeof peer>>, ms: number) => {
    const pongs = () => from.received.filter((text) => text === 'pong').length;
    const pings = pongs() + 1;
    from.send('{"type":"ping"}');
    await until(() => pongs() === pings, 'the pong');
    await clock.advance(ms);
  };
  const status = (topic: Topic = 'derivatives') => statuses[topic].at(-1);
  const last = () =>
    Object.fromEntries(
      published.flatMap(({ rows }) => rows).map(({ market, mark }) => [market, mark]),
    );
  return {
    server,
    clock,
    published,
    interests,
    status,
    state,
    supervisor,
    peer,
    pass,
    marks: last,
  };
}

t.test('a row leaves in the turn in which it came: no timer is waited for', async (t) => {
  const { clock, published, status, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  const start = clock.now();
  one.send('{"A":101}');
  await pass(one, 0);
  t.same([marks(), clock.now()], [{ A: 101 }, start]);
  t.match(published, [{ source: 'x', part: 'all', received: start }]);
  t.match(status(), { state: 'up', rows: 1, last_success: start, latency_ms: null, failures: 0 });
  for (const mark of [102, 103, 104]) {
    one.send(`{"A":${mark}}`);
    await pass(one, 0);
  }
  t.same([marks(), clock.now(), published.length], [{ A: 104 }, start, 4]);
  await pass(one, 5_000);
  t.equal(published.length, 4, 'without a message nothing is published');
  t.match(status(), { state: 'up', rows: 1, next_poll: start + 10_000 });
});

t.test('changes are joined while publishing takes more than a fifth of the time', async (t) => {
  const { published, state, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  state.cost = 1;
  for (const mark of [101, 102, 103]) {
    one.send(`{"A":${mark}}`);
    await pass(one, 0);
  }
  t.equal(published.length, 3, 'three of the last 25 ms');
  state.cost = 100;
  one.send('{"A":104}');
  await pass(one, 0);
  t.equal(published.length, 4);
  one.send('{"A":105}');
  await pass(one, 24);
  one.send('{"A":106,"B":101}');
  await pass(one, 0);
  t.equal(published.length, 4);
  await pass(one, 1);
  t.same([marks(), published.length], [{ A: 106, B: 101 }, 5], 'after 25 ms at most');
});

t.test('with an interval the first reading comes at once, the others every so often', async (t) => {
  const { published, peer, pass, marks } = await setup(t, every);
  const one = await peer(1);
  one.send('{"A":101}');
  await pass(one, 1_000);
  t.same(marks(), { A: 101 });
  for (let second = 1; second < 29; second++) {
    one.send(`{"A":${100 + second / 10}}`);
    await pass(one, 1_000);
  }
  t.equal(published.length, 1);
  await pass(one, 1_000);
  t.equal(published.length, 2, 'thirty seconds later');
  t.match(published[1]?.rows, [{ market: 'A', mark: 102.8 }], 'B has not changed');
});

t.test('a failure is counted once, however often it is looked at', async (t) => {
  const { clock, server, state, status, peer, pass } = await setup(t);
  const one = await peer(1);
  one.send('{"A":101}');
  await pass(one, 1_000);
  const look = async () => {
    for (let i = 0; i < 60; i++) await clock.advance(100);
  };
  state.refusal = failed('unavailable', 'Redis is away').failure;
  for (const mark of [102, 103, 104]) {
    one.send(`{"A":${mark}}`);
    await pass(one, 3_000);
  }
  t.match(status(), { failures: 1, last_error: { code: 'unavailable' } }, 'of one outage');
  for (const failures of [0, 1, 0]) {
    state.refusal = failures === 0 ? null : failed('unavailable', 'Redis is away').failure;
    one.send(`{"A":${105 + failures}}`);
    await pass(one, 1_000);
    t.match(status(), { failures }, 'the next outage counts again');
  }
  server.mode = 'hang';
  one.close(1001);
  await until(() => !one.open, 'it is closed');
  await look();
  t.match(status(), { state: 'failing', failures: 1 }, 'the connection that was lost');
  await until(() => server.attempts === 2, 'it tries again');
  for (let i = 0; i < 2; i++) await look();
  t.match(status(), { failures: 2 }, 'the attempt that has failed');
});

t.test('garbage is counted; garbage alone is a failure', async (t) => {
  const { published, status, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  for (const text of ['\u0001{"a":]%%', '{"A":101}', '[]']) one.send(text);
  await pass(one, 1_000);
  t.same(marks(), { A: 101 });
  const last_error = { code: 'shape', message: 'no object' };
  t.match(status(), { state: 'up', dropped: { bad_message: 2 }, last_error });
  for (const text of ['<html>', '7', 'null']) one.send(text);
  await pass(one, 5_000);
  t.match(status(), { state: 'failing', failures: 1, dropped: { bad_message: 3 }, last_error });
  t.equal(published.length, 1, 'the last reading stands');
});

t.test('a message with another topic than the first is data too', async (t) => {
  const { server, published, interests, status, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  one.send('{"A":101}');
  await pass(one, 1_000);
  for (let at = 0; at < 2 * silence; at += 10_000) {
    one.send(`{"interest":{"A":${500 + at / silence}}}`);
    await pass(one, 10_000);
  }
  t.same([server.attempts, one.open], [1, true], 'the connection brings data');
  const last = interests.at(-1);
  t.match(
    last?.rows,
    [{ market: 'A', value: 500 + (2 * silence - 10_000) / silence }],
    'the last message',
  );
  t.match(status('openInterest'), { state: 'up', rows: 1, last_error: null });
  t.match(status(), { state: 'up', last_error: null });
  t.same(marks(), { A: 101 });
  t.ok(
    published.slice(1).every(({ rows }) => rows.length === 0),
    'the first topic has no new row',
  );
});

t.test(
  'an unreadable message is counted once, and every topic of the stream shows it',
  async (t) => {
    const { status, peer, pass } = await setup(t);
    const one = await peer(1);
    for (const text of ['<html>', '{"A":101}', '{"interest":{"A":500}}']) one.send(text);
    await pass(one, 1_000);
    const shown = { state: 'up', rows: 1, dropped: { bad_message: 1 } };
    for (const topic of ['derivatives', 'openInterest'] as const) t.match(status(topic), shown);
    one.send('{"A":2,"interest":{"A":501}}');
    await pass(one, every);
    for (const topic of ['derivatives', 'openInterest'] as const)
      t.strictSame(status(topic)?.dropped, {}, 'not again with the next reading');
  },
);

t.test('what Redis refuses is a failure, and the next reading is published', async (t) => {
  const { status, state, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  one.send('{"A":1,"B":1}');
  state.refusal = failed('unavailable', 'Redis is away').failure;
  await pass(one, 1_000);
  t.match(status(), { state: 'failing', last_error: { code: 'unavailable' } });
  state.refusal = null;
  one.send('{"B":102}');
  await pass(one, every);
  t.same(marks(), { B: 102 });
  t.match(status(), { state: 'up', failures: 0 });
});

t.test('rows that wait at the stop are not published', async (t) => {
  const { published, supervisor, peer, pass } = await setup(t);
  const one = await peer(1);
  one.send('{"A":101}');
  await pass(one, 1_000);
  one.send('{"A":102}');
  await supervisor.stop();
  t.equal(published.length, 1);
});
