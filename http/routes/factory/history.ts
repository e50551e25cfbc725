/**
 * The factory of histories: rows whose answer is made of the points that queries reply. A row declares what it is about (a
 * `Subject`), how the replies are folded, and the fields of a point with schema and value in one table. The parameter of the
 * exchange, the head of the answer, its schema, the key of the cache and the errors follow from that.
 */
import type { Queries, QueryName } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import {
  type BesideReplies,
  type Question,
  type QuestionOf,
  questionOf,
} from '../../answers/queries.ts';
import { type Params, type Route, type Values, withPages } from '../../endpoints/route.ts';
import { type ApiError, apiError, type ErrorCode, isApiError } from '../../wire/errors.ts';
import { type Columns, columns, listed } from './columns.ts';

type Reply<N extends QueryName> = Queries[N]['reply'];

/** The queries of an answer, and what it is about. */
export type Asked<N extends QueryName, A> = Pick<
  QuestionOf<N>,
  'source' | 'name' | 'params' | 'also' | 'beside'
> & { about: A };

/** The replies with what they are about. */
export interface Given<N extends QueryName, A, V = unknown> {
  about: A;
  values: V;
  /** The reply to the query, and those to `also` in their order; null for one that failed. */
  replies: readonly (Reply<N> | null)[];
  /** The sources of these replies. */
  sources: readonly string[];
  beside: BesideReplies;
}

/** The same with what was made of them. */
export interface Made<N extends QueryName, A, F = unknown, V = unknown> extends Given<N, A, V> {
  made: F;
}

/** What a history is about: `V` are the values that choose it, `A` is what is found by them. */
export interface Subject<N extends QueryName, V, A extends object> {
  /** False where no exchange has the data: then there is no row. */
  isAnswered: boolean;
  /** Parameters of its own, after those of the row. */
  params?: Params;
  /** Errors that do not follow from the row. */
  fails: readonly ErrorCode[];
  /** The first fields of the answer. */
  head: Columns<Made<N, A>>;
  /** Those after the number of points. */
  record?: Columns<Made<N, A>>;
  /** Subject of an error message: `the taker volume of BTC`. */
  what(about: A): string;
  ask(values: V): Asked<N, A> | ApiError;
}

/** How the answer is made: of the reply to the query, or of what replies there are, of which one is enough. */
type Fold<N extends QueryName, A, V, F> =
  | { fold(reply: Reply<N>, given: Given<N, A, V>): F | ApiError; foldAll?: undefined }
  | { foldAll(given: Given<N, A, V>): F | ApiError; fold?: undefined };

/** A history without its place in the route table. */
export type HistoryAnswer<
  Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
> = Fold<N, A, Values<Ps>, F> & {
  path: string;
  /** `interval`, where there is one, stands in the answer as well. */
  params: Ps;
  of: Subject<N, Values<Ps>, A>;
  /** Fields between those of the subject and the points. */
  head?: Columns<Made<N, A, F, Values<Ps>>>;
  /** The points, where the fold makes a list of them. */
  points?: Points<F>;
};

/** A row of the route table; `fails` are its errors beside those of the subject. */
export type HistoryRow<
  Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
> = HistoryAnswer<Ps, N, A, F> & Pick<Route, 'summary' | 'group' | 'spacing' | 'fails'>;

/** The first field of a point. */
export const timed = columns<{ timestamp: number }>()({
  timestamp: s.unixMs('Start of the interval, Unix ms.'),
});

/** The exchanges of which no reply came. */
export const failedExchanges = columns<Pick<Given<QueryName, unknown>, 'replies' | 'sources'>>()({
  failed_exchanges: [
    s.list(s.string(), 'Exchanges that could not be asked.'),
    ({ replies, sources }) => [...new Set(sources.filter((_, i) => replies[i] === null))],
  ],
});

