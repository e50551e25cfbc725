/** What the description of the API says of its data: every property in words, numbers with their units, names of schemas. */
import t from 'tap';
import { openapiDocument } from '../../../http/openapi/openapi.ts';
import { routes } from '../../../scripts/docs/routes.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}

const { components } = openapiDocument(routes, { version: '' });
const schemas = Object.entries(JSON.parse(JSON.stringify(components.schemas))) as [
  string,
  Schema,
][];

/** Every property of every schema as `Schema.property`. */
const properties = schemas.flatMap(([name, { properties = {} }]) =>
  Object.entries(properties).map(([field, schema]) => [name, field, schema] as const),
);

/** What stands at the property, or at the schema that it refers to. */
function descriptionOf({ description, $ref }: Schema): string {
  const found = schemas.find(([name]) => $ref === `#/components/schemas/${name}`);
  return description ?? found?.[1].description ?? '';
}

t.test('every property has a description', (t) => {
  t.ok(properties.length > 1_500, `${properties.length} properties`);
  const bare = properties.filter(([, , schema]) => descriptionOf(schema) === '');
  t.strictSame(
    bare.map(([name, field]) => `${name}.${field}`),
    [],
  );
  t.end();
});

/** Amounts, by the word that says what one of it is. */
const amounts =
  /\b(USD|USDC|US dollars?|Gwei|BTC|[Bb]ase[- ](units?|assets?)|[Cc]ontracts|[Cc]oins|in the (currency|asset)|in (the )?quote|basis points?)\b|in `quote`/i;
/** Numbers without a unit of their own: parts of one, and what a model is made of. */
const pure =
  /\b(percent(age points)?|fraction|ratio|share|multiple|factor|coefficient|logarithm|0 to 1|0 to 100|-1 to 1)\b/i;
const times = /\b(Unix (ms|milliseconds|seconds)|ms|seconds|hours?|days?|years)\b/i;
/** An honest word where the source of a number does not say it, and numbers whose unit the client itself decides. */
const open =
  /a unit that the exchange does not document|in the unit of the (parameter|watched value)/;
const inName = /_(usd|btc|gwei|base|percent|pct|ratio|ms|s|seconds|hours|days|per_second)(_|$)/;

const isOf = (kind: string, { type }: Schema): boolean => [type].flat().includes(kind);
const says = (words: readonly RegExp[], schema: Schema): boolean =>
  words.some((word) => word.test(descriptionOf(schema)));

t.test('every number states its unit, in its description or its name', (t) => {
  const numbers = properties.filter(([, , schema]) => isOf('number', schema));
  t.ok(numbers.length > 600, `${numbers.length} numbers`);
  const bare = numbers.filter(
    ([, field, schema]) => !inName.test(field) && !says([amounts, pure, times, open], schema),
  );
  t.strictSame(
    bare.map(([name, field, schema]) => `${name}.${field}: ${descriptionOf(schema)}`),
    [],
  );
  t.end();
});

// All other whole numbers count what their description names.
t.test('every time is said to be in milliseconds or seconds', (t) => {
  const isTime = (field: string) => /(^|_)(timestamp|time|at|since|seen|expiry|poll)$/.test(field);
  const found = properties.filter(([, field, schema]) => isTime(field) && isOf('integer', schema));
  t.ok(found.length > 100, `${found.length} times`);
  const bare = found.filter(([, , schema]) => !/Unix|milliseconds/.test(descriptionOf(schema)));
  t.strictSame(
    bare.map(([name, field, schema]) => `${name}.${field}: ${descriptionOf(schema)}`),
    [],
  );
  t.end();
});

/** Words with digits: the version of a path, an index by its name, a time. */
const words = /V\d+|Ahr999|24h|200Week/g;

t.test('no schema is named by number', (t) => {
  t.ok(schemas.length > 200, `${schemas.length} schemas`);
  const names = schemas.map(([name]) => name);
  t.strictSame(
    names.filter((name) => /\d/.test(name.replaceAll(words, ''))),
    [],
  );
  t.ok(names.includes('IndicatorsAhr999'), 'which is the name of the index');
  t.end();
});
