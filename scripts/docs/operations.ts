/** The operations of the API as the generated clients see them: parameters, body and data of each. */
import { openapiDocument } from '../../http/openapi/openapi.ts';
import { routes } from './routes.ts';

export type Schema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const schemasIn = (value: unknown): Schema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];

/** The properties of an object. */
export const propertiesOf = ({ properties }: Schema): [name: string, schema: Schema][] =>
  Object.entries(isSchema(properties) ? properties : {}).filter(
    (entry): entry is [string, Schema] => isSchema(entry[1]),
  );

/** Whether a property must be there. */
export const isNeeded = ({ required }: Schema, name: string): boolean =>
  Array.isArray(required) && required.includes(name);

/** An operation whose answers are envelopes. */
export interface ClientOperation {
  method: string;
  path: string;
  summary: string;
  /** Its parameters as the properties of an object. */
  params: Schema;
  /** Undefined where it takes none. */
  body: Schema | undefined;
  data: Schema;
  /** The query parameters that choose among the alternatives of `data` (`chosenBy`), by their place; null is the last. */
  choices: readonly (string | null)[];
  /** Where the rows of the table of the answer may be (`x-csv`): `data.bars`. */
  lists: readonly string[];
}

/** The schema of `data` in the envelope of an answer; null for answers without one. */
function dataOf(response: Schema): Schema | null {
  const { content } = Object(response);
  const schema = content?.['application/json']?.schema;
  const [whole] = isSchema(schema) && schema.anyOf ? schemasIn(schema.anyOf) : [schema];
  const properties = isSchema(whole) ? whole.properties : undefined;
  return isSchema(properties) && isSchema(properties.data) ? properties.data : null;
}

const document = openapiDocument(routes, { version: '' });

/** The named schemas. */
export const namedSchemas: readonly [name: string, schema: Schema][] = Object.entries(
  document.components.schemas,
).map(([name, schema]) => [name, Object(schema)]);

/** Every error that an answer may be. */
export const errorCodes = document['x-errors'];

/** Every operation with an envelope, in the order of the description. */
export const operations: readonly ClientOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).flatMap(([method, { summary, parameters, requestBody, responses }]) => {
      const response = Object(responses[200] ?? responses[201]);
      const data = dataOf(response);
      if (data === null) return [];
      const lists = response['x-csv']?.lists ?? [];
      // The clients choose the format of their own.
      const own = parameters.filter(({ name }) => !(lists.length > 0 && name === 'format'));
      const named = own.map(({ name, description, schema }) => [name, { ...schema, description }]);
      const params = {
        properties: Object.fromEntries(named),
        required: own.filter(({ required }) => required).map(({ name }) => name),
      };
      const body = requestBody?.content['application/json']?.schema;
      const choices = Array.isArray(data['x-chosen-by']) ? data['x-chosen-by'] : [];
      const about = { method: method.toUpperCase(), path, summary, params, body };
      return [{ ...about, data, choices, lists }];
    }),
);
