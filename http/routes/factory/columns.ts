/** The rows of a list: each column is a schema and where its value comes from. */
import * as s from '../../../actors/topics/schema.ts';

/** The names of the properties of `In` with a value of type `V`. */
type NameOf<In, V> = {
  [N in keyof In]-?: In[N] extends V ? N : never;
}[keyof In];

/**
 * The columns of rows that are made of values of type `In`: the schema of each, with the name of the property that it is, or the
 * function that gives it, where it is not the property of the same name. A value of another type than its schema says does not
 * compile.
 */
type Table<In, P extends s.TProperties> = {
  readonly [K in keyof P]:
    | (In extends { readonly [N in K]?: s.Static<P[K]> } ? P[K] : never)
    | PairOf<P[K], NameOf<In, s.Static<P[K]>> | ((one: In, at: number) => ValueOf<P[K]>)>;
};

/** What a column gives: undefined too where it may be absent. */
type ValueOf<S extends s.TSchema> = s.Static<S> | (S extends s.Optional ? undefined : never);

/** A tuple, in a form into which the compiler does not infer the keywords of a schema. */
interface PairOf<S, V> {
  readonly 0: S;
  readonly 1: V;
  readonly length: 2;
}

/** Rows that are made of values of type `In`. */
export interface Columns<in In, P extends s.TProperties> {
  properties: P;
  schema: s.TObject<P>;
  /** The row of a value; `at` is its place in the list, from 0. */
  read(one: In, at?: number): s.Static<s.TObject<P>>;
  /** The rows of all these values. */
  all(list: readonly In[]): s.Static<s.TObject<P>>[];
}

type Reader<In> = (one: In, at: number) => unknown;
type Pair<In> = PairOf<s.TSchema, PropertyKey | Reader<In>>;
type Column<In> = s.TSchema | Pair<In>;

const isPair = <In>(column: Column<In>): column is Pair<In> => Array.isArray(column);

/** Reads the property of this name. The type of the table says that there is one. */
const own =
  (name: PropertyKey): Reader<object> =>
  (one) =>
    (one as Readonly<Record<PropertyKey, unknown>>)[name];

/**
 * Declares rows: `columns<Market>()({ price: s.number('USD.'), pair: [s.string('Its id.'), 'market'] })`. A value that is
 * undefined is left out.
 */
export const columns =
  <In extends object>() =>
  <const P extends s.TProperties>(table: Table<In, P>): Columns<In, P> => {
    const given = Object.entries<Column<In>>(table);
    const cells = given.map(([name, column]) => {
      const { 0: schema, 1: from } = isPair(column) ? column : { 0: column, 1: name };
      return { name, schema, read: typeof from === 'function' ? from : own(from) };
    });
    const read = (one: In, at = 0) => {
      const row: Record<string, unknown> = {};
      for (const cell of cells) {
        const value = cell.read(one, at);
        if (value !== undefined) row[cell.name] = value;
      }
      return row;
    };
    // What is made of the table's entries has its names and types.
    const properties = Object.fromEntries(cells.map(({ name, schema }) => [name, schema])) as P;
    const rowOf = read as Columns<In, P>['read'];
    const all = (list: readonly In[]) => list.map((one, at) => rowOf(one, at));
    return { properties, schema: s.object(properties), read: rowOf, all };
  };

/** The column of a value that is the same in every row. */
export const constant = <const V extends string | boolean>(value: V, description: string) =>
  [s.literal(value, description), (): V => value] as const;

/** Rows that have the form of the schema already. */
export const plain = <P extends s.TProperties>(
  schema: s.TObject<P>,
): Columns<s.Static<s.TObject<P>>, P> => ({
  properties: schema.properties,
  schema,
  read: (row) => row,
  all: (list) => [...list],
});

/** The column with the number of the exchanges of a point; `which` says which they are. */
export const exchangeCount = (which: string) =>
  [
    s.integer(`Exchanges ${which}.`),
    ({ exchanges }: { exchanges: object }) => Object.keys(exchanges).length,
  ] as const;
