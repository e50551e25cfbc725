/** Order books: of one market, of several exchanges as one, and as they were recorded. */
import t from 'tap';
import { success } from '../../../actors/failure.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { repliesOf } from '../../../http/routes/books/asset-books.ts';
import { bookRoutes } from '../../../http/routes/books/index.ts';
import { onDemandRoutes } from '../../../http/routes/on-demand.ts';
import { BooksView } from '../../../http/views/books.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { FakeClock } from '../../support/clock.ts';
import { seriesReply } from '../../support/http-makers.ts';
import { instrument, levels, now, priceRow, reading } from '../../support/makers.ts';
import { askRow, frontQueries, queryBus } from '../../support/queries.ts';
import { contextFor, rowsOf, views } from '../../support/route-stage.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { likeRows, sameRows } from '../../support/table.ts';

const minute = 60_000;
const [prices, instruments] = [new PricesView(), new InstrumentsView()];
/** Turnovers of 3 : 1. */
const turnovers = { binance: 3e6, okx: 1e6 };
for (const [source, volume] of Object.entries(turnovers))
  for (const kind of ['spot', 'perpetual'] as const) {
    const market = kind === 'spot' ? 'BTCUSDT' : 'BTC-P';
    prices.accept(reading([priceRow({ kind, market, volume })], { source, part: kind }), now);
    instruments.accept(reading([instrument({ kind, market })], { source, part: kind }));
  }

/** The rows of books over these markets, with what was sampled of them. */
function readBooks(reply: Replies, books = new BooksView()) {
  const clock = new FakeClock(now);
  const markets = new Markets({ instruments, prices });
  const given = { ...contextFor(views), prices, instruments, markets, books, clock };
  return rowReader([...bookRoutes(given), ...onDemandRoutes(given)], { reply, clock });
}

t.test('books of several exchanges as one: steps, values, depth', async (t) => {
  const books: Record<string, object> = {
    binance: {
      bids: levels([99.5, 2], [98.7, 3]),
      asks: levels([100.5, 4], [101.2, 5]),
      timestamp: 7,
    },
    okx: { bids: levels([101.5, 6]), asks: levels([102.5, 8], [115, 10]), timestamp: 9 },
  };
  const read = readBooks(({ source }) => books[source] ?? null);
  const path = '/v1/spot/orderbook/aggregated?symbol=BTC';
  const data = await read(`${path}&exchange=binance,okx&step=1`);
  t.match(data, {
    symbol: 'BTC',
    // (3 x 100 + 1 x 102) / 4
    mid_price: 100.5,
    best_bid: 101.5,
    best_ask: 100.5,
    crossed: true,
    step: 1,
    exchanges: ['binance', 'okx'],
    failed_exchanges: [],
    timestamp: 9,
    // Its book ends 1.5 % from 100, that of okx 0.5 % from 102.
    depth_limited: ['binance', 'okx'],
  });
  // Bids are rounded down and asks up; the value is that of the prices themselves.
  t.strictSame(data.bids, [
    { price: 101, quantity: 6, value_usd: 609, exchanges: { okx: 6 } },
    { price: 99, quantity: 2, value_usd: 199, exchanges: { binance: 2 } },
    { price: 98, quantity: 3, value_usd: 296.1, exchanges: { binance: 3 } },
  ]);
  t.strictSame(data.asks, [
    { price: 101, quantity: 4, value_usd: 402, exchanges: { binance: 4 } },
    { price: 102, quantity: 5, value_usd: 506, exchanges: { binance: 5 } },
    { price: 103, quantity: 8, value_usd: 820, exchanges: { okx: 8 } },
    { price: 115, quantity: 10, value_usd: 1_150, exchanges: { okx: 10 } },
  ]);
  // Within 1 % of 100.5, from 99.495 to 101.505: 199 + 609 and 402 + 506.
  t.match(data.depth, {
    1: { bids_usd: 808, asks_usd: 908 },
    2: { bids_usd: 1_104.1, asks_usd: 1_728 },
  });
  t.match(await read(`${path}&exchange=okx&limit=1`), {
    step: 0.01,
    mid_price: 102,
    asks: [{ price: 102.5 }],
  });
  t.match(await read(`${path}&step=0`), { message: 'step must be above 0' });
  t.match(await read(`${path}&exchange=binance,nosuch`), {
    message: /^exchange 'nosuch' is none of/,
  });
  const unknown = { error: 'unknown_symbol', message: /^unknown symbol 'ZZZ'$/ };
  t.match(await read('/v1/spot/orderbook/aggregated?symbol=ZZZ'), unknown);
  const near = { error: 'unknown_symbol', message: /the nearest is BTCUSDT/ };
  t.match(await read('/v1/spot/orderbook/aggregated?symbol=BTCUSDTT&exchange=okx'), near);
  t.match(await read('/v1/spot/orderbook/aggregated?symbol=BTCUSDTT&exchange=okx,binance'), {
    message: /^unknown symbol 'BTCUSDTT'$/,
  });
  books.okx = { bids: [], asks: levels([5, 1]), timestamp: 9 };
  t.match(await read(`${path}&exchange=okx`), { error: 'upstream_failed', message: /two sides/ });
  delete books.okx;
  t.match(await read(path), { exchanges: ['binance'], failed_exchanges: ['okx'], mid_price: 100 });
});

