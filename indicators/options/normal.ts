/** The standard normal distribution. */

/** Density at `x`. */
export const density = (x: number): number => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);

/** Coefficients of the rational function, highest power first: numerator and denominator. */
const above = [
  0.0352624965998911, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
  221.213596169931, 220.206867912376,
];
const below = [
  0.0883883476483184, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674,
  637.333633378831, 793.826512519948, 440.413735824752,
];

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}

/**
 * Probability of a value up to `x`, to about 15 digits. Hart's algorithm 5666 as in G. West, "Better approximations to
 * cumulative normal functions", Wilmott Magazine, May 2005.
 */
export function cumulative(x: number): number {
  const size = Math.abs(x);
  const tail = size > 37 ? 0 : Math.exp(-0.5 * size * size) * scaledTail(size);
  return x > 0 ? 1 - tail : tail;
}

/** The tail beyond `size` over `exp(-size^2 / 2)`. */
function scaledTail(size: number): number {
  if (size < 5 * Math.SQRT2) return polynomial(above, size) / polynomial(below, size);
  const fraction = size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))));
  return 1 / (fraction * Math.sqrt(2 * Math.PI));
}
