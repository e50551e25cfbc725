import t from 'tap';
import { bitget } from '../../../../actors/venues/bitget/index.ts';
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

const { orderBook, candles } = bitget.queries;
const stated = 1_750_000_000_498;

t.test('instruments', async (t) => {
  sameRows(t, [
    instrumentOf(bitget, 'spot', 'BTCUSDT'),
    instrumentOf(bitget, 'usdt-futures', '1000BONKUSDT'),
  ])`
    market       kind      symbol quote scale contract inverse funding_hours tick
    BTCUSDT      spot      BTC    USDT  1     1        false   - 0.01
    1000BONKUSDT perpetual BONK   USDT  1000  1        false   4 0.1/1000
  `;
  t.match(instrumentOf(bitget, 'usdc-futures', 'BTCPERP'), { symbol: 'BTC', quote: 'USDC' });
  sameRows(t, instrumentOf(bitget, 'coin-futures', 'BTCUSD'))`
    market kind      symbol quote scale contract inverse funding_hours settle tick
    BTCUSD perpetual BTC    USD   1     1        false   8             BTC 0.1 // inverse: counted in the base
  `;
});

t.test('prices', async (t) => {
  const rows = (part: string) => rounded(pricesOf(bitget, part).rows);
  likeRows(t, rows('spot'))`
    market   kind symbol quote price   bid       ask       high      low      base     volume        change stated
    // change: as stated: 'open' is not the price of 24 h ago
    BTCUSDT  spot BTC    USDT  104_208 104_207.6 104_208.3 104_488.8 99_875.5 4_987.25 513_287_012.5 3.75   1_750_000_000_499
    // Empty strings are unknown, not 0; a time of 0 is none.
    USDCUSDT .    .      .     0.9998  .         .         .         .        -        -             -      -
  `;
  likeRows(t, rows('usdt-futures'))`
    market       kind      symbol quote price     bid        ask        high      low       base          volume          change stated
    // change: 103,293 / 99,800
    BTCUSDT      perpetual BTC    USDT  103_293   103_292.9  103_293.4  103_411.7 99_612.5  90_123.4      9_153_698_400.5 3.5    ${stated}
    // price: prices are of a thousand; base: 3,000,000 x 1000; change: 0.0209 / 0.022
    1000BONKUSDT perpetual BONK   USDT  0.0000209 0.00002089 0.00002092 0.0000224 0.0000201 3_000_000_000 63_600          -5     ${stated}
    DOGEUSDT     .         .      .     0.2       .          .          .         .         .             .               .      .
  `;
  likeRows(t, rows('usdc-futures'))`
    market  quote price   bid     ask     high    low      base volume
    BTCPERP USDC  104_022 104_021 104_023 104_502 99_790.5 99.8 10_272_700
  `;
  t.match(rows('coin-futures'), [
    tableRow`
      market quote price  bid      ask      high    low      base   volume     change
      BTCUSD USD   99_910 99_909.5 99_910.5 100_433 96_250.5 149.25 14_730_000 3 // change: 99,910 / 97,000
    `,
    { market: 'XRPUSD', change: 2.85 }, // no open: the rounded change
  ]);
  const counts = bitget.parts.map((part) => [
    pricesOf(bitget, part).rows.length,
    pricesOf(bitget, part).dropped.length,
  ]);
  t.strictSame(
    counts,
    [
      [2, 0],
      [3, 0],
      [1, 0],
      [2, 0],
    ],
    'what is not followed is silent',
  );
});

t.test('derivatives: tickers, with hours and next funding from the list of rates', async (t) => {
  const { rows, dropped } = derivativesOf(bitget, 'usdt-futures');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows))`
    market       symbol quote mark       index      funding_rate funding_hours funding_rate_8h next_funding      stated
    // funding_rate: the list's, not the 0.00012 of the ticker
    BTCUSDT      BTC    USDT  103_301.5  103_284.7  0.00013      8             0.00013         1_750_003_200_000 ${stated}
    // mark: 0.02094 for a thousand
    1000BONKUSDT BONK   USDT  0.00002094 0.00002087 -0.0004      4             -0.0008         1_750_003_200_000 ${stated}
    // market: not in the list of rates, no interval anywhere
    DOGEUSDT     DOGE   USDT  -          0.1999774  0.00005      -             -               -                 ${stated}
  `;
  t.match(derivativesOf(bitget, 'usdc-futures').rows, [
    { market: 'BTCPERP', mark: 104_015.5, index: 104_010.5, funding_rate: 0.00014 },
  ]);
  t.match(derivativesOf(bitget, 'coin-futures').rows, [
    { market: 'BTCUSD', mark: 99_915.5, index: 99_902.25, funding_rate: -0.0007 },
    { market: 'XRPUSD', funding_hours: 8 }, // of the instrument: the list's is empty
  ]);
});

