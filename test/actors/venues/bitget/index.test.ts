import t from 'tap';
import { bitget } from '../../../../actors/venues/bitget/index.ts';
import { contextOf } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('the markets that are followed', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(bitget, part).instruments].map(([id, i]) => [id, i.kind]));
  t.strictSame(kinds('spot'), {
    BTCUSDT: 'spot',
    USDCUSDT: 'spot',
    ETHBTC: 'spot',
    NEWUSDT: 'other', // not open to all yet
    OLDUSDT: 'other',
  });
  t.strictSame(kinds('usdt-futures'), {
    BTCUSDT: 'perpetual',
    '1000BONKUSDT': 'perpetual',
    DOGEUSDT: 'perpetual',
    TSLAUSDT: 'other', // a share
    OLDUSDT: 'other',
  });
  t.strictSame(kinds('usdc-futures'), { BTCPERP: 'perpetual', ETHPERP: 'other' });
  t.strictSame(kinds('coin-futures'), {
    BTCUSD: 'perpetual',
    XRPUSD: 'perpetual',
    ETHUSD_260626: 'other',
  });
});

wholeVenue(bitget);
