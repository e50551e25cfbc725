import t from 'tap';
import { bitget } from '../../../../actors/venues/bitget/index.ts';
import { contextOf } from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

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
