/**
 * Ranges of histories: with `from` an answer has the oldest `limit` rows of the range and says where the next ones begin, as
 * Binance and ccxt do; without it the newest. Where an exchange counts rows from a time on, so does the page (`countingQueries`);
 * every other page is a stretch of so many steps that it cannot hold more rows than `limit`.
 */
import { countingQueries, intervals, type QueryName } from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { day } from '../../config/time.ts';
import { isApiError } from '../wire/errors.ts';
import { JsonText } from './json-text.ts';
import type { QuestionOf } from './queries.ts';

type Values = Readonly<Record<string, string | number | undefined>>;

/** The least time between two rows of a history, ms; `interval` where the parameter of that name states it. */
export type RowStep = number | 'interval';

/** The parameters of a row, of which `from` states the step of a range. */
interface Ranged {
  params: Readonly<Record<string, { step?: RowStep }>>;
  from: object;
}

/** True for a row with a range and a limit whose answer is a query: such answers are paged, unless the row has pages of its own. */
export const isPaged = ({ params, from }: Ranged): boolean =>
  ['from', 'to', 'limit'].every((name) => name in params) &&
  'query' in from &&
  !('cursor' in params);

const next = s.optional(
  s.unixMs(
    '`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`.',
  ),
);

const isList = (schema: unknown): boolean => isObject(schema) && schema.type === 'array';

/** The schema of a paged answer: each object with a list of rows states `next`. */
export function withNextIn(schema: object): s.TSchema {
  const { anyOf, properties }: { anyOf?: object[]; properties?: object } = schema;
  if (anyOf) return { ...schema, anyOf: anyOf.map(withNextIn) };
  const hasRows = properties && Object.values(properties).some(isList);
  return hasRows ? { ...schema, properties: { ...properties, next } } : { ...schema };
}

/** The stretch of a page: rows up to `to`. Times in Unix ms, included. */
export interface Page {
  to: number;
  /** The last time of the whole range. */
  end: number;
}

/** The step of the rows of a range, ms. Throws where the row states none: its pages could not be told. */
function stepOf({ from }: Ranged['params'], interval: unknown): number {
  const step = from?.step;
  if (typeof step === 'number') return step;
  // The shortest month: a stretch of longer ones would hold more rows than its page.
  if (interval === '1M') return 28 * day;
  const found = Object.entries(intervals).find(([name]) => name === interval);
  if (step === undefined || !found) throw new Error('a range without a step');
  return found[1];
}

/** The page of a question at `now`, Unix ms; null where it asks for the newest rows. */
export function pageOf(
  { from, to, limit, interval }: Values,
  { now, params }: { now: number; params: Ranged['params'] },
): Page | null {
  if (typeof from !== 'number' || typeof limit !== 'number') return null;
  const step = stepOf(params, interval);
  const end = Math.min(typeof to === 'number' ? to : now, now);
  const first = Math.ceil(from / step) * step;
  return { to: Math.min(end, first + (limit - 1) * step), end };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether an exchange counts the rows of the answer: those of several exchanges have a stretch in common. */
export const isCounted = ({
  name,
  sameQueryElsewhere,
  otherQueries,
}: Pick<QuestionOf<QueryName>, 'name' | 'sameQueryElsewhere' | 'otherQueries'>) =>
  countingQueries.has(name) && sameQueryElsewhere === undefined && otherQueries === undefined;

/** How far the reply of an exchange that counts rows reaches, Unix ms; null where its range has no more. */
const reachedBy = (reply: unknown): number | null =>
  isObject(reply) && typeof reply.reached === 'number' ? reply.reached : null;

/** The answer with the time at which the rows after those up to `reached` begin, where the range goes on. */
function withNext(data: unknown, reached: number | null, { end }: Page): unknown {
  if (!isObject(data) || data instanceof JsonText || isApiError(data)) return data;
  return reached === null || reached >= end ? data : { ...data, next: reached + 1 };
}

/** The question about one page, whose answer says where the next one begins. */
export function paged<N extends QueryName>(question: QuestionOf<N>, page: Page): QuestionOf<N> {
  const reachedOf = (reply: unknown) => (isCounted(question) ? reachedBy(reply) : page.to);
  const { data, onPartialFailure, variant = '' } = question;
  return {
    ...question,
    // A range that ends with the page asks the same of the source.
    variant: `${variant} ${page.to < page.end}`,
    data: (value, others, otherReplies) =>
      withNext(data(value, others, otherReplies), reachedOf(value), page),
    ...(onPartialFailure && {
      onPartialFailure: (others, otherReplies) =>
        withNext(onPartialFailure(others, otherReplies), page.to, page),
    }),
  };
}
