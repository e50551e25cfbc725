/** Price changes weighed by volume. */

import { less } from '../../digits.ts';
import { candles, define, emaSettle, ofCandles } from '../../entry.ts';
import type { Columns } from '../../spec.ts';
import { ema, sma } from '../averages.ts';
import { at, blank, difference, quotient, ratio, zeros } from '../columns.ts';
import { macdMinimum, macdParameters, macdSettle, ppo } from '../momentum/macd.ts';

type Closes = Pick<Columns, 'close' | 'volume'>;

/** Force index: EMA of `(C - Cprev) v`; first at n (A. Elder). */
export function forceIndex({ close, volume }: Closes, n: number): Float64Array {
  const force = blank(close.length);
  for (let i = 1; i < force.length; i++)
    force[i] = (at(close, i) - at(close, i - 1)) * at(volume, i);
  return ema(force, n);
}

/** Force of a candle in Klinger's oscillator: its range against what the trend has ranged so far. */
function klingerForce(volume: number, range: number, travelled: number): number {
  if (range === travelled || volume === 0) return 0;
  return range === 0 ? 2 * volume : volume * Math.abs(2 * (range / travelled - 1));
}

/** Klinger's volume force: `v |2 (dm/cm - 1)| t 100`, cm the ranges added up since the trend t last turned; first at 2. */
function volumeForce({ high, low, close, volume }: Columns): Float64Array {
  const out = blank(high.length);
  let before = 0;
  let trend = 0;
  let travelled = 0;
  let range = 0;
  for (let i = 0; i < out.length; i++) {
    const level = at(high, i) + at(low, i) + at(close, i);
    const reach = at(high, i) - at(low, i);
    const side = less(level, before) > 0 ? 1 : -1;
    if (i > 1) {
      travelled = (side === trend ? travelled : range) + reach;
      out[i] = klingerForce(at(volume, i), reach, travelled) * side * 100;
    }
    before = level;
    trend = side;
    range = reach;
  }
  return out;
}

/** Ease of movement: change of hl2 per volume, scaled by the range; first at 1, none without range or volume (R. Arms). */
export function emv({ high, low, volume }: Omit<Columns, 'time'>, divisor: number): Float64Array {
  const out = blank(high.length);
  for (let i = 1; i < out.length; i++) {
    const range = at(high, i) - at(low, i);
    const moved = less(at(high, i) + at(low, i), at(high, i - 1) + at(low, i - 1)) / 2;
    if (range !== 0) out[i] = ratio(moved * range, at(volume, i) / divisor);
  }
  return out;
}

/** Volume index from 1000, times C/Cprev where the volume fell (side -1) or rose (side 1) (P. Dysart, N. Fosback). */
export function volumeIndex({ close, volume }: Closes, side: 1 | -1): Float64Array {
  const out = zeros(close.length);
  let value = 1_000;
  for (let i = 0; i < out.length; i++) {
    if (i > 0 && side * (at(volume, i) - at(volume, i - 1)) > 0 && at(close, i - 1) !== 0)
      value *= at(close, i) / at(close, i - 1);
    out[i] = value;
  }
  return out;
}

/** Volume price trend: the running total of `v (C - Cprev) / Cprev`, from 0. */
export function vpt({ close, volume }: Closes): Float64Array {
  const out = zeros(close.length);
  let total = 0;
  for (let i = 1; i < out.length; i++) {
    const before = at(close, i - 1);
    if (before !== 0) total += (at(volume, i) * (at(close, i) - before)) / before;
    out[i] = total;
  }
  return out;
}

