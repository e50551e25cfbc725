/** The indicators of `GET /v1/indicators`, at the newest candle, in one pass. */

import { less, unlessRounding } from '../digits.ts';
import type { Columns } from '../spec.ts';
import { ema, rma } from './averages.ts';
import { at } from './columns.ts';
import { macd } from './momentum/macd.ts';
import { moves, strength } from './momentum/rsi.ts';
import { trueRange } from './range.ts';
import { varianceAt } from './windows.ts';

/** Values at the newest of the candles, in units of price but for the RSI. */
export interface Classic {
  /** Wilder's, 14 candles, 0 to 100. */
  readonly rsi: number;
  /** EMA 12 less EMA 26, its EMA 9, and the difference. */
  readonly macd: { readonly value: number; readonly signal: number; readonly histogram: number };
  /** SMA 20 with 2 sample standard deviations to each side. */
  readonly bollinger: { readonly upper: number; readonly middle: number; readonly lower: number };
  /** Wilder's, 14 candles. */
  readonly atr: number;
  readonly ema20: number;
  readonly ema50: number;
}

/** With fewer closed candles there is no answer. */
export const classicMinimum = 51;

/** Candles after which every average has its seed. */
const head = 50;

const last = (column: Float64Array) => at(column, column.length - 1);

/** The averages at the end of the first `head` candles, by the functions of the catalogue. */
function seeded({ high, low, close }: Pick<Columns, 'high' | 'low' | 'close'>) {
  const first = close.subarray(0, head);
  const ranges = { high: high.subarray(0, head), low: low.subarray(0, head), close: first };
  const { up, down } = moves(first);
  return {
    ema12: last(ema(first, 12)),
    ema20: last(ema(first, 20)),
    ema26: last(ema(first, 26)),
    ema50: last(ema(first, 50)),
    signal: last(macd(first, { fast: 12, slow: 26, signal: 9 }).signal),
    gain: last(rma(up, 14)),
    loss: last(rma(down, 14)),
    atr: last(rma(trueRange(ranges), 14)),
  };
}

/** The averages at the last candle: each recurrence of `averages.ts`, side by side in one loop. */
function averaged({ high, low, close }: Pick<Columns, 'high' | 'low' | 'close'>) {
  let { ema12, ema20, ema26, ema50, signal, gain, loss, atr } = seeded({ high, low, close });
  let before = at(close, head - 1);
  for (let i = head; i < close.length; i++) {
    const price = at(close, i);
    const step = less(price, before);
    const range = Math.max(at(high, i), before) - Math.min(at(low, i), before);
    gain += (1 / 14) * (Math.max(step, 0) - gain);
    loss += (1 / 14) * (Math.max(-step, 0) - loss);
    atr += (1 / 14) * (range - atr);
    ema12 += (2 / 13) * (price - ema12);
    ema20 += (2 / 21) * (price - ema20);
    ema26 += (2 / 27) * (price - ema26);
    ema50 += (2 / 51) * (price - ema50);
    signal += (2 / 10) * (less(ema12, ema26) - signal);
    before = price;
  }
  const value = less(ema12, ema26);
  const distances = {
    value,
    signal: unlessRounding(signal, before),
    histogram: unlessRounding(less(value, signal), before),
  };
  return { macd: distances, rsi: strength(gain, loss), atr, ema20, ema50 };
}

/** Bollinger bands of the last 20 values. */
function bands(close: Float64Array): Classic['bollinger'] {
  const end = close.length - 1;
  let total = 0;
  for (let i = end - 19; i <= end; i++) total += at(close, i);
  const middle = total / 20;
  const width = 2 * Math.sqrt(varianceAt(close, end, 20, 1));
  return { upper: middle + width, middle, lower: middle - width };
}

/**
 * RSI 14, MACD 12/26/9, Bollinger 20 (sample deviation), ATR 14, EMA 20 and 50, seeded as their entries in the
 * catalogue, at the newest of the closed candles. Null with fewer than `classicMinimum`.
 */
export function classic(columns: Pick<Columns, 'high' | 'low' | 'close'>): Classic | null {
  if (columns.close.length < classicMinimum) return null;
  const { rsi, macd, ...others } = averaged(columns);
  return { rsi, macd, bollinger: bands(columns.close), ...others };
}
