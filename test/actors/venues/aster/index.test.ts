import t from 'tap';
import { aster } from '../../../../actors/venues/aster/index.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds, queries } = aster;
const { orderBook, candles } = queries;

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

t.test('perpetual prices', async (t) => {
  const { rows, dropped } = pricesOf(aster, 'linear');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.symbol, row.price, row.volume]),
    [
      ['BTCUSDT', 'BTC', 104010, 923607368.61],
      ['1000PEPEUSDT', 'PEPE', 0.0112 / 1000, 22400000],
      ['ETHUSD1', 'ETH', 2500, 250000],
      ['INJUSDT', 'INJ', 12.5, 1250],
    ],
  );
  const broken = [{ symbol: 'BTCUSDT', lastPrice: '', quoteVolume: '1' }, null, { symbol: 'NEW1' }];
  const context = contextOf(aster, 'linear');
  t.strictSame(feeds.prices.parts.linear.parse([broken], context), {
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
  t.strictSame(rows[0], {
    ...{ market: 'BTCUSDT', symbol: 'BTC', quote: 'USDT', mark: 104005.5, index: 104000 },
    ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: 0.0001 },
    ...{ next_funding: 1750003200000, stated: 1750000000400 },
  });
  t.match(rows[1], {
    symbol: 'PEPE',
    mark: 0.01121 / 1000,
    index: 0.0112 / 1000,
    ...{ funding_rate: -0.00005, funding_hours: 4 },
    funding_rate_8h: -0.0001, // twice in 8 hours
  });
  t.match(rows[2], { market: 'ETHUSD1', funding_hours: 8, funding_rate_8h: 0.00002 });
  t.equal(1750003200000 % 28_800_000, 0, 'ETHUSD1 is not in the info: 16:00 UTC is one of 8 hours');
  t.match(
    rows[3],
    { market: 'INJUSDT', mark: 12.51, index: null, funding_rate: null, funding_hours: null },
    '20:00 UTC is none, so that the hours are unknown',
  );
  t.equal(rows.length, 4);
});

t.test('open interest: base units of one side, times the mark price', async (t) => {
  const { rows, dropped } = openInterestOf(aster, 'linear');
  t.strictSame(dropped, [{ key: 'ETHUSD1', code: 'bad_row' }], 'an empty number');
  t.strictSame(rows, [
    {
      ...{ market: 'BTCUSDT', symbol: 'BTC', quote: 'USDT', units: 5000.5 },
      value: 5000.5 * 104005.5,
      ...{ mark: 104005.5, stated: 1750000000410 },
    },
    {
      ...{ market: '1000PEPEUSDT', symbol: 'PEPE', quote: 'USDT' },
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
  const spot = orderBook.parse(fixture(aster, 'spot-order-book'), askFor(aster, 'spot', 'BTCUSDT'));
  t.strictSame(spot.bids, [{ price: 104000, quantity: 0.5 }]);
  t.equal(spot.stated, 1750000000340, 'E where T is absent');
  t.equal(orderBook.parse({ bids: [], asks: [] }, pepe).stated, null);
});

t.test('candles: base and quote', async (t) => {
  const spot = candles.parse(fixture(aster, 'spot-candles'), askFor(aster, 'spot', 'BTCUSDT'));
  t.strictSame(
    spot.map((bar) => [bar.timestamp, bar.open, bar.close, bar.volume, bar.turnover]),
    [
      [1749992400000, 103500, 104000, 3.25, 337350],
      [1749996000000, 104000, 104000, 0, 0],
    ],
  );
  const pepe = askFor(aster, 'linear', '1000PEPEUSDT');
  t.match(candles.parse(fixture(aster, 'linear-candles'), pepe), [
    { open: 0.011 / 1000, high: 0.0113 / 1000, volume: 5e9, turnover: 55500 },
    { volume: 1e6, turnover: null },
  ]);
});

wholeVenue(aster);
