/** Bodies of every exchange with something wrong in one place of one row: no value is made up, and no other row changes. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { property } from '../../support/property.ts';
import { bodiesOf, contextOf, type FeedPart, feedParts } from './fixtures.ts';
import { unlessRefused } from './stage.ts';

type Row = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** What is no number and no name of anything. */
const rubbish = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'x',
  {},
  [],
  'NaN',
  '-',
  true,
  '1e999',
);

/** The paths of all values that are no lists or maps. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...path, isList ? Number(key) : key]),
  );
}

/** The value with another one at a path. */
function withAt(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put;
  if (Array.isArray(value)) return value.with(Number(key), withAt(value[Number(key)], rest, put));
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [key]: withAt(inFrom(value, key), rest, put) };
}

/** Rows by their market; null where the whole body is refused. */
function read(
  { feed }: FeedPart,
  bodies: readonly unknown[],
  context: Parameters<FeedPart['feed']['parse']>[1],
) {
  const parsed = unlessRefused(() => feed.parse(bodies, context));
  return parsed && new Map(parsed.rows.map((row): [string, Row] => [row.market, { ...row }]));
}

/** All numbers in a value, those in texts too. */
const numbersIn = (value: unknown): number[] =>
  leavesOf(value).flatMap((path) => {
    const found = Number(path.reduce<unknown>((inner, key) => inFrom(inner, key), value));
    return Number.isFinite(found) ? [found] : [];
  });
const inFrom = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** What follows from a rate and its hours. */
const follows = new Set(['funding_rate_8h', 'funding_hours']);

/** Of a number in a body: itself, of one side of the market instead of both, and percent instead of a share or back. */
const factors = [1, 0.5, 100, 0.01];

const isNear = (now: number, other: number, share: number): boolean =>
  Math.abs(now - other) <= share * Math.abs(other);

/** Whether a value can be: as it was, unknown, near to that as other columns state it, or a number of the body itself. */
function isFound(
  key: string,
  [now, before]: [unknown, unknown],
  numbers: () => readonly number[],
): boolean {
  if (now === null || now === undefined || Object.is(now, before)) return true;
  if (typeof now !== 'number') return false;
  if (typeof before === 'number' && isNear(now, before, 0.05)) return true;
  // A change is percent of a price that may be another one of its row.
  if (key === 'change' && typeof before === 'number' && Math.abs(now - before) <= 5) return true;
  return numbers().some((one) => factors.some((factor) => isNear(now, one * factor, 1e-9)));
}

/** Letters and digits alone: a market may be named by its pair. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');

const differing = (now: Row, before: Row): string[] => [
  ...Object.keys(now).filter((key) => !Object.is(now[key], before[key])),
  ...Object.keys(before).filter((key) => before[key] !== undefined && !(key in now)),
];

/** Holds what is read of the damaged bodies against what is read of whole ones. */
function compare(found: Map<string, Row>, whole: Map<string, Row>, damaged: readonly unknown[]) {
  const text = JSON.stringify(damaged);
  let known: readonly number[] | undefined;
  // Most damage changes no number that is read.
  const numbers = () => (known ??= numbersIn(damaged));
  const others = [...whole.keys()].filter((market) => !found.has(market));
  for (const [market, row] of found) {
    const isNamed = text.includes(market) || plain(text).includes(plain(market));
    assert.ok(isNamed, `${market} is in no body`);
    const before = whole.get(market);
    if (!before) continue;
    const keys = differing(row, before);
    for (const key of keys)
      assert.ok(
        follows.has(key) || isFound(key, [row[key], before[key]], numbers),
        `${market}: ${key} is ${row[key]} and was ${before[key]}`,
      );
    if (keys.some((key) => key !== 'stated')) others.push(market);
  }
  assert.ok(others.length <= 1, `it costs ${others}`);
}

const topics = new Set(['prices', 'derivatives', 'openInterest']);

for (const venue of Object.values<Venue>(venues)) {
  t.test(venue.id, async (t) => {
    for (const part of feedParts(venue).filter(({ topic }) => topics.has(topic))) {
      const bodies = bodiesOf(venue, part.fixture);
      const context = contextOf(venue, part.part);
      const whole = read(part, bodies, context);
      const damage = fc.tuple(fc.constantFrom(...leavesOf(bodies)), rubbish);
      t.comment(`${part.topic} of ${part.part}`);
      await property(t, damage, ([path, put]) => {
        const damaged = bodies.map((body, at) =>
          at === path[0] ? withAt(body, path.slice(1), put) : body,
        );
        const found = read(part, damaged, context);
        if (found && whole) compare(found, whole, damaged);
      });
    }
  });
}
