/** A parameter as the API description has it, as far as values can be made from it. */
export interface Parameter {
  name: string;
  in: 'query' | 'path';
  /** A value that is allowed, as text. */
  good: string;
  /** All that are allowed where they are listed, as text; empty elsewhere. */
  listed: string[];
  required: boolean;
}

/** One operation that requests are made for. */
export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const objectAt = (value: unknown, key: string): Json => {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
};
const listAt = (value: Json, key: string): unknown[] => {
  const found = value[key];
  return Array.isArray(found) ? found : [];
};

function parameter(entry: unknown): Parameter | null {
  if (!isObject(entry) || typeof entry.name !== 'string') return null;
  const schema = objectAt(entry, 'schema');
  const good = [entry.example, schema.default, listAt(schema, 'enum')[0], schema.minimum, 'BTC'];
  return {
    name: entry.name,
    in: entry.in === 'path' ? 'path' : 'query',
    good: String(good.find((value) => value !== undefined)),
    listed: listAt(schema, 'enum').map(String),
    required: entry.required === true,
  };
}

const methods: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** True for an answer that has no end. */
const isStream = (operation: unknown): boolean =>
  'text/event-stream' in objectAt(objectAt(objectAt(operation, 'responses'), '200'), 'content');

const operationsIn = (item: unknown): [method: string, operation: unknown][] =>
  Object.entries(isObject(item) ? item : {}).filter(
    ([method, operation]) => methods.has(method) && !isStream(operation),
  );

/** The operations of an OpenAPI document whose answers end. Throws when there are none. */
export function operationsOf(document: unknown): [Operation, ...Operation[]] {
  const paths = Object.entries(objectAt(document, 'paths'));
  const [first, ...others] = paths.flatMap(([path, item]) =>
    operationsIn(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: (isObject(operation) ? listAt(operation, 'parameters') : [])
        .map(parameter)
        .filter((it) => it !== null),
    })),
  );
  if (first === undefined) throw new Error('the API description has no operations');
  return [first, ...others];
}
