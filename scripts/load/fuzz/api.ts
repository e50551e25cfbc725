/** A parameter as the API description has it, as far as values can be made from it. */
interface Parameter {
  name: string;
  in: 'query' | 'path';
  /** A value that is allowed, as text. */
  good: string;
}

/** One operation that requests are made for. */
export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
}

type Json = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown, key: string): Json => {
  const found = Object(value)[key];
  return typeof found === 'object' && found !== null ? found : {};
};
const listIn = (value: unknown, key: string): unknown[] => Object.values(objectIn(value, key));

function parameter(entry: unknown): Parameter {
  const { name, in: place, example } = Object(entry);
  const schema = objectIn(entry, 'schema');
  const good = [example, schema.default, listIn(schema, 'enum')[0], schema.minimum, 'BTC'];
  return {
    name: String(name),
    in: place === 'path' ? 'path' : 'query',
    good: String(good.find((value) => value !== undefined)),
  };
}

const methods: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** True for an answer that has no end. */
const isStream = (operation: unknown): boolean =>
  'text/event-stream' in objectIn(objectIn(objectIn(operation, 'responses'), '200'), 'content');

/** The operations of an OpenAPI document whose answers end. Throws when there are none. */
export function operationsOf(document: unknown): [Operation, ...Operation[]] {
  const paths = Object.entries(objectIn(document, 'paths'));
  const [first, ...others] = paths.flatMap(([path, item]) =>
    Object.entries(Object(item))
      .filter(([method, operation]) => methods.has(method) && !isStream(operation))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        parameters: listIn(operation, 'parameters').map(parameter),
      })),
  );
  if (first === undefined) throw new Error('the API description has no operations');
  return [first, ...others];
}
