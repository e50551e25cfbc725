import t from 'tap';
import { binance } from '../../../../actors/venues/binance/index.ts';
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

const { orderBook, candles } = binance.queries;

t.test('what is followed: spot and perpetual that trade', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(binance, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    BTCUSDT: 'spot',
    ETHBTC: 'spot',
    USDTUSD: 'spot',
    '1000SATSUSDT': 'spot',
    '1MBABYDOGEUSDT': 'spot',
    '1INCHUSDT': 'spot',
    OLDUSDT: 'other', // BREAK
    MARGUSDT: 'other', // no spot trading
  });
  t.strictSame(kinds('linear'), {
    BTCUSDT: 'perpetual',
    '1000PEPEUSDT': 'perpetual',
    BTCUSDC: 'perpetual',
    ETHBTC: 'perpetual',
    BTCUSDT_250926: 'other', // dated
    TSLAUSDT: 'other', // TRADIFI
    GONEUSDT: 'other', // SETTLING
    SOONUSDT: 'other', // PENDING_TRADING
  });
  t.match(kinds('inverse'), { BTCUSD_250926: 'other', LUNAUSD_PERP: 'other' });
  t.strictSame(instrumentOf(binance, 'linear', '1000PEPEUSDT'), {
    market: '1000PEPEUSDT',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDT',
    scale: 1000,
    contract: 1,
    inverse: false,
    funding_hours: 4,
  });
  t.strictSame(instrumentOf(binance, 'inverse', 'BTCUSD_PERP'), {
    market: 'BTCUSD_PERP',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USD',
    scale: 1,
    contract: 100,
    inverse: true,
    funding_hours: 8,
  });
});

t.test('spot prices: what is not followed is silent, USDT in USD stays', async (t) => {
  const { rows, dropped } = pricesOf(binance, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(rows[0], {
    market: 'BTCUSDT',
    kind: 'spot',
    symbol: 'BTC',
    quote: 'USDT',
    price: 104_000.5,
    bid: 104_000.1,
    ask: 104_000.9,
    high: 104_915.6,
    low: 101_200.7,
    base: 1210.4,
    volume: 124_816_932.16,
    change: (104_000.5 / 101_788.2 - 1) * 100, // since openPrice
    stated: 1750000000123, // closeTime
  });
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.base, row.volume]),
    [
      ['BTCUSDT', 104_000.5, 1210.4, 124_816_932.16],
      ['USDTUSD', 0.9995, 2_000_000, 1_998_600],
      ['1000SATSUSDT', 0.000042 / 1000, 50_000_000_000, 2080],
      ['1MBABYDOGEUSDT', 0.00125 / 1_000_000, 8_000_000_000_000, 9920],
      ['1INCHUSDT', 0.25, 0, 0], // nothing traded: a real zero
    ],
  );
});

t.test('linear prices: 1000PEPE is PEPE at a thousandth, its turnover unchanged', async (t) => {
  const { rows, dropped } = pricesOf(binance, 'linear');
  t.strictSame(dropped, []);
  const [btc, pepe, usdc] = rows;
  t.equal(rows.length, 3);
  t.strictSame(btc, {
    market: 'BTCUSDT',
    kind: 'perpetual',
    symbol: 'BTC',
    quote: 'USDT',
    price: 103_950.2,
    bid: null, // no quotes in this list
    ask: null,
    high: 104_880,
    low: 101_905.3,
    base: 180_000.5,
    volume: 18_614_346_706.38,
    change: (103_950.2 / 102_610.4 - 1) * 100,
    stated: 1750000000456,
  });
  t.strictSame(pepe, {
    market: '1000PEPEUSDT',
    kind: 'perpetual',
    symbol: 'PEPE',
    quote: 'USDT',
    price: 0.01123 / 1000,
    bid: null,
    ask: null,
    high: 0.01149 / 1000,
    low: 0.01061 / 1000,
    base: 9_000_000_000, // 9,000,000 lots
    volume: 99_450,
    change: (0.01123 / 0.01087 - 1) * 100,
    stated: 1750000000456,
  });
  t.match(usdc, { quote: 'USDC', price: 103_960, base: 10.25, volume: null }, 'an empty turnover');
});

