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

/** The number of the bucket that holds a price; one that is on the border is not moved by the noise of binary fractions. */
export const bucketAt = (price: number, step: number): number => Math.floor(price / step + 1e-9);
