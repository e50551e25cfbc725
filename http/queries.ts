import type { Bus } from '../actors/bus/bus.ts';
import { type Fetched, QueryCache } from '../actors/bus/query-cache.ts';
import { type Result, success } from '../actors/failure.ts';
import type { Clock } from '../actors/kernel/clock.ts';
import type { CacheCounts, Queries, Query, QueryName, Reply } from '../actors/topics/index.ts';
import { type ApiError, fromFailure, isApiError } from './errors.ts';
import { JsonText } from './json-text.ts';
import { Refresher } from './refresher.ts';
import { type Snapshot, snapshotOf } from './snapshots.ts';

/** A query of one name with how its reply becomes an answer with data of type `D`. */
export interface QuestionOf<N extends QueryName, D = unknown> extends Query<N> {
  /** Names the thing in an error message, such as `the order book of binance`. */
  what: string;
  /** The same query to further sources or about further markets, asked at the same time. */
  also?: readonly Pick<Query<N>, 'source' | 'params'>[];
  /**
   * `data` of the answer, or the error that the reply means. It may depend on nothing but the query and `form`. `others`
   * are the replies to `also`, null for one that failed.
   */
  data(
    value: Queries[N]['reply'],
    others: readonly (Queries[N]['reply'] | null)[],
  ): D | JsonText<D> | ApiError;
  /** Tells answers of one query in two forms apart. */
  form?: string;
  /** The error in place of the usual one. */
  failure?(error: ApiError): ApiError;
  /** An answer that was asked for within so many ms before it ended is made anew then. */
  refresh?: number;
}

/** Any of them; `name` decides the type of the others. */
export type Question<D = unknown> = { [N in QueryName]: QuestionOf<N, D> }[QueryName];

type Answer = Snapshot | ApiError;

/** What is kept of an answer: what it answers as well, so that it can be made anew. */
interface Kept {
  question: QuestionOf<QueryName>;
  answer: Answer;
}

export interface FrontQueriesOptions {
  bus: Pick<Bus, 'query'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Answers kept at most; 10,000 when absent. */
  entries?: number;
}

/** Most bytes of the answers kept in one process. */
const bytes = 64 * 2 ** 20;

const keyOf = ({ source, name, params, form = '', also }: QuestionOf<QueryName>): string =>
  JSON.stringify([source, name, params, form, also]);

/** The same data, marked; a text is that of an object. */
export function markStale<D>(data: D | JsonText<D>): D | JsonText<D> {
  if (data instanceof JsonText) return new JsonText(`{"stale":true,${data.text.slice(1)}`);
  return typeof data === 'object' && data !== null ? { ...data, stale: true } : data;
}

/**
 * The answers to queries, as ready bytes: each is given again, to everyone, until the reply says that it is no longer
 * fresh, without a word on the bus.
 */
export class FrontQueries {
  readonly #bus: Pick<Bus, 'query'>;
  readonly #cache: QueryCache<Kept>;
  readonly #refresher: Refresher<Kept>;

  constructor({ bus, clock, random, entries = 10_000 }: FrontQueriesOptions) {
    this.#bus = bus;
    this.#cache = new QueryCache<Kept>({
      clock,
      entries,
      bytes,
      sizeOf: ({ answer }) => (isApiError(answer) ? 0 : answer.length),
      staleLives: 0,
    });
    this.#refresher = new Refresher({
      clock,
      random,
      cache: this.#cache,
      lengthOf: ({ question, answer }) => (isApiError(answer) ? 0 : (question.refresh ?? 0)),
      fetch: ({ question }) => this.#fetch(question, ''),
    });
  }

  /** At once where the answer is fresh, else when it has been asked for, for `account`. Rejects when the question's `data` throws. */
  read<N extends QueryName>(question: QuestionOf<N>, account: string): Answer | Promise<Answer> {
    const key = keyOf(question);
    const kept = this.#cache.get(key, account);
    if (kept) return answerOf(question, kept);
    return this.#cache
      .refresh(key, account, () => this.#fetch(question, account))
      .then((outcome) => {
        if (outcome.ok && question.refresh) this.#refresher.plan(outcome.value.until);
        return answerOf(question, outcome);
      });
  }

  counts(): CacheCounts {
    return this.#cache.counts();
  }

  stop(): void {
    this.#refresher.stop();
  }

  async #fetch<N extends QueryName>(
    question: QuestionOf<N>,
    account: string,
  ): Promise<Result<Fetched<Kept>>> {
    const { source, name, params, also = [] } = question;
    const ask = (one: Pick<Query<N>, 'source' | 'params'>) =>
      this.#bus.query({ ...one, name }, { account });
    const [reply, ...others] = await Promise.all([ask({ source, params }), ...also.map(ask)]);
    if (!reply.ok) return reply;
    const { value, ...times } = timesOf(reply.value, others);
    const data = question.data(
      value,
      others.map((other) => (other.ok ? other.value.value : null)),
    );
    const error = typeof data === 'object' && data !== null && isApiError(data);
    const answer = error ? data : snapshotOf(times.stale ? markStale(data) : data);
    return success({ value: { question, answer }, ...times });
  }
}

function answerOf(
  { what, failure }: Pick<Question, 'what' | 'failure'>,
  outcome: Result<{ value: Kept }>,
): Answer {
  if (outcome.ok) return outcome.value.value.answer;
  const error = fromFailure(outcome.failure, what);
  return failure ? failure(error) : error;
}

/** The reply with the times of all: as fresh as the first that ends, and not given again where one failed. */
function timesOf<T>(reply: Reply<T>, others: readonly Result<Reply<unknown>>[]): Reply<T> {
  let { until } = reply;
  let { stale } = reply;
  for (const other of others) {
    until = other.ok ? Math.min(until, other.value.until) : 0;
    if (other.ok) stale ||= other.value.stale;
  }
  return { ...reply, until, ...(stale && { stale }) };
}
