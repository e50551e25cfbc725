/** Moments as parameters. */

/** The forms that are read, in words for an error. */
export const timeForms = {
  ms: 'a time: Unix milliseconds, or ISO 8601 such as 2026-11-01 or 2026-11-01T10:00:00Z',
  s: 'a time: Unix seconds, or ISO 8601 such as 2026-11-01 or 2026-11-01T10:00:00Z',
} as const;

/** A date, and a time of the day with an offset; a space is what `+` of an offset is in a query. */
const iso =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|([+ -])(\d\d):?(\d\d))?)?$/i;

/**
 * Unix ms of an ISO 8601 date, which is its midnight, or date and time; UTC without an offset. NaN for another text, and for a day
 * that its month does not have.
 */
export function isoTime(text: string): number {
  const [, date = '', time = '00:00', sign = '+', hours = '0', minutes = '0'] =
    iso.exec(text) ?? [];
  const midnight = Date.parse(`${date}T00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return NaN;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return Date.parse(`${date}T${time}Z`) + (sign === '-' ? offset : -offset);
}
