/** The actors of the feeds of an exchange of our own, with a clock that is moved by hand. */
import t, { type Test } from 'tap';
import { failed, success } from '../../../actors/failure.ts';
import { asRow } from '../../../actors/read.ts';
import type { HolderContext } from '../../../actors/sources/context.ts';
import type { MarketPoll, Parsed, Plan, RowsOf } from '../../../actors/sources/define.ts';
import { feedsOf, type Markets } from '../../../actors/sources/feeds.ts';
import type { LatestStream } from '../../../actors/sources/streams/stream.ts';
import type { Liquidation, LiveTopic } from '../../../actors/topics/index.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { feedContext, price, rate } from '../../support/feed-stage.ts';
import { streamScene } from '../../support/streaming.ts';
import { until } from '../../support/until.ts';

/** What the parsers make of a body or a message: it has the rows by their field. */
const rowsOf = <Row>(body: unknown, field: string): Parsed<Row> => ({
  rows: (asRow(body)[field] ?? []) as Row[],
  dropped: 'unknown' in asRow(body) ? [{ key: 'NEW', code: 'unknown_instrument' }] : [],
});
const asks = (path: string) => ({
  requests: ({ markets }: Plan) => [{ api: 'rest', path: [path, ...markets].join('/') }],
});
/** How often the bodies of polls of prices and rates were read. */
let readings = 0;
/** A poll whose bodies have prices in `field`, and rates. */
const pricesAt = (field: string): MarketPoll<'prices' | 'derivatives'> => ({
  ...asks(field),
  parse([body]) {
    readings += 1;
    return { prices: rowsOf(body, field), derivatives: rowsOf(body, 'rates') };
  },
});
const linear = pricesAt('prices');
const spot = { ...pricesAt('spot'), rotates: true };

/** Messages that were read. */
let read = 0;
const wiring = { url: 'wss://x.example/stream', silence: 3_600_000 };
const stream = <T extends LiveTopic>(
  parse: (message: unknown) => Partial<RowsOf<T>>,
): LatestStream<T> => ({
  ...wiring,
  channels: (markets) => [...markets.keys()],
  parse(message) {
    read += 1;
    return parse(message);
  },
});

const markets: Markets = {
  id: 'x',
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: {
        linear: { ...asks('list'), parse: ([body]) => ({ instruments: rowsOf(body, 'list') }) },
      },
    },
    prices: { every: 30_000, parts: { linear, spot } },
    derivatives: { every: 30_000, parts: { linear, spot } },
    options: {
      every: 60_000,
      parts: {
        usd: { ...asks('options'), parse: ([body]) => ({ options: rowsOf(body, 'options') }) },
      },
    },
  },
  events: {
    liquidations: {
      linear: {
        ...wiring,
        channels: () => ['all'],
        keyOf: ({ timestamp }) => `${timestamp}`,
        parse(message) {
          read += 1;
          return rowsOf<Liquidation>(message, 'liquidations');
        },
      },
    },
  },
  live: {
    prices: { linear: stream((message) => ({ prices: rowsOf(message, 'prices') })) },
    derivatives: { linear: stream((message) => ({ derivatives: rowsOf(message, 'rates') })) },
    openInterest: { linear: stream((message) => ({ openInterest: rowsOf(message, 'interest') })) },
  },
  trades: {
    linear: {
      ...wiring,
      channels: () => [],
      parse: () => ({ rows: [], dropped: [] }),
    },
  },
};