t.test('recorded orders near the middle: by range, with the ratio of the sides', async (t) => {
  const times = [minute, 2 * minute, 3 * minute, 4 * minute];
  const columns = {
    mid: [100, null, 104, 105],
    exchanges: [7, 7, null, 7],
    bids_usd_100: [30, 31, 60, 62],
    asks_usd_100: [20, 21, 0, 22],
    bids_base_100: [0.3, 0.31, 0.6, null],
    asks_base_100: [0.2, 0.21, 0.7, 0.8],
    bids_usd_25: [3, 4, 5, null],
    asks_usd_25: [6, null, 8, 9],
    bids_base_25: [0.03, 0.04, 0.05, 0.09],
    asks_base_25: [0.06, 0.07, 0.08, 0.1],
  };
  let asked: readonly string[] = [];
  const read = readBooks(({ params }) => {
    asked = Object(params).keys;
    const rows = { times, columns };
    const byKey = { 'aggregated/spot/BTC': rows, 'okx/spot/BTC': { times: [], columns: {} } };
    return seriesReply('order-book', minute, asked, byKey);
  });
  const path = '/v1/spot/orderbook/history?symbol=BTC';
  const data = await read(path);
  likeRows(t, data)`
    symbol exchange   interval range_percent count
    BTC    aggregated 1h       1             2
  `;
  sameRows(t, data.points)`
    timestamp     bids_usd asks_usd bids_base asks_base bid_ask_ratio mid_price exchange_count
    ${minute}     30       20       0.3       0.2       1.5           100       7
    ${3 * minute} 60       0        0.6       0.7       -             104       -
  `;
  t.match((await read(`${path}&range_percent=0.25`)).points, [
    { bids_usd: 3, asks_usd: 6, bid_ask_ratio: 0.5 },
    { bids_usd: 5, asks_base: 0.08 },
  ]);
  t.match(await read(`${path}&exchange=okx`), { count: 0, note: 'not tracked' });
  t.strictSame(asked, ['okx/spot/BTC']);
  await read('/v1/futures/orderbook/history?symbol=BTC');
  t.strictSame(asked, ['aggregated/perpetual/BTC']);
  t.match(await read(`${path}&range_percent=3`), {
    message: 'range_percent must be one of 0.25, 0.5, 1, 2, 5',
  });
});

/** A sample of a book with a mid price of 100: 40 bid in the first bucket, 5 asked in the third. */
const sample = {
  market: 'BTC-P',
  symbol: 'BTC',
  mid: 100,
  bids: [40],
  asks: [0, 0, 5],
  bands: [],
  reach: 1,
  received: now - 5,
};
const sampled = (part = 'perpetual') => {
  const books = new BooksView();
  const about = { source: 'binance', asked: now, received: now };
  books.acceptSamples('a', { ...about, part, rows: [sample] });
  return books;
};

