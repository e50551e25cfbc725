/** The source of samples: what is asked, published, recorded and served. */
import t from 'tap';
import { booksSource } from '../../../actors/books/books.ts';
import { booksFit, booksNeed } from '../../../actors/books/capacity.ts';
import { trackedMarkets } from '../../../actors/books/tracked.ts';
import { failed, success } from '../../../actors/failure.ts';
import { orderBook, orderBookLevels } from '../../../actors/history/series/order-book.ts';
import { LiveOrders } from '../../../actors/sources/books/live-books.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import { SourceStatus } from '../../../actors/sources/status/status.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import {
  type BookSample,
  type LargeOrderRow,
  type Query,
  type Reading,
  topics,
} from '../../../actors/topics/index.ts';
import { createLogger } from '../../../config/log.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { largeOrderRoutes } from '../../../http/routes/books/large-orders.ts';
import { BooksView } from '../../../http/views/books.ts';
import { FollowedBook } from '../../../indicators/order-book/followed-book.ts';
import { FakeClock } from '../../support/clock.ts';
import { instrument, priceRow } from '../../support/makers.ts';
import { listedMarkets } from '../../support/market-names.ts';
import { silentBus } from '../../support/queries.ts';
import { listed } from '../venues/stream-suite.ts';

const level = (price: number, quantity: number) => ({ price, quantity });

/** A source over two exchanges, of which one fails; the market knows both. */
function stage(...symbols: string[]) {
  const clock = new FakeClock();
  const newest = new NewestRows();
  const market = new MarketState(newest);
  const asked: string[] = [];
  const suspect = new Set<string>();
  const samples = new Map<string, Reading<BookSample>>();
  const orders = new Map<string, Reading<LargeOrderRow>>();
  /** What a source states of a book beside the usual levels. */
  const stated: { source?: 'live'; asks?: [] } = {};
  const view = new BooksView();
  const query = async ({ source, name, params }: Query<'fullBook'>) => {
    asked.push(`${source}/${name}/${params.market}`);
    if (source === 'gone') return failed('network', 'away');
    const bids = [level(99, 1), level(98, 20_000), level(94, 1)];
    const value = {
      market: params.market,
      bids,
      asks: [level(101, 2)],
      timestamp: clock.now(),
      ...(suspect.has(params.market) && { suspect: true }),
      ...stated,
    };
    return success({ value, received: clock.now(), until: 0 });
  };
  const context: JobContext = {
    clock,
    log: createLogger({ logLevel: 'silent' }, 'test'),
    status: new SourceStatus({ source: 'order-books', clock, publish: () => {} }),
    async publish(topic, key, value) {
      if (topic === 'orderBooks') {
        samples.set(key, value as Reading<BookSample>);
        view.acceptSamples(key, value as Reading<BookSample>);
      }
      if (topic === 'largeOrders') {
        orders.set(key, value as Reading<LargeOrderRow>);
        view.acceptOrders(key, value as never);
      }
      return null;
    },
    last: async (topic, key) => (topic === 'largeOrders' ? orders.get(key) : undefined) as never,
    query: silentBus.query,
    client: () => {
      throw new Error('no client is needed');
    },
  };
  const exchanges = ['there', 'gone'];
  const inputs = { market, query: query as never, exchanges, assets: symbols.length || 1 };
  const begin = () => {
    const [job] = booksSource(inputs).jobs(context);
    if (!job) throw new Error('there is no job');
    return job;
  };
  const job = begin();
  const round = async (of = job) => {
    const running = of.run({ now: clock.now(), signal: new AbortController().signal });
    for (let i = 0; i < 8; i++) await clock.advance(2_000);
    return running;
  };
  const list = () => {
    for (const source of exchanges) {
      const rows = (symbols.length > 0 ? symbols : ['BTC']).flatMap((symbol) => [
        priceRow({ market: `${symbol}-spot`, symbol, volume: 5 }),
        priceRow({ market: `${symbol}-perpetual`, kind: 'perpetual', symbol, volume: 7 }),
      ]);
      const at = { asked: clock.now(), received: clock.now() };
      newest.accept('prices', { source, part: 'all', rows, ...at });
    }
  };
  return { clock, newest, market, asked, suspect, samples, stated, view, job, begin, round, list };
}

t.test('the markets of an exchange are asked within three quarters of a minute', async (t) => {
  const { clock, asked, job, list, round } = stage(
    ...Array.from({ length: 40 }, (_, i) => `A${i}`),
  );
  list();
  await round();
  const running = job.run({ now: clock.now(), signal: new AbortController().signal });
  const there = () => asked.filter((one) => one.startsWith('there')).length;
  await clock.advance(22_500);
  t.equal(there(), 25);
  await clock.advance(22_500);
  t.equal(there(), 48);
  await running;
});

