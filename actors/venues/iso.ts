/** Times as text, as some venues send and want them. */
import { Calendar } from '../../indicators/market/days.ts';
import { utcTime } from '../../indicators/market/utc-time.ts';
import { time } from '../read.ts';

/** Unix ms of an RFC 3339 time with any number of decimals (`2026-04-07T00:28:59.662782Z`), or null. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const at = utcTime(value);
  return time(at >= 0 ? at : Calendar.parse(value));
}

const withoutZone = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/;

/** Unix ms of a UTC time that names no zone (`2025-07-19 13:09:00`, or with a T), or null. */
export const utcTimeOf = (value: unknown): number | null =>
  typeof value === 'string' && withoutZone.test(value)
    ? timeOf(`${value.replace(' ', 'T')}Z`)
    : null;

/** RFC 3339 of a Unix ms in whole seconds: `2026-04-07T00:28:59Z`. */
export const timeText = (at: number): string =>
  new Calendar(at).toISOString().replace(/\.\d+Z$/, 'Z');
