/** Rows whose answer is made of what queries reply about a range of time. */

import type { Queries, Query, QueryName, RecordedName } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import type { LogQuery } from '../../answers/numbered-log.ts';
import {
  type OtherReplies,
  type Question,
  type QuestionOf,
  questionOf,
} from '../../answers/queries.ts';
import { resolverOf, resolving } from '../../endpoints/resolve.ts';
import {
  type Params,
  type Resolved,
  type Route,
  route,
  type Values,
} from '../../endpoints/route.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import { type Columns, columns } from './columns.ts';

type Reply<N extends QueryName> = Queries[N]['reply'];

/** Fields of any names that are made of a `T`. */
export type Fields<T> = Pick<Columns<T, s.TProperties>, 'properties' | 'read'>;

/** The queries of an answer. */
export interface QuerySpec<N extends QueryName>
  extends Pick<Query<N>, 'source' | 'params'>,
    Pick<QuestionOf<N>, 'sameQueryElsewhere' | 'otherQueries' | 'failure' | 'cacheFor'> {
  /** Where it is not the first of the subject. */
  name?: N;
}

/** The replies, with the values that they were asked for with. */
export interface Replies<N extends QueryName, V> {
  values: V;
  /** The reply to the query, and those to `sameQueryElsewhere` in their order; null for one that failed. */
  replies: readonly (Reply<N> | null)[];
  /** The sources of these replies. */
  sources: readonly string[];
  otherReplies: OtherReplies;
}

/** The same with what was made of them. */
export interface Result<N extends QueryName, V, F = unknown> extends Replies<N, V> {
  made: F;
}

/** What a history is about: `V` are the resolved values of its row, `A` are fields that it adds to them. */
export interface Subject<N extends QueryName, V, A extends object = object> {
  /** False where no exchange has the data: then there is no row. */
  isAnswered?: boolean;
  /** The query, or those of which `ask` names one. */
  names: readonly [N, ...N[]];
  /** The series that is read, where it is recorded. */
  series?: RecordedName;
  /** Parameters of its own, after those of the row. */
  params?: Params;
  /** Fields that follow from several values. It stands before the functions that read them. */
  resolve?(values: V): A | ApiError;
  /** Errors that do not follow from the row; `upstream_failed` when absent. */
  fails?: Route['fails'];
  /** The first fields of the answer; `symbol`, where that is a parameter, when absent. */
  head?: Fields<Result<N, V & A>>;
  /** Those after the number of points. */
  record?: Fields<Result<N, V & A>>;
  /** Subject of an error message: `the taker volume of BTC`. */
  what(values: V & A): string;
  ask(values: V & A): QuerySpec<N> | ApiError;
}

/** One query to several sources; the error where an asset has none of them. */
export function toAll<N extends QueryName>(
  all: readonly Pick<QuestionOf<N>, 'source' | 'params'>[],
  symbol: string,
): QuerySpec<N> | ApiError {
  const [first, ...sameQueryElsewhere] = all;
  return first
    ? { ...first, sameQueryElsewhere }
    : apiError('unknown_symbol', `unknown symbol '${symbol}'`);
}

/** How the answer is made: of the reply to the query, or of what replies there are, of which one is enough. */
type Fold<N extends QueryName, V, F> =
  | { fold(reply: Reply<N>, given: Replies<N, V>): F | ApiError; foldAll?: undefined }
  | { foldAll(given: Replies<N, V>): F | ApiError; fold?: undefined };

/** A history without its place in the route table. */
export type HistoryAnswer<
  Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
> = Fold<N, Resolved<Ps> & A, F> & {
  path: string;
  /** `interval`, where there is one, stands in the answer as well. */
  params: Ps;
  of: Subject<N, Resolved<Ps>, A>;
  /** Fields of what is asked about, between those of the subject and the points. */
  head?: Fields<Result<N, Resolved<Ps> & A, F>>;
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
export const timestamp = s.unixMs('Start of the interval.');

/** Fields that repeat the values of the same names. */
export const repeated = <P extends s.TProperties>(
  properties: P,
): Fields<{ values: { readonly [K in keyof P]: s.Static<P[K]> } }> => ({
  properties,
  read({ values }) {
    const found: Record<string, unknown> = {};
    for (const name in properties) found[name] = values[name];
    return found;
  },
});
export const noFields: Fields<unknown> = { properties: {}, read: () => ({}) };
export const symbolField = repeated({ symbol: s.symbol });
export const exchangeField = repeated({ exchange: s.exchange });
/** Those of a market by any of its names. */
export const namedProperties = { exchange: s.exchange, symbol: s.string('As asked.') };
export const namedFields = repeated(namedProperties);
const textOf = ({ values }: { values: unknown }, name: string): string =>
  String(Reflect.get(Object(values), name));
const fieldOf = (name: 'symbol' | 'interval', params: Params, schema: s.TSchema<string>) =>
  name in params
    ? {
        properties: { [name]: schema },
        read: (from: { values: unknown }) => ({ [name]: textOf(from, name) }),
      }
    : undefined;

/** The exchanges of which no reply came. */
export const failedIn = ({
  replies,
  sources,
}: Pick<Replies<QueryName, unknown>, 'replies' | 'sources'>) =>
  sources.filter((_, i) => replies[i] === null);
export const failedField = columns<Pick<Replies<QueryName, unknown>, 'replies' | 'sources'>>()({
  failed_exchanges: [s.list(s.string(), 'Exchanges that could not be asked.'), failedIn],
});

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
}: HistoryAnswer<Ps, N, A, F>): Fields<Result<N, Resolved<Ps> & A, F>> =>
  joined<Result<N, Resolved<Ps> & A, F>>(
    of.head ?? fieldOf('symbol', params, s.symbol),
    fieldOf('interval', params, s.interval),
    list?.count,
    of.record,
    head,
    fields && { properties: fields.properties, read: ({ made }) => fields.read(made) },
    list?.list,
    // Set where one of the replies is stale.
    { properties: { stale: s.stale }, read: () => ({}) },
  );

