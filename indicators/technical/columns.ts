/** Reading and making columns. NaN in a column means: no value. */
import { less, unlessRounding } from '../digits.ts';
import type { Columns } from '../spec.ts';

/** The value at an index within the column. */
export const at = (column: Float64Array, i: number): number => column[i] ?? Number.NaN;

/** Values in a slab, 64 KB. */
const slabSize = 8_192;

let slab = new ArrayBuffer(0);
let used = 0;

/**
 * A column of zeros. Small columns are cut from one buffer after the other, as Node's small Buffers are, and never
 * used twice: a buffer for each would cost the garbage collector more time than the indicators take. So a column is
 * to be copied before it is transferred to another thread.
 */
export function zeros(length: number): Float64Array {
  if (length > slabSize / 4) return new Float64Array(length);
  const bytes = length * Float64Array.BYTES_PER_ELEMENT;
  if (used + bytes > slab.byteLength) {
    slab = new ArrayBuffer(slabSize * Float64Array.BYTES_PER_ELEMENT);
    used = 0;
  }
  const column = new Float64Array(slab, used, length);
  used += bytes;
  return column;
}

/** A column without values. */
export const blank = (length: number): Float64Array => zeros(length).fill(Number.NaN);

/** `x[i] * factor`. */
export function scaled(x: Float64Array, factor: number): Float64Array {
  const out = zeros(x.length);
  for (let i = 0; i < out.length; i++) out[i] = at(x, i) * factor;
  return out;
}

/** A quotient, or no value where the divisor is 0. */
export const ratio = (dividend: number, divisor: number): number =>
  divisor === 0 ? Number.NaN : dividend / divisor;

/**
 * Whether an average of what is 0 since long has shrunk until its digits are gone: a quotient of two such ones is any number. No price of
 * a market has moves of that size.
 */
export const hasVanished = (average: number): boolean => average < 1e-290;

/** `|x[i]|`. */
export function magnitudes(x: Float64Array): Float64Array {
  const out = zeros(x.length);
  for (let i = 0; i < out.length; i++) out[i] = Math.abs(at(x, i));
  return out;
}

/** `a[i] - b[i]`, 0 where that is rounding. */
export function difference(a: Float64Array, b: Float64Array): Float64Array {
  const out = zeros(a.length);
  for (let i = 0; i < out.length; i++) out[i] = less(at(a, i), at(b, i));
  return out;
}

/** `100 * a[i] / b[i]`, no value where b is 0. */
export function percentage(a: Float64Array, b: Float64Array): Float64Array {
  const out = zeros(a.length);
  for (let i = 0; i < out.length; i++) out[i] = 100 * ratio(at(a, i), at(b, i));
  return out;
}

/** `a[i] / b[i]`, no value where b is 0. */
export function quotient(a: Float64Array, b: Float64Array): Float64Array {
  const out = zeros(a.length);
  for (let i = 0; i < out.length; i++) out[i] = ratio(at(a, i), at(b, i));
  return out;
}

/** A column of fractions or percent, 0 where terms of both signs cancel but for rounding: crosses and screens read the sign. */
export function withoutRounding(x: Float64Array): Float64Array {
  for (let i = 0; i < x.length; i++) x[i] = unlessRounding(at(x, i), 1);
  return x;
}

/** `a[i] * b[i]`. */
export function product(a: Float64Array, b: Float64Array): Float64Array {
  const out = zeros(a.length);
  for (let i = 0; i < out.length; i++) out[i] = at(a, i) * at(b, i);
  return out;
}

/** `x[i] - x[i-n]`, 0 where that is rounding; the first value at n. */
export function change(x: Float64Array, n: number): Float64Array {
  const out = blank(x.length);
  for (let i = n; i < out.length; i++) out[i] = less(at(x, i), at(x, i - n));
  return out;
}

/** `(high + low) / 2`. */
export function hl2({ high, low }: Columns): Float64Array {
  const out = zeros(high.length);
  for (let i = 0; i < out.length; i++) out[i] = (at(high, i) + at(low, i)) / 2;
  return out;
}

/** `(high + low + close) / 3`, the typical price. */
export function hlc3({ high, low, close }: Columns): Float64Array {
  const out = zeros(high.length);
  for (let i = 0; i < out.length; i++) out[i] = (at(high, i) + at(low, i) + at(close, i)) / 3;
  return out;
}

/** `(open + high + low + close) / 4`. */
export function ohlc4({ open, high, low, close }: Columns): Float64Array {
  const out = zeros(high.length);
  for (let i = 0; i < out.length; i++)
    out[i] = (at(open, i) + at(high, i) + at(low, i) + at(close, i)) / 4;
  return out;
}

const prices: Readonly<Record<string, (columns: Columns) => Float64Array>> = {
  open: ({ open }) => open,
  high: ({ high }) => high,
  low: ({ low }) => low,
  close: ({ close }) => close,
  hl2,
  hlc3,
  ohlc4,
  volume: ({ volume }) => volume,
};

/** What a `source` parameter may name. */
export const priceNames: readonly string[] = Object.keys(prices);

/** The column that a `source` parameter names; `close` for a name that is none of them. */
export const price = (columns: Columns, source: string): Float64Array =>
  prices[source]?.(columns) ?? columns.close;
