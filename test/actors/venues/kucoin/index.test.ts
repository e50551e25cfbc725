import t from 'tap';
import { kucoin } from '../../../../actors/venues/kucoin/index.ts';
import { connection } from '../../../../actors/venues/kucoin/stream.ts';
import { changeOf } from '../../../../actors/venues/rows.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
  received,
} from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = kucoin.queries;
const nothing = { received: 0, instruments: new Map() };
const stated = 1_750_000_000_321;

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(kucoin, part).instruments].map(([id, i]) => [id, i.kind]));
  t.match(kinds('spot'), {
    ...{ 'BTC-USDT': 'spot', 'ETH-BTC': 'spot', '1INCH-USDT': 'spot' },
    'JUP-USDT': 'spot', // there is no J
    'OLD-USDT': 'other', // not enabled
    'BTC3L-USDT': 'other', // leveraged, by its group
    'ETH3S-USDT': 'other', // leveraged, by its name
    'BTCUP-USDT': 'other',
  });
  t.strictSame(kinds('futures'), {
    ...{ XBTUSDTM: 'perpetual', '1000PEPEUSDTM': 'perpetual', XBTUSDCM: 'perpetual' },
    ...{ XBTUSDM: 'perpetual', OLDUSDTM: 'other', XBTMZ25: 'other' },
  });
  t.match(instrumentOf(kucoin, 'futures', 'XBTUSDTM'), {
    ...{ symbol: 'BTC', quote: 'USDT', contract: 0.001, inverse: false, funding_hours: 8 },
  });
  t.match(instrumentOf(kucoin, 'futures', 'XBTUSDM'), {
    ...{ symbol: 'BTC', quote: 'USD', contract: 1, inverse: true, scale: 1 },
  });
  const pepe = { symbol: 'PEPE', scale: 1000, contract: 100, funding_hours: 4 };
  t.match(instrumentOf(kucoin, 'futures', '1000PEPEUSDTM'), pepe);
  t.equal(instrumentOf(kucoin, 'futures', 'XBTUSDCM').funding_hours, 8, 'by the name of its rate');
});

t.test('spot prices', async (t) => {
  const { rows, dropped } = pricesOf(kucoin, 'spot');
  t.strictSame(dropped, [], 'what was never traded is silent');
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.change, row.stated]),
    [
      ['BTC-USDT', 104000.5, 512_500_000, changeOf(104000.5, 104575.75), stated],
      ['USDC-USDT', 1.0001, null, null, stated],
      ['1INCH-USDT', 0.25, 50, 25, stated],
      ['JUP-USDT', 0.5, 500, 0, stated],
    ],
  );
  const early = kucoin.feeds.prices.parts.spot.parse([fixture(kucoin, 'spot-prices')], nothing);
  t.match(early.rows[0], { market: 'BTC-USDT', symbol: 'BTC', quote: 'USDT', kind: 'spot' });
});

t.test('prices of contracts', async (t) => {
  const { rows, dropped } = pricesOf(kucoin, 'futures');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.price, row.volume, row.stated]),
    [
      ['XBTUSDTM', 104000, 5_800_000_000.25, null], // turnoverOf24h
      ['1000PEPEUSDTM', 0.0000125, 500_000, null],
      ['XBTUSDCM', 104010, 1_040_000, null],
      ['XBTUSDM', 100000, 15_000_000, null], // volumeOf24h: 150.25 BTC are their turnover
    ],
  );
  t.equal(rows[0]?.change, changeOf(104_000, 101_414), 'not the rounded 0.0255');
});

t.test('derivatives: a countdown, and hours', async (t) => {
  const { rows, dropped } = derivativesOf(kucoin, 'futures');
  t.strictSame(dropped, []);
  // 1,750,000,001,000 + 3,198,321 is 679 ms before the hour.
  t.equal(received + 3_198_321, 1_750_003_199_321);
  const next_funding = 1_750_003_200_000;
  t.match(rows, [
    {
      ...{ market: 'XBTUSDTM', symbol: 'BTC', mark: 104005.5, index: 104010.25, next_funding },
      ...{ funding_rate: 0.0001, funding_hours: 8, funding_rate_8h: 0.0001, stated: null },
      predicted_rate: 0.0001,
    },
    {
      ...{ market: '1000PEPEUSDTM', mark: 0.0000124, index: 0.00001241 },
      ...{ funding_rate: -0.00005, funding_hours: 4, funding_rate_8h: -0.0001 },
    },
    { market: 'XBTUSDCM', quote: 'USDC', funding_hours: 8 },
    { market: 'XBTUSDM', quote: 'USD', mark: 100002.5, funding_rate: 0.000175 },
  ]);
  t.equal(rows.length, 4);
});

t.test('open interest', async (t) => {
  const { rows, dropped } = openInterestOf(kucoin, 'futures');
  t.strictSame(dropped, []);
  t.strictSame(
    rows.map((row) => [row.market, row.units, row.value]),
    [
      ['XBTUSDTM', 5000, 520_027_500], // 5,000,000 x 0.001 BTC, at 104,005.5
      ['1000PEPEUSDTM', 40_000_000_000, 496_000], // 400,000 x 100 x 1000, at 0.0124 / 1000
      ['XBTUSDCM', 2, 208_022],
      ['XBTUSDM', 60_000_000 / 100002.5, 60_000_000], // contracts of 1 USD
    ],
  );
});

t.test('order books in base', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(kucoin, `${part}-order-book`), askFor(kucoin, part, market));
  const spot = book('spot', 'BTC-USDT');
  t.strictSame(spot.asks[0], { price: 104000.1, quantity: 2.5 });
  t.equal(spot.stated, 1_750_000_000_340);
  const linear = book('futures', 'XBTUSDTM');
  t.strictSame(linear.asks[0], { price: 104000.1, quantity: 2.5 }, '2500 x 0.001 BTC');
  t.equal(linear.stated, 1_750_000_000_340, 'from nanoseconds');
  const inverse = book('futures', 'XBTUSDM');
  t.strictSame(inverse.bids[0], { price: 104000, quantity: 500 / 104000 }, '500 x 1 USD');
  const unknown = { market: 'NEWUSDTM', part: 'futures', instrument: null };
  const body = fixture(kucoin, 'futures-order-book');
  t.throws(() => orderBook.parse(body, unknown), { name: 'ShapeError' }, 'no contract size');
});

t.test('candles of contracts', async (t) => {
  const bars = (market: string) =>
    candles.parse(fixture(kucoin, 'futures-candles'), askFor(kucoin, 'futures', market));
  t.strictSame(
    bars('XBTUSDTM').map((bar) => [bar.timestamp, bar.close, bar.volume, bar.turnover]),
    [
      [1_749_996_000_000, 104000, 10, null], // 10,000 x 0.001 BTC
      [1_749_999_600_000, 104050, 2, null],
    ],
  );
  t.match(bars('1000PEPEUSDTM')[0], { close: 104, volume: 10_000 * 100 * 1000 });
  // 10,000 USD at (103,000 + 104,500 + 102,000 + 104,000) / 4 = 103,375
  t.match(bars('XBTUSDM')[0], { volume: 10_000 / 103_375, turnover: 10_000 });
});

t.test('the connection: acknowledgements', async (t) => {
  const { acknowledges, url } = connection('FUTURES');
  t.equal(url, 'wss://x-push-futures.kucoin.com');
  const said = { id: '1', result: true };
  t.strictSame(
    [said, { ...said, id: '2' }, { ...said, result: false }, null].map(acknowledges),
    [1, 0, 0, 0],
  );
});

wholeVenue(kucoin);
