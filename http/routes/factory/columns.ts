/** Fields of an object as a table that has the schema and the value of each side by side. */
import * as s from '../../../actors/topics/schema.ts';

/** What a property with this schema may hold; undefined where it is optional. */
type ValueOf<S extends s.TSchema> =
  | s.Static<S>
  | (S extends { '~optional': true } ? undefined : never);

/** The properties of a `T` that fit a schema. */
type Fitting<T, S extends s.TSchema> = {
  [K in keyof T]: T[K] extends ValueOf<S> ? K : never;
}[keyof T];

/** A schema with the value or the property that has it; alone where the property has the name of the field. */
type Cells<T, P extends s.TProperties> = {
  readonly [K in keyof P]:
    | readonly [schema: P[K], value: Fitting<T, P[K]> | ((from: T) => ValueOf<P[K]>)]
    | (K extends Fitting<T, P[K]> ? P[K] : never);
};

/** The fields that are made of a `T`. */
export interface Columns<in T> {
  /** Their schemas by name. */
  readonly properties: s.TProperties;
  /** Their values; a field whose value is undefined is left out. */
  read(from: T): Readonly<Record<string, unknown>>;
}

type Made<T> = readonly [schema: s.TSchema, value: PropertyKey | ((from: T) => unknown)];

const isMade = <T>(cell: s.TSchema | Made<T>): cell is Made<T> => Array.isArray(cell);

/**
 * Declares the fields that are made of a `T`, after those of `before`. Example:
 * `columns<Row>()({ timestamp: s.unixMs(), bought_usd: [s.number(), 'buy'], delta_usd: [s.number(), (row) => row.buy - row.sell] })`.
 */
export const columns =
  <T>(...before: readonly Columns<T>[]) =>
  <P extends s.TProperties>(cells: Cells<T, P>): Columns<T> => {
    const own = Object.entries<s.TSchema | Made<T>>(cells).map(([name, cell]) => {
      const [schema, value] = isMade(cell) ? cell : ([cell, name] as const);
      const read =
        typeof value === 'function' ? value : (from: T) => Reflect.get(Object(from), value);
      return { name, schema, read };
    });
    const schemas = Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
    return {
      properties: Object.assign({}, ...before.map(({ properties }) => properties), schemas),
      read(from) {
        const made: Record<string, unknown> = {};
        for (const one of before) Object.assign(made, one.read(from));
        for (const { name, read } of own) {
          const value: unknown = read(from);
          if (value !== undefined) made[name] = value;
        }
        return made;
      },
    };
  };

/** The fields of a part of a `T`. */
export const fieldsOf = <T, U>(fields: Columns<U>, of: (from: T) => U): Columns<T> => ({
  properties: fields.properties,
  read: (from) => fields.read(of(from)),
});

/** A field that is a list of objects with these fields. */
export const listed = <T, R>(
  fields: Columns<R>,
  description: string,
  of: (from: T) => readonly R[],
) =>
  [
    s.list(s.object(fields.properties), description),
    (from: T) => of(from).map((row) => fields.read(row)),
  ] as const;
