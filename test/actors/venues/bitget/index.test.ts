import t from 'tap';
import { bitget } from '../../../../actors/venues/bitget/index.ts';
import { kindsOf } from '../fixtures.ts';
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

wholeVenue(t, bitget);
