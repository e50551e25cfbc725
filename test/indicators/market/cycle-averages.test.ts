import t from 'tap';
import {
  goldenRatio,
  profitableDays,
  twoHundredWeeks,
  twoYearAverage,
} from '../../../indicators/market/cycle-averages.ts';
import { closesOf } from '../../actors/market/fixtures.ts';

/** Closes of this many days at 100, then one at `last`. */
const then = (days: number, last: number) => closesOf([...Array(days).fill(100), last]);

t.test('too little history says how much is needed', async (t) => {
  t.same(twoYearAverage(then(728, 5)), { ok: false, needs: 730, has: 729 });
  t.same(goldenRatio(then(10, 5)), { ok: false, needs: 350, has: 11 });
  t.same(twoHundredWeeks(then(1_392, 5)), { ok: false, needs: 1_394, has: 1_393 });
  t.same(profitableDays(closesOf([5])), { ok: false, needs: 2, has: 1 });
});

t.test('two years: 729 days at 100 and one at 830', async (t) => {
  // (729 x 100 + 830) / 730 = 101
  t.match(twoYearAverage(then(729, 830)), {
    ok: true,
    value: { price: 830, two_year_ma: 101, multiplier_5x: 505, state: 'above_multiplier' },
  });
  t.match(twoYearAverage(then(729, 27)), { ok: true, value: { state: 'below_average' } });
  t.match(twoYearAverage(then(900, 300)), { ok: true, value: { state: 'between' } });
});

t.test('200 weeks: every seventh close back from the last', async (t) => {
  // Sevens from the last day are worth 100, all others 5: the mean is of the sevens alone.
  const closes = Array.from({ length: 1_394 }, (_, i) => ((1_393 - i) % 7 === 0 ? 100 : 5));
  t.match(twoHundredWeeks(closesOf([...closes.slice(0, -1), 300])), {
    ok: true,
    value: { price: 300, ma_200_week: 101 },
  });
});

t.test('golden ratio: 349 days at 100 and one at 450', async (t) => {
  // (349 x 100 + 450) / 350 = 101
  const found = goldenRatio(then(349, 450));
  t.match(found, { ok: true, value: { price: 450, ma_350_day: 101, reached: 3 } });
  t.ok(found.ok && Math.abs((found.value.multiples['1.6'] ?? 0) - 161.6) < 1e-9);
  t.ok(found.ok && found.value.multiples['21'] === 2_121);
  t.match(goldenRatio(then(400, 90)), { ok: true, value: { reached: null } });
});

t.test('profitable days: those that closed below', async (t) => {
  t.same(profitableDays(closesOf([10, 30, 20, 25, 20])), {
    ok: true,
    value: { price: 20, days: 4, profitable_days: 1, share: 0.25 },
  });
});
