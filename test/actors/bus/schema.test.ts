/** Processes of two versions that read what the other one writes. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import t from 'tap';
import { decode, encode } from '../../../actors/bus/codec.ts';
import {
  ColumnList,
  type Columns,
  columnsOf,
  columnsOfSchema,
  type Schema,
} from '../../../actors/topics/columns.ts';
import * as s from '../../../actors/topics/schema.ts';
import { schemas } from '../../../actors/topics/schemas.ts';
import { topics } from '../../../actors/topics/table.ts';
import { property } from '../../support/property.ts';

/** A topic of version 1. */
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

const oldRow: Columns<OldRow> = {
  market: 'required',
  price: 'required',
  bid: 'nullable',
  ask: 'nullable',
  note: 'optional',
};

const newRow: Columns<NewRow> = {
  market: 'required',
  price: 'required',
  bid: 'nullable',
  note: 'optional',
  mark: 'nullable',
  venue: 'optional',
};

const oldRows = columnsOf<OldRow>(oldRow);
const newRows = columnsOf<NewRow>(newRow);

const older: Schema = {
  number: 1,
  columns: columnsOf<OldValue>({ source: 'required', rows: 'required' }),
  lists: () => ({ rows: oldRows }),
};

const newer: Schema = {
  number: 2,
  columns: columnsOf<NewValue>({
    source: 'required',
    rows: 'required',
    region: 'nullable',
    tags: 'optional',
  }),
  lists: () => ({ rows: newRows }),
};

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
    const rows = value.rows.map(({ market, price, bid, note }) => ({
      ...{ market, price, bid, ask: null },
      ...(note !== undefined && { note }),
    }));
    t.strictSame(
      read,
      { source: 'x', rows },
      'unknown columns are ignored, the missing one is null',
    );
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
    const rows = value.rows.map(({ market, price, bid, note }) => ({
      ...{ market, price, bid, mark: null },
      ...(note !== undefined && { note }),
    }));
    t.strictSame(read, { source: 'x', rows, region: null });
  });
}

t.test(
  'a process without schemas reads the first one, and ignores the number of others',
  async (t) => {
    const plain = new Packr({ useRecords: false });
    const value = written(2);
    t.strictSame(plain.unpack(encode(value, { ...newer, number: 1 })), value);
    t.strictSame(plain.unpack(encode(value, newer)), { ...value, schema: 2 });
    t.strictSame(
      decode(encode(value, newer), newer),
      value,
      'its own reader does not see the number',
    );
  },
);

t.test('one version ahead is read, two are not', async (t) => {
  const bytes = (number: number) => encode(written(4), { ...newer, number });
  t.equal(decode<OldValue>(bytes(2), older).rows.length, 4);
  t.throws(() => decode(bytes(3), older), { name: 'TypeError', message: /too new/ });
  t.equal(decode<NewValue>(bytes(1), { ...newer, number: 9 }).rows.length, 4, 'older ones are');
});

t.test('a row without a column that is always there is not read', async (t) => {
  const without = (count: number, leave: string) => ({
    source: 'x',
    rows: written(count).rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => name !== leave)),
    ),
  });
  for (const count of [1, 5]) {
    t.throws(() => decode(encode(without(count, 'price')), older), /the column price is missing/);
    t.doesNotThrow(() => decode(encode(without(count, 'bid')), older));
  }
  t.throws(() => decode(encode({ rows: [] }), older), /the column source is missing/);
});

/** The value as a reader of some columns has it, by the definition. */
function readBy(columns: Readonly<Record<string, string>>, row: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(columns).flatMap(([name, kind]) => {
    if (Object.hasOwn(row, name)) return [[name, row[name]]];
    return kind === 'nullable' ? [[name, null]] : [];
  });
  return Object.fromEntries(entries);
}

t.test('any two versions', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const kind = fc.constantFrom('nullable' as const, 'optional' as const);
  const columns = fc.dictionary(fc.constantFrom(...names), kind, { noNullPrototype: true });
  const value = fc.oneof(fc.integer(), fc.constant(null), fc.constantFrom('x', 'y'), fc.double());
  const row = fc.dictionary(fc.constantFrom(...names, 'f'), value, { noNullPrototype: true });
  const rows = fc.array(row, { maxLength: 9 });
  await property(t, fc.tuple(columns, columns, rows, row), ([own, others, rows, around]) => {
    const schemaOf = (of: typeof own): Schema => {
      const list = new ColumnList(new Map(Object.entries(of)));
      const lists = { rows: list };
      const columns = new ColumnList(new Map([...Object.entries(of), ['rows', 'optional']]));
      return { number: 1, columns, lists: () => lists };
    };
    // MessagePack has no negative zero.
    const sent = JSON.parse(JSON.stringify({ ...around, rows }));
    const read = decode<{ rows: object[] }>(encode(sent, schemaOf(others)), schemaOf(own));
    const expected = {
      ...readBy(own, sent),
      rows: sent.rows.map((one: Record<string, unknown>) => readBy(own, one)),
    };
    assert.deepEqual(read, expected);
  });
});

t.test('the columns of a schema', async (t) => {
  const list = columnsOfSchema(
    s.object({
      always: s.integer(),
      number: s.numberOrNull(),
      object: s.orNull(s.object({ a: s.string() }), 'An object.'),
      word: s.oneOf(['a', null]),
      choice: s.oneOf(['a', 'b']),
      maybe: s.optional(s.numberOrNull()),
    }),
  );
  const row = { always: 1, choice: 'a', other: 3 };
  const nulls = { number: null, object: null, word: null };
  t.strictSame(list.read(row), { always: 1, choice: 'a', ...nulls });
  t.throws(() => list.read({ always: 1 }), /choice/);
  t.throws(() => list.read({ choice: 'a' }), /always/);
});

t.test('every topic has a schema', async (t) => {
  t.strictSame(Object.keys(schemas).sort(), Object.keys(topics).sort());
});
