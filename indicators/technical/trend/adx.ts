/** Wilder's directional movement. */

import { less, rounding } from '../../digits.ts';
import { candles, define, rmaSettle } from '../../entry.ts';
import { rma } from '../averages.ts';
import { at, blank, hasVanished, percentage } from '../columns.ts';
import { type Range, trueRange } from '../range.ts';

/** How far the highs rose and the lows fell, of which only the larger counts, and neither of equal ones; first at 1. */
function movements({ high, low }: Range) {
  const plus = blank(high.length);
  const minus = blank(high.length);
  for (let i = 1; i < high.length; i++) {
    const up = at(high, i) - at(high, i - 1);
    const down = at(low, i - 1) - at(low, i);
    const least = rounding * at(high, i);
    plus[i] = up - down > least && up > 0 ? up : 0;
    minus[i] = down - up > least && down > 0 ? down : 0;
  }
  return { plus, minus };
}

/** `100 * moved / range` in percent; as it was once the market has stood still for so long that neither has digits. */
function shareOf(moved: Float64Array, range: Float64Array, n: number): Float64Array {
  const out = percentage(moved, range);
  for (let i = n + 1; n > 1 && i < out.length; i++)
    if (hasVanished(at(range, i))) out[i] = at(out, i - 1);
  return out;
}

/**
 * Average directional movement, each 0 to 100: DI at n, ADX at 2n-1, ADXR at 3n-2. The movements and the true range
 * are Wilder averages seeded with the mean of values 1 to n; DI has no value while the true range is 0.
 */
export function adx(columns: Range, n: number) {
  const moved = movements(columns);
  const plus = rma(moved.plus, n);
  const minus = rma(moved.minus, n);
  const range = rma(trueRange(columns), n);
  const dx = blank(plus.length);
  for (let i = n; i < dx.length; i++) {
    // The true range is a divisor of both and cancels.
    const total = at(plus, i) + at(minus, i);
    const stated = total === 0 ? 0 : 100 * (Math.abs(less(at(plus, i), at(minus, i))) / total);
    dx[i] = n > 1 && i > n && hasVanished(total) ? at(dx, i - 1) : stated;
  }
  const average = rma(dx, n);
  const adxr = blank(dx.length);
  for (let i = n - 1; i < adxr.length; i++) adxr[i] = (at(average, i) + at(average, i - n + 1)) / 2;
  return {
    plusDi: shareOf(plus, range, n),
    minusDi: shareOf(minus, range, n),
    dx,
    adx: average,
    adxr,
  };
}

export const adxEntries = [
  define({
    name: 'adx',
    aliases: ['dmi'],
    title: 'Average directional index',
    category: 'trend',
    parameters: { length: candles(14) },
    inputs: ['high', 'low', 'close'],
    outputs: ['plus_di', 'minus_di', 'dx', 'adx', 'adxr'],
    minimum: ({ length }) => 3 * length - 1,
    settle: ({ length }) => 2 * rmaSettle(length),
    compute: (columns, { length }) => {
      const { plusDi, minusDi, dx, adx: average, adxr } = adx(columns, length);
      return [plusDi, minusDi, dx, average, adxr];
    },
    formula:
      '+DM = H − Hprev where it exceeds Lprev − L and 0, −DM mirrored; ±DI = 100·RMA(±DM)/RMA(TR), null while the range is 0; dx = 100·|+DI − −DI|/(+DI + −DI), 0 if both are 0; adx = RMA(dx), first at 2n−1; adxr = (adx[i] + adx[i−(n−1)])/2',
    source:
      'Wilder 1978; Stock.Indicators, whose adxr looks back n. TA-Lib seeds with n−1 values: the same after about 205 bars',
  }),
];
