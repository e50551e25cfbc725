import { rounding } from '../digits.ts';

/** The step of 1, 2 or 5 times a power of ten that is nearest to a positive number by ratio. Example: 64 is 50. */
export function roundStep(value: number): number {
  const power = Math.floor(Math.log10(value));
  const near = [1, 2, 5, 10].map((digit) => Number(`${digit}e${power}`));
  const off = (step: number) => Math.abs(Math.log(step / value));
  return near.reduce((best, step) => (off(step) < off(best) ? step : best));
}

/** The start of the bucket with this number, without the noise of binary fractions. */
export const bucketStart = (bucket: number, step: number): number =>
  Number((bucket * step).toPrecision(12));

/** What a number of steps may lack of a whole one by the noise of binary fractions: of the price, and of what it is measured from. */
const noise = (steps: number): number => 1e-9 + rounding * Math.abs(steps);

/**
 * The number of the bucket that holds a price, or a distance; one that is on the border is not moved by the noise of binary
 * fractions. Example: 0.3 in buckets of 0.1 is in the third, which begins there.
 */
export function bucketAt(price: number, step: number): number {
  const steps = price / step;
  return Math.floor(steps + noise(steps));
}

/** The number of the first bucket that begins at a price or above it, with the same border. */
export function bucketFrom(price: number, step: number): number {
  const steps = price / step;
  return Math.ceil(steps - noise(steps));
}
