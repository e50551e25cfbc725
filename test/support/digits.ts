/** The numbers of an answer that have more than twelve significant digits; whole numbers may have any. */
export function longNumbers(value: unknown): number[] {
  if (typeof value === 'number') {
    const isShort = Number.isInteger(value) || Number(value.toPrecision(12)) === value;
    return isShort ? [] : [value];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(longNumbers);
}
