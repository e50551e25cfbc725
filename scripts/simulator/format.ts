/** Numbers as venues write them; both never use an exponent. */

/** A fixed number of decimals: `fixed(1.5, 3)` is `1.500`. */
export const fixed = (value: number, decimals: number): string =>
  (value === 0 ? 0 : value).toFixed(decimals);

const [zero, point] = [48, 46];

/** At most `decimals`, without trailing zeros: `plain(1.5, 3)` is `1.5`. */
export function plain(value: number, decimals: number): string {
  const text = fixed(value, decimals);
  if (decimals === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === zero) end--;
  if (text.charCodeAt(end - 1) === point) end--;
  return text.slice(0, end);
}

/** Decimals that show a price of this size in about six digits, within a venue's limits. */
export const priceDecimals = (price: number, most: number): number =>
  Math.min(most, Math.max(1, 5 - Math.floor(Math.log10(price))));

/** Decimals of a quantity whose smallest step is worth some tenths of a dollar. */
export const lotDecimals = (price: number, most: number): number =>
  Math.min(most, Math.max(0, Math.floor(Math.log10(price)) + 1));

/** Phemex: a moment within the second of `now`, in ns. */
export const nanos = (now: number): number => now * 1e6 + 123_456_768;