async function stage(t: Test, live?: boolean) {
  const { server, clock, supervisor } = await streamScene(t);
  const made = feedContext(clock, server.host);
  const { statuses, published, outcomes, last, redis, list, reading } = made;
  const asked: unknown[] = [];
  const polled: string[] = [];
  /** The answer to each request, or whether it is refused, and when it was asked; now when null. */
  const state = { body: {} as unknown, asked: null as number | null, banned: false };
  const context: HolderContext = {
    ...made.context,
    trades: { tracked: () => new Map() },
    ...(live !== undefined && { live: { on: (id: string) => live && id === 'x' } }),
    client: (id) => ({
      async send({ path }: UpstreamRequest) {
        asked.push([id, path]);
        if (state.banned) return failed('rate_limited', 'HTTP 418');
        return success({
          body: state.body,
          asked: state.asked ?? clock.now(),
          received: clock.now(),
        });
      },
      state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
    }),
  };
  const feeds = feedsOf({ markets, context, poll: (...what) => polled.push(what.join()) });
  const named = <Named extends { name: string }>(all: readonly Named[], name: string) => {
    const actor = all.find((one) => one.name === name);
    if (!actor) throw new Error(`there is no ${name}`);
    return actor;
  };
  /** Runs a poll once, as a new job. */
  const run = async (name: string) => {
    const job = named(feeds.polls, name).job();
    const round = { now: clock.now(), signal: new AbortController().signal };
    await job.wait?.(round.now, round.signal);
    const failure = await job.run(round);
    context.status.plan(job.name, clock.now(), job.also);
    return { job, failure };
  };
  /** Starts a stream of the part, and gives how to send on it. */
  const begin = async (name: string) => {
    supervisor.spawn(named(feeds.streams, name));
    await until(() => (server.peers[0]?.received.length ?? 0) > 0, 'it is subscribed to');
    return async (message: object) => {
      const before = read;
      server.peers.at(-1)?.send(JSON.stringify(message));
      await until(() => read > before, 'it is read');
    };
  };
  const names = () => [...feeds.polls, ...feeds.streams].map(({ name }) => name);
  const at = { clock, server, statuses, published, asked, polled, last, state, names, redis };
  return { ...at, outcomes, run, list, begin, reading, newest: context.newest };
}

const lease = { name: 'x', fence: 7 };

t.test('an actor for every poll and every stream', async (t) => {
  const polls = ['prices/linear', 'prices/spot', 'instruments/linear', 'options/usd'];
  const live = ['priceChanges/linear', 'derivativeChanges/linear', 'openInterestChanges/linear'];
  const of = async (live?: boolean) => (await stage(t, live)).names().sort();
  const all = [...polls, 'liquidations/linear'];
  t.strictSame(await of(), [...all, 'trades/linear'].sort());
  t.strictSame(await of(false), [...all].sort(), 'without the streams that are switched off');
  t.strictSame(await of(true), [...all, ...live, 'trades/linear'].sort());
});

t.test('only lists and options are asked for before the list of the part is known', async (t) => {
  const { asked, run, list } = await stage(t);
  const periods: Record<string, number> = {};
  const all = ['prices/linear', 'prices/spot', 'instruments/linear', 'options/usd'];
  for (const name of all) periods[name] = (await run(name)).job.every ?? 0;
  const free = [
    ['x', 'list'],
    ['x', 'options'],
  ];
  t.strictSame(asked, free);
  t.strictSame(periods, {
    'prices/linear': 30_000,
    'prices/spot': 30_000,
    'instruments/linear': 3_600_000,
    'options/usd': 60_000,
  });
  list('linear', 'A');
  list('spot', 'S');
  asked.length = 0;
  for (const name of all) await run(name);
  const bound = [
    ['x', 'prices'],
    ['x', 'spot/S'],
  ];
  t.strictSame(asked, [...bound, ...free]);
});

