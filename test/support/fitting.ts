/** The answers of rows by their schemas: every test that reads a row checks that its answer fits. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Snapshot } from '../../http/answers/snapshots.ts';
import type { Route } from '../../http/endpoints/route.ts';
import type { ApiError } from '../../http/wire/errors.ts';

/** The schema with no other fields than those that it names. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [key, closed(part)] as const);
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(isOpen && { additionalProperties: false }) };
}

export const ajv = new Ajv2020({ strict: false });
const validators = new WeakMap<Route, ValidateFunction>();

/** The answer as it is. Throws where its data does not fit the schema of the row. */
export function fitting<A extends Snapshot | ApiError>(row: Route, answer: A): A {
  if (!(answer instanceof Snapshot)) return answer;
  const validate = validators.get(row) ?? ajv.compile(Object(closed(row.answer)));
  validators.set(row, validate);
  if (validate(JSON.parse(answer.dataText))) return answer;
  throw new Error(`the schema of ${row.path}: ${JSON.stringify(validate.errors?.[0])}`);
}
