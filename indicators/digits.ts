/** Significant digits of every number that is served: floats carry more, of which the last are artefacts of arithmetic. */
const significant = 12;

/** Relative size from which a difference counts: what is less is rounding, and not served. */
export const rounding = 10 ** -significant;

/**
 * `a - b`, exactly 0 where the two are one number but for the rounding of how they were computed. To be used wherever
 * such a difference is compared with 0 or divided by: 1e-14 over 1e-14 is any number.
 */
export function less(a: number, b: number): number {
  const difference = a - b;
  return Math.abs(difference) <= rounding * Math.abs(a) ? 0 : difference;
}

/** Whether a number is at most a share of another one above or below that, but for rounding; of NaN it is not. Example: 110 of 100 at 0.1. */
export const isAround = (value: number, of: number, share: number): boolean =>
  less(Math.abs(value - of), share * Math.abs(of)) <= 0;

/** A number, exactly 0 where it is the rounding of what it was computed from, which is of this size. */
export const unlessRounding = (value: number, size: number): number =>
  Math.abs(value) <= rounding * Math.abs(size) ? 0 : value;

/** A sum of squared deviations from about `middle`, exactly 0 where they are the rounding of that. */
export const scatter = (squares: number, middle: number): number =>
  squares <= (rounding * middle) ** 2 ? 0 : squares;

/** Powers of ten that a double holds exactly. */
const powers: readonly number[] = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** The number rounded to so many significant digits; NaN and infinity stay as they are. */
export function toDigits(value: number, digits: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  if (value < 0) return -toDigits(-value, digits);
  const places = digits - 1 - Math.floor(Math.log10(value));
  const power = powers[Math.abs(places)];
  if (power === undefined) return Number(value.toPrecision(digits));
  // Both are exact, so that the quotient is the double nearest to the decimal number, and prints as that.
  return places < 0 ? Math.round(value / power) * power : Math.round(value * power) / power;
}

/**
 * The number rounded to twelve significant digits: 1.0393 for 1.0393000000000001. Whole numbers (counts, times, units
 * of a token) stay as they are.
 */
export const rounded = (value: number): number =>
  Number.isInteger(value) ? value : toDigits(value, significant);

/** Digits after the point that a number needs: 2 for 0.25, 7 for 1e-7, none for 50. */
export function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(rounded(Math.abs(value))).split('e');
  const [, fraction = ''] = digits.split('.');
  return Math.max(0, fraction.length - Number(exponent));
}
