/** Times as text, as some venues send and want them, and the calendar. */

type Dates = Pick<DateConstructor, 'UTC' | 'parse'>;
type Instant = InstanceType<DateConstructor>;

/** The calendar of dates, without its clock: times come in through the context. */
// biome-ignore lint/style/noRestrictedGlobals: the one venue file that names it.
export const Calendar: Dates & (new (time: number) => Instant) = Date;

/** Unix ms of an RFC 3339 time with any number of decimals (`2026-04-07T00:28:59.662782Z`), or null. */
export function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Calendar.parse(value) : Infinity;
  return time > 0 && time < Infinity ? time : null;
}

const withoutZone = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/;

/** Unix ms of a UTC time that names no zone (`2025-07-19 13:09:00`, or with a T), or null. */
export const utcTimeOf = (value: unknown): number | null =>
  typeof value === 'string' && withoutZone.test(value)
    ? timeOf(`${value.replace(' ', 'T')}Z`)
    : null;

/** RFC 3339 of a Unix ms in whole seconds: `2026-04-07T00:28:59Z`. */
export const timeText = (time: number): string =>
  new Calendar(time).toISOString().replace(/\.\d+Z$/, 'Z');
