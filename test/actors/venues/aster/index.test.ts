import t from 'tap';
import { aster } from '../../../../actors/venues/aster/index.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  openInterestOf,
  ownPoll,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = aster.queries;

t.test('the markets that are followed', async (t) => {
  const named = (part: string) =>
    [...contextOf(aster, part).instruments.values()].map((i) => [
      i.market,
      i.kind,
      i.symbol,
      i.quote,
      i.scale,
    ]);
  t.strictSame(named('spot'), [
    ['BTCUSDT', 'spot', 'BTC', 'USDT', 1],
    ['ASTERUSDT', 'spot', 'ASTER', 'USDT', 1],
    ['ASTERBTC', 'spot', 'ASTER', 'BTC', 1],
    ['NEWUSDT', 'spot', 'NEW', 'USDT', 1],
    ['TESTUSDT', 'other', 'TEST', 'USDT', 1], // the venue's own test symbol
    ['OLDUSDT', 'other', 'OLD', 'USDT', 1],
  ]);
  t.strictSame(named('linear'), [
    ['BTCUSDT', 'perpetual', 'BTC', 'USDT', 1],
    ['1000PEPEUSDT', 'perpetual', 'PEPE', 'USDT', 1000],
    ['ETHUSD1', 'perpetual', 'ETH', 'USD1', 1],
    ['INJUSDT', 'perpetual', 'INJ', 'USDT', 1],
    ['AAPLUSDT', 'other', 'AAPL', 'USDT', 1], // a share
    ['TESTINGUSDT', 'other', 'TESTING', 'USDT', 1],
    ['OLDUSDT', 'other', 'OLD', 'USDT', 1],
    ['BTCUSDT_260925', 'other', 'BTC', 'USDT', 1], // dated
    ['GNSUSD', 'other', 'GNSUSD', 'USD', 1], // states no base
  ]);
});

t.test('spot prices', async (t) => {
  const { rows, dropped } = pricesOf(aster, 'spot');
  t.strictSame(dropped, []);
  t.strictSame(rows, [
    {
      market: 'BTCUSDT',
      kind: 'spot',
      symbol: 'BTC',
      quote: 'USDT',
      price: 104_000.5,
      bid: 104_000.2,
      ask: 104_000.9,
      high: 104_720,
      low: 99_870,
      base: 500.25,
      volume: 51_525_750,
      change: (104_000.5 / 100_510 - 1) * 100, // since openPrice
      stated: 1750000000321, // closeTime
    },
    {
      market: 'ASTERUSDT',
      kind: 'spot',
      symbol: 'ASTER',
      quote: 'USDT',
      price: 1.5,
      bid: 1.499,
      ask: 1.502,
      high: 1.56,
      low: null, // what is empty is unknown
      base: 1000,
      volume: null,
      change: null,
      stated: null,
    },
  ]);
});

t.test('perpetual prices', async (t) => {
  const { rows, dropped } = pricesOf(aster, 'linear');
  t.strictSame(dropped, []);
  t.strictSame(rows.slice(0, 2), [
    {
      market: 'BTCUSDT',
      kind: 'perpetual',
      symbol: 'BTC',
      quote: 'USDT',
      price: 104_010,
      bid: null, // no quotes in this list
      ask: null,
      high: 104_820.5,
      low: 101_350.5,
      base: 8753.286,
      volume: 902_463_786.6,
      change: (104_010 / 102_000 - 1) * 100,
      stated: 1750000000321,
    },
    {
      market: '1000PEPEUSDT',
      kind: 'perpetual',
      symbol: 'PEPE',
      quote: 'USDT',
      price: 0.0112 / 1000,
      bid: null,
      ask: null,
      high: 0.0116 / 1000,
      low: 0.0097 / 1000,
      base: 2_000_000_000_000, // 2,000,000,000 x 1000
      volume: 21_800_000,
      change: (0.0112 / 0.01 - 1) * 100,
      stated: 1750000000321,
    },
  ]);
  t.match(rows.slice(2), [
    { market: 'ETHUSD1', quote: 'USD1', price: 2500 },
    { market: 'INJUSDT', quote: 'USDT', price: 12.5 },
  ]);
  const broken = [{ symbol: 'BTCUSDT', lastPrice: '', quoteVolume: '1' }, null, { symbol: 'NEW1' }];
  const context = contextOf(aster, 'linear');
  t.strictSame(ownPoll(aster, 'prices', 'linear').parse([broken], context), {
    rows: [],
    dropped: [
      { key: 'BTCUSDT', code: 'bad_row' },
      { key: '', code: 'bad_row' },
      { key: 'NEW1', code: 'unknown_instrument' },
    ],
  });
});

