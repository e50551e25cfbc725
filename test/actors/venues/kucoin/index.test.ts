import t from 'tap';
import { kucoin } from '../../../../actors/venues/kucoin/index.ts';
import { sameRows } from '../../../support/table.ts';
import {
  askFor,
  contextOf,
  derivativesOf,
  fixture,
  instrumentOf,
  kindsOf,
  openInterestOf,
  pricesOf,
  received,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { orderBook, candles } = kucoin.queries;

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(kucoin, part).instruments].map(([id, i]) => [id, i.kind]));
  t.match(kinds('spot'), {
    'BTC-USDT': 'spot',
    'ETH-BTC': 'spot',
    '1INCH-USDT': 'spot',
    'JUP-USDT': 'spot', // there is no J
    'OLD-USDT': 'other', // not enabled
    'BTC3L-USDT': 'other', // leveraged, by its group
    'ETH3S-USDT': 'other', // leveraged, by its name
    'BTCUP-USDT': 'spot', // there is no BTCDOWN
  });
  t.strictSame(kindsOf(kucoin, 'futures'), {
    perpetual: 'XBTUSDTM 1000PEPEUSDTM XBTUSDCM XBTUSDM',
    other: 'OLDUSDTM XBTMZ25',
  });
});

t.test('instruments', async (t) => {
  sameRows(t, [
    instrumentOf(kucoin, 'spot', 'BTC-USDT'),
    instrumentOf(kucoin, 'futures', '1000PEPEUSDTM'),
  ])`
    market        kind      symbol quote scale contract inverse funding_hours tick
    BTC-USDT      spot      BTC    USDT  1     1        false   - 0.1
    1000PEPEUSDTM perpetual PEPE   USDT  1000  100      false   2 1e-9
  `;
  t.match(instrumentOf(kucoin, 'futures', 'XBTUSDTM'), { contract: 0.001, funding_hours: 8 });
  t.match(instrumentOf(kucoin, 'futures', 'XBTUSDM'), { contract: 1, inverse: true });
  t.equal(instrumentOf(kucoin, 'futures', 'XBTUSDCM').funding_hours, 8, 'by the name of its rate');
});

t.test('spot prices', async (t) => {
  const { rows, dropped } = pricesOf(kucoin, 'spot');
  t.strictSame(dropped, [], 'what was never traded is silent');
  sameRows(t, rounded(rows[0]))`
    market   kind symbol quote price   bid       ask       high      low       base
    BTC-USDT spot BTC    USDT  103_975 103_974.9 103_975.3 105_480.6 102_880.4 5000.75

    volume        change                                      stated
    520_328_037.5 ${rounded((103_975 / 105_025.5 - 1) * 100)} 1_750_000_000_321 // change: not the rate, which is rounded to -0.01
  `;
  t.strictSame(
    rounded(rows.slice(1).map((row) => [row.market, row.price, row.volume, row.change])),
    [
      ['USDC-USDT', 1.0001, null, null],
      ['1INCH-USDT', 0.25, 48.3, 25],
      ['JUP-USDT', 0.5, 503.2, 0],
    ],
  );
});