t.test('a heatmap: rows of a thousandth of the newest price, cells of each minute', async (t) => {
  const path = '/v1/futures/orderbook-heatmap?symbol=BTC&limit=5';
  const book = { market: 'M', bids: levels([99.95, 2]), asks: levels([100.05, 3]), timestamp: 3 };
  const asked = await readBooks(() => book)(`${path}&exchange=binance`);
  // The rows begin at 95: 99.95 is in the 50th, 100.05 in the 51st.
  t.match(asked, {
    symbol: 'BTC',
    exchange: 'binance',
    bucket_size: 0.1,
    timestamps: [now - (now % minute)],
    mid_prices: [100],
    bids: [[0, 49, 199.9]],
    asks: [[0, 50, 300.15]],
    max_value_usd: 300.15,
    note: 'not tracked',
    coverage: { expected: 5, present: 0, from: now - (now % minute) - 4 * minute },
  });
  t.strictSame([asked.prices.length, asked.prices[0], asked.prices[99]], [100, 95.05, 104.95]);
  const columns = { mid: [100, null, 101], bid_0: [40, 1, 60], ask_2: [5, 1, 0.01] };
  const rows = { times: [minute, 2 * minute, 3 * minute], columns };
  const recorded = await readBooks(
    ({ params }) =>
      seriesReply('order-book-levels', minute, Object(params).keys, {
        'aggregated/perpetual/BTC': rows,
      }),
    sampled(),
  )(path);
  // Rows from 95.95 by 0.101: 99.95 is in the 40th, 100.25 in the 43rd, 100.9495 in the 50th; 0.01 is too little.
  t.match(recorded, {
    exchange: 'aggregated',
    timestamps: [minute, 3 * minute],
    mid_prices: [100, 101],
    bids: [
      [0, 39, 40],
      [1, 49, 60],
    ],
    asks: [[0, 42, 5]],
    max_value_usd: 60,
  });
  t.equal(recorded.asks.length, 1);
  const live = await readBooks(
    ({ params }) => seriesReply('order-book-levels', minute, Object(params).keys, {}),
    sampled(),
  )(path);
  t.match(live, { note: 'no minute is recorded yet', bids: [[0, 49, 40]], asks: [[0, 52, 5]] });
});

t.test('a heatmap of spot markets is that of their own samples and records', async (t) => {
  const path = '/v1/spot/orderbook-heatmap?symbol=BTC&limit=3';
  const rows = { times: [minute], columns: { mid: [100], bid_2: [70], ask_0: [30] } };
  const asked: object[] = [];
  const reply: Replies = ({ params }) => {
    asked.push(Object(params));
    const { keys = [] } = Object(params);
    return seriesReply('order-book-levels', minute, keys, { 'okx/spot/BTC': rows });
  };
  const read = readBooks(reply, sampled('spot'));
  // From 95 by 0.1: 99.75 is in the 48th row, 100.05 in the 51st.
  t.match(await read(`${path}&exchange=binance`), {
    note: 'no minute is recorded yet',
    bids: [[0, 49, 40]],
  });
  t.match(asked, [{ series: 'order-book-levels', keys: ['binance/spot/BTC'], limit: 3 }]);
  const books = sampled('spot');
  const about = { source: 'okx', part: 'spot', asked: now, received: now };
  books.acceptSamples('b', { ...about, rows: [sample] });
  const recorded = await readBooks(reply, books)(`${path}&exchange=okx`);
  t.match(recorded, {
    exchange: 'okx',
    timestamps: [minute],
    bids: [[0, 47, 70]],
    asks: [[0, 50, 30]],
    max_value_usd: 70,
  });
  const book = { market: 'M', bids: levels([99, 1]), asks: levels([101, 1]), timestamp: 3 };
  const alone = await readBooks(
    ({ params }) => (Object(params).kind === 'spot' ? book : null),
    sampled(),
  )(path);
  t.match(alone, { note: 'not tracked', mid_prices: [100] });
});

t.test(
  'a heatmap of one exchange and one of all are kept apart where both ask the same',
  async (t) => {
    const book = { market: 'M', bids: levels([99, 1]), asks: levels([101, 1]), timestamp: 3 };
    const clock = new FakeClock(now);
    const only = new PricesView();
    only.accept(
      reading([priceRow({ kind: 'perpetual', market: 'BTC-P' })], { source: 'okx' }),
      now,
    );
    const markets = new Markets({ instruments, prices: only });
    const given = {
      ...contextFor(views),
      prices: only,
      instruments,
      markets,
      books: new BooksView(),
      clock,
    };
    const row = bookRoutes(given).find(({ path }) => path === '/v1/futures/orderbook-heatmap');
    if (!row) throw new Error('there is no row');
    let asked = 0;
    const bus = queryBus(() => {
      asked += 1;
      return success({ value: book, received: clock.now(), until: clock.now() + 5_000 });
    });
    const queries = frontQueries(bus, clock);
    for (const exchange of ['aggregated', 'okx', 'aggregated']) {
      const found = await askRow(row, { symbol: 'BTC', exchange, limit: 5 }, queries);
      if (!(found instanceof Snapshot)) throw new Error('there is no answer');
      t.match(JSON.parse(found.dataText), { exchange, symbol: 'BTC' });
    }
    t.equal(asked, 2, 'each is kept');
  },
);

