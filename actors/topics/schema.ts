/**
 * JSON Schemas that also are TypeScript types (TypeBox): `Static<typeof schema>` is the type of the data. A field of an
 * answer is named here once, for its type, its documentation and the tests. Lists and maps are read-only.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox';

export type { Static, TObject, TProperties, TSchema } from 'typebox';

/** Keywords of a number. */
interface Range {
  minimum?: number;
  maximum?: number;
}

const described = (description: string | undefined) =>
  description === undefined ? {} : { description };

const orNullOf = <T>(type: string, description: string | undefined, range: Range = {}) =>
  Type.Unsafe<T | null>({ type: [type, 'null'], ...range, ...described(description) });

export const number = (description?: string, range: Range = {}) =>
  Type.Number({ ...range, ...described(description) });
export const integer = (description?: string, range: Range = {}) =>
  Type.Integer({ ...range, ...described(description) });
export const string = (description?: string) => Type.String(described(description));
export const boolean = (description?: string) => Type.Boolean(described(description));

export const numberOrNull = (description?: string, range?: Range) =>
  orNullOf<number>('number', description, range);
export const integerOrNull = (description?: string) => orNullOf<number>('integer', description);
export const stringOrNull = (description?: string) => orNullOf<string>('string', description);

/** One value. */
export const literal = <const V extends string | boolean>(value: V, description?: string) =>
  Type.Unsafe<V>({ const: value, ...described(description) });

/** One of some values, of which one may be null. */
export const oneOf = <const V extends string | number | null>(
  values: readonly V[],
  description?: string,
) => Type.Unsafe<V>({ enum: [...values], ...described(description) });

/** An object; a property is required unless it is `optional`. */
export const object = <P extends TProperties>(properties: P, description?: string) =>
  Type.Object(properties, described(description));

export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

export const list = <S extends TSchema>(items: S, description?: string) =>
  Type.Unsafe<readonly Static<S>[]>({ type: 'array', items, ...described(description) });

/** An object that is a map from `key` to values of one schema. */
export const mapOf = <S extends TSchema>(values: S, key: string) =>
  Type.Unsafe<Readonly<Record<string, Static<S>>>>({
    type: 'object',
    description: `Map from ${key}.`,
    additionalProperties: values,
  });

/** The schema with a name for it in the description of the API; without one it is made of its path. */
export const named = <S extends TSchema>(title: string, schema: S): S => ({ ...schema, title });

/** One of two schemas. */
export const either = <A extends TSchema, B extends TSchema>(a: A, b: B, description?: string) =>
  Type.Unsafe<Static<A> | Static<B>>({ ...described(description), anyOf: [a, b] });

/**
 * One of several schemas, by the query parameters of the request: the schema under the name of the first one that is given,
 * `otherwise` where none is. The extension `x-chosen-by` has the parameter of each branch, null for the last.
 */
export const chosenBy = <B extends TProperties, O extends TSchema>(
  parameters: B,
  otherwise: O,
  description?: string,
) =>
  Type.Unsafe<{ [K in keyof B]: Static<B[K]> }[keyof B] | Static<O>>({
    ...described(description),
    anyOf: [...Object.values(parameters), otherwise],
    'x-chosen-by': [...Object.keys(parameters), null],
  });

export const orNull = <S extends TSchema>(schema: S, description?: string) =>
  either(schema, Type.Null(), description);

/** A schema of unchecked form. */
export const unchecked = <T>(schema: Readonly<Record<string, unknown>>) => Type.Unsafe<T>(schema);

export const unixMs = (description = 'Unix milliseconds.') => integer(description);
export const unixMsOrNull = (description = 'Unix milliseconds, or null.') =>
  integerOrNull(description);

/** Fields that stand in many answers. */
export const exchange = string('Exchange id.');
export const symbol = string('Base asset.');
export const quote = string('Quote asset.');
export const contract = string("The exchange's own id of the contract.");
export const interval = string('Length of an interval, as asked: `5m`, `1h`, `1d`.');
export const count = integer('Number of rows in the answer.');
export const exchanges = list(string(), 'Exchange ids.');
export const intervalHours = integer('Hours between two fundings.');

/** Of an answer to a query. */
export const stale = optional(
  literal(true, 'The source fails at present: this is its last answer. Absent otherwise.'),
);
