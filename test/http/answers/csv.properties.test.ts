/** Answers as CSV, read again by a reader of RFC 4180 that knows nothing of them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import * as s from '../../../actors/topics/schema.ts';
import { tableFor } from '../../../http/answers/csv.ts';
import { property } from '../../support/property.ts';

/** The cells of each line, by the grammar of RFC 4180. Throws for what is not of that form. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  for (let line: string[] = []; cell.lastIndex < text.length; ) {
    const from = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`no cell at ${from} of ${JSON.stringify(text)}`);
    const [, quoted, bare = '', end] = found;
    line.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

const inner = s.object({ note: s.stringOrNull(), deeper: s.object({ share: s.numberOrNull() }) });
const row = s.object({
  name: s.string(),
  value: s.numberOrNull(),
  inner: s.orNull(inner),
  tags: s.list(s.string()),
  flag: s.optional(s.boolean()),
});
const header = ['name', 'value', 'inner.note', 'inner.deeper.share', 'tags', 'flag'];

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'",\r\n=+-@\t\' 1a;') }),
  fc.constantFrom('=1+1', '-5', '+1e3', '@x', '\t', '"', "'=x", '1,5'),
);
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (value === 0 ? 0 : value));
const deeper = fc.record({ share: fc.option(number) });
const rows = fc.array(
  fc.record(
    {
      name: text,
      value: fc.option(number),
      inner: fc.option(fc.record({ note: fc.option(text), deeper })),
      tags: fc.array(text, { maxLength: 3 }),
      flag: fc.boolean(),
    },
    { requiredKeys: ['name', 'value', 'inner', 'tags'] },
  ),
);

/** What a spreadsheet would evaluate. */
const isFormula = (cell: string): boolean =>
  /^[=+\-@\t\r]/.test(cell) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell);

/** A cell as a reader takes it: empty for null, numbers and texts as they are, an apostrophe before a formula. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  return isFormula(plain) ? `'${plain}` : plain;
}

t.test(
  'what is written as CSV is read again, cell by cell, and no cell is a formula',
  async (t) => {
    const table = tableFor({ ...s.list(row) }, []);
    await property(t, rows, (rows) => {
      const [first, ...lines] = readCsv(table?.textOf(rows) ?? '');
      assert.deepEqual(first, header);
      const wanted = rows.map(({ name, value, inner, tags, flag }) =>
        [name, value, inner?.note, inner?.deeper.share, tags, flag].map(shown),
      );
      assert.deepEqual(lines, wanted);
      assert.ok(!lines.flat().some(isFormula));
      for (const [at, { value }] of rows.entries())
        if (value !== null) assert.equal(Number(lines[at]?.[1]), value);
    });
  },
);

t.test('a map is a table whose first column is the key', async (t) => {
  const table = tableFor({ ...s.mapOf(s.object({ value: s.number() }), 'symbol') }, []);
  const keys = text.filter((key) => key !== '__proto__');
  const maps = fc.dictionary(keys, fc.record({ value: number }), { noNullPrototype: true });
  await property(t, maps, (map) => {
    const [first, ...lines] = readCsv(table?.textOf(map) ?? '');
    assert.deepEqual(first, ['symbol', 'value']);
    const wanted = Object.entries(map).map(([key, { value }]) => [shown(key), String(value)]);
    assert.deepEqual(lines, wanted);
  });
});
