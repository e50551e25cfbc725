/** What is special of the sink of the newest rows, on a real WebSocket, with a clock that is moved by hand. */

import t, { type Test } from 'tap';
import { type Failure, failed, ShapeError } from '../../../../actors/failure.ts';
import { isRecord } from '../../../../actors/read.ts';
import type { LiveTopic, Parsed, RowsOf } from '../../../../actors/sources/define.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { Counter, StatusRow } from '../../../../actors/sources/status/status.ts';
import type { Outlet } from '../../../../actors/sources/streams/live-publisher.ts';
import { newestRows } from '../../../../actors/sources/streams/newest.ts';
import type { LatestStream } from '../../../../actors/sources/streams/stream.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type {
  DerivativeRow,
  FeedStatus,
  MarketRows,
  OpenInterestRow,
  Reading,
} from '../../../../actors/topics/index.ts';
import { settle } from '../../../support/clock.ts';
import { interest, rate } from '../../../support/feed-stage.ts';
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

/** `{"A": 1}` is a mark, `{"interest": {"A": 1}}` open interest; one with a type is not about data, a text is unreadable. */
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

/** An outlet of a topic that publishes the rows since the last reading. */
function outletOf<T extends Topic>(
  topic: T,
  status: StatusRow,
  publish: (reading: Reading<MarketRows[T]>) => Promise<Failure | null>,
): Outlet {
  let rows = new Map<string, MarketRows[T]>();
  let counts = new Counter();
  return {
    status: status.set({ state: 'waiting' }),
    add(found) {
      const own: Parsed<MarketRows[T]> | undefined = found[topic];
      for (const row of own?.rows ?? []) rows.set(row.market, row);
      for (const { code } of own?.dropped ?? []) counts.add(code);
    },
    async publish(received, unused) {
      const at = { asked: received, received };
      const taken = { ...at, rows: [...rows.values()], dropped: counts.counts };
      rows = new Map();
      counts = new Counter();
      const failure = await publish({ source: 'x', part: 'all', ...at, rows: taken.rows });
      if (failure === null)
        status.succeed({
          ...taken,
          rows: taken.rows.length,
          dropped: { ...unused, ...taken.dropped },
        });
      return failure;
    },
  };
}

const every = 30_000;
const silence = 60_000;

async function setup(t: Test, interval = every) {
  const { server, clock, supervisor, peer } = await streamScene(t);
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const published: Reading<DerivativeRow>[] = [];
  const interests: Reading<OpenInterestRow>[] = [];
  const statuses: Record<Topic, FeedStatus[]> = { derivatives: [], openInterest: [] };
  const state = { refusal: null as Failure | null, lost: 0 };
  const rows = [...listed([{ market: 'A' }, { market: 'B' }]).values()];
  newest.accept('instruments', { source: 'x', part: 'all', asked: 0, received: 0, rows });
  const stream: LatestStream<Topic> = {
    collect: 'latest',
    url: 'wss://x.example/stream',
    channels: (instruments) => [`subscribe ${[...instruments.keys()]}`],
    reply: (message) => (isRecord(message) && message.type === 'ping' ? 'pong' : null),
    silence,
    parse,
  };
  const statusOf = (topic: Topic) =>
    new StatusRow({ source: 'x', topic, part: 'all' }, (one) => statuses[topic].push(one));
  const rowsOfStatus = {
    derivatives: statusOf('derivatives'),
    openInterest: statusOf('openInterest'),
  };
  const outlets = (): [Outlet, Outlet] => [
    outletOf('derivatives', rowsOfStatus.derivatives, async (reading) => {
      if (state.refusal === null) published.push(reading);
      return state.refusal;
    }),
    outletOf('openInterest', rowsOfStatus.openInterest, async (reading) => {
      interests.push(reading);
      return null;
    }),
  ];
  const gateway = `http://${server.host}`;
  const onLost = () => void state.lost++;
  const options = { source: 'x', part: 'all', every: interval, stream, outlets, book, gateway };
  supervisor.spawn({ name: 'all', behaviour: newestRows({ ...options, onLost, random: () => 0 }) });
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
  const marks = () =>
    Object.fromEntries(
      published.flatMap(({ rows }) => rows).map(({ market, mark }) => [market, mark]),
    );
  return { server, clock, published, interests, status, state, supervisor, peer, pass, marks };
}

