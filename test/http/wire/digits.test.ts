import fc from 'fast-check';
import t from 'tap';
import { rewriteDigits } from '../../../http/wire/digits.ts';

const digits = 13;
const low = 10 ** (digits - 1);
const time = fc.integer({ min: low, max: 10 * low - 1 });

t.test('the digits of a number take the place of those before', async () => {
  fc.assert(
    fc.property(time, fc.oneof(time, fc.nat(2_000)), fc.nat(5), (before, next, offset) => {
      const now = next < low ? Math.min(before + next, 10 * low - 1) : next;
      const bytes = Buffer.from(`${'x'.repeat(offset)}${before}y`);
      rewriteDigits(bytes, offset + digits - 1, { before, now });
      return bytes.toString() === `${'x'.repeat(offset)}${now}y`;
    }),
  );
});

t.test('from 0 all digits are written, whatever stands there', async (t) => {
  const bytes = Buffer.from('a1700000000000z');
  rewriteDigits(bytes, digits, { before: 0, now: 1_812_345_678_901 });
  t.equal(bytes.toString(), 'a1812345678901z');
});
