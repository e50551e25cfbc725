import t from 'tap';
import { htx } from '../../../../actors/venues/htx/index.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';

const { orderBook, candles } = htx.queries;
const { derivatives, openInterest, prices } = htx.feeds;
const stated = 1_750_000_000_321;

t.test('instruments', async (t) => {
  t.strictSame(instrumentOf(htx, 'spot', '1000satsusdt'), {
    market: '1000satsusdt',
    kind: 'spot',
    symbol: 'SATS',
    quote: 'USDT',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: null,
  });
  t.match(instrumentOf(htx, 'spot', '1inchusdt'), { symbol: '1INCH', scale: 1 });
  t.strictSame(instrumentOf(htx, 'linear', '1000PEPE-USDT'), {
    market: '1000PEPE-USDT',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDT',
    scale: 1000,
    contract: 100,
    inverse: false,
    funding_hours: null,
  });
  t.strictSame(instrumentOf(htx, 'inverse', 'BTC-USD'), {
    market: 'BTC-USD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 100, // USD
    inverse: true,
    funding_hours: null,
  });
});

t.test('prices of spot', async (t) => {
  const { rows, dropped } = pricesOf(htx, 'spot');
  t.strictSame(dropped, []);
  const [btc, sats, usdc, inch] = rows;
  t.strictSame(rounded(btc), {
    market: 'btcusdt',
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
  t.match(rounded(sats), { symbol: 'SATS', price: 5e-8, base: 2_000_000_000, volume: 90 });
  t.match(usdc, { base: 100, volume: null });
  t.match(inch, { base: null, volume: 50 });
});

t.test('prices of contracts: the volumes of both sides are halved', async (t) => {
  const linear = pricesOf(htx, 'linear');
  t.strictSame(linear.dropped, []);
  const [btc, pepe, eth] = linear.rows;
  t.strictSame(rounded(btc), {
    market: 'BTC-USDT',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USDT',
    price: 103_293,
    bid: 103_292.9,
    ask: 103_293.4,
    high: 103_411.7,
    low: 99_612.5,
    base: 3_000.25, // 6,000.5 / 2
    volume: 306_000_000, // trade_turnover 612,000,000 / 2
    change: 3.5, // 103,293 / 99,800
    stated,
  });
  t.strictSame(rounded(pepe), {
    market: '1000PEPE-USDT',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDT',
    price: 0.000012, // prices are of a thousand
    bid: 0.00001199,
    ask: 0.00001202,
    high: 0.0000129,
    low: 0.0000117,
    base: 20_000_000_000, // 40,000,000 / 2 x 1000
    volume: 240_000, // no trade_turnover: 40,000,000 x 0.012 / 2
    change: -4, // 0.012 / 0.0125
    stated,
  });
  t.match(eth, { volume: 1_300_000 }, '90,000 is no turnover of 1000 ETH: 1000 x 2600 / 2');
  const [inverse, untold] = pricesOf(htx, 'inverse').rows;
  t.strictSame(rounded(inverse), {
    market: 'BTC-USD',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    price: 99_910,
    bid: 99_909.5,
    ask: 99_910.5,
    high: 100_433,
    low: 96_250.5,
    base: 1_492.75, // 2,985.5 / 2
    volume: 147_000_000, // 2,940,000 contracts x 100 USD / 2
    change: 3, // 99,910 / 97,000
    stated,
  });
  t.match(untold, { market: 'ETH-USD', base: 1000, volume: 2_600_000 }, '2000 ETH x 2600 / 2');
});

t.test('derivatives: linear', async (t) => {
  const { rows, dropped } = derivativesOf(htx, 'linear');
  t.strictSame(dropped, []);
  t.strictSame(rounded(rows), [
    {
      market: 'BTC-USDT',
      symbol: 'BTC',
      quote: 'USDT',
      mark: 103_301.5, // the close of the candle
      index: 103_284.7,
      funding_rate: 0.00012,
      funding_hours: 8,
      funding_rate_8h: 0.00012,
      next_funding: 1_750_003_200_000,
      stated,
    },
    {
      market: '1000PEPE-USDT',
      symbol: 'PEPE',
      quote: 'USDT',
      mark: 0.00001204, // 0.01204 for a thousand
      index: 0.00001201,
      funding_rate: -0.00005,
      funding_hours: 4,
      funding_rate_8h: -0.0001,
      next_funding: 1_750_003_200_000,
      stated,
    },
    {
      market: 'ETH-USDT', // no mark, no index, no time after the next: nothing is made up
      symbol: 'ETH',
      quote: 'USDT',
      mark: null,
      index: null,
      funding_rate: 0.00011,
      funding_hours: null,
      funding_rate_8h: null,
      next_funding: 1_750_003_200_000,
      stated,
    },
  ]);
});

t.test('derivatives: inverse, every 8 hours where nothing else is said', async (t) => {
  const { rows, dropped } = derivativesOf(htx, 'inverse');
  t.strictSame(dropped, []);
  t.strictSame(rows[0], {
    market: 'BTC-USD',
    symbol: 'BTC',
    quote: 'USD',
    mark: 99_915.5,
    index: 99_902.25,
    funding_rate: 0.00014,
    funding_hours: 8,
    funding_rate_8h: 0.00014,
    next_funding: 1_750_003_200_000,
    stated,
  });
  t.match(rows[1], {
    market: 'ETH-USD',
    mark: 2600.5,
    index: 2601,
    funding_hours: 4,
    funding_rate_8h: -0.0004,
  });
  t.equal(rows.length, 2);
});

t.test('a turnover counts within a factor of two, hours of a funding above zero', async (t) => {
  const linear = contextOf(htx, 'linear');
  const volumes = [99, 100, 400, 401].map((trade_turnover) => {
    const row = { contract_code: 'BTC-USDT', close: 100, amount: 2, trade_turnover };
    return prices.parts.linear.parse([{ ticks: [row] }], linear).prices.rows[0]?.volume;
  });
  t.strictSame(volumes, [100, 50, 200, 100]);
  const funding_time = 1_750_003_200_000;
  const data = [0, 1_800_000].map((later, at) => ({
    contract_code: ['BTC-USD', 'ETH-USD'][at],
    funding_rate: '0.0001',
    funding_time,
    next_funding_time: funding_time + later,
  }));
  const context = contextOf(htx, 'inverse');
  const { rows } = derivatives.parts.inverse.parse([{ data }, undefined], context).derivatives;
  t.match(rows, [{ funding_hours: 8 }, { funding_hours: 0.5 }]);
});

t.test('open interest: one side', async (t) => {
  const [btc, pepe, eth] = openInterestOf(htx, 'linear').rows;
  t.strictSame(btc, {
    market: 'BTC-USDT',
    symbol: 'BTC',
    quote: 'USDT',
    units: 16_000.25, // 32,000.5 / 2 BTC
    value: 1_652_850_000, // 3,305,700,000 / 2 USDT
    mark: null, // both were given
    stated: 1_750_000_000_341,
  });
  t.match(pepe, { units: 2_000_000_000, value: 24_080 }, '4,000,000 / 2 x 1000 PEPE');
  t.match(eth, { units: 500, value: 1_300_250 });
  t.strictSame(openInterestOf(htx, 'inverse').rows, [
    {
      market: 'BTC-USD',
      symbol: 'BTC',
      quote: 'USD',
      units: 250.25,
      value: 25_001_000, // 500,020 contracts x 100 USD / 2
      mark: null,
      stated,
    },
    {
      market: 'ETH-USD',
      symbol: 'ETH',
      quote: 'USD',
      units: 192.3,
      value: 500_050, // 100,010 x 10 / 2
      mark: null,
      stated,
    },
  ]);
  const { linear: part } = openInterest.parts;
  t.throws(() => part.parse([{}, null], contextOf(htx, 'linear')), { name: 'ShapeError' });
});

t.test('order books in base', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(htx, `${part}-order-book`), askFor(htx, part, market));
  t.match(book('spot', 'btcusdt'), {
    bids: [{ price: 104_000, quantity: 0.5 }],
    asks: [{ price: 104_000.1, quantity: 2.5 }],
    stated: 1_750_000_000_340,
  });
  t.strictSame(book('linear', 'BTC-USDT'), {
    bids: [
      { price: 104_000, quantity: 0.5 }, // 500 x 0.001 BTC
      { price: 103_999.9, quantity: 1.25 },
    ],
    asks: [
      { price: 104_000.1, quantity: 2.5 },
      { price: 104_000.5, quantity: 0.1 },
    ],
    stated: 1_750_000_000_340,
  });
  const inverse = book('inverse', 'BTC-USD');
  t.strictSame(inverse.bids[0], { price: 100_000, quantity: 0.5 }, '500 x 100 USD / 100,000');
  const unknown = { market: 'NEW-USDT', part: 'linear', instrument: null };
  const body = fixture(htx, 'linear-order-book');
  t.throws(() => orderBook.parse(body, unknown), { name: 'ShapeError' }, 'no contract size');
});

