import t from 'tap';
import {
  averageSeries,
  goldenReached,
  longWeeksSeries,
  newestAverage,
  newestLongWeeks,
  profitableDays,
  profitableSeries,
  twoYearState,
} from '../../../indicators/market/cycle-averages.ts';
import { closesOf } from '../../actors/market/fixtures.ts';

/** Closes of this many days at 100, then one at `last`. */
const then = (days: number, last: number) => closesOf([...Array(days).fill(100), last]);

t.test('too little history says how much is needed', async (t) => {
  t.same(newestAverage(then(728, 5), 730), { ok: false, needs: 730, has: 729 });
  t.same(newestLongWeeks(then(1_392, 5)), { ok: false, needs: 1_394, has: 1_393 });
  t.same(profitableDays(closesOf([5])), { ok: false, needs: 2, has: 1 });
});

t.test('two years: 729 days at 100 and one at 830', async (t) => {
  // (729 x 100 + 830) / 730 = 101
  const found = newestAverage(then(729, 830), 730);
  t.match(found, { ok: true, value: { price: 830, average: 101 } });
  t.equal(averageSeries(then(731, 830), 730).length, 3, 'a point for each day from the 730th on');
});

t.test('states of a price against its average of 100', async (t) => {
  const at = (price: number) => ({ timestamp: 0, price, average: 100 });
  t.strictSame(
    [99, 100, 500, 501].map((price) => twoYearState(at(price))),
    ['below_average', 'between', 'between', 'above_multiplier'],
  );
  t.strictSame(
    [159, 160, 499, 500, 9_999].map((price) => goldenReached(at(price))),
    [null, 1.6, 3, 5, 21],
  );
});

t.test('200 weeks: every seventh close back from the last', async (t) => {
  // Sevens from the last day are worth 100, all others 5: the mean is of the sevens alone.
  const closes = Array.from({ length: 1_394 }, (_, i) => ((1_393 - i) % 7 === 0 ? 100 : 5));
  const days = closesOf([...closes.slice(0, -1), 300]);
  t.match(newestLongWeeks(days), { ok: true, value: { price: 300, average: 101 } });
  t.match(longWeeksSeries(closesOf([...closes, 7])), [
    { average: 100 },
    { average: (5 * 199 + 7) / 200 },
  ]);
});

t.test('profitable days: those that closed below', async (t) => {
  const days = closesOf([10, 30, 20, 25, 20]);
  t.match(profitableDays(days), {
    ok: true,
    value: { price: 20, days: 4, profitable_days: 1, share: 0.25 },
  });
  t.match(
    profitableSeries(days, 2).map(({ price, share }) => [price, share]),
    [
      [20, 0.5],
      [20, 0.25],
    ],
  );
});
