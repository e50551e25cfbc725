/** Levels from the range of the last day, week or month. */

import { define } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { at, blank } from '../columns.ts';
import { anchors, begins, endOf, reachesBeyond, startOf } from '../periods.ts';

/** The candle of a whole period. */
interface Period {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const none = Number.NaN;

/** p, r1 to r4, s1 to s4; NaN where the type has no such level. */
type Levels = readonly number[];

function standard({ high, low, close }: Period): Levels {
  const p = (high + low + close) / 3;
  return threeLevels(p, high, low);
}

/** Three levels on each side of p, as the standard and woodie types have them. */
function threeLevels(p: number, high: number, low: number): Levels {
  const range = high - low;
  const r = [2 * p - low, p + range, high + 2 * (p - low), none];
  const s = [2 * p - high, p - range, low - 2 * (high - p), none];
  return [p, ...r, ...s];
}

/** Levels at multiples of the range above and below `from`. */
const spread = (p: number, from: number, steps: readonly number[]): Levels => [
  p,
  ...steps.map((step) => from + step),
  ...steps.map((step) => from - step),
];

function fibonacci({ high, low, close }: Period): Levels {
  const p = (high + low + close) / 3;
  const range = high - low;
  return spread(p, p, [0.382 * range, 0.618 * range, range, none]);
}

function camarilla({ high, low, close }: Period): Levels {
  const reach = (high - low) * 1.1;
  return spread(close, close, [reach / 12, reach / 6, reach / 4, reach / 2]);
}

const woodie = ({ high, low }: Period, next: number): Levels =>
  threeLevels((high + low + 2 * next) / 4, high, low);

function demark({ open, high, low, close }: Period): Levels {
  const doubled = close < open ? low : close > open ? high : close;
  const x = high + low + close + doubled;
  return [x / 4, x / 2 - low, none, none, none, x / 2 - high, none, none, none];
}

const types: Readonly<Record<string, (period: Period, nextOpen: number) => Levels>> = {
  standard,
  fibonacci,
  camarilla,
  woodie,
  demark,
};

const levelNames = ['p', 'r1', 'r2', 'r3', 'r4', 's1', 's2', 's3', 's4'];

/** The candle of a period from the candles of which it consists. */
function periodAt({ open, high, low, close }: Columns, start: number, end: number): Period {
  let top = at(high, start);
  let bottom = at(low, start);
  for (let i = start + 1; i < end; i++) {
    top = Math.max(top, at(high, i));
    bottom = Math.min(bottom, at(low, i));
  }
  return { open: at(open, start), high: top, low: bottom, close: at(close, end - 1) };
}

/**
 * Pivot points: p, r1 to r4, s1 to s4 of the previous UTC period, the same all through the current one. No value
 * in the first period, nor in the second if the data began in the middle of the first, nor where candles reach beyond their period.
 */
export function pivots(columns: Columns, type: string, anchor: string): Float64Array[] {
  const { time } = columns;
  const out = levelNames.map(() => blank(time.length));
  if (reachesBeyond(time, anchor)) return out;
  const formula = types[type] ?? standard;
  let start = 0;
  let previous: Period | null = null;
  while (start < time.length) {
    const end = endOf(time, start, anchor);
    const period = periodAt(columns, start, end);
    if (previous) {
      const levels = formula(previous, period.open);
      for (const [k, column] of out.entries()) column.fill(levels[k] ?? none, start, end);
    }
    previous = start > 0 || begins(at(time, 0), anchor) ? period : null;
    start = end;
  }
  return out;
}

export const pivotEntries = [
  define({
    name: 'pivot_points',
    title: 'Pivot points',
    category: 'trend',
    parameters: {
      type: {
        type: 'word',
        default: 'standard',
        allowed: Object.keys(types),
        description: 'Which levels',
      },
      anchor: {
        type: 'word',
        default: 'day',
        allowed: anchors,
        description: 'UTC period whose candle they come from',
      },
    },
    inputs: ['time', 'open', 'high', 'low', 'close'],
    outputs: levelNames,
    onPrice: levelNames,
    minimum: () => 2,
    beginsAt: (time, { anchor }) => startOf(startOf(time, anchor) - 1, anchor),
    compute: (columns, { type, anchor }) => pivots(columns, type, anchor),
    formula:
      'H, L, C of the previous period, R = H−L. standard: P=(H+L+C)/3; R1=2P−L, S1=2P−H; R2, S2 = P±R; R3=H+2(P−L), S3=L−2(H−P). fibonacci: P ± 0.382R, 0.618R, R. camarilla: P=C; C ± 1.1R/12, /6, /4, /2. woodie: P=(H+L+2·open of the current period)/4, levels as standard. demark: X=H+2L+C if C<O, 2H+L+C if C>O, H+L+2C if equal; P=X/4, R1=X/2−L, S1=X/2−H. Weeks begin on Monday; a first period that the data does not begin with is left out; null where candles are longer than the period, and where the type has no such level',
    source: 'TradingView Pivot Points; the older woodie takes 2C',
  }),
];
