/** The answers of rows by their schemas: every test that reads a row checks that its answer is as the schema states. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Snapshot } from '../../http/answers/snapshots.ts';
import type { Route } from '../../http/endpoints/route.ts';
import type { ApiError } from '../../http/wire/errors.ts';

/** The schema with no other fields than those that it names. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, part]) => [key, closed(part)] as const);
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(isOpen && { additionalProperties: false }) };
}

// Each validator is used a few times: without the optimizer it is compiled in 60 % of the time.
export const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
const validators = new WeakMap<Route, ValidateFunction>();

type Row = Readonly<Record<string, number | string | null>>;
type Order = readonly [key: (row: Row) => number | string, sign: 1 | -1];

/** The order that the description of a list states, of rows and of bare numbers. */
const stated: readonly (readonly [RegExp, Order])[] = [
  [/^Ascending by time|^Oldest first/, [({ timestamp }) => Number(timestamp), 1]],
  [/^Newest first/, [({ timestamp }) => Number(timestamp), -1]],
  [/^Ascending by price|^Price ascending/, [({ price }) => Number(price), 1]],
  [/^Price descending/, [({ price }) => Number(price), -1]],
  [/^By strike|^Lowest first/, [({ strike }) => Number(strike), 1]],
  [/^Soonest first/, [({ expiry }) => Number(expiry), 1]],
  [/^By name/, [({ symbol }) => String(symbol), 1]],
  [/^Highest first/, [({ annualized }) => Number(annualized), -1]],
  [/largest share of long first/, [({ long_ratio }) => Number(long_ratio), -1]],
  [/^Ascending\.|ascending: 100 rows/, [Number, 1]],
];

/** The lists of an answer with what its schema says of each. */
function* listsOf(schema: unknown, data: unknown): Generator<[description: string, rows: Row[]]> {
  if (typeof schema !== 'object' || schema === null || data === undefined) return;
  const { description = '', items, properties = {}, anyOf = [] } = Object(schema);
  if (items !== undefined && Array.isArray(data)) {
    yield [description, data];
    for (const row of data) yield* listsOf(items, row);
  }
  for (const branch of anyOf) yield* listsOf(branch, data);
  for (const [name, part] of Object.entries(properties)) yield* listsOf(part, Object(data)[name]);
}

export const isSorted = (rows: readonly Row[], [key, sign]: Order): boolean =>
  rows.every((row, i) => {
    const before = rows[i - 1];
    if (before === undefined) return true;
    const [a, b] = [key(before), key(row)];
    return sign === 1 ? a <= b : a >= b;
  });

const orderOf = (description: string) => stated.find(([words]) => words.test(description))?.[1];

/** The lists of two rows or more whose order is stated. */
export const orderedLists = (row: Pick<Route, 'answer'>, data: unknown) =>
  [...listsOf(row.answer, data)].flatMap(([description, rows]) => {
    const order = orderOf(description);
    return order === undefined || rows.length < 2 ? [] : [{ description, rows, order }];
  });

/** What is wrong with an answer: its form, the order of a list, or an exchange that is not that of the path. */
function faultOf(row: Route, data: unknown): string | null {
  const validate = validators.get(row) ?? ajv.compile(Object(closed(row.answer)));
  validators.set(row, validate);
  if (!validate(data)) return JSON.stringify(validate.errors?.[0]);
  const wrong = orderedLists(row, data).find(({ rows, order }) => !isSorted(rows, order));
  if (wrong) return `not ${wrong.description}`;
  const [, own] = /^\/v1\/analytics\/([a-z]+)\//.exec(row.path) ?? [];
  const { exchange = own } = Object(data);
  return own === undefined || exchange === own ? null : `the exchange is ${exchange}`;
}

/** The answer as it is. Throws where its data is not as the row states. */
export function fitting<A extends Snapshot | ApiError>(row: Route, answer: A): A {
  if (!(answer instanceof Snapshot)) return answer;
  const fault = faultOf(row, JSON.parse(answer.dataText));
  if (fault !== null) throw new Error(`the answer of ${row.path}: ${fault}`);
  return answer;
}
