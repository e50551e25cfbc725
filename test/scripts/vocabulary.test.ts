/** The answers use one word for each thing, and fields have the types that their names state. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import type { Route, Schema } from '../../http/endpoints/route.ts';
import { routes } from '../../scripts/docs/routes.ts';
import { others, specified } from '../../scripts/docs/vocabulary.ts';

/** Names that break the vocabulary, and what they should use. */
const rules: readonly { breaks: RegExp; use: string }[] = [
  { breaks: /(^|_)(pct|perc|percentage)(_|$)/, use: '`_percent`' },
  { breaks: /percent_/, use: '`_percent` as the end of the name' },
  { breaks: /(^|_)(apr|apy)(_24h)?$/, use: '`_percent` or `_rate` as its end' },
  { breaks: /^(pairs?|contract|instrument|tickers?)$/, use: '`market`' },
  { breaks: /(^|_)(coins?|currency|currencies|ccy|asset|underlying)(_|$)/, use: '`symbol`' },
  { breaks: /(^|_)oi(_|$)/, use: '`open_interest`' },
  { breaks: /(^|_)(vol|turnover)(_|$)/, use: '`volume`' },
  { breaks: /(^|_)volume(_24h)?$/, use: '`_base` or `_usd` as its end' },
  { breaks: /(^|_)(tvl|fdv|market_cap|value)$/, use: '`_usd` as its end' },
  { breaks: /(^|_)(qty|size|sz|amount)(_|$)/, use: '`quantity`' },
  { breaks: /(^|_)(avg|med|tot)(_|$)/, use: '`average`, `median`, `total`' },
  { breaks: /(^|_)venues?(_|$)/, use: '`exchange`' },
  { breaks: /(^|_)(ts|epoch|datetime)(_|$)/, use: '`timestamp`, `_at` or `_time`' },
  { breaks: /_(sec|secs|seconds|mins|hrs)$/, use: '`_s`, `_minutes`, `_hours`' },
  { breaks: /implied_volatility/, use: '`iv`' },
];

/** Names by their end, and the types that values of such names have. */
const types: readonly { ends: RegExp; type: string }[] = [
  { ends: /(^|_)timestamp$|_(at|time|since|seen)$/, type: 'integer' },
  { ends: /_(usd|base|percent|ratio|rate|share|price|iv)$/, type: 'number' },
];

/** A property of an answer: its name, the types that it may have, and a path where it stands. */
interface Field {
  name: string;
  types: readonly string[];
  path: string;
  /** Its description. */
  about: string;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const insideOf = ({ items, additionalProperties, anyOf, properties }: Schema): unknown[] => [
  items,
  additionalProperties,
  ...listed(anyOf),
  ...(isSchema(properties) ? Object.values(properties) : []),
];

/** The JSON types of a schema; none where it has constants only. */
const typesOf = (schema: Schema): string[] =>
  [schema.type, schema.anyOf].flatMap((part) =>
    (Array.isArray(part) ? part : [part]).flatMap((one) => {
      if (typeof one === 'string') return [one];
      return isSchema(one) ? typesOf(one) : [];
    }),
  );

/** Every property within the schema of an answer. */
function* fieldsOf(schema: unknown, path: string): Iterable<Field> {
  if (!isSchema(schema)) return;
  const { properties } = schema;
  for (const [name, one] of Object.entries(isSchema(properties) ? properties : {})) {
    if (isSchema(one)) yield { name, types: typesOf(one), path, about: String(one.description) };
  }
  for (const part of insideOf(schema)) yield* fieldsOf(part, path);
}

/** What breaks the vocabulary, one line each; empty where nothing does. */
function faultsIn(fields: Iterable<Field>): string[] {
  const faults = new Set<string>();
  for (const { name, types: found, path } of fields) {
    const rule = rules.find(({ breaks }) => breaks.test(name));
    if (rule && !(name in specified) && !(name in others))
      faults.add(`${path}: ${name}: use ${rule.use}`);
    const type = types.find(({ ends }) => ends.test(name))?.type;
    const fits = found.every((one) => [type, 'null', 'array', 'object'].includes(one));
    if (type && !fits) faults.add(`${path}: ${name}: is no ${type}`);
  }
  return [...faults];
}

/** Exceptions that no field needs. */
function unneeded(fields: Iterable<Field>): string[] {
  const names = new Set([...fields].map(({ name }) => name));
  const isNeeded = (name: string) =>
    names.has(name) && rules.some(({ breaks }) => breaks.test(name));
  return [...Object.keys(specified), ...Object.keys(others)].filter((name) => !isNeeded(name));
}

/** The properties of all answers of a route table, but those whose words another API has chosen. */
const fieldsOfRoutes = (routes: readonly Route[]): Field[] =>
  routes.flatMap(({ answer, path, noEnvelope }) => (noEnvelope ? [] : [...fieldsOf(answer, path)]));

t.test('every field of every answer keeps to the vocabulary, or is excepted', async (t) => {
  const fields = fieldsOfRoutes(routes);
  t.ok(fields.length > 1_000, `${fields.length} fields`);
  t.strictSame(faultsIn(fields), []);
  t.strictSame(unneeded(fields), [], 'exceptions that no field needs');
});

t.test(
  'where a word means US dollars, each answer that has it says so, and none says another unit',
  async (t) => {
    const inDollars = Object.entries({ ...specified, ...others })
      .filter(([, meaning]) => /US dollars$/.test(meaning))
      .map(([name]) => name);
    t.ok(inDollars.includes('volume_24h'));
    const fields = fieldsOfRoutes(routes).filter(({ name, types }) => {
      return inDollars.includes(name) && types.includes('number');
    });
    const strange = fields.filter(({ about }) => !/USD|dollar/i.test(about));
    t.strictSame(
      strange.map(({ path, name, about }) => `${path}: ${name}: ${about}`),
      [],
    );
  },
);

const specification = new URL('../../../shared/spec.md', import.meta.url);
const skip = existsSync(specification) ? false : 'the specification is not beside the project';

t.test('the specification names the words that it is said to require', { skip }, async (t) => {
  const words = new Set(readFileSync(specification, 'utf8').match(/\w+/g));
  t.strictSame(
    Object.keys(specified).filter((name) => !words.has(name)),
    [],
  );
});