/** The values that tell answers about one asset apart: the range is in the parameters of the query. */
const inVariant = ([name]: [string, unknown]): boolean =>
  name !== 'symbol' && name !== 'from' && name !== 'to';
const symbolOf = (values: object): unknown => ('symbol' in values ? values.symbol : null);

type Data = Readonly<Record<string, unknown>>;

/** The answer of a history with its query, for rows that are a history among others. */
export function historyAnswer<
  const Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
>(row: HistoryAnswer<Ps, N, A, F>) {
  const { path, params, of } = row;
  const answer = answerOf(row);
  const resolved = resolverOf(params, of);
  const madeOf = (given: Replies<N, Resolved<Ps> & A>): F | ApiError => {
    if (row.foldAll) return row.foldAll(given);
    const [own] = given.replies;
    return own ? row.fold(own, given) : apiError('upstream_failed');
  };
  const query = (asked: Values<Ps>): Question<Data> | ApiError => {
    const values = resolved(asked);
    if (isApiError(values)) return values;
    const queries = of.ask(values);
    if (isApiError(queries)) return queries;
    const sources = [
      queries.source,
      ...(queries.sameQueryElsewhere ?? []).map(({ source }) => source),
    ];
    const dataOf = (replies: readonly (Reply<N> | null)[], otherReplies: OtherReplies) => {
      const given = { values, replies, sources, otherReplies };
      const made = madeOf(given);
      return isApiError(made) ? made : answer.read({ ...given, made });
    };
    const question: QuestionOf<N, Data> = {
      name: of.names[0],
      ...queries,
      what: of.what(values),
      variant: JSON.stringify([path, symbolOf(values), Object.entries(asked).filter(inVariant)]),
      data: (reply, others, otherReplies) => dataOf([reply, ...others], otherReplies),
    };
    if (row.foldAll === undefined) return questionOf(question);
    return questionOf({
      ...question,
      onPartialFailure: (others, otherReplies) => dataOf([null, ...others], otherReplies),
    });
  };
  return { answer: s.object(answer.properties), query };
}

/** How far back a range of a history can begin. */
function reachOf({ names, series }: Pick<Subject<QueryName, never>, 'names' | 'series'>): string {
  const since = '`/v1/history/coverage` says since when and for how long';
  if (names.length === 1 && names[0] === 'series')
    return `Recorded by this service${series === undefined ? '' : ` as \`${series}\``}: ${since}.`;
  return names.some((name) => name === 'series')
    ? `Goes back as far as the exchange keeps it; of those that keep none it is recorded here: ${since}.`
    : 'Goes back as far as the exchange keeps it.';
}

/** A history as a row. */
export type HistoryRow<
  Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
> = HistoryAnswer<Ps, N, A, F> & { log?(values: Resolved<Ps>): LogQuery | ApiError } & Pick<
    Route,
    'summary' | 'fails' | 'followEvery' | 'levels' | 'list'
  >;

/**
 * Declares a history: what it is about (`of`), how the replies are folded, and the fields of a point with schema and value in one
 * table. The parameter of the exchange, the head of the answer, its schema, the key of the cache and the errors follow. There is no
 * row where no exchange has the data.
 *
 *     history({ path: '/v1/futures/taker-buysell', summary, params: seriesParams(sevenIntervals, 100, 1000),
 *       of: ofMarket(context, { names: ['takerVolume'], kind: 'perpetual', on: ['binance', 'okx'], what: 'the taker volume',
 *         params: stepsOf }),
 *       fold: (reply) => reply.points, points: points(takerPoint) })
 */
export function history<
  const Ps extends Params,
  N extends QueryName,
  A extends object,
  F extends object,
>(row: HistoryRow<Ps, N, A, F>): Route[] {
  const { path, summary, followEvery, levels, log, of } = row;
  if (of.isAnswered === false) return [];
  const { answer, query } = historyAnswer(row);
  const made = route<Params, s.TSchema>({
    path,
    summary,
    params: { ...row.params, ...of.params },
    fails: [...(of.fails ?? ['upstream_failed']), ...(row.fails ?? [])],
    answer,
    from: log === undefined ? { query } : { query, log: resolving(row.params, log) },
  });
  const reach = 'from' in made.params ? reachOf(of) : undefined;
  return [{ ...made, followEvery, levels, reach, list: row.list ?? row.points?.name }];
}