t.test('every market once a round; one exchange that fails does not matter', async (t) => {
  const { clock, newest, market, asked, samples, view, job, round, list } = stage();
  list();
  t.equal(await round(), null);
  t.equal(asked.length, 0, 'the first run returns at once: readiness waits for it');
  t.equal(job.pause?.(), 3_000);
  t.equal(await round(), null);
  t.strictSame(asked.sort(), [
    'gone/fullBook/BTC-perpetual',
    'gone/fullBook/BTC-spot',
    'there/fullBook/BTC-perpetual',
    'there/fullBook/BTC-spot',
  ]);
  t.equal(job.pause?.(), 60_000);
  const now = clock.now();
  const [sample] = view.samples({ kind: 'spot', symbol: 'BTC' }, now);
  t.strictSame([sample?.exchange, sample?.mid, sample?.market], ['there', 100, 'BTC-spot']);
  t.strictSame(view.samples({ kind: 'spot', symbol: 'BTC', exchange: 'gone' }, now), []);
  t.strictSame(view.samples({ kind: 'spot', symbol: 'BTC' }, now + 181_000), [], 'too old');

  for (const reading of samples.values()) newest.accept('orderBooks', reading);
  const recorded = [...(orderBook.sample?.(market, now, 60_000) ?? [])];
  t.strictSame(recorded.map(({ key }) => key).sort(), [
    'aggregated/perpetual/BTC',
    'aggregated/spot/BTC',
    'there/perpetual/BTC',
    'there/spot/BTC',
  ]);
  const whole = recorded.find(({ key }) => key === 'aggregated/spot/BTC')?.values;
  t.strictSame([whole?.mid, whole?.bids_usd_25, whole?.bids_usd_100], [100, 0, 99]);
  t.strictSame(whole?.asks_base_500, 2);
  const [first] = orderBookLevels.sample?.(market, now, 60_000) ?? [];
  const levels = first?.values;
  t.strictSame([levels?.bid_10, levels?.ask_10, levels?.bid_49], [99, 202, 0]);
  t.strictSame([...(orderBook.sample?.(market, now + 181_000, 60_000) ?? [0])], []);
});

t.test('a suspect book is not sampled', async (t) => {
  const { clock, suspect, view, round, list } = stage();
  list();
  await round();
  suspect.add('BTC-spot');
  await round();
  const now = clock.now();
  t.strictSame(view.samples({ kind: 'spot', symbol: 'BTC' }, now), []);
  t.equal(view.samples({ kind: 'perpetual', symbol: 'BTC' }, now).length, 1);
});

t.test('large orders after the second sample', async (t) => {
  const { clock, view, round, list } = stage();
  await round();
  list();
  await round();
  const wanted = { kind: 'spot', symbol: 'BTC' } as const;
  t.strictSame(view.orders(wanted, clock.now()), []);
  await round();
  const orders = view.orders(wanted, clock.now());
  t.strictSame(
    orders.map(({ exchange, market, price, state }) => [exchange, market, price, state]),
    [['there', 'BTC-spot', 98, 'active']],
  );
});

t.test('a process that takes over goes on with the orders that were published', async (t) => {
  const { clock, view, begin, round, list, stated, samples } = stage();
  list();
  for (let i = 0; i < 3; i++) await round();
  const wanted = { kind: 'spot', symbol: 'BTC' } as const;
  const [before] = view.orders(wanted, clock.now());
  const next = begin();
  await next.wait?.(clock.now(), new AbortController().signal);
  for (let i = 0; i < 2; i++) await round(next);
  const [after] = view.orders(wanted, clock.now());
  t.match(after, {
    price: 98,
    market: 'BTC-spot',
    state: 'active',
    first_seen: before?.first_seen,
  });
  stated.asks = [];
  await clock.advance(topics.orderBooks.maxAge);
  await round(next);
  t.strictSame(samples.get('there/spot')?.rows, [], 'neither a book of one side nor an old sample');
  delete stated.asks;
  stated.source = 'live';
  await round(next);
  t.equal(samples.get('there/spot')?.rows.length, 1);
  t.strictSame(
    view.orders(wanted, clock.now()),
    [],
    'the orders of a live book are told elsewhere',
  );
});

