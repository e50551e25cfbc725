import t from 'tap';
import { bingx } from '../../../../actors/venues/bingx/index.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = bingx.queries;
const { openInterest, instruments, prices } = bingx.feeds;
const nothing = { received: 0, instruments: new Map() };
const everything = { markets: [] };
const stated = 1750000000321;

t.test('the inverse API wants a timestamp', async (t) => {
  const plan = { markets: [], now: 1_760_000_000_000 };
  const [told] = prices.parts.inverse.requests(plan);
  t.strictSame(told?.query, { timestamp: 1_760_000_000_000 });
  const ask = { market: 'BTC-USD', part: 'inverse', instrument: null };
  for (const { path, query } of [
    ...instruments.parts.inverse.requests(everything),
    ...prices.parts.inverse.requests(everything),
    ...openInterest.parts.inverse.requests({ markets: ['BTC-USD'] }),
    orderBook.request({ ...ask, depth: 5 }),
    candles.request({ ...ask, interval: '1h', limit: 5 }),
  ]) {
    t.match(path, /^\/openApi\/cswap\/v1\//);
    t.ok(Object(query).timestamp > 0, path);
  }
});

t.test('open interest is asked market by market, as many as the budget allows', async (t) => {
  const { most = 0 } = openInterest.parts.linear;
  const markets = Array.from({ length: most }, (_, i) => `C${i}-USDT`);
  const [bulk, ...single] = openInterest.parts.linear.requests({ markets });
  t.match(bulk, { path: '/openApi/swap/v2/quote/premiumIndex', market: undefined });
  t.strictSame(
    single.map(({ market, query }) => [market, Object(query).symbol]),
    markets.map((market) => [market, market]),
  );
  t.equal(most, 18, 'one a second, in a poll of 20 s');
});

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(bingx, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    'BTC-USDT': 'spot',
    'BTC-USDC': 'spot',
    'ETH-BTC': 'spot',
    'PEPE-USDT': 'spot',
    'OLD-USDT': 'other', // offline
    'NEW-USDT': 'other', // announced
  });
  t.strictSame(kinds('linear'), {
    'BTC-USDT': 'perpetual',
    'BTC-USDC': 'perpetual',
    '1000PEPE-USDT': 'perpetual',
    '1000000MOG-USDT': 'perpetual',
    'NCSKTSLA2USD-USDT': 'other', // a share
    'OLD-USDT': 'other', // no new positions
  });
  t.match(instrumentOf(bingx, 'linear', '1000PEPE-USDT'), { symbol: 'PEPE', scale: 1000 });
  t.match(instrumentOf(bingx, 'linear', '1000000MOG-USDT'), { symbol: 'MOG', scale: 1_000_000 });
  t.match(instrumentOf(bingx, 'inverse', 'BTC-USD'), {
    contract: 100,
    inverse: true,
    quote: 'USD',
  });
  t.match(instrumentOf(bingx, 'inverse', 'SOL-USD'), { contract: 10, kind: 'perpetual' });
  const row = { symbol: 'BTC-USD', status: 1, minTickSize: '' };
  const { dropped } = instruments.parts.inverse.parse(
    [{ code: 0, data: [row] }],
    nothing,
  ).instruments;
  t.strictSame(dropped, [{ key: 'BTC-USD', code: 'bad_row' }], 'a contract without a size');
});