t.test('the rows of one body are published by topic, with those of the last reading', async (t) => {
  const { clock, published, last, state, run, list, reading, polled, statuses } = await stage(t);
  list('linear', 'A', 'B');
  list('spot', 'S', 'T');
  const now = clock.now();
  last['prices/x/linear'] = reading('linear', [price('A', 1), price('B', 1)]);
  last['prices/x/spot'] = reading('spot', [price('T', 3)], now - 1);
  state.body = {
    prices: [price('A', 1)],
    rates: [rate('A', 1.06)],
    spot: [price('S', 1)],
    unknown: 1,
  };
  const before = readings;
  t.equal((await run('prices/linear')).failure, null);
  t.equal(readings, before + 1, 'it is read once for both topics');
  t.same(published, [
    ['prices', 'x/linear', reading('linear', [price('A', 1)]), lease],
    ['derivatives', 'x/linear', reading('linear', [rate('A', 1.06)]), lease],
  ]);
  t.strictSame(polled, ['instruments,linear'], 'the list is read again');
  t.same(
    statuses.map(({ topic, part, rows }) => [topic, part, rows]),
    [
      ['prices', 'linear', 1],
      ['derivatives', 'linear', 1],
    ],
  );
  published.length = 0;
  await run('prices/spot');
  const kept = { ...price('T', 3), received: now - 1 };
  t.match(
    published[0]?.[2],
    { rows: [price('S', 1), kept] },
    'a poll of some markets keeps others',
  );
  t.match(published[1], ['derivatives', 'x/spot', { rows: [rate('A', 1.06)] }]);
});

t.test('a poll goes on without Redis, and fails where nothing is published', async (t) => {
  const { published, state, run, list, statuses, redis, outcomes } = await stage(t);
  list('linear', 'A');
  redis.up = false;
  outcomes.prices = 'unavailable';
  state.body = { prices: [price('A', 1)] };
  t.match(await run('prices/linear'), { failure: { code: 'unavailable' } });
  t.match(published, [['prices', 'x/linear', { rows: [{ market: 'A' }] }], ['derivatives']]);
  t.match(statuses[0], { topic: 'prices', state: 'failing' });
});

t.test('streamed rows are merged with those of the polls', async (t) => {
  const { clock, published, state, run, list, begin, statuses } = await stage(t, true);
  list('linear', 'A', 'B', 'Z');
  state.body = { rates: [{ ...rate('A', 3), index: 2.99 }, rate('B', 5)] };
  await run('prices/linear');
  const send = await begin('derivativeChanges/linear');
  await clock.advance(1);
  published.length = 0;
  await send({ rates: [rate('A', 3.01)] });
  await clock.advance(900);
  t.match(published, [['derivativeChanges', 'x/linear', { part: 'linear' }, lease]]);
  const change = asRow(published[0]?.[2]).rows;
  t.match(change, [{ market: 'A', mark: 3.01, index: 2.99 }]);
  t.match(change, { length: 1 }, 'of the changed markets alone');
  t.match(statuses.at(-1), { topic: 'derivativeChanges', part: 'linear' });
  state.body = { rates: [{ ...rate('A', 3), index: 2.98 }, rate('B', 5)] };
  state.asked = clock.now() - 901;
  await run('prices/linear');
  const rows = [
    { market: 'A', mark: 3.01, index: 2.98 },
    { market: 'B', mark: 5 },
  ];
  t.match(published.at(-1), ['derivatives', 'x/linear', { rows }], 'newer than this poll');
  published.length = 0;
  await clock.advance(1_000);
  await send({ rates: [rate('Z', 1)] });
  await clock.advance(1_000);
  const all = [...rows, { market: 'Z', mark: 1 }];
  t.match(published, [['derivatives', 'x/linear', { rows: all }, lease]], 'with a new market');
  t.equal(published.length, 1);
});

t.test('streamed prices follow the polls, and stop where these are frozen', async (t) => {
  const { clock, published, list, begin, state, run, polled, server } = await stage(t, true);
  list('linear', 'A');
  const send = await begin('priceChanges/linear');
  const changes = async (value: number, stated: number | null) => {
    state.body = { prices: [{ ...price('A', value), stated }] };
    await run('prices/linear');
    await clock.advance(1);
    published.length = 0;
    await send({ prices: [price('A', value * 1.01)] });
    await clock.advance(1_000);
    return published.map(([topic, key]) => `${topic} ${key}`);
  };
  t.strictSame(await changes(1, null), ['priceChanges x/linear']);
  t.strictSame(await changes(1.02, clock.now() - 60_001), []);
  server.peers[0]?.reset();
  await until(() => polled.length > 0, 'the loss is known');
  t.strictSame(polled, ['prices,linear']);
});

