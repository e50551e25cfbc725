import type { Schema } from './route.ts';

export const number = { type: 'number' } as const;
export const integer = { type: 'integer' } as const;
export const string = { type: 'string' } as const;
export const numberOrNull = { type: ['number', 'null'] } as const;
export const integerOrNull = { type: ['integer', 'null'] } as const;
export const stringOrNull = { type: ['string', 'null'] } as const;

/** The same schema with a description. */
export const of = (schema: Schema, description: string): Schema => ({ ...schema, description });

/** An object; every property is required unless `optional` names it. */
export const object = (properties: Record<string, Schema>, optional: string[] = []): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

export const array = (items: Schema): Schema => ({ type: 'array', items });

/** An object used as a map from `key` to values of one schema. */
export const mapOf = (values: Schema, key: string): Schema => ({
  type: 'object',
  description: `Map from ${key}.`,
  additionalProperties: values,
});

export const unixMs = of(integer, 'Unix milliseconds.');
export const unixMsOrNull = of(integerOrNull, 'Unix milliseconds, or null.');
