/** Calendar periods in UTC, as serial numbers that grow by one from each to the next. */
import { day } from '../../config/time.ts';
import { at } from './columns.ts';

/** Days from 0000-03-01 to 1970-01-01. */
const epoch = 719_468;

/** Months since March of the year 0, by the arithmetic of https://howardhinnant.github.io/date_algorithms.html. */
function month(days: number): number {
  const shifted = days + epoch;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leaps =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const year = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  return (era * 400 + year) * 12 + Math.floor((5 * dayOfYear + 2) / 153);
}

/** Whether a period begins exactly at a time, Unix ms. */
export const begins = (time: number, anchor: string): boolean =>
  periodOf(time, anchor) !== periodOf(time - 1, anchor);

/** When the period of a time began, Unix ms. */
export function startOf(time: number, anchor: string): number {
  let start = Math.floor(time / day) * day;
  while (!begins(start, anchor)) start -= day;
  return start;
}

/** Names of the periods that an anchor may be. */
export const anchors: readonly string[] = ['day', 'week', 'month'];

/** The period of a Unix time in ms: weeks begin on Monday; any other anchor is one period for ever. */
export function periodOf(time: number, anchor: string): number {
  const days = Math.floor(time / day);
  switch (anchor) {
    case 'day':
      return days;
    case 'week':
      return Math.floor((days + 3) / 7);
    case 'month':
      return month(days);
    default:
      return 0;
  }
}

/**
 * The commonest time between two candles, ms, of equally common ones the shorter; infinite of fewer than two candles. Neither a gap passes
 * for it nor a candle out of step: the day on which clocks go forward, or one that an exchange began after a halt.
 */
export function lengthOf(time: Float64Array): number {
  const counts = new Map<number, number>();
  let commonest = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 1; i < time.length; i++) {
    const between = at(time, i) - at(time, i - 1);
    const count = (counts.get(between) ?? 0) + 1;
    counts.set(between, count);
    if (count < most || (count === most && between > commonest)) continue;
    commonest = between;
    most = count;
  }
  return commonest;
}

const shortestMonth = 28 * day;

/**
 * Whether some candles are longer than a day and end in another period than they open in: no period is made of such ones. A week is none
 * of a day, and is of two months.
 */
export function reachesBeyond(time: Float64Array, anchor: string): boolean {
  const length = lengthOf(time);
  const isLong = length > day && length < Number.POSITIVE_INFINITY;
  const last = Math.min(length, shortestMonth) - 1;
  return isLong && time.some((open) => periodOf(open, anchor) !== periodOf(open + last, anchor));
}

/** The index of the first candle of the period after that of candle i. */
export function endOf(time: Float64Array, i: number, anchor: string): number {
  const current = periodOf(at(time, i), anchor);
  let end = i;
  while (end < time.length && periodOf(at(time, end), anchor) === current) end++;
  return end;
}
