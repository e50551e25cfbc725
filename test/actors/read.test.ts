import t from 'tap';
import {
  isRecord,
  optional,
  optionalNonZero,
  positive,
  required,
  text,
} from '../../actors/read.ts';

const nan = Number.NaN;
const garbage = [undefined, null, '', ' ', ' 1', '1 ', 'NaN', 'Infinity', '1,5', '0x', {}, [], [1]];
const unreadable = [...garbage, true, nan, Number.POSITIVE_INFINITY, '1e999', () => 1, 1n];

t.test('what is not a number is NaN or null in every reader', async (t) => {
  for (const value of unreadable) {
    const name = typeof value === 'bigint' ? '1n' : (JSON.stringify(value) ?? String(value));
    t.same([required(value), positive(value)], [nan, nan], name);
    t.same([optional(value), optionalNonZero(value)], [null, null], name);
  }
});

t.test('numbers and their strings read alike', async (t) => {
  for (const [value, number] of [
    ['1.50', 1.5],
    [1.5, 1.5],
    ['1e-7', 1e-7],
    ['.5', 0.5],
  ] as const) {
    t.equal(positive(value), number);
    t.equal(required(value), number);
    t.equal(optional(value), number);
    t.equal(optionalNonZero(value), number);
  }
});

t.test('zero and sign, by reader', async (t) => {
  t.same([required('0'), required('-2')], [0, -2]);
  t.same([positive('0'), positive('-2'), positive(0)], [nan, nan, nan]);
  t.same([optional('0.00'), optional('-2')], [0, -2]);
  t.same([optionalNonZero('0.00'), optionalNonZero(0), optionalNonZero('-2')], [null, null, -2]);
});

t.test('text and records', async (t) => {
  t.same([text('a'), text(''), text(1), text(null), text(undefined)], ['a', '', '', '', '']);
  t.ok(isRecord({}));
  for (const value of [null, [], 'a', 1, undefined]) t.notOk(isRecord(value));
});
