/** The fault of a venue whose clock is wrong. */

/** Numbers within so many ms of the present are times: no price or amount is near them by more than chance. */
const near = 30 * 86_400_000;

/** How many of a unit a millisecond is: seconds, milliseconds, microseconds, nanoseconds. */
const units = [0.001, 1, 1_000, 1_000_000];

const isDate = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export interface Shift {
  /** Unix ms. */
  now: number;
  /** How much later every time is, ms. */
  ms: number;
}

function shifted(value: number, { now, ms }: Shift): number {
  const unit = units.find((one) => Math.abs(value / one - now) < near);
  return unit === undefined ? value : value + ms * unit;
}

/** The same answer with every time in it later: numbers, numbers as text, and dates of ISO 8601. */
export function ahead(value: unknown, shift: Shift): unknown {
  if (typeof value === 'number') return shifted(value, shift);
  if (typeof value === 'string') {
    if (isDate.test(value)) return new Date(Date.parse(value) + shift.ms).toISOString();
    return /^\d{10,19}(\.\d+)?$/.test(value) ? String(shifted(Number(value), shift)) : value;
  }
  if (Array.isArray(value)) return value.map((one) => ahead(one, shift));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, ahead(one, shift)]));
}
