import t from 'tap';
import { gate } from '../../../../actors/venues/gate/index.ts';
import { contractCandle } from '../../../../actors/venues/gate/rows.ts';
import {
  askFor,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';

const { orderBook, candles } = gate.queries;

t.test('instruments', async (t) => {
  t.strictSame(instrumentOf(gate, 'spot', 'BTC_USDT'), {
    market: 'BTC_USDT',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USDT',
    scale: 1,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
  t.strictSame(instrumentOf(gate, 'btc', 'BTC_USD'), {
    market: 'BTC_USD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 1, // quanto_multiplier 0: 1 USD
    inverse: true,
    funding_hours: 8, // 28,800 s
  });
  t.strictSame(instrumentOf(gate, 'usd1', 'ETH_USD1'), {
    market: 'ETH_USD1',
    kind: 'perpetual',
    symbol: 'ETH',
    quote: 'USD1',
    scale: 1,
    contract: 0.01,
    inverse: false,
    funding_hours: 4,
  });
  t.strictSame(instrumentOf(gate, 'usdt', '1000SATS_USDT'), {
    market: '1000SATS_USDT',
    kind: 'perpetual',
    symbol: 'SATS',
    quote: 'USDT',
    scale: 1000,
    contract: 1000,
    inverse: false,
    funding_hours: 1,
  });
});

t.test('prices', async (t) => {
  for (const part of gate.parts) t.strictSame(pricesOf(gate, part).dropped, [], part);
  const [btc, usdc, inch, ...no] = pricesOf(gate, 'spot').rows;
  t.strictSame(btc, {
    market: 'BTC_USDT',
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
    change: 4.02,
    stated: null,
  });
  t.match(usdc, { market: 'USDC_USDT', base: null, volume: null }, '"nan" is unknown, not 0');
  t.match(inch, { market: '1INCH_USDT', bid: null, ask: 0.2503, change: null }, 'nor is ""');
  t.strictSame(no, [], 'neither leveraged tokens nor pairs with BTC');
  const [linear, , sats, ...none] = pricesOf(gate, 'usdt').rows;
  t.strictSame(linear, {
    market: 'BTC_USDT',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USDT',
    price: 104_000.2,
    bid: 104_000.1,
    ask: 104_000.6,
    high: 104_411.7,
    low: 99_812.5,
    base: 90_123.4,
    volume: 9_123_698_400.5,
    change: 4.13,
    stated: null,
  });
  t.strictSame(rounded(sats), {
    market: '1000SATS_USDT',
    kind: 'perpetual',
    symbol: 'SATS',
    quote: 'USDT',
    price: 4e-8, // 0.00004 for a thousand
    bid: 3.999916e-8,
    ask: null,
    high: 4.1248e-8,
    low: 3.8284e-8,
    base: null,
    volume: null,
    change: 0,
    stated: null,
  });
  t.strictSame(none, []);
  t.strictSame(pricesOf(gate, 'btc').rows, [
    {
      market: 'BTC_USD',
      kind: 'perpetual',
      symbol: 'BTC',
      quote: 'USD',
      price: 100_020,
      bid: 100_019.5,
      ask: 100_020.5,
      high: 100_433,
      low: 95_610.5,
      base: 149.25,
      volume: 14_730_000, // contracts of 1 USD
      change: 4.21,
      stated: null,
    },
  ]);
  t.strictSame(pricesOf(gate, 'usd1').rows[0], {
    market: 'BTC_USD1',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD1',
    price: 104_022,
    bid: 104_021,
    ask: 104_023,
    high: 104_502,
    low: 99_790.5,
    base: 49.8,
    volume: 5_123_700,
    change: 3.97,
    stated: null,
  });
});

t.test('derivatives: seconds become hours and milliseconds', async (t) => {
  const { rows, dropped } = derivativesOf(gate, 'usdt');
  t.strictSame(dropped, []);
  t.strictSame(rounded(rows), [
    {
      market: 'BTC_USDT',
      symbol: 'BTC',
      quote: 'USDT',
      mark: 104_010.4,
      index: 103_990.7,
      funding_rate: 0.00012,
      funding_hours: 8, // 28,800 s
      funding_rate_8h: 0.00012,
      next_funding: 1_750_003_200_000,
      stated: null,
    },
    {
      market: 'PEPE_USDT',
      symbol: 'PEPE',
      quote: 'USDT',
      mark: 0.00001128,
      index: 0.00001127,
      funding_rate: -0.0003,
      funding_hours: 4,
      funding_rate_8h: -0.0006,
      next_funding: 1_750_003_200_000,
      stated: null,
    },
    {
      market: '1000SATS_USDT',
      symbol: 'SATS',
      quote: 'USDT',
      mark: 4.001e-8, // 0.00004001 for a thousand
      index: null, // an empty string
      funding_rate: 0.00005,
      funding_hours: 1,
      funding_rate_8h: 0.0004, // 0.00005 x 8
      next_funding: null, // 0
      stated: null,
    },
  ]);
  t.match(derivativesOf(gate, 'btc').rows, [
    { market: 'BTC_USD', mark: 100_012.5, index: 99_990, funding_rate: 0.0002 },
  ]);
  t.match(derivativesOf(gate, 'usd1').rows, [
    { market: 'BTC_USD1', mark: 104_030, index: 104_010, funding_rate: 0.00008 },
    { market: 'ETH_USD1', mark: 2500.5, index: 2501, funding_rate: -0.0001, funding_hours: 4 },
  ]);
});

t.test('open interest: contracts of one side times their size', async (t) => {
  const [btc, pepe, sats] = openInterestOf(gate, 'usdt').rows;
  t.strictSame(btc, {
    market: 'BTC_USDT',
    symbol: 'BTC',
    quote: 'USDT',
    units: 50_020, // 500,200,000 x 0.0001 BTC
    value: 5_202_600_208, // x 104,010.4
    mark: 104_010.4,
    stated: null,
  });
  t.match(pepe, { units: 200_000_000_000, value: 2_256_000 }, '20,000 x 1e7, x 0.00001128');
  t.strictSame(rounded(sats), {
    market: '1000SATS_USDT',
    symbol: 'SATS',
    quote: 'USDT',
    units: 2_500_000_500_000, // 2,500,000.5, a decimal string, x 1000 x 1000
    value: 100_025.020005, // 2,500,000,500 x 0.00004001 for a thousand
    mark: 4.001e-8,
    stated: null,
  });
  t.strictSame(openInterestOf(gate, 'btc').rows, [
    {
      market: 'BTC_USD',
      symbol: 'BTC',
      quote: 'USD',
      units: 1200, // 120,015,000 x 1 USD / 100,012.5
      value: 120_015_000,
      mark: 100_012.5,
      stated: null,
    },
  ]);
  t.match(rounded(openInterestOf(gate, 'usd1').rows), [
    { market: 'BTC_USD1', units: 300.2, value: 31_229_806 }, // x 104,030
    { market: 'ETH_USD1', units: 400, value: 1_000_200 }, // x 2,500.5
  ]);
});

t.test('order books', async (t) => {
  const book = (part: string, market: string) =>
    rounded(orderBook.parse(fixture(gate, `${part}-order-book`), askFor(gate, part, market)));
  t.strictSame(book('spot', 'BTC_USDT'), {
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
  t.strictSame(book('usdt', 'BTC_USDT'), {
    bids: [
      { price: 104_000, quantity: 1 }, // 10,000 x 0.0001
      { price: 103_999.5, quantity: 1.3783 },
    ],
    asks: [
      { price: 104_000.1, quantity: 2.4909 },
      { price: 104_000.6, quantity: 0.00815 }, // 81.5, a decimal string
    ],
    stated: 1_750_000_000_345, // seconds with a fraction
  });
  t.match(book('btc', 'BTC_USD'), {
    bids: [{ price: 100_000, quantity: 0.05 }], // 5,000 USD / 100,000
    asks: [{ price: 100_000.5, quantity: 0.0999995000025 }], // 10,000 USD / 100,000.5
  });
  const unknown = { market: 'NEW_USDT', part: 'usdt', instrument: null };
  const body = fixture(gate, 'usdt-order-book');
  t.throws(() => orderBook.parse(body, unknown), { name: 'ShapeError' }, 'no size, no book');
});

t.test('candles', async (t) => {
  const rows = (part: string, market: string) =>
    candles.parse(fixture(gate, `${part}-candles`), askFor(gate, part, market));
  const bar = {
    timestamp: 1_749_996_000_000,
    open: 104_000,
    high: 104_400,
    low: 103_900,
    close: 104_200,
    volume: 10.004,
    turnover: 1_041_812.5,
  };
  t.strictSame(rows('spot', 'BTC_USDT')[0], bar);
  t.strictSame(rounded(rows('usdt', 'BTC_USDT')[0]), bar, '100,040 x 0.0001');
  const [closed, running] = rows('btc', 'BTC_USD');
  // `sum` is quote here: 2,000,400 USD at the middle of 99,500, 100,100, 99,400 and 100,000.
  t.match(closed, { volume: 2_000_400 / 99_750, turnover: 2_000_400 });
  // And base here: 0.4998 is between 50,010 / 100,500 and 50,010 / 99,900.
  t.strictSame(running, {
    timestamp: 1_749_999_600_000,
    open: 100_005,
    high: 100_500,
    low: 99_900,
    close: 100_050,
    volume: 0.4998,
    turnover: 50_010,
  });
  const at = contractCandle({ scale: 1, contract: 1, inverse: true });
  const volumes = ['5', '10', '4.9', '10.1'].map(
    (sum) => at({ t: 1, o: '10', h: '20', l: '10', c: '20', v: '100', sum }).volume,
  );
  t.strictSame(volumes, [5, 10, 100 / 15, 100 / 15], 'from 100 / 20 to 100 / 10');
});