t.test('the first reading comes soon, the others every so often', async (t) => {
  const { clock, published, status, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  const start = clock.now();
  for (const text of ['{"A":1}', '{"B":2}', '{"A":3}']) one.send(text);
  await pass(one, 1_000);
  t.same(marks(), { A: 3, B: 2 });
  t.match(published, [{ source: 'x', part: 'all', received: start }]);
  t.match(status(), { state: 'up', rows: 2, last_success: start, latency_ms: null, failures: 0 });
  t.equal(status()?.next_poll, start + 31_000);
  for (let second = 1; second < 30; second++) {
    one.send(`{"A":${second}}`);
    await pass(one, 1_000);
  }
  t.equal(published.length, 1);
  await pass(one, 1_000);
  t.equal(published.length, 2, 'thirty seconds later');
  t.same(marks(), { A: 29, B: 2 });
  t.match(published[1]?.rows, [{ market: 'A', mark: 29 }], 'B has not changed');
});

t.test('with the interval at 0 a row is published when its message has come', async (t) => {
  const { published, state, peer, pass, marks } = await setup(t, 0);
  const one = await peer(1);
  one.send('{"A":1}');
  await pass(one, 1_000);
  t.same(marks(), { A: 1 });
  const before = published.length;
  one.send('{"A":2}');
  await pass(one, 0);
  t.same(marks(), { A: 2 });
  t.equal(published.length, before + 1);
  await pass(one, 5_000);
  t.equal(published.length, before + 1, 'without a message nothing is');
  t.equal(state.lost, 0);
});

t.test('after a lost connection it connects again, and the status shows why', async (t) => {
  const { clock, server, published, state, status, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  one.send('{"A":1}');
  await pass(one, 1_000);
  server.mode = 'hang';
  one.reset();
  await until(() => state.lost > 0, 'what polls the same learns it');
  await clock.advance(every);
  await until(() => server.attempts > 1, 'it tries again');
  await clock.advance(every);
  t.match(status(), { state: 'failing', last_error: { code: 'timeout' }, rows: 1 });
  t.ok((status()?.failures ?? 0) > 0);
  t.equal(published.length, 1, 'the last reading stands');
  server.mode = 'accept';
  for (let i = 0; i < 30 && server.peers.length < 2; i++) {
    await clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const two = await peer(2);
  two.send('{"A":2}');
  await pass(two, 1_000);
  t.same(marks(), { A: 2 }, 'within a second, not with the next tick');
  t.match(status(), { state: 'up', failures: 0, last_error: { code: 'timeout' } });
});

t.test('a failure is counted once, however often it is looked at', async (t) => {
  const { clock, server, state, status, peer, pass } = await setup(t, 0);
  const one = await peer(1);
  one.send('{"A":1}');
  await pass(one, 1_000);
  const look = async () => {
    for (let i = 0; i < 60; i++) await clock.advance(100);
  };
  state.refusal = failed('unavailable', 'Redis is away').failure;
  for (const mark of [2, 3, 4]) {
    one.send(`{"A":${mark}}`);
    await pass(one, 3_000);
  }
  t.match(status(), { failures: 1, last_error: { code: 'unavailable' } }, 'of one outage');
  for (const failures of [0, 1, 0]) {
    state.refusal = failures === 0 ? null : failed('unavailable', 'Redis is away').failure;
    one.send(`{"A":${5 + failures}}`);
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

t.test('silence: the connection is given up, the last reading stands', async (t) => {
  const { clock, server, published, status, peer, pass } = await setup(t);
  const one = await peer(1);
  one.send('{"A":1}');
  await pass(one, 1_000);
  await clock.advance(every);
  t.match(status(), { state: 'up', last_error: null }, 'quiet for less than that is no failure');
  await clock.advance(every + 1_000);
  await peer(2);
  await clock.advance(every);
  t.match(status(), {
    state: 'failing',
    last_error: { code: 'timeout', message: 'WebSocket x.example/stream: silent for 60000 ms' },
  });
  t.equal(published.length, 1);
  t.ok(server.attempts > 1);
});

t.test('garbage is counted; garbage alone is a failure', async (t) => {
  const { published, status, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  for (const text of ['\u0001{"a":]%%', '{"A":1}', '[]']) one.send(text);
  await pass(one, 1_000);
  t.same(marks(), { A: 1 });
  const last_error = { code: 'shape', message: 'no object' };
  t.match(status(), { state: 'up', dropped: { bad_message: 2 }, last_error });
  for (const text of ['<html>', '7', 'null']) one.send(text);
  await pass(one, every);
  t.match(status(), { state: 'failing', failures: 1, dropped: { bad_message: 3 }, last_error });
  t.equal(published.length, 1, 'the last reading stands');
});

t.test('a message with another topic than the first is data too', async (t) => {
  const { server, published, interests, status, peer, pass, marks } = await setup(t);
  const one = await peer(1);
  one.send('{"A":1}');
  await pass(one, 1_000);
  for (let at = 0; at < 2 * silence; at += 10_000) {
    one.send(`{"interest":{"A":${500 + at}}}`);
    await pass(one, 10_000);
  }
  t.same([server.attempts, one.open], [1, true], 'the connection brings data');
  const last = interests.at(-1);
  t.match(last?.rows, [{ market: 'A', value: 500 + 2 * silence - 10_000 }], 'the last message');
  t.match(status('openInterest'), { state: 'up', rows: 1, last_error: null });
  t.match(status(), { state: 'up', last_error: null });
  t.same(marks(), { A: 1 });
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
    for (const text of ['<html>', '{"A":1}', '{"interest":{"A":500}}']) one.send(text);
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
  one.send('{"B":2}');
  await pass(one, every);
  t.same(marks(), { B: 2 });
  t.match(status(), { state: 'up', failures: 0 });
});

t.test('rows that wait at the stop are not published', async (t) => {
  const { published, supervisor, peer, pass } = await setup(t);
  const one = await peer(1);
  one.send('{"A":1}');
  await pass(one, 1_000);
  one.send('{"A":2}');
  await supervisor.stop();
  t.equal(published.length, 1);
});
