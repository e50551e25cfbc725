/** What the actor of a stream does for every sink, on a real WebSocket, with a clock that is moved by hand. */

import t, { type Test } from 'tap';
import { failed, ShapeError } from '../../../../actors/failure.ts';
import type { Behaviour } from '../../../../actors/kernel/actor.ts';
import { isRecord } from '../../../../actors/read.ts';
import { keptBooks } from '../../../../actors/sources/books/books.ts';
import { LiveBooks } from '../../../../actors/sources/books/live-books.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import type { MarketChoice, StreamMessage } from '../../../../actors/sources/streams/actor.ts';
import { listedMarkets } from '../../../../actors/sources/streams/around.ts';
import { eachEvent } from '../../../../actors/sources/streams/events.ts';
import { newestRows, TopicRows } from '../../../../actors/sources/streams/newest.ts';
import type { Wiring } from '../../../../actors/sources/streams/stream.ts';
import { foldedTrades } from '../../../../actors/sources/streams/trades.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { FeedStatus } from '../../../../actors/topics/index.ts';
import { Pace } from '../../../../config/pace.ts';
import { settle } from '../../../support/clock.ts';
import { rate } from '../../../support/feed-stage.ts';
import { rowsAlone } from '../../../support/guarded.ts';
import { streamScene } from '../../../support/streaming.ts';
import { until } from '../../../support/until.ts';
import { listed } from '../../venues/stream-suite.ts';

const start = 1_750_000_020_000;
const minute = 60_000;

/** What every sink needs. `items` are the numbers by market in a message `{"A": 1}`; null in one that is not about data. */
interface Around {
  stream: Omit<Wiring, 'behind'>;
  items(message: unknown): [market: string, number: number][] | null;
  now(): number;
  choice: { markets: MarketChoice; pace: Pace };
  tracked(): ReturnType<typeof listed>;
  status: StatusRow;
  at: { source: string; part: string; gateway: string; random(): number };
}

/** Rows out of the items of a message. */
const parsing =
  <Row>({ items }: Around, rowOf: (market: string, number: number) => Row) =>
  (message: unknown) => {
    const found = items(message);
    return found && { rows: found.map(([market, number]) => rowOf(market, number)), dropped: [] };
  };

const client = { send: async () => failed('unavailable', 'no request is answered') };

/** The four sinks, each with a stream of the same messages. */
const sinks: Readonly<Record<string, (around: Around) => Behaviour<StreamMessage>>> = {
  newest: (around) =>
    newestRows({
      ...around.at,
      ...around.choice,
      stream: {
        ...around.stream,
        parse(message) {
          const derivatives = parsing(around, rate)(message);
          return derivatives && { derivatives };
        },
      },
      topics: () => [
        new TopicRows<'derivatives'>({
          source: 'x',
          part: 'all',
          topic: 'derivatives',
          status: around.status,
          rows: rowsAlone().of('derivatives', 'all', 30_000),
          watch: { frozen: () => false },
          observe() {},
          publish: async () => null,
        }),
      ],
      status: around.status,
      onLost() {},
    }),
  events: (around) =>
    eachEvent<{ contract: string; id: number; timestamp: number }>({
      ...around.at,
      stream: {
        ...around.stream,
        keyOf: ({ id }) => `${id}`,
        parse: parsing(around, (contract, id) => ({ contract, id, timestamp: around.now() })),
      },
      ...around.choice,
      status: around.status,
      publish: async () => null,
      onUnknown() {},
    }),
  trades: (around) =>
    foldedTrades({
      ...around.at,
      stream: {
        ...around.stream,
        parse: parsing(around, (market, id) => {
          const about = { market, id, price: 100, quantity: 1, bought: true };
          return { ...about, timestamp: around.now() };
        }),
      },
      tracked: around.tracked,
      record: async () => null,
      status: around.status,
    }),
  books: (around) =>
    keptBooks({
      ...around.at,
      stream: {
        ...around.stream,
        ...{ rule: 'whole', most: 9, window: false },
        channels: (markets) => [...markets.keys()],
        unsubscribe: () => [],
        parse(message) {
          const found = around.items(message);
          if (isRecord(message) && 'no' in message) return { updates: [], refusal: 'no' };
          const sides = { bids: [100, 1], asks: [101, 1], stated: null };
          return (
            found && { updates: found.map(([market]) => ({ kind: 'snapshot', market, ...sides })) }
          );
        },
      },
      keeping: { tracked: around.tracked, live: new LiveBooks() },
      topics: { publish: async () => null, last: async () => undefined },
      client,
      status: around.status,
    }),
};

