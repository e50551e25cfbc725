/** Example answers, as short as an example should be. */
type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A whole API key, and its visible prefix: examples look like no secret. */
const apiKey = /^(tm_[a-z]+_\w{4})\w+$/;

/** Items that are left of a list and of a map. */
const most = { list: 2, map: 2 } as const;

/** Follows references within a document. */
export function resolved(schema: unknown, document: Json): Json {
  if (!isObject(schema)) return {};
  if (typeof schema.$ref !== 'string') return schema;
  const found = schema.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), document);
  return resolved(found, document);
}

/** The branch of a choice that an object fits: all that it requires is there, and as much as possible. */
function branchOf(value: Json, schema: Json, document: Json): Json {
  if (!Array.isArray(schema.anyOf)) return schema;
  const fitting = schema.anyOf
    .map((branch) => resolved(branch, document))
    .filter(({ type }) => type === 'object')
    .filter(({ required }) => !Array.isArray(required) || required.every((key) => key in value));
  const weight = ({ required }: Json) => (Array.isArray(required) ? required.length : 0);
  return fitting.sort((a, b) => weight(b) - weight(a))[0] ?? {};
}

const itemsOf = (schema: Json, document: Json): unknown => {
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  return branches.map((branch) => resolved(branch, document)).find(({ items }) => items)?.items;
};

/** The value with its lists and maps cut to a few entries, and API keys to their prefix. `schema` tells maps from objects. */
export function shortened(value: unknown, schema: unknown, document: Json): unknown {
  const whole = resolved(schema, document);
  if (Array.isArray(value)) {
    const items = itemsOf(whole, document);
    return value.slice(0, most.list).map((item) => shortened(item, items, document));
  }
  if (typeof value === 'string') return value.replace(apiKey, '$1…');
  if (!isObject(value)) return value;
  const { properties, additionalProperties } = branchOf(value, whole, document);
  const isMap = !isObject(properties) && isObject(additionalProperties);
  const entries = Object.entries(value).slice(0, isMap ? most.map : undefined);
  return Object.fromEntries(
    entries.map(([key, one]) => {
      const of = isObject(properties) ? properties[key] : additionalProperties;
      return [key, shortened(one, of, document)];
    }),
  );
}
