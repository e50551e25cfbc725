/** The types of the TypeScript client, from the description of the API. */
import {
  type ClientOperation,
  isNeeded,
  isSchema,
  namedSchemas,
  operations,
  propertiesOf,
  type Schema,
  schemasIn,
} from './operations.ts';

const indented = (text: string): string => text.replaceAll('\n', '\n  ');
const named = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

const comment = ({ description }: Schema): string =>
  typeof description === 'string' ? `/** ${description.replaceAll('*/', '*\\/')} */\n` : '';

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const choice = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** The members of an object, one a line. */
function membersOf(schema: Schema): string {
  const fields = propertiesOf(schema);
  const lines = fields.map(([name, one]) => {
    const mark = isNeeded(schema, name) ? '' : '?';
    return `${comment(one)}${named(name)}${mark}: ${typeOf(one)};`;
  });
  // An index signature holds for the named members, too.
  const others = fields.length === 0 ? [] : [...fields.map(([, one]) => typeOf(one)), 'undefined'];
  const { additionalProperties } = schema;
  const rest = isSchema(additionalProperties)
    ? [`[key: string]: ${choice([typeOf(additionalProperties), ...others])};`]
    : [];
  return [...lines, ...rest].map((line) => `\n  ${indented(line)}`).join('');
}

/** The type of a schema. */
function typeOf(schema: Schema): string {
  const { $ref, enum: values, const: value, anyOf, type, items } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'unknown';
  if (Array.isArray(values)) return choice(values.map((one) => JSON.stringify(one)));
  if (value !== undefined) return JSON.stringify(value);
  if (anyOf !== undefined) return choice(schemasIn(anyOf).map(typeOf));
  if (Array.isArray(type)) return choice(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === 'array') return `readonly (${isSchema(items) ? typeOf(items) : 'unknown'})[]`;
  if (type === 'object') return `{${membersOf(schema)}\n}`;
  return simple[String(type)] ?? 'unknown';
}

/** The types of `data` by the query parameters that choose among them, as the client's `Chosen` reads them. */
function choicesOf({ data, choices }: ClientOperation): string[] {
  if (choices.length === 0) return [];
  const pairs = schemasIn(data.anyOf).map(
    (one, i) => `[${JSON.stringify(choices[i])}, ${typeOf(one)}]`,
  );
  return [`choices: [${pairs.join(', ')}];`];
}

/** The text of clients/typescript/src/types.ts. */
export function clientTypes(): string {
  const interfaces = namedSchemas.map(([name, schema]) =>
    schema.type === 'object'
      ? `${comment(schema)}export interface ${name} {${membersOf(schema)}\n}\n`
      : `export type ${name} = ${typeOf(schema)};\n`,
  );
  const entries = operations.map((operation) => {
    const { method, path, summary, params, body, data, lists } = operation;
    const lines = [
      `params: {${membersOf(params)}\n};`,
      ...(body === undefined ? [] : [`body: ${typeOf(body)};`]),
      `data: ${typeOf(data)};`,
      ...choicesOf(operation),
      ...(lists.length > 0 ? ['csv: true;'] : []),
    ];
    const inner = lines.map((line) => `\n  ${indented(line)}`).join('');
    return `/** ${summary}. */\n'${method} ${path}': {${inner}\n};`;
  });
  const table = entries.map((line) => `\n  ${indented(line)}`).join('');
  return `// Made from the description of the API by \`npm run docs\`.\n\n${interfaces.join('\n')}
/** Every operation: its parameters, its body and the data of its answer. */
export interface Operations {${table}
}
`;
}
