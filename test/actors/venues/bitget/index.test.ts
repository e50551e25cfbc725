import t from 'tap';
import { bitget } from '../../../../actors/venues/bitget/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, instrumentOf, kindsOf } from '../fixtures.ts';
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
