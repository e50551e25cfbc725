/** The description of the API in short, which is kept in git so that a change of it is seen in review. */
import {
  isNeeded,
  isSchema,
  namedSchemas,
  operations,
  propertiesOf,
  type Schema,
  schemasIn,
} from './operations.ts';

const simple = (schema: Schema): string => {
  const { enum: words, const: value, type } = schema;
  if (Array.isArray(words)) return words.length > 12 ? `${words.length} words` : words.join('|');
  if (value !== undefined) return JSON.stringify(value);
  return Array.isArray(type) ? type.join('|') : String(type ?? 'any');
};

/** A schema in a line: names of schemas, fields in braces, `[]` for lists and `{}` for maps. */
function shapeOf(schema: Schema): string {
  const { $ref, anyOf, type, items, additionalProperties: rest } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'any';
  if (anyOf !== undefined) return schemasIn(anyOf).map(shapeOf).join(' | ');
  if (type === 'array') return `${isSchema(items) ? shapeOf(items) : 'any'}[]`;
  const fields = fieldsOf(schema);
  if (isSchema(rest)) fields.push(`*: ${shapeOf(rest)}`);
  return fields.length > 0 ? `{${fields.join(', ')}}` : simple(schema);
}

/** The fields of an object with their types; `?` for one that may be absent, which is so for parameters without `!`. */
const fieldsOf = (schema: Schema): string[] =>
  propertiesOf(schema).map(
    ([name, one]) => `${name}${isNeeded(schema, name) ? '' : '?'}: ${shapeOf(one)}`,
  );

/** The text of docs/api.txt. */
export function apiSurface(): string {
  const paths = operations.map(({ method, path, params, body, data }) => {
    const given = fieldsOf(params).join(', ');
    const sent = body === undefined ? '' : ` body ${shapeOf(body)}`;
    return `${method} ${path}(${given})${sent} -> ${shapeOf(data)}`;
  });
  const schemas = namedSchemas.map(([name, schema]) => `${name} = ${shapeOf(schema)}`);
  return `The description of the API in short, made by \`npm run docs\`: a change of it is seen here.\n\n${paths.join('\n')}\n\n${schemas.join('\n')}\n`;
}
