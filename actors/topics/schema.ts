/**
 * JSON Schemas that also are TypeScript types: `Static<typeof schema>` is the type of the data. A field of an answer is named
 * here once, for its type, its documentation and the tests. Lists and maps are read-only.
 */

declare const data: unique symbol;
const mayLack = Symbol('optional');

/** A JSON Schema of data of the type T, which is known to the compiler alone. */
export interface TSchema<T = unknown> {
  readonly [keyword: string]: unknown;
  readonly [data]?: T;
}

/** The type of the data. */
export type Static<S extends TSchema> = S extends TSchema<infer T> ? T : never;

export type TProperties = Readonly<Record<string, TSchema>>;

export interface Optional {
  readonly [mayLack]: true;
}

export type OptionalKey<P> = { [K in keyof P]: P[K] extends Optional ? K : never }[keyof P];

type Data<P extends TProperties> = {
  -readonly [K in Exclude<keyof P, OptionalKey<P>>]: Static<P[K]>;
} & { -readonly [K in OptionalKey<P>]?: Static<P[K]> };

/** The schema of an object with these properties. */
export interface TObject<P extends TProperties = TProperties>
  extends TSchema<{ [K in keyof Data<P>]: Data<P>[K] }> {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: P;
}

/** A schema of unchecked form. */
export const unchecked = <T>(schema: Readonly<Record<string, unknown>>): TSchema<T> => schema;

/** Keywords of a number. */
interface Range {
  minimum?: number;
  maximum?: number;
}

const described = (description: string | undefined) =>
  description === undefined ? {} : { description };

const orNullOf = <T>(type: string, description: string | undefined, range: Range = {}) =>
  unchecked<T | null>({ type: [type, 'null'], ...range, ...described(description) });

export const number = (description?: string, range: Range = {}) =>
  unchecked<number>({ type: 'number', ...range, ...described(description) });
export const integer = (description?: string, range: Range = {}) =>
  unchecked<number>({ type: 'integer', ...range, ...described(description) });
export const string = (description?: string) =>
  unchecked<string>({ type: 'string', ...described(description) });
export const boolean = (description?: string) =>
  unchecked<boolean>({ type: 'boolean', ...described(description) });

export const numberOrNull = (description?: string, range?: Range) =>
  orNullOf<number>('number', description, range);
export const integerOrNull = (description?: string) => orNullOf<number>('integer', description);
export const stringOrNull = (description?: string) => orNullOf<string>('string', description);

/** One value. */
export const literal = <const V extends string | boolean>(value: V, description?: string) =>
  unchecked<V>({ const: value, ...described(description) });

/** One of some values, of which one may be null. */
export const oneOf = <const V extends string | number | null>(
  values: readonly V[],
  description?: string,
) => unchecked<V>({ enum: [...values], ...described(description) });

/** The unit of a number by its name, as the vocabulary of the answers has it, and the words that say so in its description. */
const units = [
  { names: /_usd(_|$)/, unit: 'US dollars', said: /\b(US dollars?|USD)\b/ },
  { names: /_base$/, unit: 'base units', said: /\bbase (units?|assets?)\b/i },
  { names: /_percent$/, unit: 'percent', said: /\bpercent/i },
] as const;

/** The description with its unit, before what it says of exceptions: `One side; null ...` is `One side, US dollars; null ...`. */
function withUnit(unit: string, description = ''): string {
  const end = description.search(/[;:]|\.$/);
  if (end < 0) return `${unit.charAt(0).toUpperCase()}${unit.slice(1)}.`;
  return `${description.slice(0, end)}, ${unit}${description.slice(end)}`;
}

const isNumber = ({ type }: TSchema): boolean =>
  [type].flat().some((one) => one === 'number' || one === 'integer');

