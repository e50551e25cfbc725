import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { backpack } from '../../../../actors/venues/backpack/index.ts';
import { askFor, contextOf, fixture, instrumentOf, openInterestOf, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = backpack.queries;
const { derivatives, openInterest } = backpack.feeds;
const nothing = { received: 0, instruments: new Map() };
const context = contextOf(backpack, 'all');
t.test('candles are asked for by a range of seconds that holds the limit exactly', async (t) => {
  const ask = { market: 'BTC_USDC', part: 'all', instrument: null, interval: '1h', limit: 3 };
  // 10:00 exclusive, three hours back: bars of 07:00, 08:00 and 09:00.
  t.strictSame(candles.request({ ...ask, before: 36_000_000 }), {
    api: 'rest',
    path: '/api/v1/klines',
    query: { symbol: 'BTC_USDC', interval: '1h', startTime: 25_200, endTime: 35_999 },
    budget: 'history',
  });
  // 10:30: bars of 08:00, 09:00 and 10:00, which runs.
  t.match(candles.request({ ...ask, now: 37_800_000 }), {
    query: { startTime: 27_000, endTime: 37_799 },
  });
  t.match(candles.request({ ...ask, interval: '1month', limit: 1, before: 31 * 86_400_000 }), {
    query: { startTime: 0, endTime: 31 * 86_400 - 1 },
  });
  t.throws(() => candles.request(ask), ShapeError, 'never a range that ends nowhere');
  t.equal(Object.keys(candles.intervals).length, 15);
  t.equal(candles.intervals['1M'], '1month');
});

t.test('what is followed: open crypto markets, spot and perpetual', async (t) => {
  const kinds = Object.fromEntries([...context.instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds, {
    BTC_USDC: 'spot',
    ETH_BTC: 'spot',
    OLD_USDC: 'other', // closed
    BTC_USDC_PERP: 'perpetual',
    ETH_USDC_PERP: 'perpetual',
    kPEPE_USDC_PERP: 'perpetual',
    TON_USDC_PERP: 'other', // closed
    NEW_USDC_PERP: 'other', // post only
    'AAPL.US_USDC_PERP': 'other', // a share
    RAIN_USDC_PREDICTION: 'other',
  });
  t.strictSame(instrumentOf(backpack, 'all', 'kPEPE_USDC_PERP'), {
    market: 'kPEPE_USDC_PERP',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDC',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: 1, // "3600000" ms
  });
  t.equal(instrumentOf(backpack, 'all', 'ETH_USDC_PERP').funding_hours, 8, '28,800,000 ms');
  t.equal(instrumentOf(backpack, 'all', 'BTC_USDC').funding_hours, null, 'spot pays none');
});

t.test('prices: turnover in quote, change from the price 24 h ago', async (t) => {
  const { rows, dropped } = pricesOf(backpack, 'all');
  t.strictSame(dropped, [], 'closed markets, shares and other quotes are silent');
  const none = { bid: null, ask: null, stated: null }; // in no ticker
  t.strictSame(rows, [
    {
      market: 'BTC_USDC',
      kind: 'spot',
      symbol: 'BTC',
      quote: 'USDC',
      price: 104_010.5,
      high: 104_820.5,
      low: 99_310.5,
      base: 5,
      volume: 511_250.5,
      change: (104_010.5 / 100_000 - 1) * 100, // since firstPrice
      ...none,
    },
    {
      market: 'BTC_USDC_PERP',
      kind: 'perpetual',
      symbol: 'BTC',
      quote: 'USDC',
      price: 104_000,
      high: 105_180,
      low: 103_120,
      base: 1200,
      volume: 124_920_000,
      change: (104_000 / 104_500 - 1) * 100,
      ...none,
    },
    {
      market: 'ETH_USDC_PERP',
      kind: 'perpetual',
      symbol: 'ETH',
      quote: 'USDC',
      price: 2600,
      high: 2641.2,
      low: 2466.3,
      base: 100.4,
      volume: null, // an empty turnover is unknown, not 0
      change: (2600 / 2500 - 1) * 100,
      ...none,
    },
    {
      market: 'kPEPE_USDC_PERP',
      kind: 'perpetual',
      symbol: 'PEPE',
      quote: 'USDC',
      price: 0.0112 / 1000,
      high: 0.0117 / 1000,
      low: null,
      base: 2_000_000_000_000, // 2,000,000,000 x 1000
      volume: 22_600_000,
      change: null,
      ...none,
    },
  ]);
});

t.test('the id says what is not listed yet; a broken row is dropped', async (t) => {
  const body = [
    { symbol: 'NEW_USDC', lastPrice: '2', quoteVolume: '10' },
    { symbol: 'kNEW_USDC_PERP', lastPrice: '2', quoteVolume: '10' },
    { symbol: 'MSFT.US_USDC_PERP', lastPrice: '2' },
    { symbol: 'X_USDC_RFQ', lastPrice: '2' },
    { symbol: 'BTC_USDC', lastPrice: '0' },
    { symbol: 'ETH_USDC_PERP', lastPrice: null },
    { symbol: 'ODD', lastPrice: '1' },
    null,
  ];
  const { rows, dropped } = backpack.feeds.prices.parts.all.parse([body], context).prices;
  t.match(rows, [
    { market: 'NEW_USDC', kind: 'spot', symbol: 'NEW', quote: 'USDC', price: 2 },
    { market: 'kNEW_USDC_PERP', kind: 'perpetual', symbol: 'NEW', price: 0.002 },
  ]);
  t.strictSame(dropped, [
    { key: 'BTC_USDC', code: 'bad_row' },
    { key: 'ETH_USDC_PERP', code: 'bad_row' },
    { key: 'ODD', code: 'unknown_instrument' },
    { key: '', code: 'bad_row' },
  ]);
});

t.test('funding: a fraction per interval of the market, eight hours of it', async (t) => {
  const body = fixture(backpack, 'all-derivatives');
  const { rows, dropped } = derivatives.parts.all.parse([body], context).derivatives;
  t.strictSame(dropped, []);
  t.strictSame(rows, [
    {
      market: 'BTC_USDC_PERP',
      symbol: 'BTC',
      quote: 'USDC',
      mark: 104_020,
      index: 104_010,
      funding_rate: 0.0000125,
      funding_hours: 1,
      funding_rate_8h: 0.0001, // x 8
      next_funding: 1750003200000,
      stated: null,
    },
    {
      market: 'ETH_USDC_PERP',
      symbol: 'ETH',
      quote: 'USDC',
      mark: null,
      index: 2599,
      funding_rate: -0.00024385653670333055,
      funding_hours: 8,
      funding_rate_8h: -0.00024385653670333055,
      next_funding: 1750003200000,
      stated: null,
    },
    {
      market: 'kPEPE_USDC_PERP',
      symbol: 'PEPE',
      quote: 'USDC',
      mark: 0.0112 / 1000,
      index: 0.01121 / 1000,
      funding_rate: null,
      funding_hours: 1,
      funding_rate_8h: null,
      next_funding: null,
      stated: null,
    },
  ]);
  const unlisted = derivatives.parts.all.parse([body], nothing).derivatives.rows[0];
  t.match(unlisted, { funding_rate: 0.0000125, funding_hours: null, funding_rate_8h: null });
});

t.test('open interest: base units, valued at the mark price', async (t) => {
  const { rows, dropped } = openInterestOf(backpack, 'all');
  t.strictSame(dropped, [{ key: 'ETH_USDC_PERP', code: 'bad_row' }], 'no mark, no value');
  t.strictSame(rows, [
    {
      market: 'BTC_USDC_PERP',
      symbol: 'BTC',
      quote: 'USDC',
      units: 1273.85,
      value: 1273.85 * 104_020,
      mark: 104_020,
      stated: 1750000000321,
    },
    {
      market: 'kPEPE_USDC_PERP',
      symbol: 'PEPE',
      quote: 'USDC',
      units: 3_000_000_000_000, // 3e9 x 1000
      value: 33_600_000, // 3e9 x 0.0112
      mark: 0.0112 / 1000,
      stated: 1750000000321,
    },
  ]);
  t.throws(() => openInterest.parts.all.parse([[], []], context), ShapeError);
});

t.test('order book: base, best bid last, microseconds', async (t) => {
  const body = fixture(backpack, 'all-order-book');
  t.strictSame(orderBook.parse(body, askFor(backpack, 'all', 'BTC_USDC_PERP')), {
    bids: [
      { price: 104009, quantity: 3 },
      { price: 104010.5, quantity: 0.25 },
    ],
    asks: [
      { price: 104010.6, quantity: 0.5 },
      { price: 104011, quantity: 1.5 },
    ],
    stated: 1750000000330,
  });
  const scaled = { asks: [['0.0112', '5']], bids: [], timestamp: '' };
  t.strictSame(orderBook.parse(scaled, askFor(backpack, 'all', 'kPEPE_USDC_PERP')), {
    bids: [],
    asks: [{ price: 0.0112 / 1000, quantity: 5000 }],
    stated: null,
  });
});

t.test('candles: UTC without a zone, bars without trades left out', async (t) => {
  const rows = candles.parse(fixture(backpack, 'all-candles'), askFor(backpack, 'all', 'BTC_USDC'));
  t.strictSame(rows, [
    {
      timestamp: Date.UTC(2025, 5, 15, 13),
      open: 104_000,
      high: 104_500,
      low: 103_800,
      close: 104_200,
      volume: 10,
      turnover: 1_042_000,
    },
    {
      timestamp: Date.UTC(2025, 5, 15, 15),
      open: 104_200,
      high: 104_300,
      low: 104_100,
      close: 104_250,
      volume: 2,
      turnover: null, // 0 beside a volume
    },
  ]);
  const empty = [{ open: null, start: '2025-06-15 13:00:00' }];
  t.strictSame(candles.parse(empty, askFor(backpack, 'all', 'BTC_USDC')), []);
  const perp = askFor(backpack, 'all', 'kPEPE_USDC_PERP');
  const start = '2025-06-15 13:00:00';
  const bar = { start, open: 1, high: 2, low: 1, close: 2, volume: 3, quoteVolume: 4 };
  const [scaled] = candles.parse([bar], perp);
  t.match(scaled, { open: 0.001, close: 0.002, volume: 3000, turnover: 4 });
  for (const odd of ['', '2025-06-15', 'now', 7, null, '2025-06-15 13:00:00 +01'])
    t.throws(() => candles.parse([{ ...bar, start: odd }], perp), ShapeError, `refuses ${odd}`);
});

wholeVenue(backpack);