/** Starts a stream of a sink that has these markets, each a subscription. */
async function setup(
  t: Test,
  name: string,
  { markets = 'A', ...more }: Partial<Wiring> & { markets?: string } = {},
) {
  const { server, clock, events, supervisor, peer } = await streamScene(t, start);
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const statuses: FeedStatus[] = [];
  const state = { names: '', read: 0 };
  const tracked = () => listed([...state.names].map((market) => ({ market, symbol: market })));
  const list = (names: string) => {
    state.names = names;
    const rows = [...tracked().values()];
    if (rows.length > 0)
      newest.accept('instruments', { source: 'x', part: 'all', asked: 0, received: 0, rows });
  };
  list(markets);
  const behaviour = sinks[name]?.({
    stream: {
      url: 'wss://x.example/stream',
      silence: 30 * minute,
      channels: (instruments) => [...instruments.keys()],
      acknowledges: (message) => (message === 'ok' ? 1 : 0),
      ...more,
    },
    items(message) {
      state.read += 1;
      if (message === 'ok' || message === 'pong') return null;
      if (!isRecord(message)) throw new ShapeError('no object');
      const rows = Object.entries(message).filter(([market]) => market !== 'n');
      return rows.length === 0 ? null : rows.map(([market, number]) => [market, Number(number)]);
    },
    now: () => clock.now(),
    choice: {
      markets: listedMarkets({ book, source: 'x', part: 'all' }),
      pace: new Pace('auto', () => 0),
    },
    tracked,
    status: new StatusRow({ source: 'x', topic: name, part: 'all' }, (one) => statuses.push(one)),
    at: { source: 'x', part: 'all', gateway: `http://${server.host}`, random: () => 0 },
  });
  if (!behaviour) throw new Error(`there is no sink ${name}`);
  supervisor.spawn({ name, behaviour });
  await settle();
  /** Sends messages by a connection and waits until they are read. */
  const send = async (number: number, ...texts: string[]) => {
    const before = state.read;
    for (const text of texts) server.peers[number - 1]?.send(text);
    await until(() => state.read === before + texts.length, 'they are read');
  };
  let last = 0;
  const data = (number: number, market = 'A') => send(number, `{"${market}":${++last}}`);
  /** Some seconds in which data come by a connection. */
  const pass = async (number: number, seconds: number) => {
    for (let left = seconds; left > 0; left -= 6) {
      await data(number);
      await clock.advance(Math.min(6, left) * 1_000);
    }
  };
  /** The status as it is reported within 66 s. */
  const reported = async (number: number) => {
    await pass(number, 66);
    return statuses.at(-1);
  };
  const at = { server, clock, events, supervisor, peer, list, state };
  return { ...at, send, data, pass, reported, statuses };
}

/** The same truth of every sink. */
const ofAll = (what: string, check: (t: Test, name: string) => Promise<void>) =>
  t.test(what, async (t) => {
    for (const name of Object.keys(sinks)) await t.test(name, (t) => check(t, name));
  });

ofAll('it waits for markets, and subscribes to them through the gateway', async (t, name) => {
  const { server, clock, list, peer, send } = await setup(t, name, { markets: '' });
  await clock.advance(2_000);
  t.equal(server.attempts, 0);
  list('AB');
  await clock.advance(2_000);
  const one = await peer(1, 2);
  t.equal(one.url, '/x.example/stream');
  t.strictSame(one.received, ['A', 'B']);
  await send(1, 'ok', 'ok');
  await clock.advance(60_000);
  list('BC');
  await clock.advance(60_000);
  t.strictSame((await peer(1, 3)).received, ['A', 'B', 'C'], 'it follows the lists');
  t.equal(server.attempts, 1, 'on the connection that is there');
});

ofAll('subscriptions are silent where their market has brought nothing', async (t, name) => {
  const { peer, send, reported } = await setup(t, name, { markets: 'ABC' });
  await peer(1, 3);
  await send(1, 'ok', 'ok', '{"Z":1}');
  t.match(await reported(1), { state: 'up', subscriptions: { acknowledged: 2, silent: 1 } });
  await send(1, 'ok', '{"B":1000}');
  t.match(await reported(1), { subscriptions: { acknowledged: 3, silent: 1 } });
});

ofAll('what is unreadable or refused is counted once', async (t, name) => {
  const { peer, send, reported, statuses } = await setup(t, name, {
    markets: 'AZ',
    refuses: (message, sent) =>
      message === 'no Z' && sent.includes('Z') ? { of: 'Z', rest: null } : null,
  });
  await peer(1, 2);
  await send(1, 'ok', 'ok', 'no Z', '{"bro', '{"A":100}', '{"A":101}', '\u0000');
  await reported(1);
  const first = statuses.find(({ state }) => state === 'up');
  const { bad_message, subscription_refused } = first?.dropped ?? {};
  t.strictSame([bad_message, subscription_refused], [3, 1]);
  t.equal(statuses.at(-1)?.dropped.subscription_refused, 1, 'for as long as it is refused');
  t.match(statuses.at(-1), { state: 'up', failures: 0 });
});