/** The property, with the unit that its name states in its description. */
function inUnit(name: string, schema: TSchema): TSchema {
  const found = units.find(({ names }) => names.test(name));
  if (found === undefined || !isNumber(schema)) return schema;
  const { description } = schema;
  const text = typeof description === 'string' ? description : undefined;
  if (text !== undefined && found.said.test(text)) return schema;
  return { ...schema, description: withUnit(found.unit, text) };
}

/** An object; a property is required unless it is `optional`. The unit of a number follows from its name. */
export function object<P extends TProperties>(given: P, description?: string): TObject<P> {
  const named = Object.entries(given).map(([name, one]) => [name, inUnit(name, one)] as const);
  // The same names with schemas of the same data.
  const properties = Object.fromEntries(named) as P;
  const names = Object.keys(properties).filter((name) => !(mayLack in (properties[name] ?? {})));
  const required = names.length > 0 ? { required: names } : {};
  return { type: 'object', ...required, properties, ...described(description) };
}

/** A property that may be absent. */
export const optional = <S extends TSchema>(schema: S): S & Optional => ({
  ...schema,
  [mayLack]: true,
});

export const list = <S extends TSchema>(items: S, description?: string) =>
  unchecked<readonly Static<S>[]>({ type: 'array', items, ...described(description) });

/** An object that is a map from `key` to values of one schema. */
export const mapOf = <S extends TSchema>(values: S, key: string) =>
  unchecked<Readonly<Record<string, Static<S>>>>({
    type: 'object',
    description: `Map from ${key}.`,
    additionalProperties: values,
  });

/** The schema with a name for it in the description of the API; without one it is made of its path. */
export const named = <S extends TSchema>(title: string, schema: S): S => ({ ...schema, title });

/** The object with further fields, each of which may be absent. */
export const withOptional = <S extends TSchema>(schema: S, fields: TProperties): TSchema =>
  unchecked<Static<S>>({
    ...schema,
    properties: { ...Object(Object(schema).properties), ...fields },
  });

/** One of two schemas. */
export const either = <A extends TSchema, B extends TSchema>(a: A, b: B, description?: string) =>
  unchecked<Static<A> | Static<B>>({ ...described(description), anyOf: [a, b] });

/**
 * One of several schemas, by the query parameters of the request: the schema under the name of the first one that is given,
 * `otherwise` where none is. The extension `x-chosen-by` has the parameter of each branch, null for the last.
 */
export const chosenBy = <B extends TProperties, O extends TSchema>(
  parameters: B,
  otherwise: O,
  description?: string,
) =>
  unchecked<{ [K in keyof B]: Static<B[K]> }[keyof B] | Static<O>>({
    ...described(description),
    anyOf: [...Object.values(parameters), otherwise],
    'x-chosen-by': [...Object.keys(parameters), null],
  });

export const orNull = <S extends TSchema>(schema: S, description?: string) =>
  either(schema, unchecked<null>({ type: 'null' }), description);

const inUnixMs = (description: string): string =>
  /\bUnix\b/.test(description) ? description : withUnit('Unix ms', description);
/** A moment; its description states the unit by itself. */
export const unixMs = (description = 'Unix milliseconds.') => integer(inUnixMs(description));
export const unixMsOrNull = (description = 'Unix milliseconds, or null.') =>
  integerOrNull(inUnixMs(description));

/** Fields that stand in many answers. */
export const exchange = string('Exchange id.');
export const symbol = string('Base asset.');
export const quote = string('Quote asset.');
export const contract = string("The exchange's own id of the contract.");
export const ownId = string("The exchange's own id.");
export const ownSymbol = string("The exchange's own symbol.");
export const interval = string('Length of an interval, as asked: `5m`, `1h`, `1d`.');
export const count = integer('Number of rows in the answer.');
export const exchanges = list(string(), 'Exchange ids.');
export const intervalHours = integer('Hours between two fundings.');

/** The mark of `unheard`. */
export const unheardSince = optional(
  unixMs(
    'When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago.',
  ),
);
/** Of an answer to a query. */
export const stale = optional(
  literal(true, 'The source fails at present: this is its last answer. Absent otherwise.'),
);
