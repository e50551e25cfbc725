/** Numbers that pages of the dashboard make themselves. */
import t from 'tap';
import { costOf, daysToEarn } from '../../../http/pages/app/funding/cost.ts';
import { sumsByStrike } from '../../../http/pages/app/options/strikes.ts';
import { joined, withZero } from '../../../http/pages/app/plot-scales.ts';

t.test('what a pair of perpetuals costs, and when its funding has paid for it', async (t) => {
  // Four trades at 0.05 %; the short side is 0.08 % dearer.
  t.equal(costOf(0.05, 0.08).toFixed(9), '0.120000000');
  t.equal(costOf(0.05, -0.08).toFixed(9), '0.280000000');
  // 36.5 % a year are 0.1 % a day.
  t.equal(daysToEarn(0.28, 36.5).toFixed(9), '2.800000000');
  t.equal(daysToEarn(-0.1, 36.5), 0, 'a gain at once');
});

t.test('options of an expiry by strike', async (t) => {
  const option = (strike: number, type: 'call' | 'put', volume: number | null) => ({
    strike,
    type,
    open_interest_base: 10,
    volume_24h_base: volume,
  });
  const options = [
    option(110, 'put', 4),
    option(90, 'call', 1),
    // Another exchange with the same strike, and one that states no volume.
    option(110, 'put', 2),
    option(110, 'call', null),
  ];
  t.strictSame(sumsByStrike(options, 'volume_24h_base'), [
    { strike: 90, calls: 1, puts: 0 },
    { strike: 110, calls: 0, puts: 6 },
  ]);
  t.strictSame(sumsByStrike(options, 'open_interest_base').at(-1), {
    strike: 110,
    calls: 10,
    puts: 20,
  });
});

t.test('the scale of bars has 0 in it', async (t) => {
  t.strictSame(withZero(40, 100), [0, 105]);
  t.strictSame(withZero(-100, -40), [-105, 0]);
  t.strictSame(withZero(-100, 100), [-110, 110]);
  t.strictSame(withZero(0, 0), [0, 1], 'nothing yet');
});

t.test('lines with points at places of their own are drawn over the places of all', async (t) => {
  const lines = joined([
    [
      [20, 1],
      [10, 2],
    ],
    [
      [15, 7],
      [20, null],
    ],
  ]);
  t.strictSame(lines, {
    x: [10, 15, 20],
    values: [
      [2, null, 1],
      [null, 7, null],
    ],
  });
  t.strictSame(joined([]), { x: [], values: [] });
});