t.test('candles: seconds, volumes of contracts halved', async (t) => {
  const bars = (part: string, market: string) =>
    rounded(candles.parse(fixture(htx, `${part}-candles`), askFor(htx, part, market)));
  const spot = {
    timestamp: 1_749_996_000_000,
    open: 104_000,
    high: 104_400,
    low: 103_900,
    close: 104_200,
    volume: 10.004,
    turnover: 1_041_812.5,
  };
  t.match(bars('spot', 'btcusdt'), [
    { timestamp: 1_749_999_600_000 },
    spot,
    { timestamp: 1_749_992_400_000, volume: 0, turnover: 0 },
  ]);
  t.match(bars('linear', 'BTC-USDT'), [
    { ...spot, volume: 5.002, turnover: 520_906.25 },
    { timestamp: 1_749_999_600_000, volume: 1.0002, turnover: 104_221 },
  ]);
  t.match(bars('inverse', 'BTC-USD'), [
    {
      timestamp: 1_749_996_000_000,
      open: 99_500,
      high: 100_100,
      low: 99_400,
      close: 100_000,
      volume: 20.07, // 40.14 / 2
      turnover: 2_000_400, // 40,008 contracts x 100 USD / 2
    },
    { timestamp: 1_749_999_600_000, volume: 0.499, turnover: 50_000 },
  ]);
  const unknown = { market: 'NEW-USD', part: 'inverse', instrument: null };
  const [bar] = candles.parse(fixture(htx, 'inverse-candles'), unknown);
  t.match(bar, { volume: 20.07, turnover: null }, 'contracts of an unknown size');
});