t.test(
  'large orders of a market that is not sampled any more end, also over a restart',
  async (t) => {
    const { clock, newest, view, begin, round, list } = stage();
    const wanted = { kind: 'spot', symbol: 'BTC' } as const;
    const seen = () => view.orders(wanted, clock.now()).map(({ market }) => market);
    /** From now on another market of the asset leads. */
    const lead = (market: string, volume: number) => {
      const at = { asked: clock.now(), received: clock.now() };
      const rows = [priceRow({ market, symbol: 'BTC', volume })];
      newest.accept('prices', { source: 'there', part: 'other', rows, ...at });
    };
    list();
    for (let i = 0; i < 3; i++) await round();
    t.strictSame(seen(), ['BTC-spot']);
    lead('BTC-next', 50);
    for (let i = 0; i < 2; i++) await round();
    t.strictSame(seen().sort(), ['BTC-next', 'BTC-spot'], 'it may come back');
    const later = begin();
    await later.wait?.(clock.now(), new AbortController().signal);
    await round(later);
    await clock.advance(600_000);
    list();
    lead('BTC-next', 50);
    for (let i = 0; i < 3; i++) await round(later);
    t.strictSame(seen(), ['BTC-next'], 'taken over, and ended after ten minutes');
    for (let i = 0; i < 6; i++) {
      lead(`BTC-${i}`, 60 + i);
      for (let looks = 0; looks < 2; looks++) await round(later);
    }
    t.strictSame(seen().sort(), ['BTC-4', 'BTC-5'], 'markets that lead in turn do not add up');
  },
);

t.test('what live books need, and whether a machine has it', async (t) => {
  const kinds = ['spot', 'perpetual'] as const;
  const venues = [
    { books: { spot: undefined, linear: undefined }, kinds, parts: ['spot', 'linear'] },
    { kinds, parts: ['spot', 'linear'] },
    { books: { all: undefined }, kinds, parts: ['all'] },
  ];
  const need = booksNeed(venues, 30);
  t.equal(need.books, 120);
  t.ok(booksFit(need, { cores: 2, mebibytes: 1_000 }));
  t.notOk(booksFit(need, { cores: 2, mebibytes: 50 }), 'too little memory');
  t.notOk(booksFit({ ...need, cores: 1.5 }, { cores: 2, mebibytes: 1_000 }), 'too few processors');
});

t.test('large orders of live books: published soon, taken over by the next process', async (t) => {
  const published = new Map<string, Reading<LargeOrderRow>>();
  let count = 0;
  const begin = () => {
    const orders = new LiveOrders({
      source: 'x',
      part: 'all',
      topics: {
        async publish(_topic: string, key: string, reading: unknown) {
          published.set(key, reading as Reading<LargeOrderRow>);
          count += 1;
          return null;
        },
        last: async (_topic: string, key: string) => published.get(key) as never,
      },
    });
    return orders.adopt().then(() => orders);
  };
  const instrument = listed([{ market: 'AUSDT', symbol: 'A' }]).get('AUSDT');
  if (!instrument) throw new Error('there is no instrument');
  const book = new FollowedBook({ most: 9, window: false, rule: 'whole', asked: false });
  const say = (bids: number[]) =>
    book.take({ kind: 'snapshot', bids, asks: [101, 1, 102, 1], stated: null });
  const kept = [{ instrument, book, received: 0 }];
  const first = await begin();
  say([99, 1, 98, 1, 97, 1_000]);
  const start = 1_750_000_000_000;
  for (let ms = 0; ms <= 12_000; ms += 250) first.tick(kept, start + ms);
  t.match(published.get('x/perpetual/all/active')?.rows, [
    { market: 'AUSDT', symbol: 'A', side: 'bid', price: 97, state: 'active', first_seen: start },
  ]);
  t.ok(count < 8, 'not at every look');
  const view = new BooksView();
  for (const [key, reading] of published) view.acceptOrders(key, reading);
  const wanted = { kind: 'perpetual', symbol: 'A' } as const;
  t.equal(view.orders(wanted, start).length, 1);
  const next = await begin();
  say([99, 1, 98, 1, 96, 1]);
  for (let ms = 13_000; ms <= 80_000; ms += 1_000) next.tick(kept, start + ms);
  t.same(published.get('x/perpetual/all/active')?.rows, []);
  t.match(published.get('x/perpetual/all/closed')?.rows, [
    { price: 97, state: 'cancelled', first_seen: start },
  ]);
  say([99, 1, 98, 1, 96, 1_000]);
  for (let ms = 81_000; ms <= 100_000; ms += 1_000) next.tick(kept, start + ms);
  const active = () => published.get('x/perpetual/all/active')?.rows.map(({ price }) => price);
  t.same(active(), [96]);
  book.drop();
  for (let ms = 101_000; ms <= 720_000; ms += 1_000) next.tick(kept, start + ms);
  t.same(active(), [], 'a book that is not live for ten minutes has no resting orders');
});

