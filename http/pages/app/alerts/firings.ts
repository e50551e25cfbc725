/** How often a condition would have fired on values of the past. */

/** A condition as the form has it; `within` in values. */
export type Condition =
  | { type: 'above' | 'below' | 'crosses'; value: number }
  | { type: 'change'; percent: number; within: number };

/** Of each value but the first ones the sum of it and of those before it, so many together. */
export const rollingSums = (values: readonly number[], length: number): number[] =>
  values
    .slice(length - 1)
    .map((_, at) => values.slice(at, at + length).reduce((sum, value) => sum + value, 0));

/** Times at which values come to a side of a limit; the first counts where it is there already. */
function arrivals(values: readonly number[], isThere: (value: number) => boolean): number {
  return values.filter((value, at) => {
    const before = values[at - 1];
    return isThere(value) && (before === undefined || !isThere(before));
  }).length;
}

/** Changes by so many percent from the lowest or highest of the values before; each begins anew. */
function moves(values: readonly number[], percent: number, within: number): number {
  let count = 0;
  let from = 0;
  for (const [at, value] of values.entries()) {
    const before = values.slice(Math.max(from, at - within), at);
    if (before.length === 0 || value <= 0) continue;
    const up = value / Math.min(...before) - 1;
    const down = 1 - value / Math.max(...before);
    if (Math.max(up, down) * 100 < percent) continue;
    count += 1;
    from = at;
  }
  return count;
}

/** How often a condition would have fired on values in the order of their times. */
export function firings(values: readonly number[], condition: Condition): number {
  if (condition.type === 'change') return moves(values, condition.percent, condition.within);
  const { type, value: limit } = condition;
  const above = arrivals(values, (value) => value > limit);
  const below = arrivals(values, (value) => value < limit);
  if (type === 'above') return above;
  return type === 'below' ? below : Math.max(0, above + below - 1);
}
