/**
 * The readers of wire values. Venues send numbers as numbers or as strings, and nothing as null, as an
 * absent key or as an empty string; `Number('')` is 0, so nothing else may read a number.
 */

const finite = (value: unknown): number => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value !== 'string' || value === '') return Number.NaN;
  const number = Number(value);
  return Number.isFinite(number) && value.trim() === value ? number : Number.NaN;
};

/** A number that must be there and be positive (a price, a contract size); NaN when it is not: drop the row. */
export const positive = (value: unknown): number => {
  const number = finite(value);
  return number > 0 ? number : Number.NaN;
};

/** A number that must be there, with a real zero and a real sign; NaN when it is not: drop the row. */
export const required = finite;

/** A number that may be absent, with a real zero; null when absent or unreadable. */
export const optional = (value: unknown): number | null => {
  const number = finite(value);
  return Number.isNaN(number) ? null : number;
};

/** A number that may be absent and that the venue writes as 0 when it is; null then. */
export const optionalNonZero = (value: unknown): number | null => {
  const number = finite(value);
  return Number.isNaN(number) || number === 0 ? null : number;
};

/** A non-empty string, or ''. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** True for a JSON object; arrays are not. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