t.test('the age of large orders is that of the newest sample or order', async (t) => {
  const now = 1_750_000_000_000;
  const { prices, markets } = listedMarkets({ x: [instrument({ kind: 'spot' })] });
  const at = { source: 'x', part: 'spot', asked: now, received: now - 40_000 };
  prices.accept({ ...at, rows: [priceRow({ volume: 5 })] }, now);
  const books = new BooksView();
  const sample = { market: 'BTCUSDT', symbol: 'BTC', received: at.received } as BookSample;
  books.acceptSamples('x/spot', { ...at, rows: [sample] });
  const routes = largeOrderRoutes({
    books,
    clock: new FakeClock(now),
    markets,
    prices,
    registry: [{ id: 'x', kinds: ['spot'] }] as never,
    exchanges: { orderBook: ['x'] } as never,
  });
  const asOf = () => {
    const from = routes.find(({ path }) => path === '/v1/spot/large-orders')?.from;
    const answer = from && 'query' in from ? from.query({ symbol: 'BTC', limit: 9 }) : null;
    return answer instanceof Snapshot ? answer.asOf : null;
  };
  t.equal(asOf(), now - 40_000, 'without orders that of the sample');
  const order = { market: 'BTCUSDT', symbol: 'BTC', side: 'bid', price: 9, value_usd: 1 };
  const seen = { ...order, state: 'active', last_seen: now - 2_000 } as LargeOrderRow;
  books.acceptOrders('x/spot/live', { ...at, received: now - 1_000, rows: [seen] });
  t.equal(asOf(), now - 2_000, 'a live book was looked at later');
});

t.test(
  'large orders come by their value, and those that rest are not cut for ended ones',
  async (t) => {
    const now = 1_750_000_000_000;
    const { prices, markets } = listedMarkets({ x: [instrument({ kind: 'spot' })] });
    const at = { source: 'x', part: 'spot', asked: now, received: now };
    prices.accept({ ...at, rows: [priceRow({ volume: 5 })] }, now);
    const books = new BooksView();
    const sample = { market: 'BTCUSDT', symbol: 'BTC', received: now } as BookSample;
    books.acceptSamples('x/spot', { ...at, rows: [sample] });
    const order = { market: 'BTCUSDT', symbol: 'BTC', side: 'bid', last_seen: now } as const;
    const rows = [
      { ...order, price: 7, value_usd: 3, state: 'cancelled' },
      { ...order, price: 8, value_usd: 1, state: 'active' },
      { ...order, price: 9, value_usd: 2, state: 'active' },
    ] as LargeOrderRow[];
    books.acceptOrders('x/spot/live', { ...at, rows });
    const routes = largeOrderRoutes({
      books,
      clock: new FakeClock(now),
      markets,
      prices,
      registry: [{ id: 'x', kinds: ['spot'] }] as never,
      exchanges: { orderBook: ['x'] } as never,
    });
    const from = routes.find(({ path }) => path === '/v1/spot/large-orders')?.from;
    const pricesOf = (limit: number) => {
      const answer = from && 'query' in from ? from.query({ symbol: 'BTC', limit }) : null;
      const text = answer instanceof Snapshot ? answer.dataText : '';
      return [...text.matchAll(/"price":(\d)/g)].map(([, price]) => Number(price));
    };
    t.strictSame(pricesOf(9), [7, 9, 8]);
    t.strictSame(pricesOf(2), [9, 8]);
  },
);

t.test('markets with kept books: of each asset the first of each kind', async (t) => {
  const names = ['A-spot', 'A-perpetual', 'B-spot', 'B-perpetual', 'C-spot'];
  const kindOf = (market: string) => market.split('-')[1];
  const listed = new Map(
    names.map((market) => [
      market,
      { market, kind: market === 'B-perpetual' ? 'other' : kindOf(market) },
    ]),
  );
  const market = {
    tracked: () => ['A', 'B', 'C'],
    markets: (source: string, kind: string, symbol: string) =>
      source === 'x' ? [{ market: `${symbol}-${kind}` }, { market: 'A-spot' }] : [],
  };
  const book = { part: (_: string, part: string) => (part === 'all' ? listed : new Map()) };
  const of = (source: string, part: string, assets = 2) => [
    ...trackedMarkets({ market, book, assets } as never)(source, part, 1).keys(),
  ];
  t.strictSame(of('x', 'all'), ['A-spot', 'A-perpetual', 'B-spot']);
  t.strictSame(of('x', 'all', 3), ['A-spot', 'A-perpetual', 'B-spot', 'C-spot']);
  t.strictSame([of('x', 'other'), of('y', 'all')], [[], []]);
});
