/** What is published or answered comes out of its bytes as it went in. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  decode,
  decodeResult,
  encode,
  encodeResult,
  PackedValue,
} from '../../../actors/bus/codec.ts';
import { success } from '../../../actors/failure.ts';
import { property } from '../../support/property.ts';

const text = fc.oneof(
  fc.constantFrom('', 'BTC', 'ETH', 'long', '₿ Ω', 'words', 'tables', 'rows'),
  fc.string({ unit: 'binary' }),
);
// MessagePack has no negative zero.
const number = fc
  .oneof(
    fc.integer(),
    fc.double(),
    fc.maxSafeInteger(),
    fc.integer({ min: -999_999, max: 999_999 }).map((cents) => cents / 100),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  )
  .map((value) => (value === 0 ? 0 : value));
const plain = fc.oneof(number, text, fc.boolean(), fc.constant(null), fc.constant(undefined));
const key = text.filter((name) => name !== '__proto__');

const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, plain, tie('list'), tie('map')),
  list: fc.array(tie('any'), { maxLength: 6 }),
  map: fc.dictionary(key, tie('any'), { maxKeys: 5, noNullPrototype: true }),
})).any;

/** Numbers of one kind, so that each of the packed forms occurs: spaced ones, some of them left out, few digits, many. */
const numbers = fc.oneof(
  fc
    .tuple(
      fc.integer(),
      fc.integer({ min: 1, max: 3_600_000 }),
      fc.array(fc.boolean(), { size: '+2' }),
    )
    .map(([first, apart, there]) =>
      there.flatMap((isThere, at) => (isThere ? [first + apart * at] : [])),
    ),
  fc.array(fc.oneof(number, fc.constant(null)), { maxLength: 80, size: 'max' }),
  fc.array(
    fc.oneof(
      fc.integer().map((one) => one / 1_000),
      fc.constant(null),
    ),
    { maxLength: 80, size: 'max' },
  ),
);

/** Rows as topics have them: most with the same keys, some with others, at times one that is no row. */
const rows: fc.Arbitrary<unknown[]> = fc
  .tuple(
    fc.uniqueArray(key, { maxLength: 5 }),
    fc.array(fc.tuple(fc.array(value, { minLength: 5, maxLength: 5 }), fc.nat({ max: 5 })), {
      maxLength: 90,
      size: 'max',
    }),
    fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(value) }),
  )
  .map(([keys, all, others]) => [
    ...all.map(([values, left]) =>
      Object.fromEntries(keys.slice(0, left > 1 ? 5 : left).map((name, at) => [name, values[at]])),
    ),
    ...others,
  ]);

const lists = fc.oneof(rows, numbers, value);

/** A map as it is written in code. */
const plainRecord = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true });

/** Runs with many values each. */
const few = 60;

t.test('what is published comes out as it went in', async (t) => {
  const published = plainRecord({
    source: text,
    rows,
    events: fc.oneof(rows, numbers),
    other: value,
  });
  await property(
    t,
    published,
    (published) => {
      assert.deepEqual(decode(encode(published)), published);
    },
    few,
  );
});

t.test('an answer comes out as it went in, packed before or not', async (t) => {
  const answers = plainRecord({ received: fc.nat(), value: plainRecord({ lists, more: lists }) });
  await property(
    t,
    answers,
    (answer) => {
      const packed = new PackedValue(answer.value);
      assert.deepEqual(decodeResult(Buffer.from(encodeResult(success(answer)))), success(answer));
      const reply = success({ ...answer, value: packed });
      assert.deepEqual(decodeResult(Buffer.from(encodeResult(reply))), success(answer));
    },
    few,
  );
});

/** The value in the bytes, or the error that they are; null where anything else is thrown. */
function outcome(read: (bytes: Buffer) => object, bytes: Buffer): object | null {
  try {
    return read(bytes);
  } catch (error) {
    return error instanceof Error ? error : null;
  }
}

t.test('damaged bytes throw an error or are another value', async (t) => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 });
  const written = fc.oneof(
    rows.map((rows) => encode({ rows })),
    lists.map((lists) => encodeResult(success({ value: lists }))),
  );
  await property(
    t,
    fc.tuple(written, damage, fc.nat()),
    ([bytes, damage, end]) => {
      const damaged = Buffer.from(bytes);
      for (const [at, byte] of damage) damaged[at % damaged.length] = byte;
      const parts = [damaged, damaged.subarray(0, end % damaged.length)];
      const found = parts.flatMap((part) => [outcome(decode, part), outcome(decodeResult, part)]);
      assert.ok(found.every((one) => typeof one === 'object' && one !== null));
    },
    few,
  );
});
