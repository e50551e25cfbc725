/** Significant digits of every number that is served: floats carry more, of which the last are artefacts of arithmetic. */
const significant = 12;

/** Powers of ten that a double holds exactly. */
const powers: readonly number[] = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/**
 * The number rounded to twelve significant digits: 1.0393 for 1.0393000000000001. Whole numbers (counts, times, units
 * of a token), NaN and infinity stay as they are.
 */
export function rounded(value: number): number {
  if (Number.isInteger(value) || !Number.isFinite(value)) return value;
  if (value < 0) return -rounded(-value);
  const exponent = Math.floor(Math.log10(value));
  const power = powers[significant - 1 - exponent];
  // Both are exact, so that the quotient is the double nearest to the decimal number, and prints as that.
  if (power !== undefined) return Math.round(value * power) / power;
  return Number(value.toPrecision(significant));
}
