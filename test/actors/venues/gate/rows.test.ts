import t from 'tap';
import { gate } from '../../../../actors/venues/gate/index.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows, tableRow } from '../../../support/table.ts';
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
  sameRows(t, [
    instrumentOf(gate, 'spot', 'BTC_USDT'),
    instrumentOf(gate, 'btc', 'BTC_USD'),
    instrumentOf(gate, 'usd1', 'ETH_USD1'),
    instrumentOf(gate, 'usdt', '1000SATS_USDT'),
  ])`
    market        kind      symbol quote scale contract inverse funding_hours tick
    BTC_USDT      spot      BTC    USDT  1     1        false   - 0.1
    BTC_USD       perpetual BTC    USD   1     1        true    8 . // contract: quanto_multiplier 0: 1 USD; funding_hours: 28,800 s
    ETH_USD1      perpetual ETH    USD1  1     0.01     false   4 .
    1000SATS_USDT perpetual SATS   USDT  1000  1000     false   1 .
  `;
});

t.test('prices', async (t) => {
  for (const part of gate.parts) t.strictSame(pricesOf(gate, part).dropped, [], part);
  const [btc, usdc, inch, ...no] = pricesOf(gate, 'spot').rows;
  sameRows(t, btc)`
    market   kind symbol quote price   bid       ask       high      low      base     volume        change stated
    BTC_USDT spot BTC    USDT  104_208 104_207.6 104_208.3 104_488.8 99_875.5 4_987.25 513_287_012.5 4.02   -
  `;
  t.match(usdc, { market: 'USDC_USDT', base: null, volume: null }, '"nan" is unknown, not 0');
  t.match(inch, { market: '1INCH_USDT', bid: null, ask: 0.2503, change: null }, 'nor is ""');
  t.strictSame(no, [], 'neither leveraged tokens nor pairs with BTC');
  const [linear, , sats, ...none] = pricesOf(gate, 'usdt').rows;
  sameRows(t, [linear, rounded(sats)])`
    market        kind      symbol quote price     bid         ask       high      low       base     volume          change stated
    BTC_USDT      perpetual BTC    USDT  104_000.2 104_000.1   104_000.6 104_411.7 99_812.5  90_123.4 9_123_698_400.5 4.13   -
    1000SATS_USDT perpetual SATS   USDT  4e-8      3.999916e-8 -         4.1248e-8 3.8284e-8 -        -               0      - // price: 0.00004 for a thousand
  `;
  t.strictSame(none, []);
  sameRows(t, pricesOf(gate, 'btc').rows)`
    market  kind      symbol quote price   bid       ask       high    low      base   volume     change stated
    BTC_USD perpetual BTC    USD   100_020 100_019.5 100_020.5 100_433 95_610.5 149.25 14_730_000 4.21   - // volume: contracts of 1 USD
  `;
  sameRows(t, pricesOf(gate, 'usd1').rows[0])`
    market   kind      symbol quote price   bid     ask     high    low      base volume    change stated
    BTC_USD1 perpetual BTC    USD1  104_022 104_021 104_023 104_502 99_790.5 49.8 5_123_700 3.97   -
  `;
});