t.test('a refusal in a message of books that is counted', async (t) => {
  const { peer, send, reported } = await setup(t, 'books');
  await peer(1);
  await send(1, 'ok', '{"no":1}');
  t.match(await reported(1), { dropped: { bad_message: 1 }, last_error: { message: 'no' } });
});

ofAll('a connection that is lost is a failure, and opened again', async (t, name) => {
  const { server, clock, peer, send, data, reported, statuses } = await setup(t, name);
  await peer(1);
  await send(1, 'ok');
  t.match(await reported(1), { state: 'up', failures: 0 });
  server.peers[0]?.reset();
  await until(() => server.connections() === 0, 'it is lost');
  await clock.advance(99);
  t.equal(server.attempts, 1);
  await until(async () => {
    await clock.advance(1_000);
    return server.attempts === 2;
  }, 'it is opened again');
  t.strictSame((await peer(2)).received, ['A']);
  await send(2, 'ok');
  await data(2);
  t.match(await reported(2), { state: 'up', failures: 0 });
  t.ok(statuses.some(({ last_error }) => last_error?.code === 'network'));
});

t.test('of rows, a server that talks of anything but data is left too', async (t) => {
  const silence = minute;
  const { server, clock, peer, send, statuses } = await setup(t, 'newest', { silence });
  await peer(1);
  for (let ms = 0; ms < silence; ms += 10_000) {
    await send(1, 'pong');
    await clock.advance(10_000);
  }
  await clock.advance(1_000);
  t.strictSame((await peer(2)).received, ['A']);
  await until(() => server.connections() === 1, 'the first connection is closed');
  await clock.advance(10_000);
  const { state, last_error } = statuses.at(-1) ?? {};
  t.match(
    { state, last_error },
    { state: 'failing', last_error: { message: /no data for 60000 ms/ } },
  );
});

ofAll('before its end a connection is replaced, which is no failure', async (t, name) => {
  const { server, peer, send, data, pass, reported } = await setup(t, name, {
    lifetime: 3 * minute,
  });
  const one = await peer(1);
  await send(1, 'ok');
  await pass(1, 176);
  t.equal(server.attempts, 1);
  await pass(1, 1.4);
  await peer(2);
  await data(1);
  await send(2, 'pong');
  t.ok(one.open, 'the successor has no subscription yet');
  await send(2, 'ok');
  await until(() => !one.open, 'the old one goes');
  t.match(await reported(2), { state: 'up', failures: 0, last_error: null });
  t.equal(server.attempts, 2);
});

ofAll('the pings of both sides', async (t, name) => {
  const { clock, peer, send } = await setup(t, name, {
    keepAlive: { every: 20_000, message: 'ours' },
    reply: (message) => (message === 'pong' ? 'answer' : null),
  });
  const one = await peer(1);
  await send(1, 'pong');
  await clock.advance(20_000);
  await peer(1, 3);
  t.strictSame(one.received, ['A', 'answer', 'ours']);
});

ofAll('a bug costs one life, not the stream', async (t, name) => {
  let bugs = 2;
  const { server, clock, events, peer, send, reported, state } = await setup(t, name, {
    reply() {
      if (bugs-- > 0) throw new TypeError('a bug');
      return null;
    },
  });
  const one = await peer(1);
  for (const text of ['pong', 'pong', '{"A":1}']) one.send(text);
  await until(() => events.includes('crashed'), 'it crashes');
  await until(() => !one.open, 'its connection is closed');
  t.equal(state.read, 0, 'the sink of that life gets nothing more');
  await clock.advance(1_000);
  await peer(2);
  await send(2, 'ok');
  t.match(await reported(2), { state: 'up' });
  t.equal(server.attempts, 2);
  const crashes = events.filter((type) => type === 'crashed');
  t.equal(crashes.length, 1, 'what still came in is no second crash');
});

ofAll('stopped, it leaves nothing behind', async (t, name) => {
  const { server, clock, supervisor, peer, data, list, events } = await setup(t, name);
  await peer(1);
  await data(1);
  await supervisor.stop();
  await until(() => server.connections() === 0, 'the connection is gone');
  list('AB');
  await clock.advance(10 * minute);
  t.strictSame([server.attempts, events], [1, []]);
});
