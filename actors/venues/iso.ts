/** Times as text, as some venues send and want them. */
import { Calendar } from '../../indicators/market/days.ts';
import { time } from '../read.ts';

const withoutZone = /^\d{4}-\d\d-\d\d[ T][\d:.]+$/;

/**
 * Unix ms of an RFC 3339 time with any number of decimals (`2026-04-07T00:28:59.662782Z`), or null. One that names no zone
 * (`2025-07-19 13:09:00`, or with a T) is UTC.
 */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  return time(Calendar.parse(withoutZone.test(value) ? `${value.replace(' ', 'T')}Z` : value));
}

/** RFC 3339 of a Unix ms in whole seconds: `2026-04-07T00:28:59Z`. */
export const timeText = (at: number): string =>
  new Calendar(at).toISOString().replace(/\.\d+Z$/, 'Z');
