import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { backpack } from '../../../../actors/venues/backpack/index.ts';
import { askFor, contextOf, fixture, instrumentOf, pricesOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = backpack.queries;
const { derivatives, openInterest } = backpack.feeds;
const nothing = { received: 0, instruments: new Map() };
const context = contextOf(backpack, 'all');
const interestBodies = () => {
  const found = fixture(backpack, 'all-open-interest');
  if (typeof found !== 'object' || found === null || !('bodies' in found))
    throw new Error('bodies');
  return Array.isArray(found.bodies) ? found.bodies : [];
};

t.test('candles are asked for by a range of seconds that holds the limit exactly', async (t) => {
  const ask = { market: 'BTC_USDC', part: 'all', instrument: null, interval: '1h', limit: 3 };
  // 10:00 exclusive, three hours back: bars of 07:00, 08:00 and 09:00.
  t.strictSame(candles.request({ ...ask, before: 36_000_000 }), {
    ...{ api: 'rest', path: '/api/v1/klines' },
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
    ...{ BTC_USDC: 'spot', ETH_BTC: 'spot' },
    OLD_USDC: 'other', // closed
    ...{ BTC_USDC_PERP: 'perpetual', ETH_USDC_PERP: 'perpetual', kPEPE_USDC_PERP: 'perpetual' },
    TON_USDC_PERP: 'other', // closed
    NEW_USDC_PERP: 'other', // post only
    'AAPL.US_USDC_PERP': 'other', // a share
    RAIN_USDC_PREDICTION: 'other',
  });
  t.strictSame(instrumentOf(backpack, 'all', 'kPEPE_USDC_PERP'), {
    ...{ market: 'kPEPE_USDC_PERP', kind: 'perpetual', symbol: 'PEPE', quote: 'USDC' },
    ...{ scale: 1000, contract: 1, inverse: false },
    funding_hours: 1, // "3600000" ms
  });
  t.equal(instrumentOf(backpack, 'all', 'ETH_USDC_PERP').funding_hours, 8, '28,800,000 ms');
  t.equal(instrumentOf(backpack, 'all', 'BTC_USDC').funding_hours, null, 'spot pays none');
});

t.test('prices: turnover in quote, change from the price 24 h ago', async (t) => {
  const { rows, dropped } = pricesOf(backpack, 'all');
  t.strictSame(dropped, [], 'closed markets, shares and other quotes are silent');
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.stated]),
    [
      ['BTC_USDC', 104010.5, 520052.5, null],
      ['BTC_USDC_PERP', 104000, 124_800_000, null],
      ['ETH_USDC_PERP', 2600, null, null], // an empty turnover is unknown, not 0
      ['kPEPE_USDC_PERP', 0.0112 / 1000, 22_400_000, null],
    ],
  );
  t.strictSame(
    rows.map(({ change }) => change && Math.round(change * 1e6) / 1e6),
    [4.0105, -0.478469, 4, null], // 104010.5 / 100000, 104000 / 104500, 2600 / 2500
  );
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
  const { rows, dropped } = backpack.feeds.prices.parts.all.parse([body], context);
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
  const { rows, dropped } = derivatives.parts.all.parse([body], context);
  t.strictSame(dropped, []);
  t.strictSame(rows, [
    {
      ...{ market: 'BTC_USDC_PERP', symbol: 'BTC', quote: 'USDC', mark: 104020, index: 104010 },
      ...{ funding_rate: 0.0000125, funding_hours: 1, funding_rate_8h: 0.0001 }, // x 8
      ...{ next_funding: 1750003200000, stated: null },
    },
    {
      ...{ market: 'ETH_USDC_PERP', symbol: 'ETH', quote: 'USDC', mark: null, index: 2599 },
      ...{ funding_rate: -0.00024385653670333055, funding_hours: 8 },
      ...{ funding_rate_8h: -0.00024385653670333055 }, // x 8 / 8
      ...{ next_funding: 1750003200000, stated: null },
    },
    {
      ...{ market: 'kPEPE_USDC_PERP', symbol: 'PEPE', quote: 'USDC' },
      ...{ mark: 0.0112 / 1000, index: 0.01121 / 1000 },
      ...{ funding_rate: null, funding_hours: 1, funding_rate_8h: null },
      ...{ next_funding: null, stated: null },
    },
  ]);
  const unlisted = derivatives.parts.all.parse([body], nothing).rows[0];
  t.match(unlisted, { funding_rate: 0.0000125, funding_hours: null, funding_rate_8h: null });
});

t.test('open interest: base units, valued at the mark price', async (t) => {
  const { rows, dropped } = openInterest.parts.all.parse(interestBodies(), context);
  t.strictSame(dropped, [{ key: 'ETH_USDC_PERP', code: 'bad_row' }], 'no mark, no value');
  const stated = 1750000000321;
  t.strictSame(
    rows.map((row) => [row.market, row.units, row.value, row.mark, row.stated]),
    [
      ['BTC_USDC_PERP', 1273.85, 1273.85 * 104020, 104020, stated],
      // 3e9 kPEPE are 3e12 PEPE; 3e9 x 0.0112 USDC
      ['kPEPE_USDC_PERP', 3_000_000_000_000, 33_600_000, 0.0112 / 1000, stated],
    ],
  );
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
      ...{ open: 104000, high: 104500, low: 103800, close: 104200, volume: 10, turnover: 1042000 },
    },
    {
      timestamp: Date.UTC(2025, 5, 15, 15),
      ...{ open: 104200, high: 104300, low: 104100, close: 104250, volume: 2, turnover: null },
    },
  ]);
  const empty = [{ open: null, start: '2025-06-15 13:00:00' }];
  t.strictSame(candles.parse(empty, askFor(backpack, 'all', 'BTC_USDC')), []);
  const perp = askFor(backpack, 'all', 'kPEPE_USDC_PERP');
  const [scaled] = candles.parse(
    [
      {
        ...{ start: '2025-06-15 13:00:00', open: 1, high: 2, low: 1, close: 2, volume: 3 },
        quoteVolume: 4,
      },
    ],
    perp,
  );
  t.match(scaled, { open: 0.001, close: 0.002, volume: 3000, turnover: 4 });
  for (const start of ['', '2025-06-15', 'now', 7, null, '2025-06-15 13:00:00 +01']) {
    const row = { start, open: 1, high: 2, low: 1, close: 2, volume: 3, quoteVolume: 4 };
    t.throws(() => candles.parse([row], perp), ShapeError, `refuses ${start}`);
  }
});

wholeVenue(backpack);
