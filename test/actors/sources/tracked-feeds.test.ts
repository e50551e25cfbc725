/** The streams of tracked markets as an exchange has them, on a real WebSocket, with a clock that is moved by hand. */
import t, { type Test } from 'tap';
import { type Failure, failed, type Result, ShapeError, success } from '../../../actors/failure.ts';
import { isRecord } from '../../../actors/read.ts';
import { LiveBooks } from '../../../actors/sources/books/live-books.ts';
import type { HolderContext } from '../../../actors/sources/context.ts';
import { trackedFeeds } from '../../../actors/sources/feeds.ts';
import type { BookStream, TradeStream } from '../../../actors/sources/streams/stream.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { feedContext } from '../../support/feed-stage.ts';
import { streamScene } from '../../support/streaming.ts';
import { until } from '../../support/until.ts';
import { listed } from '../venues/stream-suite.ts';

const minute = 60_000;
const start = 1_750_000_020_000;
const levels = { bids: [100, 1], asks: [101, 1] };
const place = { url: 'wss://x.example/stream', silence: 30 * minute };

/** Messages that were read. */
let parsed = 0;

/** `{"n": 1, "A": 7}` is change 7 of the book of A, in the first message of the connection. */
const books: BookStream = {
  ...{ ...place, rule: 'counted', most: 50, window: false },
  channels: (markets) => [...markets.keys()].map((market) => `+${market}`),
  unsubscribe: (markets) => [...markets.keys()].map((market) => `-${market}`),
  parse(message) {
    parsed += 1;
    if (!isRecord(message)) throw new ShapeError('no message');
    const updates = Object.entries(message)
      .filter(([market]) => market !== 'n')
      .map(([market, last]) => ({
        ...{
          market,
          kind: 'update' as const,
          stated: null,
          first: Number(last),
          last: Number(last),
        },
        ...levels,
      }));
    return { updates };
  },
  snapshot: {
    request: (market) => ({ api: 'rest', path: `/book/${market}` }),
    parse(body) {
      if (!isRecord(body)) throw new ShapeError('no book');
      return { ...levels, last: Number(body.last), stated: null, limited: false };
    },
  },
};

/** `[id, price]` is a purchase of one unit, now. */
const trades: TradeStream = {
  ...place,
  channels: (markets) => [...markets.keys()],
  parse(message, { received: timestamp }) {
    parsed += 1;
    if (!Array.isArray(message)) return null;
    const [id, price] = message;
    const trade = { market: 'A', id, price, quantity: 1, bought: true, timestamp };
    return { rows: [trade], dropped: [] };
  },
};

const venue = { id: 'x', books: { spot: books }, trades: { linear: trades } };

function contextOf(clock: FakeClock, more: Partial<HolderContext> = {}, host = 'x.example') {
  const { context, redis, statuses, published } = feedContext(clock, host);
  redis.up = false;
  const asked: unknown[] = [];
  const recorded: unknown[] = [];
  const replies = {
    book: failed('timeout', 'no answer') as Result<unknown>,
    record: null as Failure | null,
  };
  const own: HolderContext = {
    ...context,
    bus: {
      ...context.bus,
      async query(query) {
        recorded.push(query);
        return replies.record === null
          ? success({ value: null as never, received: 0, until: 0 })
          : { ok: false, failure: replies.record };
      },
    },
    client: (source) => ({
      async send({ path }, { deadline }) {
        asked.push([source, path, deadline]);
        const { book } = replies;
        return book.ok ? success({ body: book.value, asked: 0, received: 0 }) : book;
      },
      state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
    }),
    books: { tracked: () => new Map(), live: new LiveBooks() },
    trades: { tracked: () => new Map() },
    ...more,
  };
  return { context: own, statuses, asked, published, recorded, replies };
}

/** Runs one of the streams, with A as the only tracked market. */
async function run(t: Test, name: 'books/spot' | 'trades/linear') {
  const { server, clock, supervisor, stop } = await streamScene(t, start);
  const live = new LiveBooks();
  const wanted: { markets: string[] } = { markets: ['A'] };
  const tracked = (source: string, part: string) =>
    listed(wanted.markets.map((market) => ({ market, symbol: `${source}/${part}`, kind: 'spot' })));
  const at = contextOf(clock, { books: { tracked, live }, trades: { tracked } }, server.host);
  const behaviour = trackedFeeds(venue, at.context).find((one) => one.name === name)?.behaviour;
  if (!behaviour) throw new Error(`there is no ${name}`);
  const begin = async (peers = 1) => {
    supervisor.spawn({ name, behaviour });
    await settle();
    if (peers > 0) await until(() => server.peers[0]?.received.length === 1, 'it has subscribed');
  };
  /** Sends messages and waits until they are read. */
  const send = async (...texts: string[]) => {
    const before = parsed;
    for (const text of texts) server.peers.at(-1)?.send(text);
    await until(() => parsed === before + texts.length, 'they are read');
  };
  return { ...at, server, clock, live, wanted, begin, send, stop };
}

t.test('the streams that there are, where they are not switched off', (t) => {
  const names = (more: Partial<HolderContext>) =>
    trackedFeeds(venue, contextOf(new FakeClock(), more).context).map(({ name }) => name);
  const switched = (...ids: string[]) => ({
    live: { on: (id: string) => ids.includes(id) },
  });
  t.strictSame(names({}), ['books/spot', 'trades/linear']);
  t.strictSame(names(switched('x')), ['books/spot', 'trades/linear']);
  t.strictSame(names(switched('y')), []);
  const { books: _, ...noBooks } = contextOf(new FakeClock()).context;
  const { trades: __, ...noTrades } = contextOf(new FakeClock()).context;
  const of = (context: HolderContext) => trackedFeeds(venue, context).map(({ name }) => name);
  t.strictSame([of(noBooks), of(noTrades)], [['trades/linear'], ['books/spot']]);
  t.strictSame(trackedFeeds({ id: 'x' }, contextOf(new FakeClock()).context), []);
  t.end();
});

