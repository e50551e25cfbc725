/** The fields of an answer, or of a body, out of its JSON Schema. */
import { h } from '../app/dom.ts';
import { folded, marked } from './dom.ts';
import type { Schema, Schemas } from './types.ts';

export const nameOf = ({ $ref = '' }: { $ref?: string }): string => $ref.split('/').at(-1) ?? '';

const resolved = (schema: Schema, schemas: Schemas): Schema => schemas[nameOf(schema)] ?? schema;

/** The schema of the entries of a list or a map; null of what is neither. */
function entryOf({ items, additionalProperties }: Schema): Schema | null {
  if (items) return items;
  return typeof additionalProperties === 'object' ? additionalProperties : null;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return nameOf(schema);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  const entry = entryOf(schema);
  if (entry && schema.items) return `list of ${typeOf(entry)}`;
  if (entry) return `map of ${typeOf(entry)}`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

/** The objects within a schema: itself, its branches, the entries of its lists and maps. */
function objectsIn(schema: Schema, schemas: Schemas): Schema[] {
  const whole = resolved(schema, schemas);
  if (whole.anyOf) return whole.anyOf.flatMap((branch) => objectsIn(branch, schemas));
  const entry = entryOf(whole);
  if (entry) return objectsIn(entry, schemas);
  return whole.properties ? [whole] : [];
}

function field(name: string, schema: Schema, schemas: Schemas): HTMLElement {
  const about = schema.description ?? resolved(schema, schemas).description ?? '';
  const head = [
    h('code', { class: 'name' }, name),
    ' ',
    h('span', { class: 'type' }, typeOf(schema)),
  ];
  const text = about === '' ? null : h('span', { class: 'about' }, ...marked(about));
  const inside = objectsIn(schema, schemas);
  if (inside.length === 0) return h('li', {}, ...head, text);
  return h(
    'li',
    {},
    folded({ class: 'field' }, [...head, text], () => fields(schema, schemas)),
  );
}

/** A list of fields for each form that the value may have. */
export function fields(schema: Schema, schemas: Schemas): HTMLElement[] {
  return objectsIn(schema, schemas).map(({ properties = {} }) => {
    const rows = Object.entries(properties).map(([name, one]) => field(name, one, schemas));
    return h('ul', { class: 'fields' }, ...rows);
  });
}

/** What a parameter allows, in words. */
export function allowed({ type, minimum, maximum, default: usual }: Schema): string {
  const range =
    maximum === undefined
      ? minimum === undefined
        ? ''
        : `from ${minimum}`
      : `${minimum ?? '…'} to ${maximum}`;
  const fallback = usual === undefined ? '' : `default ${usual}`;
  return [type, range, fallback].filter((text) => text !== '').join(', ');
}
