/** Times as text, as some venues send and want them. */

// biome-ignore lint/style/noRestrictedGlobals: for reading and writing times, never its clock.
const Calendar = Date;

/** Unix ms of an RFC 3339 time with any number of decimals (`2026-04-07T00:28:59.662782Z`), or null. */
export function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Calendar.parse(value) : Infinity;
  return time > 0 && time < Infinity ? time : null;
}

/** RFC 3339 of a Unix ms in whole seconds: `2026-04-07T00:28:59Z`. */
export const timeText = (time: number): string =>
  new Calendar(time).toISOString().replace(/\.\d+Z$/, 'Z');