t.test('prices of contracts', async (t) => {
  const { rows, dropped } = pricesOf(kucoin, 'futures');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market   kind      symbol quote price   bid ask high      low       base     volume           change                                    stated
    // volume: turnoverOf24h; change: not the rounded 0.02
    XBTUSDTM perpetual BTC    USDT  104_040 -   -   104_911.7 101_730.1 56_100.5 5_800_000_000.25 ${rounded((104_040 / 101_999 - 1) * 100)} -
  `;
  t.strictSame(
    rows.slice(1).map((row) => [row.market, row.price, row.base, row.volume]),
    [
      ['1000PEPEUSDTM', 0.0000125, 40_000_000_000, 496_000],
      ['XBTUSDCM', 104_014, 10.1, 1_036_000],
      ['XBTUSDM', 99_960, 150.25, 15_000_000], // volumeOf24h in USD, turnoverOf24h in BTC
    ],
  );
});

t.test('derivatives: a countdown, and hours', async (t) => {
  const { rows, dropped } = derivativesOf(kucoin, 'futures');
  t.strictSame(dropped, []);
  // 1,750,000,001,000 + 3,198,321 is 679 ms before the hour.
  t.equal(received + 3_198_321, 1_750_003_199_321);
  sameRows(t, rounded(rows[1]))`
    market        symbol quote mark      index      funding_rate funding_hours funding_rate_8h next_funding      stated predicted_rate
    // mark: of a thousand 0.0124
    1000PEPEUSDTM PEPE   USDT  0.0000124 0.00001241 -0.00005     2             -0.0002         1_750_003_200_000 -      -0.00007
  `;
  t.strictSame(
    rows.map((row) => [row.market, row.mark, row.index, row.funding_rate, row.funding_hours]),
    [
      ['XBTUSDTM', 104_005.5, 104_010.25, 0.000125, 8],
      ['1000PEPEUSDTM', 0.0000124, 0.00001241, -0.00005, 2],
      ['XBTUSDCM', 104_011, 104_012, 0.00023, 8],
      ['XBTUSDM', 100_002.5, 100_010.5, 0.000175, 8],
    ],
  );
});

t.test('open interest', async (t) => {
  const { rows, dropped } = openInterestOf(kucoin, 'futures');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market   symbol quote units  value         mark      stated
    XBTUSDTM BTC    USDT  5000.2 520_048_301.1 104_005.5 - // units: 5,000,200 x 0.001 BTC; value: at 104,005.5
  `;
  t.strictSame(
    rows.slice(1).map((row) => [row.market, row.units, row.value]),
    [
      ['1000PEPEUSDTM', 40_000_000_000, 496_000], // 400,000 x 100 x 1000, at 0.0124 / 1000
      ['XBTUSDCM', 2, 208_022],
      ['XBTUSDM', 60_001_500 / 100_002.5, 60_001_500], // contracts of 1 USD
    ],
  );
});

t.test('order books in base', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(kucoin, `${part}-order-book`), askFor(kucoin, part, market));
  const levels = {
    bids: [
      { price: 104_000, quantity: 0.5 },
      { price: 103_999.9, quantity: 1.25 },
    ],
    asks: [
      { price: 104_000.1, quantity: 2.5 },
      { price: 104_000.5, quantity: 0.1 },
    ],
  };
  t.strictSame(book('spot', 'BTC-USDT'), { ...levels, stated: 1_750_000_000_340 });
  // Contracts of 0.001 BTC, and nanoseconds.
  t.strictSame(book('futures', 'XBTUSDTM'), { ...levels, stated: 1_750_000_000_340 });
  const inverse = book('futures', 'XBTUSDM');
  t.strictSame(inverse.bids[0], { price: 104_000, quantity: 500 / 104_000 }, '500 x 1 USD');
});

t.test('candles', async (t) => {
  const bars = (part: string, market: string) =>
    candles.parse(fixture(kucoin, `${part}-candles`), askFor(kucoin, part, market));
  sameRows(t, bars('spot', 'BTC-USDT')[0])`
    timestamp         open    high    low     close   volume turnover
    1_749_999_600_000 104_000 104_100 103_900 104_050 2      208_050
  `;
  sameRows(t, bars('futures', 'XBTUSDTM')[0])`
    timestamp         open    high    low     close   volume turnover
    1_749_996_000_000 103_000 104_500 102_000 104_000 10     - // volume: 10,000 x 0.001 BTC
  `;
  t.match(bars('futures', '1000PEPEUSDTM')[0], { close: 104, volume: 10_000 * 100 * 1000 });
  // 10,000 USD at (103,000 + 104,500 + 102,000 + 104,000) / 4 = 103,375
  t.match(bars('futures', 'XBTUSDM')[0], { volume: 10_000 / 103_375, turnover: 10_000 });
});

t.test('the connection: acknowledgements', async (t) => {
  const { acknowledges, url } = kucoin.live.prices.futures;
  t.equal(url, 'wss://x-push-futures.kucoin.com');
  const said = { id: '1', result: true };
  t.strictSame(
    [said, { ...said, id: '2' }, { ...said, result: false }, null].map((message) =>
      acknowledges?.(message),
    ),
    [1, 0, 0, 0],
  );
});

wholeVenue(t, kucoin);
