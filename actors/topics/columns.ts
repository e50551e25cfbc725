/**
 * The columns of what travels, for processes of different versions. A process reads what the version before and the one after
 * it write: it ignores a column that it does not know, and one that the writer does not know is null.
 *
 * A column never changes its meaning, unit or sign: that is a column with a new name. A new column is nullable or optional, and
 * one that is to go becomes so one release before. Each release that changes the columns of a topic adds one to its number;
 * an entry whose number is higher by more than one is not read.
 */
import type { TObject, TSchema } from './schema.ts';

/** Whether a column is always there, is null, or is absent where there is no value. */
export type Column = 'required' | 'nullable' | 'optional';

/** The column of each property of a type, no more and no fewer. */
export type Columns<Row> = {
  readonly [K in keyof Row]-?: Record<never, never> extends Pick<Row, K>
    ? 'optional'
    : null extends Row[K]
      ? 'nullable'
      : 'required';
};

type ColumnNames = ReadonlyMap<string, Column>;

/** The columns of one type, as entries are read by them. */
export class ColumnList {
  readonly #columns: ColumnNames;
  readonly #required: readonly string[];
  readonly #nullable: readonly string[];
  /** The names of the latest row that had exactly these columns: the next one has the same as a rule. */
  #latest: readonly string[] = [];

  constructor(columns: ColumnNames) {
    const those = (kind: Column) =>
      [...columns].flatMap(([name, column]) => (column === kind ? [name] : []));
    this.#columns = columns;
    this.#required = those('required');
    this.#nullable = those('nullable');
  }

  has(name: string): boolean {
    return this.#columns.has(name);
  }

  /** Throws TypeError where a required column is not among the names. */
  check(names: readonly string[]): void {
    const missing = this.#required.find((name) => !names.includes(name));
    if (missing !== undefined) throw new TypeError(`the column ${missing} is missing`);
  }

  /** The nullable columns that are not among the names. */
  absent(names: readonly string[]): readonly string[] {
    return this.#nullable.filter((name) => !names.includes(name));
  }

  /** A row with these columns alone. Throws TypeError where a required one is missing. */
  read(row: Row): Row {
    return this.isExact(row) ? row : this.#pick(row, Object.keys(row));
  }

  /** Each row with these columns alone. */
  readAll(rows: readonly Row[]): readonly Row[] {
    return rows.every((row) => this.isExact(row)) ? rows : rows.map((row) => this.read(row));
  }

  /** Whether a row has these columns alone, and all that it must have. Throws TypeError where a required one is missing. */
  isExact(row: Row): boolean {
    if (this.#latest.length > 0 && hasNames(row, this.#latest)) return true;
    const names = Object.keys(row);
    this.check(names);
    const isExact = names.every((name) => this.has(name)) && this.absent(names).length === 0;
    if (isExact) this.#latest = names;
    return isExact;
  }

  #pick(row: Row, names: readonly string[]): Row {
    const known: Record<string, unknown> = {};
    for (const name of names) if (this.has(name)) known[name] = row[name];
    for (const name of this.absent(names)) known[name] = null;
    return known;
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Whether a row has these names in this order. */
function hasNames(row: Row, names: readonly string[]): boolean {
  let at = 0;
  for (const name in row) if (name !== names[at++]) return false;
  return at === names.length;
}

/** The columns of a type that is written out. */
export const columnsOf = <Row>(columns: Columns<Row>): ColumnList =>
  new ColumnList(new Map(Object.entries<Column>(columns)));

/** The columns of a type that has a schema. */
export function columnsOfSchema({ properties, required = [] }: TObject): ColumnList {
  const columnOf = (name: string, schema: TSchema): Column => {
    if (!required.includes(name)) return 'optional';
    return takesNull(schema) ? 'nullable' : 'required';
  };
  const columns = Object.entries(properties).map(([name, schema]): [string, Column] => [
    name,
    columnOf(name, schema),
  ]);
  return new ColumnList(new Map(columns));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Whether null is a value of a schema, by the keywords that `schema.ts` writes. */
const takesNull = ({ type, enum: values, anyOf }: TSchema): boolean =>
  listOf(type).includes('null') ||
  listOf(values).includes(null) ||
  listOf(anyOf).some((one) => isSchema(one) && takesNull(one));

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null;

type Value = Readonly<Record<string, unknown>>;

/** What the entries of a topic are made of. */
export interface Schema {
  number: number;
  /** Of the value itself. */
  columns: ColumnList;
  /** Of the rows in it, by the name under which the value has them. */
  lists(value: Value): Readonly<Record<string, ColumnList>>;
}
