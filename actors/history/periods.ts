/** The time that one file of recorded rows holds: a day of minutes, a month of hours, a year of days, in UTC. */
import { day, hour } from '../../config/time.ts';
import type { TierMs } from './define.ts';

/** A range of time with its name: `2026-01-31`, `2026-01` or `2026`. */
export interface Period {
  name: string;
  /** Unix ms. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** Characters of the name: of `2026-01-31T00:00:00.000Z`. */
const lengthOf = (step: number): 10 | 7 | 4 => (step < hour ? 10 : step < day ? 7 : 4);
const longest = { 10: day, 7: 31 * day, 4: 366 * day } as const;

/** The period of a time, Unix ms, for rows of a step. */
export function periodAt(time: number, step: number): Period {
  const length = lengthOf(step);
  const name = new Date(time).toISOString().slice(0, length);
  const from = Date.parse(name);
  // A little more than the longest one ends in the next period.
  const to = Date.parse(new Date(from + longest[length] + hour).toISOString().slice(0, length));
  return { name, from, to };
}

/** The period of a name; null where it is none. */
export function periodOf(name: string, step: number): Period | null {
  const time = Date.parse(name);
  if (Number.isNaN(time)) return null;
  const period = periodAt(time, step);
  return period.name === name ? period : null;
}

/** Whether ended periods of a tier become files: not where fewer than four of them are kept. */
export const hasFiles = ({ step, keep }: Pick<TierMs, 'step' | 'keep'>): boolean =>
  keep >= 4 * longest[lengthOf(step)];