t.test('large orders: those of books that are sampled, else the large levels of now', async (t) => {
  const books = sampled();
  const order = {
    market: 'BTC-P',
    symbol: 'BTC',
    side: 'bid' as const,
    price: 99,
    quantity: 20_000,
    value_usd: 1_980_000,
    initial_value_usd: 2_500_000,
    distance_percent: -1,
    state: 'active' as const,
    first_seen: now - 90,
    last_seen: now - 7,
  };
  const rows = [
    order,
    { ...order, price: 98, value_usd: 4e6, state: 'filled' as const },
    { ...order, price: 97, value_usd: 3e6 },
  ];
  books.acceptOrders('a', {
    source: 'binance',
    part: 'perpetual',
    asked: now,
    received: now,
    rows,
  });
  const read = readBooks(() => null, books);
  const { items, ...head } = await read('/v1/futures/large-orders');
  t.strictSame(head, { symbol: 'BTC', count: 3, tracked: true });
  t.match(
    items,
    [{ price: 98, state: 'filled' }, { price: 97 }, { price: 99 }],
    'largest value first',
  );
  sameRows(t, items[2])`
    exchange pair  side price quantity value_usd initial_value_usd distance_percent state  first_seen  last_seen
    binance  BTC-P bid  99    20_000   1_980_000 2_500_000         -1               active ${now - 90} ${now - 7}
  `;
  t.match(await read('/v1/futures/large-orders?min_usd=1980000'), { count: 3 });
  t.match(await read('/v1/futures/large-orders?min_usd=1980001'), { count: 2 });
  t.match(await read('/v1/futures/large-orders?limit=1'), { items: [{ price: 97 }] });
  const small = Array.from({ length: 5 }, (_, i): [number, number] => [99 - i / 10, 1]);
  const book = {
    market: 'BTCUSDT',
    bids: levels(...small, [98, 20_000]),
    asks: levels([101, 1], [102, 9]),
    timestamp: 5,
  };
  const untracked = await readBooks(() => book)('/v1/spot/large-orders?symbol=BTC&exchange=okx');
  // 20,000 x 98 dollars, 2 % below the middle of 100.
  sameRows(t, untracked.items)`
    exchange pair    side price quantity value_usd initial_value_usd distance_percent state  first_seen last_seen
    okx      BTCUSDT bid  98    20_000   1_960_000 1_960_000         -2               active 5          5
  `;
  t.equal(untracked.tracked, false);
});

t.test(
  'the book of one market: its spread, where it is from, how soon it is read again',
  async (t) => {
    const book = { market: 'BTCUSDT', bids: levels([99, 2]), asks: levels([101, 3]), timestamp: 4 };
    const replies: Record<string, object> = {
      binance: { ...book, source: 'live', sequence: 7 },
      okx: { ...book, bids: levels([102, 2]), crossed: true },
    };
    const read = readBooks(({ source }) => replies[source] ?? null);
    const head = { exchange: 'binance', symbol: 'btc-usdt', market: 'BTCUSDT' };
    t.strictSame(await read('/v1/orderbook?exchange=binance&symbol=btc-usdt'), {
      ...head,
      bids: book.bids,
      asks: book.asks,
      timestamp: 4,
      source: 'live',
      sequence: 7,
      // 2 of 100.
      spread_pct: 2,
      mid_price: 100,
    });
    const crossed = await read('/v1/orderbook?exchange=okx&symbol=BTCUSDT');
    t.match(crossed, { source: 'request', crossed: true, spread_pct: null, mid_price: null });
    t.notOk('spread_pct' in (await read('/v2/orderbook?exchange=okx&symbol=BTCUSDT')));
    const row = rowsOf([onDemandRoutes]).find(({ path }) => path === '/v1/orderbook');
    t.equal(row?.followEvery?.('{"source":"live"}'), 250);
    t.equal(row?.followEvery?.('{"source":"request"}'), 5_000);
  },
);

t.test(
  'a book that is far from all prices is in no answer, and its exchange is named',
  async (t) => {
    const market = (exchange: string) => ({ exchange, market: 'BTC-USDT', turnover: 1 });
    const markets = ['okx', 'bybit', 'gate'].map(market);
    const book = { market: 'BTC-USDT', bids: [], asks: [], timestamp: 1 };
    const wrong = { ...book, suspect: true } as const;
    const read = (...books: Parameters<typeof repliesOf>[1]) => {
      const { answered, failed } = repliesOf(markets, books);
      return [answered.map(({ exchange }) => exchange), failed];
    };
    t.strictSame(read(book, wrong, null), [['okx'], ['bybit', 'gate']]);
    t.strictSame(read(wrong, book, book), [['bybit', 'gate'], ['okx']]);
    t.strictSame(read(null, wrong, wrong), [[], ['okx', 'bybit', 'gate']]);
  },
);
