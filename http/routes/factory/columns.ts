/** Fields of an object as a table that has the schema and the value of each side by side. */
import * as s from '../../../actors/topics/schema.ts';

/** What a property with this schema may hold; undefined where it is optional. */
type ValueOf<S extends s.TSchema> =
  | s.Static<S>
  | (S extends { '~optional': true } ? undefined : never);

/** A schema with what makes its value, or alone where the object has a property of that name. */
type Cells<T, P extends s.TProperties> = {
  readonly [K in keyof P]:
    | readonly [schema: P[K], value: (from: T) => ValueOf<P[K]>]
    | (K extends keyof T ? (T[K] extends ValueOf<P[K]> ? P[K] : never) : never);
};

/** The fields that are made of a `T`. */
export interface Columns<in T> {
  /** Their schemas by name. */
  readonly properties: s.TProperties;
  /** Their values; a field whose value is undefined is left out. */
  read(from: T): Readonly<Record<string, unknown>>;
}

type Made<T> = readonly [schema: s.TSchema, value: (from: T) => unknown];

const isMade = <T>(cell: s.TSchema | Made<T>): cell is Made<T> => Array.isArray(cell);

/**
 * Declares the fields that are made of a `T`, after those of `before`. Example:
 * `columns<Row>()({ timestamp: s.unixMs(), delta_usd: [s.number('US dollars.'), (row) => row.buy - row.sell] })`.
 */
export const columns =
  <T>(...before: readonly Columns<T>[]) =>
  <P extends s.TProperties>(cells: Cells<T, P>): Columns<T> => {
    const own = Object.entries<s.TSchema | Made<T>>(cells).map(([name, cell]) => {
      const [schema, value]: Made<T> = isMade(cell)
        ? cell
        : [cell, (from) => Reflect.get(Object(from), name)];
      return { name, schema, value };
    });
    return {
      properties: Object.assign(
        {},
        ...before.map(({ properties }) => properties),
        Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
      ),
      read(from) {
        const made: Record<string, unknown> = {};
        for (const one of before) Object.assign(made, one.read(from));
        for (const { name, value } of own) {
          const found = value(from);
          if (found !== undefined) made[name] = found;
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
