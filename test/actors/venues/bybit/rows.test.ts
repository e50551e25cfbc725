import t from 'tap';
import { bybit } from '../../../../actors/venues/bybit/index.ts';
import { levels } from '../../../support/makers.ts';
import { likeRows, sameRows } from '../../../support/table.ts';
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
  sameRows(t, [
    instrumentOf(bybit, 'spot', 'BTCUSDT'),
    instrumentOf(bybit, 'linear', '1000PEPEUSDT'),
  ])`
    market       kind      symbol quote scale contract inverse funding_hours tick
    BTCUSDT      spot      BTC    USDT  1     1        false   - 0.1
    1000PEPEUSDT perpetual PEPE   USDT  1000  1        false   4 0.1/1000 // funding_hours: 240 minutes
  `;
  t.match(instrumentOf(bybit, 'linear', 'SHIB1000USDT'), { symbol: 'SHIB', scale: 1000 });
  t.match(instrumentOf(bybit, 'linear', 'BTCPERP'), { symbol: 'BTC', quote: 'USDC' });
  sameRows(t, instrumentOf(bybit, 'inverse', 'BTCUSD'))`
    market kind      symbol quote scale contract inverse funding_hours tick
    BTCUSD perpetual BTC    USD   1     1        true    8 0.1 // contract: 1 USD
  `;
});

t.test('prices of spot', async (t) => {
  const { rows, dropped } = pricesOf(bybit, 'spot');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[0]))`
    market  kind symbol quote price   bid       ask       high      low      base     volume        change stated
    BTCUSDT spot BTC    USDT  104_208 104_207.6 104_208.3 104_488.8 99_875.5 4_987.25 513_287_012.5 4      ${stated} // change: 104,208 / 100,200
  `;
  t.match(rows[1], { market: 'USDCUSDT', base: null, volume: null }, '"" is unknown, not 0');
  t.match(rounded(rows[2]), { market: 'MNTUSDC', quote: 'USDC', volume: 88_250, change: -20 });
  t.equal(rows.length, 3);
});

t.test('prices of contracts: on inverse ones the turnover is base', async (t) => {
  const { rows, dropped } = pricesOf(bybit, 'linear');
  t.strictSame(dropped, [], 'what is not followed is silent');
  const [btc, pepe, shib, usdc, ...none] = rows;
  sameRows(t, [rounded(btc), rounded(pepe)])`
    market       kind      symbol quote price     bid        ask        high      low       base              volume          change stated
    // change: 103,293 / 99,800
    BTCUSDT      perpetual BTC    USDT  103_293   103_292.9  103_293.4  103_411.7 99_612.5  90_123.4          9_173_698_400.5 3.5    ${stated}
    // price: prices are of a thousand; base: 3,000,000,000 x 1000; change: 0.0114 / 0.012
    1000PEPEUSDT perpetual PEPE   USDT  0.0000114 0.00001139 0.00001141 0.0000122 0.0000109 3_000_000_000_000 34_350_000      -5     ${stated}
  `;
  t.match(rounded(shib), { symbol: 'SHIB', price: 0.000013 });
  t.match(usdc, { market: 'BTCPERP', quote: 'USDC', price: 104_020 });
  t.strictSame(none, []);
  const inverse = pricesOf(bybit, 'inverse').rows;
  sameRows(t, rounded(inverse[0]))`
    market kind      symbol quote price  bid      ask      high    low      base   volume     change stated
    // volume: contracts of 1 USD; change: 99,910 / 97,000
    BTCUSD perpetual BTC    USD   99_910 99_909.5 99_910.5 100_433 96_250.5 149.25 14_730_000 3      ${stated}
  `;
  t.match(inverse[1], { market: 'ETHUSD', price: 2500, base: 20.125, volume: 49_900 });
  t.equal(inverse.length, 2);
});

