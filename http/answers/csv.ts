/**
 * Answers as CSV (RFC 4180). Which list is shown and which columns it has follow from the schema of the answer alone, so
 * that they do not change with the data.
 */
type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the value of a column stands in a row. */
type Path = readonly string[];

/** A list of rows in an answer. */
interface Rows {
  /** The property of `data` that is the list; null where `data` is it. */
  at: string | null;
  /** The name of the first column where the list is a map: its keys are shown there. */
  key: string | null;
  /** Null where the rows are lists of cells, whose names are the list `columns` of `data`. */
  columns: readonly Path[] | null;
}

const alternativesOf = (schema: Json): Json[] =>
  Array.isArray(schema.anyOf)
    ? schema.anyOf
        .filter(isObject)
        .flatMap(alternativesOf)
        .filter(({ type }) => type !== 'null')
    : [schema];

/** The schema of an object with named properties, or null. */
function recordIn(schema: unknown): Json | null {
  if (!isObject(schema)) return null;
  const [only, ...others] = alternativesOf(schema);
  return others.length === 0 && isObject(only?.properties) ? only.properties : null;
}

/** The columns of a row: objects in it are flattened, lists and maps in it are one column. */
const columnsOf = (properties: Json, prefix: Path = []): Path[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const inner = recordIn(schema);
    return inner === null ? [[...prefix, name]] : columnsOf(inner, [...prefix, name]);
  });

/** The rows of a list or of a map of objects; null for all other schemas. */
function rowsIn(schema: unknown, at: string | null): Rows | null {
  if (!isObject(schema)) return null;
  const isList = schema.type === 'array';
  const row = recordIn(isList ? schema.items : schema.additionalProperties);
  if (row === null) return null;
  if (isList) return { at, key: null, columns: columnsOf(row) };
  const key = at === null ? 'symbol' : at.replace(/s$/, '');
  return { at, key, columns: columnsOf(row).filter((path) => path.join('.') !== key) };
}

const isListOfLists = (schema: unknown): boolean =>
  isObject(schema) && isObject(schema.items) && schema.items.type === 'array';

/** The rows of one form of `data`: those of the list in it that is named; else of its only one, null without one. */
function listIn(schema: Json, names: readonly string[]): Rows | null {
  const whole = rowsIn(schema, null);
  if (whole) return whole;
  const { properties } = schema;
  if (!isObject(properties)) return null;
  if (isListOfLists(properties.rows)) return { at: 'rows', key: null, columns: null };
  const named = names.find((name) => name in properties);
  if (named !== undefined) return rowsIn(properties[named], named);
  const found = Object.entries(properties).flatMap(([name, one]) => rowsIn(one, name) ?? []);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Text that a spreadsheet would evaluate, in quotes or not: names of tokens are chosen by anyone. */
const formula = /^[=+\-@\t\r]/;
const isNumber = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Text that RFC 4180 puts in quotes. */
const quoted = /[",\r\n]/;

/** A cell. Numbers are written as in JSON, null is empty, lists and maps are JSON; an apostrophe precedes a formula. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  const text = formula.test(plain) && !isNumber.test(plain) ? `'${plain}` : plain;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function valueAt(row: unknown, path: Path): unknown {
  let value = row;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return value;
}

/** The rows in `data` with the key of each where the list is a map; null where `data` has another form. */
function entriesIn(data: unknown, { at, key }: Rows): [key: string | null, row: unknown][] | null {
  const list = at === null ? data : isObject(data) ? data[at] : undefined;
  if (key === null) return Array.isArray(list) ? list.map((row) => [null, row]) : null;
  return isObject(list) ? Object.entries(list) : null;
}

const endOfLine = '\r\n';

/** Lines of cells as CSV. */
export const csvLines = (lines: readonly (readonly unknown[])[]): string =>
  lines.map((cells) => cells.map(cell).join(',') + endOfLine).join('');

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const cellsIn = (data: unknown, name: string) => listOf(isObject(data) ? data[name] : undefined);
const rowCells = ([, row]: [string | null, unknown]) => listOf(row);

/** Writes the answers of one row of the route table as CSV. */
export class Table {
  readonly #forms: readonly Rows[];

  constructor(forms: readonly Rows[]) {
    this.#forms = forms;
  }

  /** Where the rows stand in each form of the answer. */
  get lists(): string[] {
    return this.#forms.map(({ at }) => (at === null ? 'data' : `data.${at}`));
  }

  /** The text for `data`, with a header line; null where it is not a list of rows. */
  textOf(data: unknown): string | null {
    for (const form of this.#forms) {
      const rows = entriesIn(data, form);
      if (rows === null) continue;
      const { key, columns } = form;
      if (columns === null) return csvLines([cellsIn(data, 'columns'), ...rows.map(rowCells)]);
      const names = columns.map((path) => path.join('.'));
      return csvLines([
        key === null ? names : [key, ...names],
        ...rows.map(([name, row]) => {
          const cells = columns.map((path) => valueAt(row, path));
          return name === null ? cells : [name, ...cells];
        }),
      ]);
    }
    return null;
  }
}

/** The table for answers of a schema, with the rows of these lists; null where none of its forms is a list of rows. */
export function tableFor(schema: Json, lists: readonly string[]): Table | null {
  const forms = alternativesOf(schema).flatMap((one) => listIn(one, lists) ?? []);
  return forms.length === 0 ? null : new Table(forms);
}
