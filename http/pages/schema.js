/** The fields of an answer, or of a body, out of its JSON Schema. */
import { element, folded, marked } from './dom.js';

/** @import { Schema, Schemas } from './types.ts' */

/** @param {Schema} schema */
const nameOf = ({ $ref = '' }) => $ref.split('/').at(-1) ?? '';

/** @param {Schema} schema @param {Schemas} schemas @returns {Schema} */
const resolved = (schema, schemas) => schemas[nameOf(schema)] ?? schema;

/** The schema of the entries of a list or a map; null of what is neither. @param {Schema} schema */
function entryOf({ items, additionalProperties }) {
  if (items) return items;
  return typeof additionalProperties === 'object' ? additionalProperties : null;
}

/** @param {Schema} schema @returns {string} */
function typeOf(schema) {
  if (schema.$ref) return nameOf(schema);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  const entry = entryOf(schema);
  if (entry && schema.items) return `list of ${typeOf(entry)}`;
  if (entry) return `map of ${typeOf(entry)}`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

/**
 * The objects within a schema: itself, its branches, the entries of its lists and maps.
 *
 * @param {Schema} schema
 * @param {Schemas} schemas
 * @returns {Schema[]}
 */
function objectsIn(schema, schemas) {
  const whole = resolved(schema, schemas);
  if (whole.anyOf) return whole.anyOf.flatMap((branch) => objectsIn(branch, schemas));
  const entry = entryOf(whole);
  if (entry) return objectsIn(entry, schemas);
  return whole.properties ? [whole] : [];
}

/** @param {string} name @param {Schema} schema @param {Schemas} schemas */
function field(name, schema, schemas) {
  const about = schema.description ?? resolved(schema, schemas).description ?? '';
  const head = [
    element('code', { class: 'name' }, name),
    ' ',
    element('span', { class: 'type' }, typeOf(schema)),
  ];
  const text = about === '' ? null : element('span', { class: 'about' }, ...marked(about));
  const inside = objectsIn(schema, schemas);
  if (inside.length === 0) return element('li', {}, ...head, text);
  return element(
    'li',
    {},
    folded({ class: 'field' }, [...head, text], () => fields(schema, schemas)),
  );
}

/**
 * @param {Schema} schema
 * @param {Schemas} schemas
 * @returns {HTMLElement[]} A list of fields for each form that the value may have.
 */
export function fields(schema, schemas) {
  return objectsIn(schema, schemas).map(({ properties = {} }) => {
    const rows = Object.entries(properties).map(([name, one]) => field(name, one, schemas));
    return element('ul', { class: 'fields' }, ...rows);
  });
}

/** What a parameter allows, in words. @param {Schema} schema */
export function allowed({ type, minimum, maximum, default: usual }) {
  const range =
    maximum === undefined
      ? minimum === undefined
        ? ''
        : `from ${minimum}`
      : `${minimum ?? '…'} to ${maximum}`;
  const fallback = usual === undefined ? '' : `default ${usual}`;
  return [type, range, fallback].filter((text) => text !== '').join(', ');
}