export const pressureEntries = [
  ofCandles({
    name: 'force_index',
    title: 'Force index',
    category: 'volume',
    length: candles(13, 'Candles of the EMA'),
    inputs: ['close', 'volume'],
    minimum: (n) => n + 1,
    settle: emaSettle,
    compute: forceIndex,
    formula: 'EMA((C − Cprev)·volume)',
    source: 'Elder 1993; Stock.Indicators, technicalindicators',
  }),
  define({
    name: 'pvo',
    title: 'Percentage volume oscillator',
    category: 'volume',
    parameters: macdParameters,
    inputs: ['volume'],
    outputs: ['value', 'signal', 'histogram'],
    minimum: macdMinimum,
    settle: macdSettle,
    compute: ({ volume }, lengths) => {
      const { value, signal, histogram } = ppo(volume, lengths);
      return [value, signal, histogram];
    },
    formula: 'ppo of the volume; null while the slow average is 0',
    source: 'Stock.Indicators',
  }),
  define({
    name: 'kvo',
    aliases: ['klinger'],
    title: 'Klinger volume oscillator',
    category: 'volume',
    parameters: {
      fast: candles(34, 'Values in the fast EMA'),
      slow: candles(55, 'Values in the slow EMA'),
      signal: candles(13, 'Values in the EMA of the signal'),
    },
    inputs: ['high', 'low', 'close', 'volume'],
    outputs: ['value', 'signal'],
    minimum: ({ fast, slow, signal }) => Math.max(fast, slow) + signal + 1,
    settle: ({ fast, slow, signal }) => emaSettle(Math.max(fast, slow)) + emaSettle(signal),
    compute: (columns, { fast, slow, signal }) => {
      const force = volumeForce(columns);
      const value = difference(ema(force, fast), ema(force, slow));
      return [value, ema(value, signal)];
    },
    formula:
      't = 1 if H+L+C rose, else −1; dm = H−L; cm = (t unchanged ? cm prev : dm prev) + dm, 0 at bar 1; vf = volume·|2(dm/cm − 1)|·t·100 from bar 2, 0 if dm = cm or no volume, 2·volume·t·100 if dm = 0; value = EMA(vf, fast) − EMA(vf, slow); signal = EMA(value)',
    source: 'Klinger 1997; Stock.Indicators',
  }),
  define({
    name: 'emv',
    title: 'Ease of movement',
    category: 'volume',
    parameters: {
      divisor: {
        type: 'number',
        default: 10_000,
        minimum: 1,
        maximum: 1e12,
        description: 'Divisor of the volume',
      },
    },
    inputs: ['high', 'low', 'volume'],
    outputs: ['value'],
    minimum: () => 2,
    compute: (columns, { divisor }) => [emv(columns, divisor)],
    formula: '(hl2 − hl2 prev) / ((volume/divisor)/(H−L)); null if H = L or no volume',
    source: 'Arms; Tulip EMV',
  }),
  define({
    name: 'nvi',
    title: 'Negative volume index',
    category: 'volume',
    cumulative: true,
    parameters: {},
    inputs: ['close', 'volume'],
    outputs: ['value'],
    minimum: () => 1,
    compute: (columns) => [volumeIndex(columns, -1)],
    formula: 'Starts at 1000; times C/Cprev where the volume fell, unchanged after a close of 0',
    source: 'Fosback 1976; Tulip NVI',
  }),
  define({
    name: 'pvi',
    title: 'Positive volume index',
    category: 'volume',
    cumulative: true,
    parameters: {},
    inputs: ['close', 'volume'],
    outputs: ['value'],
    minimum: () => 1,
    compute: (columns) => [volumeIndex(columns, 1)],
    formula: 'Starts at 1000; times C/Cprev where the volume rose, unchanged after a close of 0',
    source: 'Fosback 1976; Tulip PVI',
  }),
  define({
    name: 'vpt',
    title: 'Volume price trend',
    category: 'volume',
    cumulative: true,
    parameters: {},
    inputs: ['close', 'volume'],
    outputs: ['value'],
    minimum: () => 1,
    compute: (columns) => [vpt(columns)],
    formula: 'Σ volume·(C − Cprev)/Cprev, from 0; unchanged after a close of 0',
    source: 'TradingView PVT',
  }),
  ofCandles({
    name: 'relative_volume',
    title: 'Relative volume',
    category: 'volume',
    length: candles(20),
    inputs: ['volume'],
    compute: ({ volume }, n) => quotient(volume, sma(volume, n)),
    formula: 'volume / SMA(volume); null where no volume was traded',
    source: 'TradingView',
  }),
];
