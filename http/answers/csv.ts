/**
 * Answers as CSV (RFC 4180). Which list is shown and which columns it has follow from the schema of the answer alone, so
 * that they do not change with the data.
 */
import { csvLines } from './csv-lines.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the value of a column stands in a row. */
type Path = readonly string[];

type Line = readonly unknown[];

/** How one form of an answer becomes a table. */
interface TableForm {
  /** Where its values stand. */
  at: string;
  /** The header and the lines of cells; null where `data` has another form. */
  linesOf(data: unknown): Line[] | null;
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

const placeOf = (at: string | null): string => (at === null ? 'data' : `data.${at}`);
const listOf = (value: unknown): Line => (Array.isArray(value) ? value : []);

function valueAt(row: unknown, path: Path): unknown {
  let value = row;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return value;
}

/** The rows of a list or of a map of objects, which is the property `at` or the whole; null for all other schemas. */
function rowsIn(schema: unknown, at: string | null): TableForm | null {
  if (!isObject(schema)) return null;
  const isList = schema.type === 'array';
  const row = recordIn(isList ? schema.items : schema.additionalProperties);
  if (row === null) return null;
  const of = (data: unknown) => (at === null ? data : valueAt(data, [at]));
  // Where the list is a map its keys are the first column.
  const key = isList ? null : at === null ? 'symbol' : at.replace(/s$/, '');
  const columns = columnsOf(row).filter((path) => key === null || path.join('.') !== key);
  const names = columns.map((path) => path.join('.'));
  const cellsOf = (one: unknown) => columns.map((path) => valueAt(one, path));
  return {
    at: placeOf(at),
    linesOf(data) {
      const list = of(data);
      if (key === null) return Array.isArray(list) ? [names, ...list.map(cellsOf)] : null;
      if (!isObject(list)) return null;
      const rows = Object.entries(list).map(([name, one]) => [name, ...cellsOf(one)]);
      return [[key, ...names], ...rows];
    },
  };
}

/** Rows that are lists of cells already; the list `columns` beside them has their names. */
const rowsOfCells: TableForm = {
  at: placeOf('rows'),
  linesOf(data) {
    const rows = valueAt(data, ['rows']);
    return Array.isArray(rows) ? [listOf(valueAt(data, ['columns'])), ...rows.map(listOf)] : null;
  },
};

const isList = (schema: unknown): schema is Json => isObject(schema) && schema.type === 'array';
const isListOfLists = (schema: unknown): boolean => isList(schema) && isList(schema.items);

/**
 * A chart: lists that all are as long as `timestamps`, some of them in a map by name. A row is a time, and the names in the map are
 * columns; null for all other schemas.
 */
function chartIn(properties: Json): TableForm | null {
  const map = Object.keys(properties).find((name) => {
    const schema = properties[name];
    return isObject(schema) && isList(schema.additionalProperties);
  });
  if (map === undefined || !isList(properties.timestamps)) return null;
  const lists = Object.keys(properties).filter((name) => isList(properties[name]));
  const names = lists.map((name) => name.replace(/s$/, ''));
  return {
    at: placeOf(map),
    linesOf(data) {
      const named = valueAt(data, [map]);
      const times = valueAt(data, ['timestamps']);
      if (!isObject(named) || !Array.isArray(times)) return null;
      const columns = [
        ...lists.map((name) => listOf(valueAt(data, [name]))),
        ...Object.values(named).map(listOf),
      ];
      const rows = times.map((_, i) => columns.map((column) => column[i]));
      return [[...names, ...Object.keys(named)], ...rows];
    },
  };
}

/** The tables of one form of `data`: of the first list in it that is named and always there, and of those before it; else of its only one. */
function tablesIn(schema: Json, names: readonly string[]): TableForm[] {
  const whole = rowsIn(schema, null);
  if (whole) return [whole];
  const { properties } = schema;
  if (!isObject(properties)) return [];
  if (isListOfLists(properties.rows)) return [rowsOfCells];
  const chart = chartIn(properties);
  if (chart) return [chart];
  const tableAt = (name: string) => rowsIn(properties[name], name) ?? [];
  const named = names.filter((name) => name in properties);
  if (named.length > 0) {
    const always = named.findIndex((name) => listOf(schema.required).includes(name));
    return named.slice(0, always < 0 ? named.length : always + 1).flatMap(tableAt);
  }
  const found = Object.keys(properties).flatMap(tableAt);
  return found.length === 1 ? found : [];
}

/** The one row of an answer without any list of rows; null where it is no object with named properties. */
function singleIn(schema: Json): TableForm | null {
  const properties = recordIn(schema);
  if (properties === null) return null;
  if (Object.entries(properties).some(([name, one]) => rowsIn(one, name))) return null;
  const columns = columnsOf(properties);
  return {
    at: 'data',
    linesOf: (data) =>
      isObject(data)
        ? [columns.map((path) => path.join('.')), columns.map((path) => valueAt(data, path))]
        : null,
  };
}

/** Writes the answers of one row of the route table as CSV. */
export class Table {
  readonly #forms: readonly TableForm[];

  constructor(forms: readonly TableForm[]) {
    this.#forms = forms;
  }

  /** Where the rows stand in each form of the answer. */
  get lists(): string[] {
    return this.#forms.map(({ at }) => at);
  }

  /** The text for `data`, with a header line; null where it is not a list of rows. */
  textOf(data: unknown): string | null {
    for (const form of this.#forms) {
      const lines = form.linesOf(data);
      if (lines !== null) return csvLines(lines);
    }
    return null;
  }
}

/**
 * The table for answers of a schema, with the rows of these lists; null where none of its forms is a list of rows. Where some of
 * them are, another one is a single row.
 */
export function tableFor(schema: Json, lists: readonly string[]): Table | null {
  const schemas = alternativesOf(schema);
  const tables = schemas.map((one) => tablesIn(one, lists));
  const forms = tables.flat();
  if (forms.length === 0) return null;
  const others = schemas.filter((_, i) => tables[i]?.length === 0);
  return new Table([...forms, ...others.flatMap((one) => singleIn(one) ?? [])]);
}