t.test('inverse prices: contracts of 100 and of 10 USD', async (t) => {
  const { rows } = pricesOf(binance, 'inverse');
  t.strictSame(rows, [
    {
      market: 'BTCUSD_PERP',
      kind: 'perpetual',
      symbol: 'BTC',
      quote: 'USD',
      price: 100_000,
      bid: null,
      ask: null,
      high: 101_230,
      low: 97_620.4,
      base: 5025.12562814,
      volume: 500_000_000, // 5,000,000 contracts
      change: (100_000 / 98_750.5 - 1) * 100,
      stated: 1750000000789,
    },
    {
      market: 'SOLUSD_PERP',
      kind: 'perpetual',
      symbol: 'SOL',
      quote: 'USD',
      price: 150.25,
      bid: null,
      ask: null,
      high: 153.8,
      low: 144.9,
      base: 20_066.88963211,
      volume: 3_000_000, // 300,000 contracts
      change: (150.25 / 147.3 - 1) * 100,
      stated: 1750000000789,
    },
  ]);
});

t.test('order books: base, lots of 1000 and contracts of 100 USD', async (t) => {
  const spot = askFor(binance, 'spot', 'BTCUSDT');
  t.strictSame(orderBook.parse(fixture(binance, 'spot-order-book'), spot), {
    bids: [
      { price: 104_000.1, quantity: 0.5 },
      { price: 104_000, quantity: 1.25 },
    ],
    asks: [
      { price: 104_000.6, quantity: 0.75 },
      { price: 104_001, quantity: 2 },
    ],
    stated: null,
  });
  const linear = askFor(binance, 'linear', 'BTCUSDT');
  t.strictSame(orderBook.parse(fixture(binance, 'linear-order-book'), linear), {
    bids: [
      { price: 103_950.1, quantity: 0.5 },
      { price: 103_950, quantity: 4 },
    ],
    asks: [
      { price: 103_950.2, quantity: 1 },
      { price: 103_950.5, quantity: 2.5 },
    ],
    stated: 1750000000455, // T, when the book was so, not E, when it was sent
  });
  const inverse = askFor(binance, 'inverse', 'BTCUSD_PERP');
  t.strictSame(orderBook.parse(fixture(binance, 'inverse-order-book'), inverse), {
    bids: [
      { price: 100_000, quantity: 0.05 }, // 50 x 100 / 100,000
      { price: 99_999, quantity: 10 * (100 / 99_999) },
    ],
    asks: [
      { price: 100_000.1, quantity: 25 * (100 / 100_000.1) },
      { price: 100_100, quantity: 1 }, // 1001 x 100 / 100,100
    ],
    stated: 1750000000785,
  });
  const pepe = askFor(binance, 'linear', '1000PEPEUSDT');
  t.strictSame(orderBook.parse({ bids: [['0.0112', '300']], asks: [] }, pepe).bids, [
    { price: 0.0112 / 1000, quantity: 300_000 },
  ]);
});

t.test('candles: base at 5 and quote at 7; of COIN-M contracts at 5 and base at 7', async (t) => {
  const spot = askFor(binance, 'spot', 'BTCUSDT');
  t.strictSame(candles.parse(fixture(binance, 'spot-candles'), spot), [
    {
      timestamp: 1749996000000,
      open: 104_000,
      high: 104_500,
      low: 103_800,
      close: 104_200,
      volume: 10,
      turnover: 1_041_500,
    },
    {
      timestamp: 1749999600000,
      open: 104_210,
      high: 104_310,
      low: 104_110,
      close: 104_250,
      volume: 2,
      turnover: 208_420,
    },
  ]);
  const pepe = askFor(binance, 'linear', '1000PEPEUSDT');
  t.strictSame(candles.parse(fixture(binance, 'linear-candles'), pepe)[0], {
    timestamp: 1749996000000,
    open: 0.011 / 1000,
    high: 0.0114 / 1000,
    low: 0.0109 / 1000,
    close: 0.0112 / 1000,
    volume: 1_000_000_000, // 1,000,000 x 1000
    turnover: 11_150,
  });
  const inverse = askFor(binance, 'inverse', 'BTCUSD_PERP');
  t.strictSame(candles.parse(fixture(binance, 'inverse-candles'), inverse)[0], {
    timestamp: 1749996000000,
    open: 99_000,
    high: 100_500,
    low: 98_000,
    close: 100_000,
    volume: 20.1,
    turnover: 2_000_000, // 20,000 contracts x 100 USD
  });
});

