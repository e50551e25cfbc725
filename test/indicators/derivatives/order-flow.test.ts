import t from 'tap';
import {
  buySellRatio,
  delta,
  longShortRatio,
  runningSums,
} from '../../../indicators/derivatives/order-flow.ts';

t.test('ratios, differences and their sums', async (t) => {
  t.equal(buySellRatio(3, 2), 1.5);
  t.equal(buySellRatio(3, 0), null);
  t.equal(buySellRatio(null, 2), null);
  t.equal(delta(3, 5), -2);
  t.equal(delta(3, null), null);
  t.strictSame(runningSums([1, -3, 5]), [1, -2, 3]);
  t.strictSame(runningSums([]), []);
  t.equal(longShortRatio(0.6, 0.4), 0.6 / 0.4);
  t.equal(longShortRatio(1, 0), null);
});
