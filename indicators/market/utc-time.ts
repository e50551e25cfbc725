/** Reads times in the usual form of RFC 3339. */
import { day as msOfDay } from '../../config/time.ts';

/** Days from 1970-01-01 to a date of the Gregorian calendar. A year is taken to begin in March: its last day is the leap day. */
function daysTo(year: number, month: number, day: number): number {
  const from = month < 3 ? year - 1 : year;
  const months = month < 3 ? month + 9 : month - 3;
  const leaps = Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400);
  return 365 * from + leaps + Math.floor((153 * months + 2) / 5) + day - 719_469;
}

const digitAt = (text: string, at: number): number => {
  const digit = text.charCodeAt(at) - 48;
  return digit >= 0 && digit <= 9 ? digit : -100;
};

/** The number in two digits; negative where one of them is none. */
const pairAt = (text: string, at: number): number => 10 * digitAt(text, at) + digitAt(text, at + 1);

/** Length of a date, and of a time without decimals. */
const dateLength = 10;
const shortest = 20;
const [dash, colon, point, t, z] = [45, 58, 46, 84, 90] as const;

/** Ms of the decimals of a second, whose further digits are cut off; negative for anything but digits. */
function decimalsOf(text: string): number {
  const end = text.length - 1;
  if (end === shortest - 1) return 0;
  if (text.charCodeAt(shortest - 1) !== point || end === shortest) return -1;
  let ms = 0;
  let unit = 100;
  for (let at = shortest; at < end; at++) {
    const digit = digitAt(text, at);
    if (digit < 0) return -1;
    ms += digit * Math.floor(unit);
    unit /= 10;
  }
  return ms;
}

const hasMarks = (text: string): boolean =>
  text.length >= shortest &&
  text.charCodeAt(10) === t &&
  text.charCodeAt(13) === colon &&
  text.charCodeAt(16) === colon &&
  text.charCodeAt(text.length - 1) === z;

const isWithin = (value: number, least: number, most: number): boolean =>
  value >= least && value <= most;

/** Unix ms at which a date such as `2026-04-07` begins; NaN for any other text. */
function dateFrom(date: string): number {
  const century = pairAt(date, 0);
  const years = pairAt(date, 2);
  const month = pairAt(date, 5);
  const day = pairAt(date, 8);
  const hasDashes = date.charCodeAt(4) === dash && date.charCodeAt(7) === dash;
  const isYear = century >= 0 && years >= 0;
  if (!hasDashes || !isYear || !isWithin(month, 1, 12) || !isWithin(day, 1, 31)) return Number.NaN;
  return daysTo(100 * century + years, month, day) * msOfDay;
}

/** The date that was read last: times that are read one after the other are of one day as a rule. */
const last = { date: '', begin: Number.NaN };

/** The same of the date with which a time begins. */
function beginOf(text: string): number {
  const date = text.slice(0, dateLength);
  if (date !== last.date) {
    last.begin = dateFrom(date);
    last.date = date;
  }
  return last.begin;
}

/**
 * Unix ms of a time such as `2026-04-07T00:28:59.662782Z`, with any number of decimals or none: what `Date.parse` gives, in
 * less than half of its time. NaN for any other form, which `Date.parse` may know.
 */
export function utcTime(text: string): number {
  if (!hasMarks(text)) return Number.NaN;
  const hours = pairAt(text, 11);
  const minutes = pairAt(text, 14);
  const seconds = pairAt(text, 17);
  const ms = decimalsOf(text);
  const isTime = isWithin(hours, 0, 23) && isWithin(minutes, 0, 59) && isWithin(seconds, 0, 59);
  if (!isTime || ms < 0) return Number.NaN;
  return beginOf(text) + ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
}
