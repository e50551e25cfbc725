import t from 'tap';
import { bitget } from '../../../../actors/venues/bitget/index.ts';
import {
  askFor,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';

const { orderBook, candles } = bitget.queries;
const stated = 1_750_000_000_498;

t.test('instruments', async (t) => {
  t.strictSame(instrumentOf(bitget, 'spot', 'BTCUSDT'), {
    market: 'BTCUSDT',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USDT',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
  t.strictSame(instrumentOf(bitget, 'usdt-futures', '1000BONKUSDT'), {
    market: '1000BONKUSDT',
    kind: 'perpetual',
    symbol: 'BONK',
    quote: 'USDT',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: 4,
  });
  t.match(instrumentOf(bitget, 'usdc-futures', 'BTCPERP'), { symbol: 'BTC', quote: 'USDC' });
  t.strictSame(instrumentOf(bitget, 'coin-futures', 'BTCUSD'), {
    market: 'BTCUSD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1,
    inverse: false, // counted in the base
    funding_hours: 8,
    settle: 'BTC',
  });
});

t.test('prices', async (t) => {
  const rows = (part: string) => rounded(pricesOf(bitget, part).rows);
  t.match(rows('spot'), [
    {
      market: 'BTCUSDT',
      kind: 'spot',
      symbol: 'BTC',
      quote: 'USDT',
      price: 104_208,
      bid: 104_207.6,
      ask: 104_208.3,
      high: 104_488.8,
      low: 99_875.5,
      base: 4_987.25,
      volume: 513_287_012.5,
      change: 3.75, // as stated: `open` is not the price of 24 h ago
      stated: 1_750_000_000_499,
    },
    // Empty strings are unknown, not 0; a time of 0 is none.
    { market: 'USDCUSDT', price: 0.9998, base: null, volume: null, change: null, stated: null },
  ]);
  t.match(rows('usdt-futures'), [
    {
      market: 'BTCUSDT',
      kind: 'perpetual',
      symbol: 'BTC',
      quote: 'USDT',
      price: 103_293,
      bid: 103_292.9,
      ask: 103_293.4,
      high: 103_411.7,
      low: 99_612.5,
      base: 90_123.4,
      volume: 9_153_698_400.5,
      change: 3.5, // 103,293 / 99,800
      stated,
    },
    {
      market: '1000BONKUSDT',
      kind: 'perpetual',
      symbol: 'BONK',
      quote: 'USDT',
      price: 0.0000209, // prices are of a thousand
      bid: 0.00002089,
      ask: 0.00002092,
      high: 0.0000224,
      low: 0.0000201,
      base: 3_000_000_000, // 3,000,000 x 1000
      volume: 63_600,
      change: -5, // 0.0209 / 0.022
      stated,
    },
    { market: 'DOGEUSDT', price: 0.2 },
  ]);
  t.match(rows('usdc-futures'), [
    {
      market: 'BTCPERP',
      quote: 'USDC',
      price: 104_022,
      bid: 104_021,
      ask: 104_023,
      high: 104_502,
      low: 99_790.5,
      base: 99.8,
      volume: 10_272_700,
    },
  ]);
  t.match(rows('coin-futures'), [
    {
      market: 'BTCUSD',
      quote: 'USD',
      price: 99_910,
      bid: 99_909.5,
      ask: 99_910.5,
      high: 100_433,
      low: 96_250.5,
      base: 149.25,
      volume: 14_730_000,
      change: 3, // 99,910 / 97,000
    },
    { market: 'XRPUSD', change: 2.85 }, // no open: the rounded change
  ]);
  const counts = bitget.parts.map((part) => [
    pricesOf(bitget, part).rows.length,
    pricesOf(bitget, part).dropped.length,
  ]);
  t.strictSame(
    counts,
    [
      [2, 0],
      [3, 0],
      [1, 0],
      [2, 0],
    ],
    'what is not followed is silent',
  );
});

t.test('derivatives: tickers, with hours and next funding from the list of rates', async (t) => {
  const { rows, dropped } = derivativesOf(bitget, 'usdt-futures');
  t.strictSame(dropped, []);
  t.strictSame(rounded(rows), [
    {
      market: 'BTCUSDT',
      symbol: 'BTC',
      quote: 'USDT',
      mark: 103_301.5,
      index: 103_284.7,
      funding_rate: 0.00013, // the list's, not the 0.00012 of the ticker
      funding_hours: 8,
      funding_rate_8h: 0.00013,
      next_funding: 1_750_003_200_000,
      stated,
    },
    {
      market: '1000BONKUSDT',
      symbol: 'BONK',
      quote: 'USDT',
      mark: 0.00002094, // 0.02094 for a thousand
      index: 0.00002087,
      funding_rate: -0.0004,
      funding_hours: 4,
      funding_rate_8h: -0.0008,
      next_funding: 1_750_003_200_000,
      stated,
    },
    {
      market: 'DOGEUSDT', // not in the list of rates, no interval anywhere
      symbol: 'DOGE',
      quote: 'USDT',
      mark: null,
      index: 0.1999774,
      funding_rate: 0.00005,
      funding_hours: null,
      funding_rate_8h: null,
      next_funding: null,
      stated,
    },
  ]);
  t.match(derivativesOf(bitget, 'usdc-futures').rows, [
    { market: 'BTCPERP', mark: 104_015.5, index: 104_010.5, funding_rate: 0.00014 },
  ]);
  t.match(derivativesOf(bitget, 'coin-futures').rows, [
    { market: 'BTCUSD', mark: 99_915.5, index: 99_902.25, funding_rate: -0.0007 },
    { market: 'XRPUSD', funding_hours: 8 }, // of the instrument: the list's is empty
  ]);
});

t.test('open interest in base, one side, at the mark price', async (t) => {
  const interestOf = (part: string) => rounded(openInterestOf(bitget, part).rows);
  t.match(interestOf('usdt-futures'), [
    {
      market: 'BTCUSDT',
      symbol: 'BTC',
      quote: 'USDT',
      units: 50_020.5,
      value: 5_167_192_680.75, // x 103,301.5
      mark: 103_301.5,
      stated,
    },
    {
      market: '1000BONKUSDT',
      symbol: 'BONK',
      quote: 'USDT',
      units: 4_000_000_000, // 4,000,000 x 1000
      value: 83_760, // 4,000,000 x 0.02094
      mark: 0.00002094,
      stated,
    },
    { market: 'DOGEUSDT', units: 1000, value: 200, mark: 0.2 }, // no mark price: the last
  ]);
  t.match(interestOf('usdc-futures'), [{ units: 10.25, value: 1_066_158.875, mark: 104_015.5 }]);
  t.match(interestOf('coin-futures'), [
    { market: 'BTCUSD', units: 125.6844, value: 12_557_819.6682, mark: 99_915.5 },
  ]);
});

t.test('order books: strings on spot, numbers on futures, base everywhere', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(bitget, `${part}-order-book`), askFor(bitget, part, market));
  t.strictSame(book('spot', 'BTCUSDT'), {
    bids: [
      { price: 104_000.4, quantity: 0.5 },
      { price: 104_000, quantity: 1.25 },
    ],
    asks: [
      { price: 104_000.6, quantity: 0.75 },
      { price: 104_001, quantity: 2 },
    ],
    stated: 1_750_000_000_400,
  });
  t.match(book('coin-futures', 'BTCUSD'), {
    bids: [{ price: 100_000, quantity: 0.5091 }],
    asks: [{ price: 100_000.5, quantity: 0.05 }],
  });
  const bonk = orderBook.parse(
    { data: { bids: [[0.02, 5]], asks: [], ts: '' } },
    askFor(bitget, 'usdt-futures', '1000BONKUSDT'),
  );
  t.strictSame(bonk, { bids: [{ price: 0.00002, quantity: 5000 }], asks: [], stated: null });
});

t.test('candles', async (t) => {
  const rows = (part: string, market: string, body = fixture(bitget, `${part}-candles`)) =>
    candles.parse(body, askFor(bitget, part, market));
  const bar = {
    timestamp: 1_749_996_000_000,
    open: 104_000,
    high: 104_400,
    low: 103_900,
    close: 104_200,
    volume: 10.004,
    turnover: 1_041_812.5,
  };
  t.strictSame(rows('spot', 'BTCUSDT')[0], bar, 'not the volume in USDT before it');
  t.strictSame(rows('usdt-futures', 'BTCUSDT')[0], bar);
  const coin = {
    timestamp: 1_749_996_000_000,
    open: 99_500,
    high: 100_100,
    low: 99_400,
    close: 100_000,
    volume: 20.07,
    turnover: 2_000_400,
  };
  t.strictSame(rows('coin-futures', 'BTCUSD')[0], coin);
  const swapped = ['1749996000000', '99500', '100100', '99400', '100000', '2000400', '20.07'];
  t.strictSame(rows('coin-futures', 'BTCUSD', { data: [swapped] }), [coin], 'quote is the larger');
  for (const volumes of [
    ['2000', '1000'],
    ['1000', '2000'],
  ]) {
    const data = [['1749996000000', '0.5', '0.6', '0.4', '0.55', ...volumes]];
    const [cheap] = rows('coin-futures', 'XRPUSD', { data });
    t.match(cheap, { volume: 2000, turnover: 1000 }, 'below 1 quote is the smaller');
  }
});
