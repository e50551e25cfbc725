/** How far a candle reaches, the close before it included. */

import type { Columns } from '../spec.ts';
import { rma } from './averages.ts';
import { at, blank } from './columns.ts';

/** The columns that a true range needs. */
export type Range = Pick<Columns, 'high' | 'low' | 'close'>;

/** `max(H-L, |H-Cprev|, |L-Cprev|)`, in units of price; first at 1, since the first candle has no close before it. */
export function trueRange({ high, low, close }: Range): Float64Array {
  const out = blank(high.length);
  for (let i = 1; i < out.length; i++) {
    const before = at(close, i - 1);
    out[i] = Math.max(at(high, i), before) - Math.min(at(low, i), before);
  }
  return out;
}

/** Wilder's average true range, seeded with the mean of the first n true ranges; first at n (TA-Lib). */
export const atr = (candles: Range, n: number): Float64Array => rma(trueRange(candles), n);
