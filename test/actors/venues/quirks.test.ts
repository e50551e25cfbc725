/** Books and candles that an exchange states in a way of its own, which no column of a table shows. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { levels } from '../../support/makers.ts';
import { askFor, fixture } from './fixtures.ts';

const barsOf = (venue: Venue, part: string, market: string, body: unknown) =>
  venue.queries.candles?.parse(body, askFor(venue, part, market)) ?? [];
const bookOf = (venue: Venue, part: string, market: string, body: unknown) =>
  venue.queries.orderBook?.parse(body, askFor(venue, part, market));

t.test('Gate: the sum of an inverse candle is its base where it fits the prices', async (t) => {
  const row = { t: 1_749_999_600, o: '10', h: '20', l: '10', c: '20', v: '100' };
  const volumes = ['5', '10', '4.9', '10.1'].map(
    (sum) => barsOf(venues.gate, 'btc', 'BTC_USD', [{ ...row, sum }])[0]?.volume,
  );
  t.strictSame(volumes, [5, 10, 100 / 15, 100 / 15], 'from 100 / 20 to 100 / 10');
});

t.test('Bitget: of two volumes of a coin-margined candle the price tells the base', async (t) => {
  const read = (market: string, prices: string[], ...volumes: string[]) =>
    barsOf(venues.bitget, 'coin-futures', market, {
      data: [['1749996000000', ...prices, ...volumes]],
    });
  const [dear, cheap] = [
    ['99500', '100100', '99400', '100000'],
    ['0.5', '0.6', '0.4', '0.55'],
  ];
  for (const volumes of [
    ['2000400', '20.07'],
    ['20.07', '2000400'],
  ])
    t.match(read('BTCUSD', dear, ...volumes), [{ volume: 20.07, turnover: 2_000_400 }]);
  for (const volumes of [
    ['2000', '1000'],
    ['1000', '2000'],
  ])
    t.match(read('XRPUSD', cheap, ...volumes), [{ volume: 2000, turnover: 1000 }]);
});

t.test('Backpack: bars open at a time, of UTC where it names no zone, or are none', async (t) => {
  const bar = { open: 1, high: 2, low: 1, close: 2, volume: 3, quoteVolume: 4 };
  const read = (start: unknown, more: object = {}) =>
    barsOf(venues.backpack, 'all', 'BTC_USDC', [{ ...bar, ...more, start }]);
  const start = '2025-06-15 13:00:00';
  for (const stated of [start, `${start}Z`, '2025-06-15T14:00:00+01:00'])
    t.match(read(stated), [{ timestamp: Date.UTC(2025, 5, 15, 13) }], stated);
  t.strictSame(read(start, { open: null }), [], 'a bar without trades');
  for (const odd of ['', 'now', 7, null]) t.throws(() => read(odd), ShapeError, `refuses ${odd}`);
});

t.test('OKX: no turnover beside a volume is unknown, beside none it is 0', async (t) => {
  const bars = barsOf(venues.okx, 'spot', 'BTC-USDT', fixture(venues.okx, 'spot-candles'));
  t.strictSame(
    bars.slice(1).map(({ volume, turnover }) => [volume, turnover]),
    [
      [10, 1_042_000],
      [4, null],
      [0, 0],
    ],
  );
});

t.test('Lighter: orders of one price are one level', async (t) => {
  const body = fixture(venues.lighter, 'all-order-book');
  t.strictSame(bookOf(venues.lighter, 'all', '0', body), {
    bids: [{ price: 2500, quantity: 3 }],
    asks: levels([2500.1, 0.75], [2500.2, 1.5]), // 0.5 + 0.25
    stated: null,
  });
});

t.test('an empty side is null or absent; without both there is no book', async (t) => {
  const read = (body: object) => bookOf(venues.whitebit, 'futures', '1000PEPE_PERP', body);
  t.strictSame(read({ asks: [['0.0112', '5']], bids: null }), {
    bids: [],
    asks: [{ price: 0.0112 / 1000, quantity: 5000 }],
    stated: null,
  });
  t.match(read({ asks: [['0.0112', '5']] }), { bids: [], asks: [{ quantity: 5000 }] });
  t.throws(() => read({ timestamp: 1 }), ShapeError);
});

t.test('Bitfinex: the sign of an amount is its side; no market is empty', async (t) => {
  const read = (...rows: number[][]) => bookOf(venues.bitfinex, 'all', 'tBTCUSD', rows);
  t.match(read([104_000, 2, 0.5], [104_001, 1, -0.25]), {
    bids: levels([104_000, 0.5]),
    asks: levels([104_001, 0.25]),
  });
  t.throws(() => read(), ShapeError);
  t.throws(() => read([1, 1, 0]), ShapeError);
});

t.test(
  'candles by a range: none before 1970, all that are kept where no time is known',
  async (t) => {
    const asked = (venue: Venue, part: string, market: string, more: object) =>
      venue.queries.candles?.request({
        ...askFor(venue, part, market),
        interval: '1h',
        limit: 120,
        ...more,
      });
    const before = 3_600_000;
    const klines = asked(venues.backpack, 'all', 'BTC_USDC', { before });
    t.match(klines?.query, { startTime: 0, endTime: 3_599 });
    t.throws(() => asked(venues.backpack, 'all', 'BTC_USDC', {}), ShapeError);
    t.match(asked(venues.hyperliquid, 'perp', 'BTC', { before }), {
      body: { req: { startTime: 0, endTime: 3_599_999 } },
    });
    t.match(asked(venues.hyperliquid, 'perp', 'BTC', {}), {
      weight: 104,
      body: { req: { startTime: 0, endTime: 4_102_444_800_000 } },
    });
    t.match(asked(venues.lighter, 'all', '1', {})?.query, {
      start_timestamp: 0,
      end_timestamp: 5_000_000_000_000,
    });
  },
);

const mexcRow = { symbol: 'X_USDT', baseCoin: 'X', quoteCoin: 'USDT', contractSize: 1, state: 0 };
const badRow = (key: string) => ({ key, code: 'bad_row' });
/** Lists of a part, and what is dropped of their rows, of which the symbols that follow are left. */
const oddLists: readonly [Venue, string, readonly unknown[], readonly object[], ...string[]][] = [
  // A contract without a size.
  [
    venues.bingx,
    'inverse',
    [{ code: 0, data: [{ symbol: 'BTC-USD', status: 1, minTickSize: '' }] }],
    [badRow('BTC-USD')],
  ],
  // A name is never empty.
  [
    venues.bitfinex,
    'all',
    [[[['BTC:USD:X'], ['BTCF0'], [':USD'], ['F0:USD']], [['BTCF0:USTF0']], [['UST', '']]]],
    ['tBTC:USD:X', 'tBTCF0', 't:USD', 'tF0:USD'].map(badRow),
    'BTC',
  ],
  [
    venues.dydx,
    'perp',
    [{ markets: { a: { ticker: 'BTCUSD' }, b: { ticker: '-USD' }, c: { ticker: 'BTC-' } } }],
    ['BTCUSD', '-USD', 'BTC-'].map(badRow),
  ],
  [
    venues.lighter,
    'all',
    [{ order_book_details: [{ market_id: '', symbol: 'X' }, null, { market_id: 3 }] }],
    ['', '', '3'].map(badRow),
  ],
  // No known unit.
  [
    venues.mexc,
    'contracts',
    [{ data: [{ ...mexcRow, settleCoin: 'BTC' }, mexcRow] }],
    [badRow('X_USDT'), badRow('X_USDT')],
  ],
];

t.test('markets whose names or units cannot be read are dropped', async (t) => {
  for (const [venue, part, bodies, dropped, ...symbols] of oddLists) {
    const context = { received: 0, instruments: new Map() };
    const found = venue.feeds.instruments.parts[part]?.parse(bodies, context).instruments;
    t.match(found?.dropped, dropped, venue.id);
    t.strictSame(
      found?.rows.map(({ symbol }) => symbol),
      symbols,
    );
  }
});
