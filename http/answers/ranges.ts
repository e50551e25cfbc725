/**
 * Ranges of histories: with `from` an answer has the oldest `limit` rows of the range and says where the next ones begin, as
 * Binance and ccxt do; without it the newest.
 */
import { type Interval, intervals, type QueryName } from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { isApiError } from '../wire/errors.ts';
import { JsonText } from './json-text.ts';
import type { QuestionOf } from './queries.ts';

type Values = Readonly<Record<string, string | number | undefined>>;

/** Between two fundings, ms, where the exchange does not charge more often. */
const eightHours = 28_800_000;

/** True for a row with a range and a limit whose answer is a query: such answers are paged, unless the row has pages of its own. */
export const isPaged = ({ params, from }: { params: object; from: object }): boolean =>
  ['from', 'to', 'limit'].every((name) => name in params) &&
  'query' in from &&
  !('cursor' in params);

const next = s.optional(
  s.unixMs('`from` of the next page, Unix ms, where the range was begun with `from` and goes on.'),
);

/** The schema of a paged answer: each object with a list of rows states `next`. */
export function withNextIn(schema: object): s.TSchema {
  const { anyOf, properties }: { anyOf?: object[]; properties?: object } = schema;
  if (anyOf) return { ...schema, anyOf: anyOf.map(withNextIn) };
  const hasRows = properties && ('points' in properties || 'bars' in properties);
  return hasRows ? { ...schema, properties: { ...properties, next } } : { ...schema };
}

/** The rows of a page: at most `limit` up to `to`. Times in Unix ms, included. */
export interface Page {
  limit: number;
  to: number;
  /** The last time of the whole range. */
  end: number;
}

const isInterval = (name: unknown): name is Interval =>
  typeof name === 'string' && Object.hasOwn(intervals, name);

/** The page of a question, `now` in Unix ms; null where it asks for the newest rows. `spacing` is that of rows without an interval. */
export function pageOf(
  { from, to, limit, interval }: Values,
  { now, spacing = eightHours }: { now: number; spacing?: number | undefined },
): Page | null {
  if (typeof from !== 'number' || typeof limit !== 'number') return null;
  const step = isInterval(interval) ? intervals[interval] : spacing;
  const end = Math.min(typeof to === 'number' ? to : now, now);
  const first = Math.ceil(from / step) * step;
  return { limit, to: Math.min(end, first + (limit - 1) * step), end };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Where the rows after those of a page begin, Unix ms; null where there are none in its range. */
export function nextOf(data: object, { limit, to, end }: Page): number | null {
  const rows = isObject(data) ? (data.points ?? data.bars) : undefined;
  const list: readonly unknown[] = Array.isArray(rows) ? rows : [];
  const last = list.at(-1);
  const newest = isObject(last) && typeof last.timestamp === 'number' ? last.timestamp : to;
  const found = (list.length >= limit ? newest : to) + 1;
  return found <= end ? found : null;
}

/** The question about one page, whose answer says where the next one begins. */
export function paged<N extends QueryName>(question: QuestionOf<N>, page: Page): QuestionOf<N> {
  const marked = (data: unknown): unknown => {
    if (!isObject(data) || data instanceof JsonText || isApiError(data)) return data;
    const found = nextOf(data, page);
    return found === null ? data : { ...data, next: found };
  };
  const { data, onPartialFailure } = question;
  return {
    ...question,
    data: (value, others, beside) => marked(data(value, others, beside)),
    ...(onPartialFailure && {
      onPartialFailure: (others, beside) => marked(onPartialFailure(others, beside)),
    }),
  };
}