t.test('derivatives: seconds become hours and milliseconds', async (t) => {
  const { rows, dropped } = derivativesOf(gate, 'usdt');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows))`
    market        symbol quote mark       index      funding_rate funding_hours funding_rate_8h next_funding      stated
    BTC_USDT      BTC    USDT  104_010.4  103_990.7  0.00012      8             0.00012         1_750_003_200_000 - // funding_hours: 28,800 s
    PEPE_USDT     PEPE   USDT  0.00001128 0.00001127 -0.0003      4             -0.0006         1_750_003_200_000 -
    // mark: 0.00004001 for a thousand; index: an empty string; funding_rate_8h: 0.00005 x 8; next_funding: 0
    1000SATS_USDT SATS   USDT  4.001e-8   -          0.00005      1             0.0004          -                 -
  `;
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
  sameRows(t, btc)`
    market   symbol quote units  value         mark      stated
    BTC_USDT BTC    USDT  50_020 5_202_600_208 104_010.4 - // units: 500,200,000 x 0.0001 BTC; value: x 104,010.4
  `;
  t.match(pepe, { units: 200_000_000_000, value: 2_256_000 }, '20,000 x 1e7, x 0.00001128');
  sameRows(t, rounded(sats))`
    market        symbol quote units             value          mark     stated
    // units: 2,500,000.5, a decimal string, x 1000 x 1000; value: 2,500,000,500 x 0.00004001 for a thousand
    1000SATS_USDT SATS   USDT  2_500_000_500_000 100_025.020005 4.001e-8 -
  `;
  sameRows(t, openInterestOf(gate, 'btc').rows)`
    market  symbol quote units value       mark      stated
    BTC_USD BTC    USD   1200  120_015_000 100_012.5 - // units: 120,015,000 x 1 USD / 100,012.5
  `;
  t.match(rounded(openInterestOf(gate, 'usd1').rows), [
    { market: 'BTC_USD1', units: 300.2, value: 31_229_806 }, // x 104,030
    { market: 'ETH_USD1', units: 400, value: 1_000_200 }, // x 2,500.5
  ]);
});

t.test('order books', async (t) => {
  const book = (part: string, market: string) =>
    rounded(orderBook.parse(fixture(gate, `${part}-order-book`), askFor(gate, part, market)));
  t.strictSame(book('spot', 'BTC_USDT'), {
    bids: levels([104_000.4, 0.5], [104_000, 1.25]),
    asks: levels([104_000.6, 0.75], [104_001, 2]),
    stated: 1_750_000_000_400,
  });
  t.strictSame(book('usdt', 'BTC_USDT'), {
    bids: levels(
      [104_000, 1], // 10,000 x 0.0001
      [103_999.5, 1.3783],
    ),
    asks: levels(
      [104_000.1, 2.4909],
      [104_000.6, 0.00815], // 81.5, a decimal string
    ),
    stated: 1_750_000_000_345, // seconds with a fraction
  });
  t.match(book('btc', 'BTC_USD'), {
    bids: [{ price: 100_000, quantity: 0.05 }], // 5,000 USD / 100,000
    asks: [{ price: 100_000.5, quantity: 0.0999995000025 }], // 10,000 USD / 100,000.5
  });
});

t.test('candles', async (t) => {
  const rows = (part: string, market: string) =>
    candles.parse(fixture(gate, `${part}-candles`), askFor(gate, part, market));
  const bar = tableRow`
    timestamp         open    high    low     close   volume turnover
    1_749_996_000_000 104_000 104_400 103_900 104_200 10.004 1_041_812.5
  `;
  t.strictSame(rows('spot', 'BTC_USDT')[0], bar);
  t.strictSame(rounded(rows('usdt', 'BTC_USDT')[0]), bar, '100,040 x 0.0001');
  const [closed, running] = rows('btc', 'BTC_USD');
  // `sum` is quote here: 2,000,400 USD at the middle of 99,500, 100,100, 99,400 and 100,000.
  t.match(closed, { volume: 2_000_400 / 99_750, turnover: 2_000_400 });
  // And base here: 0.4998 is between 50,010 / 100,500 and 50,010 / 99,900.
  sameRows(t, running)`
    timestamp         open    high    low    close   volume turnover
    1_749_999_600_000 100_005 100_500 99_900 100_050 0.4998 50_010
  `;
  const ask = askFor(gate, 'btc', 'BTC_USD');
  const row = { t: 1_749_999_600, o: '10', h: '20', l: '10', c: '20', v: '100' };
  const volumes = ['5', '10', '4.9', '10.1'].map(
    (sum) => candles.parse([{ ...row, sum }], ask)[0]?.volume,
  );
  t.strictSame(volumes, [5, 10, 100 / 15, 100 / 15], 'from 100 / 20 to 100 / 10');
});
