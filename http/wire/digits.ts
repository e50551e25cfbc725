/**
 * Writes the digits of a whole number over those of another with as many, which is `before`; `last` is the offset of the last
 * digit. Only those that differ are written: of a time or a count, a few of the last as a rule.
 */
export function rewriteDigits(
  bytes: Uint8Array,
  last: number,
  { before, now }: { before: number; now: number },
): void {
  let at = last;
  let old = before;
  let rest = now;
  while (rest !== old) {
    const tens = Math.floor(rest / 10);
    bytes[at--] = 48 + (rest - 10 * tens);
    rest = tens;
    old = Math.floor(old / 10);
  }
}
