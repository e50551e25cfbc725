import t from 'tap';
import { quantile } from '../../../indicators/market/statistics.ts';
import {
  realizedVolatilities,
  variancePremium,
  volatilityAt,
  volatilityCone,
} from '../../../indicators/options/volatility.ts';

const near = (value: number | null | undefined, expected: number) =>
  Math.abs((value ?? Number.NaN) - expected) < 1e-9;

t.test('a price that doubles and halves in turn', async (t) => {
  // Two returns of +ln 2 and -ln 2: mean 0, deviation √2 ln 2, × √365 a year.
  const closes = [1, 2, 1, 2];
  const expected = Math.SQRT2 * Math.LN2 * Math.sqrt(365);
  const found = realizedVolatilities(closes, 2);
  t.equal(found.length, 2);
  t.ok(found.every((one) => near(one, expected)));
  t.strictSame(realizedVolatilities([1, 2], 2), [], 'one return is no window of two');
});

t.test('quantiles are linear between values', async (t) => {
  t.equal(quantile([1, 2, 3, 4, 5], 0.25), 2);
  t.equal(quantile([10, 20], 0.75), 17.5);
  t.equal(quantile([7], 0.5), 7);
});

t.test('a cone has a row for each window with enough closes, its quantiles in order', async (t) => {
  // Moves that differ from day to day, for 40 days.
  const closes = Array.from({ length: 41 }, (_, i) => 100 * Math.exp(0.03 * Math.sin(i * i)));
  const cone = volatilityCone(closes);
  t.strictSame(
    cone.map(({ days }) => days),
    [7, 14, 30],
  );
  t.strictSame(
    cone.map(({ windows }) => windows),
    [34, 27, 11],
  );
  for (const { min, p25, median, p75, max, current } of cone) {
    t.ok(min < p25 && p25 < median && median < p75 && p75 < max);
    t.ok(min <= current && current <= max);
  }
  t.strictSame(volatilityCone(Array(60).fill(100)), [], 'without any move there is no volatility');
});

t.test('between two expiries the variance is linear in time', async (t) => {
  const term = [
    { years: 0.1, volatility: 0.5 },
    { years: 0.3, volatility: 0.7 },
  ];
  // Total variances 0.025 and 0.147; in the middle 0.086 over 0.2 years.
  t.ok(near(volatilityAt(term, 0.2), Math.sqrt(0.086 / 0.2)));
  t.equal(volatilityAt(term, 0.3), 0.7);
  t.equal(volatilityAt(term, 0.1), 0.5);
  t.equal(volatilityAt(term, 0.05), null, 'before the first expiry');
  t.equal(volatilityAt(term, 0.31), null, 'after the last');
  t.equal(volatilityAt([], 0.1), null);
});

t.test('the premium of variance', async (t) => {
  t.ok(near(variancePremium(0.6, 0.5), 0.11));
  t.equal(variancePremium(null, 0.5), null);
  t.equal(variancePremium(0.6, null), null);
});