t.test('derivatives: hours of the ticker, else of the instrument', async (t) => {
  const [btc, pepe, shib, usdc] = derivativesOf(bybit, 'linear').rows;
  sameRows(t, [btc, rounded(pepe)])`
    market       symbol quote mark       index      funding_rate funding_hours funding_rate_8h next_funding      stated
    BTCUSDT      BTC    USDT  103_301.5  103_284.7  0.00012      8             0.00012         1_750_003_200_000 ${stated}
    // mark: 0.01142 for a thousand; funding_hours: 240 minutes of the instrument: the ticker's is empty
    1000PEPEUSDT PEPE   USDT  0.00001142 0.00001137 -0.0003      4             -0.0006         1_750_003_200_000 ${stated}
  `;
  t.match(rounded(shib), { mark: 0.0000125, index: null });
  t.match(usdc, { market: 'BTCPERP', funding_rate: null, next_funding: null });
  sameRows(t, derivativesOf(bybit, 'inverse').rows[1])`
    market symbol quote mark   index funding_rate funding_hours funding_rate_8h next_funding      stated
    ETHUSD ETH    USD   2500.5 2499  -0.0002      8             -0.0002         1_750_003_200_000 ${stated}
  `;
});

t.test('open interest: one side, or half of both', async (t) => {
  const [btc, pepe, shib, usdc] = openInterestOf(bybit, 'linear').rows;
  sameRows(t, [btc, rounded(pepe)])`
    market       symbol quote units             value         mark       stated
    BTCUSDT      BTC    USDT  50_020            5_167_140_000 103_301.5  ${stated}
    // units: no one-sided number: 4,000,000,000 / 2 x 1000 PEPE; value: 45,680,000 / 2 USDT
    1000PEPEUSDT PEPE   USDT  2_000_000_000_000 22_840_000    0.00001142 ${stated}
  `;
  t.match(shib, { units: 101_000_000_000, value: 1_262_500 }, 'no value: 101,000,000 x 0.0125');
  t.match(usdc, { market: 'BTCPERP', units: 10.1, value: 1_050_556.5 });
  const [inverse, half] = openInterestOf(bybit, 'inverse').rows;
  sameRows(t, inverse)`
    market symbol quote units   value       mark     stated
    BTCUSD BTC    USD   1_201.2 120_015_000 99_915.5 ${stated} // units: the value is in BTC; value: contracts of 1 USD
  `;
  t.match(half, { market: 'ETHUSD', units: 199.95, value: 500_000 }, 'half of both');
});

t.test('order books', async (t) => {
  const spot = orderBook.parse(fixture(bybit, 'spot-order-book'), askFor(bybit, 'spot', 'BTCUSDT'));
  t.strictSame(spot, {
    bids: levels([104_000.4, 0.5], [104_000, 1.25]),
    asks: levels([104_000.6, 0.75], [104_001, 2]),
    stated: 1_750_000_000_340, // the time of the matching engine
  });
  const pepe = askFor(bybit, 'linear', '1000PEPEUSDT');
  const linear = rounded(orderBook.parse(fixture(bybit, 'linear-order-book'), pepe));
  t.match(linear, {
    bids: [{ price: 0.0000112, quantity: 500_000 }], // of a thousand, 500 of them
    asks: [{ price: 0.0000113, quantity: 250_000 }],
  });
  const body = fixture(bybit, 'inverse-order-book');
  const inverse = orderBook.parse(body, askFor(bybit, 'inverse', 'BTCUSD'));
  t.strictSame(inverse.bids[0], { price: 100_000, quantity: 0.05 }, '5,000 USD / 100,000');
});

t.test('candles: base and quote, on inverse contracts the other way round', async (t) => {
  const rows = (part: string, market: string) =>
    rounded(candles.parse(fixture(bybit, `${part}-candles`), askFor(bybit, part, market)));
  likeRows(t, rows('spot', 'BTCUSDT'))`
    timestamp         open    high    low     close   volume turnover
    1_749_999_600_000 104_190 104_310 104_105 104_250 2.0003 208_441.3
  `;
  likeRows(t, rows('linear', '1000PEPEUSDT'))`
    timestamp         open      high      low       close     volume    turnover
    1_749_999_600_000 0.0000112 0.0000114 0.0000111 0.0000113 1_003_000 11.3 // open: of a thousand; volume: 1003 x 1000
  `;
  likeRows(t, rows('inverse', 'BTCUSD'))`
    timestamp         open    high    low    close   volume turnover
    1_749_999_600_000 100_005 100_500 99_900 100_050 0.4998 50_010
  `;
});
