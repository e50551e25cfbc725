/** UTC days: a day is the Unix ms of its 00:00 UTC. */
import { day as dayLength } from '../../config/time.ts';

export { dayLength };

type Dates = Pick<DateConstructor, 'UTC' | 'parse'>;
type Instant = InstanceType<DateConstructor>;

/** The calendar of dates without its clock. */
// biome-ignore lint/style/noRestrictedGlobals: the one pure file that names it.
export const Calendar: Dates & (new (time: number) => Instant) = Date;

/** The day that holds a Unix ms. */
export const dayAt = (time: number): number => Math.floor(time / dayLength) * dayLength;

/** Whole days from one day to a later one. */
export const daysBetween = (from: number, to: number): number =>
  Math.round((to - from) / dayLength);

const dateForm = /^\d{4}-\d{2}-\d{2}$/;

/** The day of a date `2026-07-16`; NaN when the value is not a date of the calendar. */
export function dayOf(value: unknown): number {
  if (typeof value !== 'string' || !dateForm.test(value)) return Number.NaN;
  const day = Calendar.parse(value);
  // 30 February parses as a day of March.
  const exists = new Calendar(day).getUTCDate() === Number(value.slice(8));
  return day > 0 && exists ? day : Number.NaN;
}

/** The date `2026-07-16` of a day. */
export const dateOf = (day: number): string => new Calendar(day).toISOString().slice(0, 10);

/** The closing price of one UTC day, US dollars. */
export interface DayClose {
  day: number;
  close: number;
  /** True of today's point, made with the live price: its day is not over. */
  provisional?: true;
}

/** One value of one UTC day, in the unit of its series. */
export interface DayValue {
  day: number;
  value: number;
}
