import t from 'tap';
import { bitget } from '../../../../actors/venues/bitget/index.ts';
import { sameRows, tableRow } from '../../../support/table.ts';
import { askFor, contextOf, derivativesOf, fixture, instrumentOf, kindsOf } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('the markets that are followed', async (t) => {
  t.strictSame(kindsOf(bitget, 'spot'), {
    spot: 'BTCUSDT USDCUSDT ETHBTC',
    // NEWUSDT: not open to all yet
    other: 'NEWUSDT OLDUSDT',
  });
  t.strictSame(kindsOf(bitget, 'usdt-futures'), {
    perpetual: 'BTCUSDT 1000BONKUSDT DOGEUSDT',
    // TSLAUSDT: a share
    other: 'TSLAUSDT OLDUSDT',
  });
  t.strictSame(kindsOf(bitget, 'usdc-futures'), {
    perpetual: 'BTCPERP',
    other: 'ETHPERP',
  });
  t.strictSame(kindsOf(bitget, 'coin-futures'), {
    perpetual: 'BTCUSD XRPUSD',
    other: 'ETHUSD_260626',
  });
});

const { candles } = bitget.queries;
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

wholeVenue(t, bitget);
