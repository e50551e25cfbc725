/** Rows of literal values as text, one a line, so that a reader compares columns and a test is as long as its rows. */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';

export type Row = Readonly<Record<string, unknown>>;

const number = String.raw`-?[\d_]*\.?\d[\d_]*(?:e-?\d+)?`;
const computed = new RegExp(`^(${number})(?:([*/])(${number}))?$`);
const words = new Map<string, unknown>([
  ['-', null],
  ['true', true],
  ['false', false],
]);
const numberOf = (text = '') => Number(text.replaceAll('_', ''));

function cellOf(text: string): unknown {
  if (words.has(text)) return words.get(text);
  const [, one, operator, other] = computed.exec(text) ?? [];
  if (one === undefined) return text;
  if (operator === undefined) return numberOf(one);
  return operator === '*' ? numberOf(one) * numberOf(other) : numberOf(one) / numberOf(other);
}

/** What stands for a value of the template until its cell is read. */
const given = '\0';

/** The cells of each line of the blocks that empty lines part. */
const blocksOf = (text: string): string[][][] =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((block) =>
      block
        .split('\n')
        .map((line) => line.replace(/(^|\s)\/\/.*$/, '').trim())
        .filter((line) => line !== '')
        .map((line) => line.split(/\s+/)),
    );

/**
 * The rows of a text table. Its first line names the columns; white space parts the cells. A cell is a number (`104_000.5`, `1e-9`),
 * a product or a quotient of two (`0.0125/1000`), `-` for null, `true`, `false`, or else a string; `.` leaves its column out of
 * the row. Every other value is given as `${value}`. What stands behind `//` is a comment. Behind an empty line stand further
 * columns of the same rows.
 * @throws RangeError where a row has not as many cells as there are columns, or a block not as many rows as the first
 */
export function table(text: TemplateStringsArray, ...values: readonly unknown[]): Row[] {
  return rowsIn(text.join(given), values);
}

/** The rows of a text table that stands in a file; `values` are those of a template. */
export function rowsIn(text: string, values: readonly unknown[] = []): Row[] {
  const rest = values.values();
  const rows: Row[] = [];
  for (const [columns = [], ...lines] of blocksOf(text)) {
    if (rows.length > 0 && lines.length !== rows.length)
      throw new RangeError(`${lines.length} rows behind ${rows.length}`);
    for (const [at, cells] of lines.entries()) {
      if (cells.length !== columns.length)
        throw new RangeError(`${cells.length} cells in ${columns.length} columns: ${cells}`);
      const pairs = cells.map((cell, column): [string, unknown] => [
        columns[column] ?? '',
        cell === given ? rest.next().value : cellOf(cell),
      ]);
      rows[at] = { ...rows[at], ...Object.fromEntries(pairs.filter(([, value]) => value !== '.')) };
    }
  }
  return rows;
}

/** The rows of `test/fixtures/<name>.txt`. */
export const tableOf = (name: string): Row[] =>
  rowsIn(readFileSync(new URL(`../fixtures/${name}.txt`, import.meta.url), 'utf8'));

/** The one row of a text table. */
export function tableRow(text: TemplateStringsArray, ...values: readonly unknown[]): Row {
  const [only, ...more] = table(text, ...values);
  if (only === undefined || more.length > 0) throw new RangeError('not one row');
  return only;
}

/** The values of a text table: one row where what is held against it is no list. */
const wanted = (found: unknown) => (Array.isArray(found) ? table : tableRow);

/** Asserts that the found row or rows are exactly those of the table that follows. */
export const sameRows =
  (t: Test, found: unknown, message = 'the rows of the table') =>
  (text: TemplateStringsArray, ...values: readonly unknown[]): boolean =>
    t.strictSame(found, wanted(found)(text, ...values), message);

/** Asserts that the found row or rows have the values of the table that follows; they may have further columns. */
export const likeRows =
  (t: Test, found: unknown, message = 'the values of the table') =>
  (text: TemplateStringsArray, ...values: readonly unknown[]): boolean =>
    t.match(found, wanted(found)(text, ...values), message);

/** A cell that is a word. */
export function wordIn(cell: unknown): string {
  if (typeof cell !== 'string') throw new TypeError(`${cell} is no word`);
  return cell;
}

/** A cell that is a number. */
export function numberIn(cell: unknown): number {
  if (typeof cell !== 'number') throw new TypeError(`${cell} is no number`);
  return cell;
}