t.test('a market that the list does not hold', async (t) => {
  const { rows, dropped } = pricesOf(binance, 'spot', { received: 0, instruments: new Map() });
  t.strictSame([rows, new Set(dropped.map((d) => d.code))], [[], new Set(['unknown_instrument'])]);

  const unlisted = { market: '1000PEPEUSDT', part: 'linear', instrument: null };
  const body = { bids: [['0.01', '2']], asks: [] };
  t.strictSame(orderBook.parse(body, unlisted).bids, [{ price: 0.01 / 1000, quantity: 2000 }]);
  const inverse = { market: 'NEWUSD_PERP', part: 'inverse', instrument: null };
  t.throws(() => orderBook.parse(body, inverse), { name: 'ShapeError' }, 'contracts of what size?');
  const [bar] = candles.parse(fixture(binance, 'inverse-candles'), inverse);
  t.strictSame([bar?.volume, bar?.turnover], [20.1, null], 'base is stated, the turnover is not');
});

t.test('linear derivatives: rates as stated and per 8 hours', async (t) => {
  const { rows, dropped } = derivativesOf(binance, 'linear');
  t.strictSame(dropped, [{ key: 'FRESHUSDT', code: 'unknown_instrument' }]);
  t.strictSame(rows, [
    {
      market: 'BTCUSDT',
      symbol: 'BTC',
      quote: 'USDT',
      mark: 103_951.2,
      index: 103_948.7,
      funding_rate: 0.00012,
      funding_hours: 8,
      funding_rate_8h: 0.00012,
      next_funding: 1750003200000,
      stated: 1750000000500,
    },
    {
      market: '1000PEPEUSDT',
      symbol: 'PEPE',
      quote: 'USDT',
      mark: 0.0112 / 1000,
      index: 0.01118 / 1000,
      funding_rate: -0.00005,
      funding_hours: 4,
      funding_rate_8h: -0.0001, // -0.00005 x 8 / 4
      next_funding: 1750003200000,
      stated: 1750000000500,
    },
    {
      market: 'BTCUSDC',
      symbol: 'BTC',
      quote: 'USDC',
      mark: 103_961,
      index: null, // 0 is none
      funding_rate: null, // '' is none
      funding_hours: null,
      funding_rate_8h: null,
      next_funding: 1750003200000,
      stated: 1750000000500,
    },
  ]);
});

t.test('inverse derivatives', async (t) => {
  t.strictSame(derivativesOf(binance, 'inverse').rows, [
    {
      market: 'BTCUSD_PERP',
      symbol: 'BTC',
      quote: 'USD',
      mark: 100_012.5,
      index: 99_990,
      funding_rate: 0.00013,
      funding_hours: 8,
      funding_rate_8h: 0.00013,
      next_funding: 1750003200000,
      stated: 1750000000500,
    },
    {
      market: 'SOLUSD_PERP',
      symbol: 'SOL',
      quote: 'USD',
      mark: 150.3,
      index: 149.9,
      funding_rate: -0.00002,
      funding_hours: 4,
      funding_rate_8h: -0.00004, // twice in 8 hours
      next_funding: 1750003200000,
      stated: 1750000000500,
    },
  ]);
});

t.test('open interest of USD-M: base units, valued at the mark', async (t) => {
  const { rows, dropped } = openInterestOf(binance, 'linear');
  t.strictSame(dropped, [{ key: 'BTCUSDC', code: 'bad_row' }], 'a null is no interest');
  t.strictSame(rows, [
    {
      market: 'BTCUSDT',
      symbol: 'BTC',
      quote: 'USDT',
      units: 80_000.5,
      value: 80_000.5 * 103_951.2,
      mark: 103_951.2,
      stated: 1750000000600,
    },
    {
      market: '1000PEPEUSDT',
      symbol: 'PEPE',
      quote: 'USDT',
      units: 5_000_000_000, // 5,000,000 lots
      value: 56_000, // 5,000,000 x 0.0112
      mark: 0.0112 / 1000,
      stated: 1750000000600,
    },
  ]);
});

t.test('open interest of COIN-M: contracts of 100 and of 10 USD', async (t) => {
  t.strictSame(openInterestOf(binance, 'inverse').rows, [
    {
      market: 'BTCUSD_PERP',
      symbol: 'BTC',
      quote: 'USD',
      units: 600_000_000 / 100_012.5,
      value: 600_000_000, // 6,000,000 x 100
      mark: 100_012.5,
      stated: 1750000000600,
    },
    {
      market: 'SOLUSD_PERP',
      symbol: 'SOL',
      quote: 'USD',
      units: 4_500_000 / 150.3,
      value: 4_500_000, // 450,000 x 10
      mark: 150.3,
      stated: 1750000000600,
    },
  ]);
});

wholeVenue(binance);