t.test(
  'prices of listed markets are published by stream where every poll is refused',
  async (t) => {
    for (const old of [true, false]) {
      const { clock, published, last, state, run, list, reading, begin } = await stage(t, true);
      state.banned = true;
      // The lists and the last prices are in Redis.
      list('linear', 'A', 'B', 'C');
      const before = reading('linear', [price('A', 1), price('B', 5)], clock.now() - 400_000);
      if (old) last['prices/x/linear'] = before;
      t.match(await run('prices/linear'), { failure: { code: 'rate_limited' } });
      const send = await begin('priceChanges/linear');
      /** Sends prices and gives what is published of them. */
      const say = async (pause: number, ...prices: unknown[]) => {
        published.length = 0;
        await send({ prices });
        await clock.advance(pause);
        return published.map(([topic, key, value]) => [topic, key, asRow(value).rows]);
      };
      await clock.advance(1);
      const b = { market: 'B', price: 5, received: before.received };
      const ac = [price('A', 3), price('C', 7)] as const;
      const whole = old ? [ac[0], b, ac[1]] : ac;
      const found = await say(1_000, ...ac);
      t.match(found, [['prices', 'x/linear', whole]], 'with those of Redis');
      t.equal(found.length, 1);
      t.match(await say(250, price('A', 3.1)), [['priceChanges', 'x/linear', [{ price: 3.1 }]]]);
      await clock.advance(45_000);
      const newest = (await say(250, price('A', 3.2))).at(-1);
      t.match(newest, ['prices', 'x/linear', [{ price: 3.2 }]], 'it goes on');
    }
  },
);

t.test('liquidations are published with their stream', async (t) => {
  const { clock, published, list, begin, polled, statuses } = await stage(t);
  list('linear', 'A');
  const start = clock.now();
  const send = await begin('liquidations/linear');
  await send({ liquidations: [{ timestamp: start }], unknown: 1 });
  await clock.advance(20);
  t.match(published, [
    [
      'liquidations',
      'x/linear',
      { source: 'x', part: 'linear', events: [{ timestamp: start }] },
      lease,
    ],
  ]);
  t.match(statuses.at(-1), { topic: 'liquidations', part: 'linear' });
  t.strictSame(polled, ['instruments,linear']);
});

t.test(
  'a market away from all other exchanges for an hour leaves its asset and is named',
  async (t) => {
    const { clock, published, polled, state, run, list, statuses, newest } = await stage(t);
    const about = { market: 'A', kind: 'perpetual', quote: 'USDT' };
    list('linear', 'A', 'B');
    for (let minute = 0; minute <= 60; minute += 1) {
      await clock.advance(60_000);
      const received = clock.now();
      for (const source of ['y', 'z'])
        newest.accept('prices', {
          ...{ source, part: 'all', asked: received, received },
          rows: [price('A', 100)],
        });
      t.strictSame(polled, [], `${minute} min`);
      state.body = {
        prices: [price('A', 40 + (minute % 7)), price('B', 5)],
        list: [{ ...about, symbol: 'A' }],
      };
      await run('prices/linear');
    }
    t.strictSame(polled, ['instruments,linear']);
    await run('instruments/linear');
    t.match(published.at(-1), [
      'instruments',
      'x/linear',
      { rows: [{ market: 'A', symbol: 'AX', left: 'A' }] },
    ]);
    t.match(statuses.at(-1), { topic: 'instruments', part: 'linear', strays: ['A'] });
  },
);
