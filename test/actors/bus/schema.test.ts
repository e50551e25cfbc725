/** Processes of two versions that read what the other one writes. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import t from 'tap';
import { decode, encode } from '../../../actors/bus/codec.ts';
import * as s from '../../../actors/topics/schema.ts';
import { nullableOf, type Schema, schemas } from '../../../actors/topics/schemas.ts';
import { topics } from '../../../actors/topics/table.ts';
import { property } from '../../support/property.ts';

/** A row of version 1. */
interface OldRow {
  market: string;
  price: number;
  bid: number | null;
  /** Goes in the next version. */
  ask: number | null;
  note?: string;
}

/** The same of version 2. */
interface NewRow {
  market: string;
  price: number;
  bid: number | null;
  note?: string;
  /** New. */
  mark: number | null;
  venue?: string;
}

interface OldValue {
  source: string;
  rows: OldRow[];
}

interface NewValue {
  source: string;
  rows: NewRow[];
  /** New. */
  region: string | null;
  tags?: string[];
}

const older: Schema = { number: 1, own: [], lists: () => ({ rows: ['bid', 'ask'] }) };
const newer: Schema = { number: 2, own: ['region'], lists: () => ({ rows: ['bid', 'mark'] }) };

const written = (count: number): NewValue => ({
  source: 'x',
  rows: Array.from({ length: count }, (_, at) => ({
    ...{ market: `M${at}`, price: at + 0.5, bid: at % 2 === 0 ? at : null, mark: at * 3 },
    ...(at % 3 === 0 && { note: 'a' }),
    ...(at % 2 === 0 && { venue: 'v' }),
  })),
  region: 'eu',
  tags: ['t'],
});

for (const count of [0, 1, 3, 4, 9]) {
  t.test(`${count} rows of the next version`, async (t) => {
    const value = written(count);
    const read = decode<OldValue>(encode(value, newer), older);
    const rows = value.rows.map((row) => ({ ...row, ask: null }));
    t.match(read, { source: 'x', rows }, 'the missing column is null');
  });

  t.test(`${count} rows of the version before`, async (t) => {
    const value: OldValue = {
      source: 'x',
      rows: Array.from({ length: count }, (_, at) => ({
        ...{ market: `M${at}`, price: at + 0.5, bid: null, ask: at },
        ...(at === 1 && { note: 'a' }),
      })),
    };
    const read = decode<NewValue>(encode(value, older), newer);
    const rows = value.rows.map((row) => ({ ...row, mark: null }));
    t.match(read, { source: 'x', rows, region: null });
  });
}

t.test('the first schema has no number in the bytes', async (t) => {
  const plain = new Packr({ useRecords: false });
  const value = written(2);
  t.strictSame(plain.unpack(encode(value, { ...newer, number: 1 })), value);
  t.strictSame(plain.unpack(encode(value, newer)), { ...value, schema: 2 });
});

t.test('the version before and the one after are read, others are not', async (t) => {
  const bytes = (number: number) => encode(written(4), { ...newer, number });
  t.equal(decode<OldValue>(bytes(2), older).rows.length, 4);
  t.throws(() => decode(bytes(3), older), { name: 'TypeError', message: /schema 3 is not read/ });
  t.equal(decode<NewValue>(bytes(1), newer).rows.length, 4);
  t.throws(() => decode(bytes(1), { ...newer, number: 3 }), /schema 1 is not read/);
});

t.test('rows in a form of another version are no rows', async (t) => {
  const columns = { market: ['a', 'b'], price: [1, 2] };
  for (const rows of [columns, undefined, 3])
    t.throws(() => decode(encode({ source: 'x', rows }), older), /rows is not a list/);
});

t.test('any two versions', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const columns = fc.uniqueArray(fc.constantFrom(...names));
  const value = fc.oneof(fc.integer(), fc.constant(null), fc.constantFrom('x', 'y'), fc.double());
  const row = fc.dictionary(fc.constantFrom(...names, 'f'), value, { noNullPrototype: true });
  const rows = fc.array(row, { maxLength: 9 });
  const all = fc.tuple(columns, columns, rows, row);
  await property(t, all, ([own, others, rows, around]) => {
    const schemaOf = (of: string[]): Schema => ({
      number: 1,
      own: of,
      lists: () => ({ rows: of }),
    });
    // MessagePack has no negative zero.
    const sent = JSON.parse(JSON.stringify({ ...around, rows }));
    const read = decode<{ rows: object[] }>(encode(sent, schemaOf(others)), schemaOf(own));
    const nulls = Object.fromEntries(own.map((name) => [name, null]));
    const expected = {
      ...nulls,
      ...sent,
      rows: sent.rows.map((one: object) => ({ ...nulls, ...one })),
    };
    assert.deepEqual(read, expected);
  });
});

t.test('the nullable columns of a schema', async (t) => {
  const schema = s.object({
    always: s.integer(),
    number: s.numberOrNull(),
    object: s.orNull(s.object({ a: s.string() }), 'An object.'),
    word: s.oneOf(['a', null]),
    choice: s.oneOf(['a', 'b']),
    maybe: s.optional(s.numberOrNull()),
  });
  t.strictSame(nullableOf(schema), ['number', 'object', 'word']);
});

t.test('every topic has a schema', async (t) => {
  t.strictSame(Object.keys(schemas).sort(), Object.keys(topics).sort());
});
