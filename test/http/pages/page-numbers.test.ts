/** Numbers that pages of the dashboard make themselves. */
import t from 'tap';
import { costOf, daysToEarn } from '../../../http/pages/app/funding/cost.ts';

t.test('what a pair of perpetuals costs, and when its funding has paid for it', async (t) => {
  // Four trades at 0.05 %; the short side is 0.08 % dearer.
  t.equal(costOf(0.05, 0.08).toFixed(9), '0.120000000');
  t.equal(costOf(0.05, -0.08).toFixed(9), '0.280000000');
  // 36.5 % a year are 0.1 % a day.
  t.equal(daysToEarn(0.28, 36.5).toFixed(9), '2.800000000');
  t.equal(daysToEarn(-0.1, 36.5), 0, 'a gain at once');
});
