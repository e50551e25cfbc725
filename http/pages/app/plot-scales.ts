/** Words and places at the scales of charts. */
import type uPlot from 'uplot';
import { time } from './format.ts';

export const day = 86_400_000;

/** A moment at an axis whose steps are so long, ms. */
export const timeTick = (ms: number, step: number): string =>
  time(ms, step < 60_000 ? 'time' : step < day ? 'hour' : step < 28 * day ? 'day' : 'month');

/** Round numbers between two, for a scale of logarithms: of the coarsest steps that give some, at least four where there are. */
export function roundsBetween(low: number, high: number): number[] {
  const steps = [[1], [1, 3], [1, 2, 5], [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9]];
  let found: number[] = [];
  for (const parts of steps) {
    found = [];
    for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
      found.push(...parts.map((part) => part * power).filter((at) => at >= low && at <= high));
    if (found.length >= 4) return found;
  }
  return found;
}

/** A range with some room around it, and not smaller than `least`. */
function padded(low: number, high: number, least: number): [number, number] {
  const size = Math.max(least, (high - low) * 1.1);
  const middle = (low + high) / 2;
  return [middle - size / 2, middle + size / 2];
}

/** A range with 0 in it, and room at the ends where values are: bars begin at 0. */
export function withZero(low: number, high: number): [number, number] {
  const [from, to] = [Math.min(0, low), Math.max(0, high)];
  if (from === to) return [0, 1];
  const room = (to - from) * 0.05;
  return [from === 0 ? 0 : from - room, to === 0 ? 0 : to + room];
}

/** The scale of the values of a chart. */
export function valueScale({
  isLog,
  least,
  hasBars,
}: {
  isLog: boolean;
  least: number;
  hasBars: boolean;
}): uPlot.Scale {
  if (isLog) return { distr: 3, range: (...[, low, high]) => [low * 0.9, high * 1.1] };
  if (hasBars) return { range: (...[, low, high]) => withZero(low, high) };
  return least === 0 ? {} : { range: (...[, low, high]) => padded(low, high, least) };
}

/** Lines that have points at places of their own, over the places of all. */
export function joined(
  lines: readonly (readonly (readonly [x: number, value: number | null])[])[],
): { x: number[]; values: (number | null)[][] } {
  const x = [...new Set(lines.flat().map(([at]) => at))].sort((a, b) => a - b);
  const known = lines.map((points) => new Map(points));
  return { x, values: known.map((of) => x.map((at) => of.get(at) ?? null)) };
}
