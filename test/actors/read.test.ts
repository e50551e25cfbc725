import t from 'tap';
import {
  asRow,
  bulk,
  field,
  isNumber,
  isRecord,
  isRow,
  list,
  optional,
  optionalNonZero,
  positive,
  required,
  text,
  time,
} from '../../actors/read.ts';

const nan = Number.NaN;
const bases = ['0x10', '0X1f', '0b11', '0B1', '0o17', '0O7', '-0x1', '1_000'];
const garbage = [undefined, null, '', ' ', ' 1', '1 ', 'NaN', 'Infinity', '1,5', '0x', {}, [], [1]];
const unreadable = [
  ...garbage,
  ...bases,
  true,
  nan,
  Number.POSITIVE_INFINITY,
  '1e999',
  () => 1,
  1n,
];

t.test('what is not a number is NaN or null in every reader', async (t) => {
  for (const value of unreadable) {
    const name = typeof value === 'bigint' ? '1n' : (JSON.stringify(value) ?? String(value));
    t.same([required(value), positive(value)], [nan, nan], name);
    t.same([optional(value), optionalNonZero(value)], [null, null], name);
  }
});

t.test('numbers and numeric strings give the same value', async (t) => {
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

t.test(
  'numbers as texts: zeros in front, no digit before or behind the point, a sign',
  async (t) => {
    t.same(['007', '5.', '.5', '-.5', '+5'].map(required), [7, 5, 0.5, -0.5, 5]);
    for (const value of ['.', '-', '-.', '1.2.3', '1..', '1-', '--1', '1 2'])
      t.same(required(value), nan, value);
  },
);

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

const now = 1_750_000_000_000;
const day = 86_400_000;

t.test('times: whole Unix ms from 2009 to a day from now', async (t) => {
  for (const value of [1_230_768_000_000, now, String(now), now + day]) {
    t.equal(time(value, 1, now), Number(value));
  }
  t.equal(time(now + day + 1), now + day + 1, 'without now there is no upper bound');
  const wrong = [
    0,
    -now,
    now / 1000,
    now * 1000,
    now + 0.5,
    `${now}.5`,
    now + day + 1,
    1_230_767_999_999,
  ];
  for (const value of [...wrong, ...unreadable]) {
    t.equal(time(value, 1, now), null, String(value));
  }
});

t.test('times in other units', async (t) => {
  t.equal(time(1_750_000_000, 1000, now), now);
  t.equal(
    time('1750000000.347', 1000),
    now + 347,
    'decimals of a second, whatever the double says',
  );
  t.equal(time('1750000000999900', 1e-3), now + 999, 'a fraction of a millisecond is cut off');
  t.equal(time('1750000000347900000', 1e-6), now + 347);
  t.equal(time(now, 1000, now), null, 'milliseconds where seconds are documented');
  t.equal(time(1_750_000_000, 1e-3, now), null);
});

t.test('rows, lists and fields of bodies', async (t) => {
  const [row, rows] = [{ a: 1 }, ['x']];
  for (const value of [row, rows, {}, []]) {
    t.ok(isRow(value));
    t.equal(asRow(value), value);
  }
  for (const value of [null, undefined, 'a', 1, true, () => 1]) {
    t.notOk(isRow(value));
    t.strictSame(asRow(value), {});
    t.throws(() => field(value, 'a'), { name: 'ShapeError', message: /^a: / });
  }
  t.strictSame([field(row, 'a'), field(row, 'b'), field(rows, 0)], [1, undefined, 'x']);
  t.equal(list(rows, 'rows'), rows);
  t.equal(bulk(rows, 'rows'), rows);
  t.strictSame(list([], 'rows'), []);
  for (const value of [{}, null, 'x', undefined])
    t.throws(() => list(value, 'rows'), { name: 'ShapeError', message: 'rows: not a list' });
  t.throws(() => bulk([], 'rows'), { name: 'ShapeError', message: 'rows: an empty list' });
  t.strictSame([0, nan, Infinity].map(isNumber), [true, false, false]);
});
