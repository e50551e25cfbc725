/** Cells and lines of CSV (RFC 4180), for answers and for the files of the dashboard. */

/** Text that a spreadsheet would evaluate, in quotes or not: names of tokens are chosen by anyone. */
const formula = /^[=+\-@\t\r]/;
const isNumber = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Text that RFC 4180 puts in quotes. */
const special = /[",\r\n]/;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A cell. Numbers are written as in JSON, null is empty, lists and maps are JSON; an apostrophe precedes a formula. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  const text = formula.test(plain) && !isNumber.test(plain) ? `'${plain}` : plain;
  return special.test(text) ? quoted(text) : text;
}

/** Lines of cells as CSV. */
export const csvLines = (lines: readonly (readonly unknown[])[]): string =>
  lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');

/** A cell for programs: text is in quotes and stays as it is, an empty one too; null is empty. */
export const exactCell = (value: number | string | null): string =>
  typeof value === 'string' ? quoted(value) : value === null ? '' : String(value);

/** Lines of cells as CSV that a program reads back as they were. */
export const exactLines = (lines: readonly (readonly (number | string | null)[])[]): string =>
  lines.map((cells) => `${cells.map(exactCell).join(',')}\r\n`).join('');
