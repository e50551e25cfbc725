/** How the schema of an answer is read beside its data. */
import { isRecord } from '../../config/values.ts';
import type { Schema } from '../endpoints/route.ts';

export type { Schema };

const nothing: Schema = {};

const asSchema = (value: unknown): Schema => (isRecord(value) ? value : nothing);

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Whether a value can be of a schema, by its type and by the members that it must have. */
function mayBe(schema: Schema, value: unknown): boolean {
  const { type, required } = schema;
  const kinds = [type].flat().map((kind) => (kind === 'integer' ? 'number' : kind));
  if (type !== undefined && !kinds.includes(kindOf(value))) return false;
  if (!isRecord(value) || !Array.isArray(required)) return true;
  return required.every((name) => String(name) in value);
}

/** The schema of a value out of a choice; the schema itself where there is none. */
export function branchOf(schema: Schema, value: unknown): Schema {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const branches = anyOf.map((one: unknown) => branchOf(asSchema(one), value));
  // A map takes every object: one with members of its own is meant first.
  const fitting = branches.filter((branch) => mayBe(branch, value));
  return fitting.find((branch) => 'properties' in branch) ?? fitting[0] ?? nothing;
}

export const schemaOfItem = ({ items }: Schema): Schema => asSchema(items);

/** The schema of a member of an object; `isKey`: the object is a map, and the name one of its keys. */
export function schemaOfMember(schema: Schema, name: string): { schema: Schema; isKey: boolean } {
  const { properties, additionalProperties } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name))
    return { schema: asSchema(properties[name]), isKey: false };
  return isRecord(additionalProperties)
    ? { schema: additionalProperties, isKey: true }
    : { schema: nothing, isKey: false };
}

/** Whether an object of this schema is a map: its members are rows under their keys. */
export const isMap = ({ properties, additionalProperties }: Schema): boolean =>
  !isRecord(properties) && isRecord(additionalProperties);
