/** Rows of a fine step combined to rows of a coarse one. Pure. Times are Unix ms and the start of a step. */

/** How the values of the steps within a longer one become its value. Null values are left out. */
export type Combine = 'first' | 'last' | 'max' | 'sum' | 'mean';

/** Columns of equal length beside their times, which ascend; null for a value that is not known. */
export interface Columns {
  times: readonly number[];
  columns: readonly (readonly (number | null)[])[];
}

type Value = number | null;

const combiners: Readonly<Record<Combine, (values: readonly number[]) => number>> = {
  first: (values) => values[0] ?? 0,
  last: (values) => values.at(-1) ?? 0,
  max: (values) => Math.max(...values),
  sum: (values) => values.reduce((total, value) => total + value, 0),
  mean: (values) => values.reduce((total, value) => total + value, 0) / values.length,
};

/** The value of some values, null when none is known. Example: `sum` of [1, null, 3] is 4. */
export function combined(values: readonly Value[], combine: Combine): Value {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : combiners[combine](known);
}

/** The step of a time. */
export const stepAt = (time: number, step: number): number => Math.floor(time / step) * step;

/** One row for each step that has any; `combine` says how for each column, in their order. */
export function combineRows(
  { times, columns }: Columns,
  step: number,
  combine: readonly Combine[],
): { times: number[]; columns: Value[][] } {
  const starts: number[] = [];
  const bounds: number[] = [];
  for (const [at, time] of times.entries()) {
    const start = stepAt(time, step);
    if (start === starts.at(-1)) continue;
    starts.push(start);
    bounds.push(at);
  }
  const slices = (column: readonly Value[]) =>
    bounds.map((from, at) => column.slice(from, bounds[at + 1]));
  return {
    times: starts,
    columns: combine.map((how, column) =>
      slices(columns[column] ?? []).map((slice) => combined(slice, how)),
    ),
  };
}

/** The sizes that share a number of decimal places. */
interface Decade {
  digits: number;
  least: number;
  below: number;
  places: number;
  scale: number;
}

/** Those that were needed, by exponent and digits, and that of the last value: those of a column lie close together. */
const decades = new Map<number, Decade>();
let decade: Decade = { digits: 0, least: 1, below: 0, places: 0, scale: 1 };

function decadeOf(size: number, digits: number): Decade {
  const exponent = Math.floor(Math.log10(size));
  const key = exponent * 32 + digits;
  const known = decades.get(key);
  if (known) return known;
  const places = digits - 1 - exponent;
  const limits = { least: 10 ** exponent, below: 10 ** (exponent + 1) };
  const made = { ...limits, digits, places, scale: 10 ** Math.abs(places) };
  decades.set(key, made);
  return made;
}

/** A value with the significant digits of a number stored with single precision (7). */
export function toDigits(value: number, digits: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const size = Math.abs(value);
  if (!(size >= decade.least && size < decade.below) || decade.digits !== digits) {
    decade = decadeOf(size, digits);
  }
  const { places, scale } = decade;
  if (places > 22) return value;
  return places < 0 ? Math.round(value / scale) * scale : Math.round(value * scale) / scale;
}