t.test('spot prices', async (t) => {
  const { rows, dropped } = pricesOf(bingx, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(rows, [
    {
      market: 'BTC-USDT',
      kind: 'spot',
      symbol: 'BTC',
      quote: 'USDT',
      price: 104_000,
      bid: 103_999.8,
      ask: 104_000.2,
      high: 104_650,
      low: 99_610,
      base: 5099.21,
      volume: 520_119_420,
      change: (104_000 / 100_000 - 1) * 100, // since openPrice
      stated, // closeTime
    },
    {
      market: 'BTC-USDC',
      kind: 'spot',
      symbol: 'BTC',
      quote: 'USDC',
      price: 104_010,
      bid: 104_009,
      ask: 104_011,
      high: 104_720,
      low: 99_550,
      base: 1.1,
      volume: null,
      change: (104_010 / 100_030 - 1) * 100,
      stated: null, // a closeTime of 0
    },
    {
      market: 'PEPE-USDT',
      kind: 'spot',
      symbol: 'PEPE',
      quote: 'USDT',
      price: 0.000012,
      bid: 0.00001199,
      ask: 0.00001201,
      high: 0.0000124,
      low: null,
      base: 1000,
      volume: null,
      change: null,
      stated,
    },
  ]);
});

t.test('linear prices: 1000PEPE in PEPE', async (t) => {
  const { rows, dropped } = pricesOf(bingx, 'linear');
  t.strictSame(dropped, []);
  const [btc, usdc, pepe, mog] = rows;
  t.equal(rows.length, 4);
  t.strictSame(btc, {
    market: 'BTC-USDT',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USDT',
    price: 104_000,
    bid: 103_999.5,
    ask: 104_000.5,
    high: 104_880.5,
    low: 99_420.5,
    base: 45_000,
    volume: 4_612_500_000.5,
    change: (104_000 / 100_000 - 1) * 100,
    stated,
  });
  t.match(usdc, { market: 'BTC-USDC', quote: 'USDC', price: 104_005, volume: 122_760 });
  t.strictSame(pepe, {
    market: '1000PEPE-USDT',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDT',
    price: 0.0125 / 1000,
    bid: 0.01249 / 1000,
    ask: 0.01251 / 1000,
    high: 0.0131 / 1000,
    low: 0.0117 / 1000,
    base: 1_000_000_000, // 1,000,000 x 1000
    volume: 12_300,
    change: (0.0125 / 0.012 - 1) * 100,
    stated,
  });
  t.match(mog, { symbol: 'MOG', price: 0.6 / 1_000_000, base: null, volume: null });
  const early = pricesOf(bingx, 'linear', nothing).rows;
  t.match(early[2], { symbol: 'PEPE', price: 0.0125 / 1000, kind: 'perpetual' });
  t.notOk(early.some((row) => row.market.startsWith('NC')));
});

t.test('BTC-USD: contracts of 100 USD', async (t) => {
  const { rows, dropped } = pricesOf(bingx, 'inverse');
  t.strictSame(dropped, []);
  t.strictSame(rows, [
    {
      market: 'BTC-USD',
      kind: 'perpetual',
      symbol: 'BTC',
      quote: 'USD',
      price: 104_000,
      bid: 103_999.5,
      ask: 104_000.5,
      high: 104_790,
      low: 99_150,
      base: 24.5, // quoteVolume
      volume: 2_500_000, // 25,000 x 100
      change: (104_000 / 100_000 - 1) * 100,
      stated,
    },
    {
      market: 'SOL-USD',
      kind: 'perpetual',
      symbol: 'SOL',
      quote: 'USD',
      price: 180,
      bid: 179.9,
      ask: 180.1,
      high: 181.7,
      low: 148.2,
      base: 88_766.55,
      volume: 14_646_480, // 1,464,648 x 10
      change: (180 / 150 - 1) * 100,
      stated: null,
    },
  ]);
  const ask = askFor(bingx, 'inverse', 'BTC-USD');
  t.strictSame(orderBook.parse(fixture(bingx, 'inverse-order-book'), ask), {
    bids: [{ price: 100_000, quantity: 0.241 }], // 241 x 100 / 100,000
    asks: [{ price: 125_000, quantity: 0.4 }], // 500 x 100 / 125,000
    stated: stated - 400,
  });
  t.strictSame(candles.parse(fixture(bingx, 'inverse-candles'), ask), [
    {
      timestamp: 1749999600000,
      open: 99_200,
      high: 101_000,
      low: 99_000,
      close: 100_800,
      volume: 1.5, // 1,500 x 100 / 100,000, the mean of the four prices
      turnover: 150_000,
    },
    {
      timestamp: 1749996000000,
      open: 99_900,
      high: 100_300,
      low: 99_700,
      close: 100_100,
      volume: 0.8, // 800 x 100 / 100,000
      turnover: 80_000,
    },
  ]);
  const unlisted = { ...ask, instrument: null };
  t.throws(() => orderBook.parse(fixture(bingx, 'inverse-order-book'), unlisted), {
    name: 'ShapeError',
  });
});

t.test('funding: a fraction for each interval, where the hours are told', async (t) => {
  const { rows, dropped } = derivativesOf(bingx, 'linear');
  t.strictSame(dropped, []);
  const next = 1750003200000;
  t.strictSame(rows, [
    {
      market: 'BTC-USDT',
      symbol: 'BTC',
      quote: 'USDT',
      mark: 104_001,
      index: 104_002,
      funding_rate: 0.0001,
      funding_hours: 8,
      funding_rate_8h: 0.0001,
      next_funding: next,
      stated,
    },
    {
      market: 'BTC-USDC',
      symbol: 'BTC',
      quote: 'USDC',
      mark: 104_003,
      index: null,
      funding_rate: -0.00004,
      funding_hours: 1,
      funding_rate_8h: -0.00032, // x 8
      next_funding: next,
      stated,
    },
    {
      market: '1000PEPE-USDT',
      symbol: 'PEPE',
      quote: 'USDT',
      mark: 0.0125 / 1000,
      index: 0.01251 / 1000,
      funding_rate: 0.0002,
      funding_hours: 4,
      funding_rate_8h: 0.0004, // x 8 / 4
      next_funding: next,
      stated,
    },
    {
      market: '1000000MOG-USDT',
      symbol: 'MOG',
      quote: 'USDT',
      mark: 0.6 / 1_000_000,
      index: 0.6004 / 1_000_000,
      funding_rate: null,
      funding_hours: 8,
      funding_rate_8h: null,
      next_funding: null,
      stated,
    },
  ]);
  t.strictSame(derivativesOf(bingx, 'inverse').rows[0], {
    market: 'BTC-USD',
    symbol: 'BTC',
    quote: 'USD',
    mark: 104_000,
    index: 104_001,
    funding_rate: 0.000056,
    funding_hours: null,
    funding_rate_8h: null,
    next_funding: next,
    stated: null,
  });
});

t.test('open interest: a value on linear markets, base on inverse ones', async (t) => {
  const linear = openInterestOf(bingx, 'linear');
  t.strictSame(linear.dropped, []);
  t.strictSame(linear.rows, [
    {
      market: 'BTC-USDT',
      symbol: 'BTC',
      quote: 'USDT',
      units: 10_000, // 1,040,010,000 / 104,001
      value: 1_040_010_000,
      mark: 104_001,
      stated,
    },
    {
      market: 'BTC-USDC',
      symbol: 'BTC',
      quote: 'USDC',
      units: 5, // 520,015 / 104,003
      value: 520_015,
      mark: 104_003,
      stated,
    },
    {
      market: '1000PEPE-USDT',
      symbol: 'PEPE',
      quote: 'USDT',
      units: 2_000_000_000, // 25,000 / 0.0125 x 1000
      value: 25_000,
      mark: 0.0125 / 1000,
      stated,
    },
  ]);
  const inverse = openInterestOf(bingx, 'inverse');
  t.strictSame(inverse.dropped, []);
  t.strictSame(inverse.rows, [
    {
      market: 'BTC-USD',
      symbol: 'BTC',
      quote: 'USD',
      units: 804.5,
      value: 83_668_000, // x 104,000
      mark: 104_000,
      stated: stated - 1000,
    },
    {
      market: 'SOL-USD',
      symbol: 'SOL',
      quote: 'USD',
      units: 12_500,
      value: 2_251_250, // x 180.1
      mark: 180.1,
      stated: stated - 1000,
    },
  ]);
});

wholeVenue(bingx);
