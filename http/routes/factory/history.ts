/** Rows whose answer is made of what queries reply about a range of time. */

import type { Queries, QueryName } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import type { LogQuery } from '../../answers/numbered-log.ts';
import {
  type BesideReplies,
  type Question,
  type QuestionOf,
  questionOf,
} from '../../answers/queries.ts';
import { type Params, type Route, route, type Values } from '../../endpoints/route.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import { type Columns, columns } from './columns.ts';

type Reply<N extends QueryName> = Queries[N]['reply'];

/** Fields of any names that are made of a `T`. */
export type Fields<T> = Pick<Columns<T, s.TProperties>, 'properties' | 'read'>;

/** The queries of an answer, and what it is about. */
export type Asked<N extends QueryName, A> = Pick<
  QuestionOf<N>,
  'source' | 'name' | 'params' | 'also' | 'beside' | 'failure'
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
  fails?: Route['fails'];
  /** The first fields of the answer. */
  head: Fields<Made<N, A>>;
  /** Those after the number of points. */
  record?: Fields<Made<N, A>>;
  /** Subject of an error message: `the taker volume of BTC`. */
  what(about: A): string;
  ask(values: V): Asked<N, A> | ApiError;
}

/** What one source is asked, which follows from the values alone. */
export const ofSource = <N extends QueryName, V extends object>(
  asked: Pick<QuestionOf<N>, 'source' | 'name' | 'failure'> & {
    what(values: V): string;
    params(values: V): Queries[N]['params'];
  },
): Subject<N, V, V> => ({
  isAnswered: true,
  fails: ['upstream_failed'],
  head: joined(),
  what: asked.what,
  ask(about) {
    const { source, name, failure } = asked;
    return { source, name, failure, params: asked.params(about), about };
  },
});

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
  /** Fields of what is asked about, between those of the subject and the points. */
  head?: Fields<Made<N, A, F, Values<Ps>>>;
  /** Fields of what the fold makes. */
  fields?: Fields<F>;
  /** The points, where the fold makes a list of them. */
  points?: Points<F>;
};

/** Points and their number. */
interface Points<in F> {
  name: string;
  count: Fields<{ made: F }>;
  list: Fields<{ made: F }>;
}

/** The points of an answer in the order of time. `name` is that of their list. */
export const points = <R extends object, P extends s.TProperties>(
  point: Columns<R, P>,
  order = 'Ascending by time.',
  name = 'points',
): Points<readonly R[]> => ({
  name,
  count: columns<{ made: readonly R[] }>()({ count: [s.count, ({ made }) => made.length] }),
  list: columns<{ made: readonly R[] }>()({
    [name]: [s.list(point.schema, order), ({ made }: { made: readonly R[] }) => point.all(made)],
  }),
});

/** The first field of a point. */
export const timestamp = s.unixMs('Start of the interval, Unix ms.');

/** The first field of answers about an asset. */
export const symbolField = columns<{ about: { symbol: string } }>()({
  symbol: [s.string('Base asset.'), ({ about }) => about.symbol],
});

const intervalField = columns<{ values: unknown }>()({
  interval: [s.interval, ({ values }) => String(Reflect.get(Object(values), 'interval'))],
});

/** The exchanges of which no reply came. */
export const failedExchanges = [
  s.list(s.string(), 'Exchanges that could not be asked.'),
  ({ replies, sources }: Pick<Given<QueryName, unknown>, 'replies' | 'sources'>) =>
    sources.filter((_, i) => replies[i] === null),
] as const;

/** Several tables of fields as one; of two fields with one name the later one counts. */
export const joined = <T>(...parts: readonly (Fields<T> | undefined)[]): Fields<T> => ({
  properties: Object.assign({}, ...parts.map((part) => part?.properties)),
  read: (from) => Object.assign({}, ...parts.map((part) => part?.read(from))),
});

/** The fields of the answer in their order. */
const answerOf = <Ps extends Params, N extends QueryName, A extends object, F extends object>({
  params,
  of,
  head,
  fields,
  points: list,
}: HistoryAnswer<Ps, N, A, F>): Fields<Made<N, A, F, Values<Ps>>> =>
  joined<Made<N, A, F, Values<Ps>>>(
    of.head,
    'interval' in params ? intervalField : undefined,
    list?.count,
    of.record,
    head,
    fields && { properties: fields.properties, read: ({ made }) => fields.read(made) },
    list?.list,
    // Set where one of the replies is stale.
    { properties: { stale: s.stale }, read: () => ({}) },
  );

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

/**
 * Declares a history: what it is about (`of`), how the replies are folded, and the fields of a point with schema and value in one
 * table. The parameter of the exchange, the head of the answer, its schema, the key of the cache and the errors follow. There is no
 * row where no exchange has the data.
 *
 *     history({ path: '/v1/futures/taker-buysell', group, summary, params: seriesParams(sevenIntervals, 100, 1000),
 *       of: ofMarket(context, { names: ['takerVolume'], kind: 'perpetual', on: ['binance', 'okx'], what: 'the taker volume',
 *         params: stepsOf }),
 *       fold: (reply) => reply.points, points: points(takerPoint) })
 */
export function history<
  const Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
>(
  row: HistoryAnswer<Ps, N, A, F> & { log?(values: Values<Ps>): LogQuery | ApiError } & Pick<
      Route,
      'summary' | 'group' | 'fails' | 'followEvery' | 'levels' | 'list'
    >,
): Route[] {
  const { path, summary, group, followEvery, levels, log, of } = row;
  if (!of.isAnswered) return [];
  const { answer, query } = historyAnswer(row);
  const made = route<Params, s.TSchema>({
    method: 'GET',
    access: 'key',
    path,
    summary,
    group,
    params: { ...row.params, ...of.params },
    fails: [...(of.fails ?? []), ...(row.fails ?? [])],
    answer,
    from: log === undefined ? { query } : { query, log },
  });
  return [{ ...made, followEvery, levels, list: row.list ?? row.points?.name }];
}