t.test('funding: a fraction per interval, from 8 and 4 hours to 8', async (t) => {
  const { rows, dropped } = derivativesOf(aster, 'linear');
  t.strictSame(dropped, [], 'EGL1USD is in no list');
  t.strictSame(rows, [
    {
      market: 'BTCUSDT',
      symbol: 'BTC',
      quote: 'USDT',
      mark: 104_005.5,
      index: 104_000,
      funding_rate: 0.00013,
      funding_hours: 8,
      funding_rate_8h: 0.00013,
      next_funding: 1750003200000,
      stated: 1750000000400,
    },
    {
      market: '1000PEPEUSDT',
      symbol: 'PEPE',
      quote: 'USDT',
      mark: 0.01121 / 1000,
      index: 0.0112 / 1000,
      funding_rate: -0.00005,
      funding_hours: 4,
      funding_rate_8h: -0.0001, // twice in 8 hours
      next_funding: 1750003200000,
      stated: 1750000000400,
    },
    {
      market: 'ETHUSD1',
      symbol: 'ETH',
      quote: 'USD1',
      mark: 2501,
      index: 2500,
      funding_rate: 0.00002,
      funding_hours: 8, // not in the info: 16:00 UTC is one of 8 hours
      funding_rate_8h: 0.00002,
      next_funding: Date.UTC(2025, 5, 15, 16),
      stated: 1750000000400,
    },
    {
      market: 'INJUSDT',
      symbol: 'INJ',
      quote: 'USDT',
      mark: 12.51,
      index: null,
      funding_rate: null,
      funding_hours: null, // 20:00 UTC is none of 8 hours, so that they are unknown
      funding_rate_8h: null,
      next_funding: Date.UTC(2025, 5, 15, 20),
      stated: 1750000000400,
    },
  ]);
});

t.test('open interest: base units of one side, times the mark price', async (t) => {
  const { rows, dropped } = openInterestOf(aster, 'linear');
  t.strictSame(dropped, [{ key: 'ETHUSD1', code: 'bad_row' }], 'an empty number');
  t.strictSame(rows, [
    {
      market: 'BTCUSDT',
      symbol: 'BTC',
      quote: 'USDT',
      units: 5000.5,
      value: 5000.5 * 104_005.5,
      mark: 104_005.5,
      stated: 1750000000410,
    },
    {
      market: '1000PEPEUSDT',
      symbol: 'PEPE',
      quote: 'USDT',
      units: 3e12, // 3e9 x 1000
      value: 3e9 * 0.01121, // both per thousand
      mark: 0.01121 / 1000,
      stated: 1750000000420,
    },
  ]);
});

t.test('order books: 1000PEPE in PEPE; the time of either kind', async (t) => {
  const pepe = askFor(aster, 'linear', '1000PEPEUSDT');
  t.strictSame(orderBook.parse(fixture(aster, 'linear-order-book'), pepe), {
    bids: [
      { price: 0.0112 / 1000, quantity: 250_000_000 },
      { price: 0.0111 / 1000, quantity: 1_000_000 },
    ],
    asks: [{ price: 0.0113 / 1000, quantity: 40_000_000 }],
    stated: 1750000000340,
  });
  const spot = askFor(aster, 'spot', 'BTCUSDT');
  t.strictSame(orderBook.parse(fixture(aster, 'spot-order-book'), spot), {
    bids: [{ price: 104_000, quantity: 0.5 }],
    asks: [{ price: 104_001, quantity: 1.25 }],
    stated: 1750000000340, // E where T is absent
  });
  t.equal(orderBook.parse({ bids: [], asks: [] }, pepe).stated, null);
});

t.test('candles: base and quote', async (t) => {
  const spot = askFor(aster, 'spot', 'BTCUSDT');
  t.strictSame(candles.parse(fixture(aster, 'spot-candles'), spot)[0], {
    timestamp: 1749992400000,
    open: 103_500,
    high: 104_500,
    low: 103_000,
    close: 104_000,
    volume: 3.25,
    turnover: 337_350,
  });
  const pepe = askFor(aster, 'linear', '1000PEPEUSDT');
  const [bar, unknown] = candles.parse(fixture(aster, 'linear-candles'), pepe);
  t.strictSame(bar, {
    timestamp: 1749992400000,
    open: 0.011 / 1000,
    high: 0.0113 / 1000,
    low: 0.0109 / 1000,
    close: 0.0112 / 1000,
    volume: 5_000_000_000, // 5,000,000 x 1000
    turnover: 55_500,
  });
  t.match(unknown, { volume: 1_000_000, turnover: null });
  const quiet = [
    1749996000000,
    ...Array(4).fill('104000'),
    '0',
    1749999599999,
    '0',
    0,
    '0',
    '0',
    '0',
  ];
  t.match(candles.parse([quiet], spot), [{ volume: 0, turnover: 0 }], 'an hour without a trade');
});

wholeVenue(aster);
