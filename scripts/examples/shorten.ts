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

/** The branches of a choice, those of choices within it too. */
function branchesOf(schema: unknown, document: Json): Json[] {
  const whole = resolved(schema, document);
  if (!Array.isArray(whole.anyOf)) return [whole];
  return whole.anyOf.flatMap((branch) => branchesOf(branch, document));
}

/** The branch of a choice that an object fits: all that it requires is there, and as much as possible. */
function branchOf(value: Json, schema: Json, document: Json): Json {
  if (!Array.isArray(schema.anyOf)) return schema;
  const fitting = branchesOf(schema, document)
    .filter(({ type }) => type === 'object')
    .filter(({ required }) => !Array.isArray(required) || required.every((key) => key in value));
  const weight = ({ required }: Json) => (Array.isArray(required) ? required.length : 0);
  return fitting.sort((a, b) => weight(b) - weight(a))[0] ?? {};
}

const itemsOf = (schema: Json, document: Json): unknown =>
  branchesOf(schema, document).find(({ items }) => items)?.items;

/** Spectral takes an object with a `type` and a `default` for a schema, also in an example: with types of our own it is none. */
const isMistaken = (item: unknown): boolean => JSON.stringify(item)?.includes('"type":"word"');

/** Whether an object is a map, as far as its entries tell: where nothing describes it. */
const looksLikeMap = (value: Json): boolean => Object.values(value).every(isObject);

/** The first few items. */
function opening(list: readonly unknown[]): unknown[] {
  const plain = list.filter((item) => !isMistaken(item));
  return (plain.length > 0 ? plain : list).slice(0, most.list);
}

/** The value with its lists and maps cut to a few entries, and API keys to their prefix. `schema` tells maps from objects. */
export function shortened(value: unknown, schema: unknown, document: Json): unknown {
  const whole = resolved(schema, document);
  if (Array.isArray(value)) {
    const items = itemsOf(whole, document);
    return opening(value).map((item) => shortened(item, items, document));
  }
  if (typeof value === 'string') return value.replace(apiKey, '$1…');
  if (!isObject(value)) return value;
  const { properties, additionalProperties } = branchOf(value, whole, document);
  const isMap = !isObject(properties) && (isObject(additionalProperties) || looksLikeMap(value));
  const entries = Object.entries(value).slice(0, isMap ? most.map : undefined);
  return Object.fromEntries(
    entries.map(([key, one]) => {
      const of = isObject(properties) ? properties[key] : additionalProperties;
      return [key, shortened(one, of, document)];
    }),
  );
}