t.test('a book is requested after its first change; its state is published soon', async (t) => {
  const { server, clock, live, begin, send, stop, ...at } = await run(t, 'books/spot');
  const { statuses, asked, replies } = at;
  const sequence = () => live.read('x', 'spot', 'A')?.book.sequence;
  await begin();
  t.strictSame(server.peers[0]?.received, ['+A']);
  t.equal(statuses.length, 1);
  t.match(statuses[0], {
    ...{ source: 'x', topic: 'books', part: 'spot', state: 'waiting', rows: 0 },
    ...{ last_attempt: start, next_poll: start + minute, latency_ms: null },
  });
  await clock.advance(1_000);
  t.same(asked, [], 'no change has come');
  await send('{"n":1,"A":7}');
  t.same(asked, [], 'books are looked at four times a second');
  await clock.advance(250);
  t.strictSame(asked, [['x', '/book/A', 10_000]]);
  const row = at.context.status.row('books', 'spot');
  const when = clock.now();
  const timeout = { code: 'timeout', message: 'no answer', at: when };
  t.match(row.values, { last_error: timeout, last_attempt: when });
  replies.book = success('<html>');
  await send('{"n":2,"A":8}');
  await clock.advance(4_750);
  t.equal(asked.length, 1, 'not again within five seconds');
  await clock.advance(250);
  t.equal(asked.length, 2);
  t.match(row.values.last_error, { code: 'shape', message: 'no book' });
  replies.book = success({ last: 8 });
  await send('{"n":3,"A":9}', 'nonsense');
  await clock.advance(5_000);
  t.equal(asked.length, 3);
  t.equal(sequence(), 9);
  await clock.advance(250);
  t.equal(statuses.length, 2);
  const dropped = { no_snapshot: 2, bad_message: 1 };
  t.match(statuses[1], { state: 'up', rows: 1, latency_ms: null, failures: 0 });
  t.strictSame(statuses[1]?.dropped, dropped);

  await send('{"n":5,"A":11}');
  await clock.advance(4_750);
  t.equal(sequence(), undefined, 'a hole in the numbers of a book');
  t.equal(statuses.length, 2, 'not more often than every five seconds');
  await clock.advance(250);
  t.equal(statuses.length, 3);
  t.match(statuses[2], {
    ...{ state: 'failing', rows: 0, failures: 1 },
    last_error: { code: 'network', message: 'no book is live' },
  });
  t.strictSame(statuses[2]?.dropped, { ...dropped, gap: 1 });
  await clock.advance(minute - 250);
  t.equal(statuses.length, 3);
  await clock.advance(250);
  t.match(statuses.slice(3), [{ state: 'failing', failures: 1, rows: 0 }], 'once more in a minute');
  await stop();
  await until(() => server.connections() === 0, 'the connection is closed');
});

t.test('a connection that is lost is a failure; its books are withdrawn', async (t) => {
  const { server, clock, live, begin, send, stop, ...at } = await run(t, 'books/spot');
  const { statuses, replies, published } = at;
  replies.book = success({ last: 7 });
  await begin();
  await send('{"n":1,"A":7}');
  await clock.advance(5_250);
  t.match(statuses.at(-1), { state: 'up', rows: 1 });
  const row = at.context.status.row('books', 'spot');
  server.peers[0]?.reset();
  await until(() => row.values.state === 'failing', 'the loss is seen');
  t.equal(live.read('x', 'spot', 'A'), null);
  const failures = 1;
  t.match(row.values, { failures, last_error: { code: 'network', at: clock.now() } });
  await clock.advance(5_000);
  t.match(statuses.at(-1), { failures, rows: 0, dropped: { lost: 1 } });
  await until(async () => {
    await clock.advance(1_000);
    return server.peers[1]?.received.length === 1;
  }, 'it has subscribed again');
  await send('{"n":1,"A":8}');
  await clock.advance(30_000);
  t.ok(live.read('x', 'spot', 'A'));
  const [topic, key, , lease] = published[0] ?? [];
  const expected = ['largeOrders', 'x/spot/spot/active', { name: 'x', fence: 7 }];
  t.strictSame([topic, key, lease], expected, 'large orders are followed as well');
  await stop();
  t.equal(live.read('x', 'spot', 'A'), null, 'nor is a book left behind at the end');
});

t.test('without tracked markets there is nothing to connect for', async (t) => {
  const { server, clock, wanted, statuses, begin } = await run(t, 'books/spot');
  wanted.markets = [];
  await begin(0);
  t.match(statuses.at(-1), { state: 'standby', reason: null, rows: 0 });
  await clock.advance(750);
  wanted.markets = ['B'];
  await clock.advance(0);
  t.equal(server.attempts, 0);
  await clock.advance(250);
  await until(() => server.peers[0]?.received[0] === '+B', 'they are asked for every second');
});

t.test('trades are recorded by the history, which may refuse them', async (t) => {
  const { clock, statuses, begin, send, recorded, replies } = await run(t, 'trades/linear');
  await begin();
  await send('[1,100]');
  await clock.advance(minute);
  await send('[2,101]');
  replies.record = failed('unavailable', 'there is no history').failure;
  await clock.advance(minute + 5_000);
  t.match(recorded[0], {
    ...{ source: 'history', name: 'record' },
    params: { series: 'footprint', rows: [{ key: 'x/spot/A', time: start + minute }] },
  });
  await clock.advance(minute);
  t.match(statuses.at(-1)?.last_error, { message: 'there is no history' });
});
