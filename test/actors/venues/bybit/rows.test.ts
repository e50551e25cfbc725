import t from 'tap';
import { bybit } from '../../../../actors/venues/bybit/index.ts';
import {
  askFor,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';

const { orderBook, candles } = bybit.queries;
const stated = 1_750_000_000_500;

t.test('instruments', async (t) => {
  t.strictSame(instrumentOf(bybit, 'spot', 'BTCUSDT'), {
    market: 'BTCUSDT',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USDT',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
  t.strictSame(instrumentOf(bybit, 'linear', '1000PEPEUSDT'), {
    market: '1000PEPEUSDT',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDT',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: 4, // 240 minutes
  });
  t.match(instrumentOf(bybit, 'linear', 'SHIB1000USDT'), { symbol: 'SHIB', scale: 1000 });
  t.match(instrumentOf(bybit, 'linear', 'BTCPERP'), { symbol: 'BTC', quote: 'USDC' });
  t.strictSame(instrumentOf(bybit, 'inverse', 'BTCUSD'), {
    market: 'BTCUSD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1, // 1 USD
    inverse: true,
    funding_hours: 8,
  });
});

t.test('prices of spot', async (t) => {
  const { rows, dropped } = pricesOf(bybit, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(rounded(rows[0]), {
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
    change: 4, // 104,208 / 100,200
    stated,
  });
  t.match(rows[1], { market: 'USDCUSDT', base: null, volume: null }, '"" is unknown, not 0');
  t.match(rounded(rows[2]), { market: 'MNTUSDC', quote: 'USDC', volume: 88_250, change: -20 });
  t.equal(rows.length, 3);
});

t.test('prices of contracts: on inverse ones the turnover is base', async (t) => {
  const { rows, dropped } = pricesOf(bybit, 'linear');
  t.strictSame(dropped, [], 'what is not followed is silent');
  const [btc, pepe, shib, usdc, ...none] = rows;
  t.strictSame(rounded(btc), {
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
    volume: 9_173_698_400.5,
    change: 3.5, // 103,293 / 99,800
    stated,
  });
  t.strictSame(rounded(pepe), {
    market: '1000PEPEUSDT',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDT',
    price: 0.0000114, // prices are of a thousand
    bid: 0.00001139,
    ask: 0.00001141,
    high: 0.0000122,
    low: 0.0000109,
    base: 3_000_000_000_000, // 3,000,000,000 x 1000
    volume: 34_350_000,
    change: -5, // 0.0114 / 0.012
    stated,
  });
  t.match(rounded(shib), { symbol: 'SHIB', price: 0.000013 });
  t.match(usdc, { market: 'BTCPERP', quote: 'USDC', price: 104_020 });
  t.strictSame(none, []);
  const inverse = pricesOf(bybit, 'inverse').rows;
  t.strictSame(rounded(inverse[0]), {
    market: 'BTCUSD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    price: 99_910,
    bid: 99_909.5,
    ask: 99_910.5,
    high: 100_433,
    low: 96_250.5,
    base: 149.25,
    volume: 14_730_000, // contracts of 1 USD
    change: 3, // 99,910 / 97,000
    stated,
  });
  t.match(inverse[1], { market: 'ETHUSD', price: 2500, base: 20.125, volume: 49_900 });
  t.equal(inverse.length, 2);
});

t.test('derivatives: hours of the ticker, else of the instrument', async (t) => {
  const [btc, pepe, shib, usdc] = derivativesOf(bybit, 'linear').rows;
  t.strictSame(btc, {
    market: 'BTCUSDT',
    symbol: 'BTC',
    quote: 'USDT',
    mark: 103_301.5,
    index: 103_284.7,
    funding_rate: 0.00012,
    funding_hours: 8,
    funding_rate_8h: 0.00012,
    next_funding: 1_750_003_200_000,
    stated,
  });
  t.strictSame(rounded(pepe), {
    market: '1000PEPEUSDT',
    symbol: 'PEPE',
    quote: 'USDT',
    mark: 0.00001142, // 0.01142 for a thousand
    index: 0.00001137,
    funding_rate: -0.0003,
    funding_hours: 4, // 240 minutes of the instrument: the ticker's is empty
    funding_rate_8h: -0.0006,
    next_funding: 1_750_003_200_000,
    stated,
  });
  t.match(rounded(shib), { mark: 0.0000125, index: null });
  t.match(usdc, { market: 'BTCPERP', funding_rate: null, next_funding: null });
  t.strictSame(derivativesOf(bybit, 'inverse').rows[1], {
    market: 'ETHUSD',
    symbol: 'ETH',
    quote: 'USD',
    mark: 2500.5,
    index: 2499,
    funding_rate: -0.0002,
    funding_hours: 8,
    funding_rate_8h: -0.0002,
    next_funding: 1_750_003_200_000,
    stated,
  });
});

t.test('open interest: one side, or half of both', async (t) => {
  const [btc, pepe, shib, usdc] = openInterestOf(bybit, 'linear').rows;
  t.strictSame(btc, {
    market: 'BTCUSDT',
    symbol: 'BTC',
    quote: 'USDT',
    units: 50_020,
    value: 5_167_140_000,
    mark: 103_301.5,
    stated,
  });
  t.strictSame(rounded(pepe), {
    market: '1000PEPEUSDT',
    symbol: 'PEPE',
    quote: 'USDT',
    units: 2_000_000_000_000, // no one-sided number: 4,000,000,000 / 2 x 1000 PEPE
    value: 22_840_000, // 45,680,000 / 2 USDT
    mark: 0.00001142,
    stated,
  });
  t.match(shib, { units: 101_000_000_000, value: 1_262_500 }, 'no value: 101,000,000 x 0.0125');
  t.match(usdc, { market: 'BTCPERP', units: 10.1, value: 1_050_556.5 });
  const [inverse, half] = openInterestOf(bybit, 'inverse').rows;
  t.strictSame(inverse, {
    market: 'BTCUSD',
    symbol: 'BTC',
    quote: 'USD',
    units: 1_201.2, // the value is in BTC
    value: 120_015_000, // contracts of 1 USD
    mark: 99_915.5,
    stated,
  });
  t.match(half, { market: 'ETHUSD', units: 199.95, value: 500_000 }, 'half of both');
});

t.test('order books', async (t) => {
  const spot = orderBook.parse(fixture(bybit, 'spot-order-book'), askFor(bybit, 'spot', 'BTCUSDT'));
  t.strictSame(spot, {
    bids: [
      { price: 104_000.4, quantity: 0.5 },
      { price: 104_000, quantity: 1.25 },
    ],
    asks: [
      { price: 104_000.6, quantity: 0.75 },
      { price: 104_001, quantity: 2 },
    ],
    stated: 1_750_000_000_340, // the time of the matching engine
  });
  const pepe = askFor(bybit, 'linear', '1000PEPEUSDT');
  const linear = rounded(orderBook.parse(fixture(bybit, 'linear-order-book'), pepe));
  t.match(linear, {
    bids: [{ price: 0.0000112, quantity: 500_000 }], // of a thousand, 500 of them
    asks: [{ price: 0.0000113, quantity: 250_000 }],
  });
  const body = fixture(bybit, 'inverse-order-book');
  for (const instrument of [instrumentOf(bybit, 'inverse', 'BTCUSD'), null]) {
    const inverse = orderBook.parse(body, { market: 'BTCUSD', part: 'inverse', instrument });
    t.strictSame(inverse.bids[0], { price: 100_000, quantity: 0.05 }, '5,000 USD / 100,000');
  }
});

t.test('candles: base and quote, on inverse contracts the other way round', async (t) => {
  const rows = (part: string, market: string) =>
    rounded(candles.parse(fixture(bybit, `${part}-candles`), askFor(bybit, part, market)));
  t.match(rows('spot', 'BTCUSDT'), [
    {
      timestamp: 1_749_999_600_000,
      open: 104_190,
      high: 104_310,
      low: 104_105,
      close: 104_250,
      volume: 2.0003,
      turnover: 208_441.3,
    },
  ]);
  t.match(rows('linear', '1000PEPEUSDT'), [
    {
      timestamp: 1_749_999_600_000,
      open: 0.0000112, // of a thousand
      high: 0.0000114,
      low: 0.0000111,
      close: 0.0000113,
      volume: 1_003_000, // 1003 x 1000
      turnover: 11.3,
    },
  ]);
  t.match(rows('inverse', 'BTCUSD'), [
    {
      timestamp: 1_749_999_600_000,
      open: 100_005,
      high: 100_500,
      low: 99_900,
      close: 100_050,
      volume: 0.4998,
      turnover: 50_010,
    },
  ]);
});