/** The first field of answers about an asset. */
export const symbolField = columns<{ about: { symbol: string } }>()({
  symbol: [s.string('Base asset.'), ({ about }) => about.symbol],
});
const interval = columns<{ values: unknown }>()({
  interval: [s.interval, ({ values }) => String(Reflect.get(Object(values), 'interval'))],
});

/** The number of points, and the points. */
interface Points<in F> {
  count: Columns<{ made: F }>;
  list: Columns<{ made: F }>;
}

const count = columns<{ made: readonly unknown[] }>()({
  count: [s.count, ({ made }) => made.length],
});

/** Points with these fields; `name` is that of their list. */
export const ascending = <R>(
  fields: Columns<R>,
  order = 'Ascending by time.',
  name = 'points',
): Points<readonly R[]> => {
  const list = listed(fields, order, ({ made }: { made: readonly R[] }) => made);
  return { count, list: columns<{ made: readonly R[] }>()({ [name]: list }) };
};

/** The fields of the answer in their order. */
function answerOf<Ps extends Params, N extends QueryName, A extends object, F extends object>({
  params,
  points,
  head,
  of,
}: HistoryAnswer<Ps, N, A, F>): Columns<Made<N, A, F, Values<Ps>>> {
  const parts: (Columns<Made<N, A, F, Values<Ps>>> | undefined)[] = [
    of.head,
    'interval' in params ? interval : undefined,
    points?.count,
    of.record,
    head,
    points?.list,
  ];
  return columns<Made<N, A, F, Values<Ps>>>(...parts.filter((part) => part !== undefined))({
    // Set where one of the replies is stale.
    stale: [s.stale, () => undefined],
  });
}

/** The values that tell answers about one asset apart: the range is in the parameters of the query. */
const inForm = ([name]: [string, unknown]): boolean =>
  name !== 'symbol' && name !== 'from' && name !== 'to';

const symbolOf = (about: object): unknown => ('symbol' in about ? about.symbol : null);

type Data = Readonly<Record<string, unknown>>;

/** The answer of a history with its query, for rows that are a history among others. */
export function historyAnswer<
  const Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
>(row: HistoryAnswer<Ps, N, A, F>) {
  const { path, of } = row;
  const answer = answerOf(row);
  const madeOf = (given: Given<N, A, Values<Ps>>): F | ApiError => {
    if (row.foldAll) return row.foldAll(given);
    const [own] = given.replies;
    return own ? row.fold(own, given) : apiError('upstream_failed');
  };
  const query = (values: Values<Ps>): Question<Data> | ApiError => {
    const asked = of.ask(values);
    if (isApiError(asked)) return asked;
    const { about, ...queries } = asked;
    const sources = [queries.source, ...(queries.also ?? []).map(({ source }) => source)];
    const dataOf = (replies: readonly (Reply<N> | null)[], beside: BesideReplies) => {
      const given = { about, values, replies, sources, beside };
      const made = madeOf(given);
      return isApiError(made) ? made : answer.read({ ...given, made });
    };
    const question: QuestionOf<N, Data> = {
      ...queries,
      what: of.what(about),
      form: JSON.stringify([path, symbolOf(about), Object.entries(values).filter(inForm)]),
      data: (reply, others, beside) => dataOf([reply, ...others], beside),
    };
    if (row.foldAll === undefined) return questionOf(question);
    return questionOf({
      ...question,
      onPartialFailure: (others, beside) => dataOf([null, ...others], beside),
    });
  };
  return { answer: s.object(answer.properties), query };
}

/** The row of a history; none where no exchange has its data. */
export function history<
  const Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
>(row: HistoryRow<Ps, N, A, F>): Route[] {
  const { path, summary, group, of, params, fails = [], spacing } = row;
  if (!of.isAnswered) return [];
  const { answer, query } = historyAnswer(row);
  const made: Route = {
    method: 'GET',
    access: 'key',
    path,
    summary,
    group,
    params: { ...params, ...of.params },
    fails: [...of.fails, ...fails],
    answer,
    from: { query },
  };
  return [withPages(spacing === undefined ? made : { ...made, spacing })];
}
