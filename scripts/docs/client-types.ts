/** The types of the TypeScript client, from the description of the API. */
import { openapiDocument } from '../../http/openapi/openapi.ts';
import { routes } from './routes.ts';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasIn = (value: unknown): Schema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];

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
function membersOf({ properties, required, additionalProperties }: Schema): string {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(isSchema(properties) ? properties : {});
  const lines = fields.map(([name, schema]) => {
    if (!isSchema(schema)) return '';
    const mark = needed.includes(name) ? '' : '?';
    return `${comment(schema)}${named(name)}${mark}: ${typeOf(schema)};`;
  });
  // An index signature holds for the named members, too.
  const others =
    fields.length === 0
      ? []
      : [...schemasIn(fields.map(([, one]) => one)).map(typeOf), 'undefined'];
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

/** The schema of `data` in the envelope of an answer; null for answers without one. */
function dataOf(responses: Readonly<Record<string, unknown>>): Schema | null {
  const { content } = Object(responses[200] ?? responses[201]);
  const schema = content?.['application/json']?.schema;
  const [whole] = isSchema(schema) && schema.anyOf ? schemasIn(schema.anyOf) : [schema];
  const properties = isSchema(whole) ? whole.properties : undefined;
  return isSchema(properties) && isSchema(properties.data) ? properties.data : null;
}

/** The types of `data` by the query parameters that choose among them (`chosenBy`), as the client's `Chosen` reads them. */
function choicesOf({ anyOf, 'x-chosen-by': names }: Schema): string[] {
  if (!Array.isArray(names)) return [];
  const pairs = schemasIn(anyOf).map((one, i) => `[${JSON.stringify(names[i])}, ${typeOf(one)}]`);
  return [`choices: [${pairs.join(', ')}];`];
}

/** The text of clients/typescript/src/types.ts. */
export function clientTypes(): string {
  const { paths, components } = openapiDocument(routes, { version: '' });
  const interfaces = Object.entries(components.schemas).map(([name, schema]) =>
    isSchema(schema) && schema.type === 'object'
      ? `${comment(schema)}export interface ${name} {${membersOf(schema)}\n}\n`
      : `export type ${name} = ${typeOf(Object(schema))};\n`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { summary, parameters, requestBody, responses }]) => {
      const data = dataOf(responses);
      if (data === null) return [];
      // The client chooses the format of its own.
      const isTable = 'x-csv' in Object(responses[200]);
      const own = parameters.filter(({ name }) => !(isTable && name === 'format'));
      const params = {
        properties: Object.fromEntries(
          own.map(({ name, description, schema }) => [name, { ...schema, description }]),
        ),
        required: parameters.filter(({ required }) => required).map(({ name }) => name),
      };
      const body = requestBody?.content['application/json']?.schema;
      const lines = [
        `params: {${membersOf(params)}\n};`,
        ...(body === undefined ? [] : [`body: ${typeOf(body)};`]),
        `data: ${typeOf(data)};`,
        ...choicesOf(data),
        ...(isTable ? ['csv: true;'] : []),
      ];
      const inner = lines.map((line) => `\n  ${indented(line)}`).join('');
      return [`/** ${summary}. */\n'${method.toUpperCase()} ${path}': {${inner}\n};`];
    }),
  );
  const table = operations.map((line) => `\n  ${indented(line)}`).join('');
  return `// Made from the description of the API by \`npm run docs\`.\n\n${interfaces.join('\n')}
/** Every operation: its parameters, its body and the data of its answer. */
export interface Operations {${table}
}
`;
}
