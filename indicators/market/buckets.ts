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
  mean: (values) => combiners.sum(values) / values.length,
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
