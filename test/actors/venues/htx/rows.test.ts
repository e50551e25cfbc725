import t from 'tap';
import { htx } from '../../../../actors/venues/htx/index.ts';
import { levels } from '../../../support/makers.ts';
import { likeRows, sameRows, tableRow } from '../../../support/table.ts';
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
  sameRows(t, instrumentOf(htx, 'spot', '1000satsusdt'))`
    market       kind symbol quote scale contract inverse funding_hours tick
    1000satsusdt spot SATS   USDT  1000  1        false   - 0.01/1000
  `;
  t.match(instrumentOf(htx, 'spot', '1inchusdt'), { symbol: '1INCH', scale: 1 });
  sameRows(t, [
    instrumentOf(htx, 'linear', '1000PEPE-USDT'),
    instrumentOf(htx, 'inverse', 'BTC-USD'),
  ])`
    market        kind      symbol quote scale contract inverse funding_hours tick
    1000PEPE-USDT perpetual PEPE   USDT  1000  100      false   - 0.1/1000
    BTC-USD       perpetual BTC    USD   1     100      true    - 0.1 // contract: USD
  `;
});

t.test('prices of spot', async (t) => {
  const { rows, dropped } = pricesOf(htx, 'spot');
  t.strictSame(dropped, []);
  const [btc, sats, usdc, inch] = rows;
  sameRows(t, rounded(btc))`
    market  kind symbol quote price   bid       ask       high      low      base     volume        change stated
    btcusdt spot BTC    USDT  104_208 104_207.6 104_208.3 104_488.8 99_875.5 4_987.25 513_287_012.5 4      ${stated} // change: 104,208 / 100,200
  `;
  t.match(rounded(sats), { symbol: 'SATS', price: 5e-8, base: 2_000_000_000, volume: 90 });
  t.match(usdc, { base: 100, volume: null });
  t.match(inch, { base: null, volume: 50 });
});

t.test('prices of contracts: the volumes of both sides are halved', async (t) => {
  const linear = pricesOf(htx, 'linear');
  t.strictSame(linear.dropped, []);
  const [btc, pepe, eth] = linear.rows;
  sameRows(t, [rounded(btc), rounded(pepe)])`
    market        kind      symbol quote price    bid        ask        high      low       base           volume      change stated
    // base: 6,000.5 / 2; volume: trade_turnover 612,000,000 / 2; change: 103,293 / 99,800
    BTC-USDT      perpetual BTC    USDT  103_293  103_292.9  103_293.4  103_411.7 99_612.5  3_000.25       306_000_000 3.5    ${stated}
    // price: prices are of a thousand; base: 40,000,000 / 2 x 1000; volume: no trade_turnover: 40,000,000 x 0.012 / 2
    // change: 0.012 / 0.0125
    1000PEPE-USDT perpetual PEPE   USDT  0.000012 0.00001199 0.00001202 0.0000129 0.0000117 20_000_000_000 240_000     -4     ${stated}
  `;
  t.match(eth, { volume: 1_300_000 }, '90,000 is no turnover of 1000 ETH: 1000 x 2600 / 2');
  const [inverse, untold] = pricesOf(htx, 'inverse').rows;
  sameRows(t, rounded(inverse))`
    market  kind      symbol quote price  bid      ask      high    low      base     volume      change stated
    // base: 2,985.5 / 2; volume: 2,940,000 contracts x 100 USD / 2; change: 99,910 / 97,000
    BTC-USD perpetual BTC    USD   99_910 99_909.5 99_910.5 100_433 96_250.5 1_492.75 147_000_000 3      ${stated}
  `;
  t.match(untold, { market: 'ETH-USD', base: 1000, volume: 2_600_000 }, '2000 ETH x 2600 / 2');
});

t.test('derivatives: linear', async (t) => {
  const { rows, dropped } = derivativesOf(htx, 'linear');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows))`
    market        symbol quote mark       index      funding_rate funding_hours funding_rate_8h next_funding      stated
    // mark: the close of the candle
    BTC-USDT      BTC    USDT  103_301.5  103_284.7  0.00012      8             0.00012         1_750_003_200_000 ${stated}
    // mark: 0.01204 for a thousand
    1000PEPE-USDT PEPE   USDT  0.00001204 0.00001201 -0.00005     4             -0.0001         1_750_003_200_000 ${stated}
    // market: no mark, no index, no time after the next: nothing is made up
    ETH-USDT      ETH    USDT  -          -          0.00011      -             -               1_750_003_200_000 ${stated}
  `;
});

t.test('derivatives: inverse, every 8 hours where nothing else is said', async (t) => {
  const { rows, dropped } = derivativesOf(htx, 'inverse');
  t.strictSame(dropped, []);
  sameRows(t, rows[0])`
    market  symbol quote mark     index     funding_rate funding_hours funding_rate_8h next_funding      stated
    BTC-USD BTC    USD   99_915.5 99_902.25 0.00014      8             0.00014         1_750_003_200_000 ${stated}
  `;
  likeRows(t, rows[1])`
    market  mark   index funding_hours funding_rate_8h
    ETH-USD 2600.5 2601  4             -0.0004
  `;
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
  sameRows(t, btc)`
    market   symbol quote units     value         mark stated
    // units: 32,000.5 / 2 BTC; value: 3,305,700,000 / 2 USDT; mark: both were given
    BTC-USDT BTC    USDT  16_000.25 1_652_850_000 -    1_750_000_000_341
  `;
  t.match(pepe, { units: 2_000_000_000, value: 24_080 }, '4,000,000 / 2 x 1000 PEPE');
  t.match(eth, { units: 500, value: 1_300_250 });
  sameRows(t, openInterestOf(htx, 'inverse').rows)`
    market  symbol quote units  value      mark stated
    BTC-USD BTC    USD   250.25 25_001_000 -    ${stated} // value: 500,020 contracts x 100 USD / 2
    ETH-USD ETH    USD   192.3  500_050    -    ${stated} // value: 100,010 x 10 / 2
  `;
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
    bids: levels(
      [104_000, 0.5], // 500 x 0.001 BTC
      [103_999.9, 1.25],
    ),
    asks: levels([104_000.1, 2.5], [104_000.5, 0.1]),
    stated: 1_750_000_000_340,
  });
  const inverse = book('inverse', 'BTC-USD');
  t.strictSame(inverse.bids[0], { price: 100_000, quantity: 0.5 }, '500 x 100 USD / 100,000');
});

t.test('candles: seconds, volumes of contracts halved', async (t) => {
  const bars = (part: string, market: string) =>
    rounded(candles.parse(fixture(htx, `${part}-candles`), askFor(htx, part, market)));
  const spot = tableRow`
    timestamp         open    high    low     close   volume turnover
    1_749_996_000_000 104_000 104_400 103_900 104_200 10.004 1_041_812.5
  `;
  t.match(bars('spot', 'btcusdt'), [
    { timestamp: 1_749_999_600_000 },
    spot,
    { timestamp: 1_749_992_400_000, volume: 0, turnover: 0 },
  ]);
  t.match(bars('linear', 'BTC-USDT'), [
    { ...spot, volume: 5.002, turnover: 520_906.25 },
    { timestamp: 1_749_999_600_000, volume: 1.0002, turnover: 104_221 },
  ]);
  likeRows(t, bars('inverse', 'BTC-USD'))`
    timestamp         open   high    low    close   volume turnover
    1_749_996_000_000 99_500 100_100 99_400 100_000 20.07  2_000_400 // volume: 40.14 / 2; turnover: 40,008 contracts x 100 USD / 2
    1_749_999_600_000 .      .       .      .       0.499  50_000
  `;
});