t.test('open interest in base, one side, at the mark price', async (t) => {
  const interestOf = (part: string) => rounded(openInterestOf(bitget, part).rows);
  likeRows(t, interestOf('usdt-futures'))`
    market       symbol quote units         value            mark       stated
    BTCUSDT      BTC    USDT  50_020.5      5_167_192_680.75 103_301.5  ${stated} // value: x 103,301.5
    1000BONKUSDT BONK   USDT  4_000_000_000 83_760           0.00002094 ${stated} // units: 4,000,000 x 1000; value: 4,000,000 x 0.02094
    DOGEUSDT     .      .     1000          200              0.2        . // no mark price: the last
  `;
  t.match(interestOf('usdc-futures'), [{ units: 10.25, value: 1_066_158.875, mark: 104_015.5 }]);
  t.match(interestOf('coin-futures'), [
    { market: 'BTCUSD', units: 125.6844, value: 12_557_819.6682, mark: 99_915.5 },
  ]);
});

t.test('order books: strings on spot, numbers on futures, base everywhere', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(bitget, `${part}-order-book`), askFor(bitget, part, market));
  t.strictSame(book('spot', 'BTCUSDT'), {
    bids: levels([104_000.4, 0.5], [104_000, 1.25]),
    asks: levels([104_000.6, 0.75], [104_001, 2]),
    stated: 1_750_000_000_400,
  });
  t.match(book('coin-futures', 'BTCUSD'), {
    bids: [{ price: 100_000, quantity: 0.5091 }],
    asks: [{ price: 100_000.5, quantity: 0.05 }],
  });
  const bonk = orderBook.parse(
    { data: { bids: [[0.02, 5]], asks: [], ts: '' } },
    askFor(bitget, 'usdt-futures', '1000BONKUSDT'),
  );
  t.strictSame(bonk, { bids: [{ price: 0.00002, quantity: 5000 }], asks: [], stated: null });
});

t.test('candles', async (t) => {
  const rows = (part: string, market: string, body = fixture(bitget, `${part}-candles`)) =>
    candles.parse(body, askFor(bitget, part, market));
  const bar = tableRow`
    timestamp         open    high    low     close   volume turnover
    1_749_996_000_000 104_000 104_400 103_900 104_200 10.004 1_041_812.5
  `;
  t.strictSame(rows('spot', 'BTCUSDT')[0], bar, 'not the volume in USDT before it');
  t.strictSame(rows('usdt-futures', 'BTCUSDT')[0], bar);
  const coin = tableRow`
    timestamp         open   high    low    close   volume turnover
    1_749_996_000_000 99_500 100_100 99_400 100_000 20.07  2_000_400
  `;
  t.strictSame(rows('coin-futures', 'BTCUSD')[0], coin);
  const swapped = ['1749996000000', '99500', '100100', '99400', '100000', '2000400', '20.07'];
  t.strictSame(rows('coin-futures', 'BTCUSD', { data: [swapped] }), [coin], 'quote is the larger');
  for (const volumes of [
    ['2000', '1000'],
    ['1000', '2000'],
  ]) {
    const data = [['1749996000000', '0.5', '0.6', '0.4', '0.55', ...volumes]];
    const [cheap] = rows('coin-futures', 'XRPUSD', { data });
    t.match(cheap, { volume: 2000, turnover: 1000 }, 'below 1 quote is the smaller');
  }
});

t.test(
  'by stream an opening price counts only where it agrees with the stated change',
  async (t) => {
    const change = (lastPrice: string, openPrice24h: string, price24hPcnt: string) => {
      const data = [{ lastPrice, openPrice24h, price24hPcnt }];
      const message = { arg: { symbol: 'BTCUSDT' }, data, ts: '1750000000321' };
      const context = { ...contextOf(bitget, 'spot'), connection: {} };
      return rounded(bitget.live.prices.spot.parse(message, context)?.prices?.rows[0]?.change);
    };
    t.equal(change('125', '100', '0.2504'), 25, 'the exact change of a rounded one');
    t.equal(change('125', '100', '0.2506'), 25.06);
    // As it was sent once: the price rose by 0.756 % since what is called the price of 24 h ago.
    t.equal(change('119818.83', '118919.38', '0.02002'), 2.002);
    t.equal(change('125', '', '0.02'), 2, 'without an opening price');
    t.equal(change('125', '100', ''), 25, 'without a stated change');
  },
);
