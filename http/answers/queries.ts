import type { Bus } from '../../actors/bus/bus.ts';
import { type Failure, type Result, success } from '../../actors/failure.ts';
import type { Clock } from '../../actors/kernel/clock.ts';
import { type Fetched, QueryCache } from '../../actors/queries/query-cache.ts';
import {
  type CacheCounts,
  type Queries,
  type Query,
  type QueryName,
  type Reply,
  storeQueries,
} from '../../actors/topics/index.ts';
import { type ApiError, apiError, fromFailure, fromStore, isApiError } from '../wire/errors.ts';
import { JsonText } from './json-text.ts';
import { Refresher } from './refresher.ts';
import { type Kept, type Snapshot, snapshotOf } from './snapshots.ts';

/** Queries of further names. */
type OtherQueries = { readonly [M in QueryName]?: readonly Pick<Query<M>, 'source' | 'params'>[] };

/** The replies to them in the same order, null for one that failed. */
export type OtherReplies = { readonly [M in QueryName]?: readonly (Queries[M]['reply'] | null)[] };

/** A query of one name with how its reply becomes an answer with data of type `D`. */
export interface QuestionOf<N extends QueryName, D = unknown> extends Query<N> {
  /** The subject of an error message, such as `the order book of binance`. */
  what: string;
  /** The same query to further sources or about further markets, asked at the same time. */
  sameQueryElsewhere?: readonly Pick<Query<N>, 'source' | 'params'>[];
  /** Queries of other names, asked at the same time. */
  otherQueries?: OtherQueries;
  /**
   * `data` of the answer, or the error that the reply means. It may depend on nothing but the query and `variant`. `others`
   * are the replies to `sameQueryElsewhere`, null for one that failed; where it is `upstream_failed`, the failure of the first of those
   * is the answer.
   */
  data(
    value: Queries[N]['reply'],
    others: readonly (Queries[N]['reply'] | null)[],
    otherReplies: OtherReplies,
  ): D | JsonText<D> | ApiError;
  /** The same where the query itself failed and one of the others did not; its failure is the answer when absent. */
  onPartialFailure?(
    others: readonly (Queries[N]['reply'] | null)[],
    otherReplies: OtherReplies,
  ): D | JsonText<D> | ApiError;
  /** Tells two kinds of answers to one query apart. */
  variant?: string;
  /** The error in place of the usual one. */
  failure?(error: ApiError): ApiError;
  /** An answer whose replies are all there and none of them stale is given for this time, ms, from its newest reply on, or longer. */
  cacheFor?: number;
  /** An answer requested within this time, ms, before its end is refreshed then. */
  refresh?: number;
}

/** Any of them; `name` decides the type of the others. */
export type Question<D = unknown> = { [N in QueryName]: QuestionOf<N, D> }[QueryName];

/** The same question, for code that is generic over its name: the compiler does not see that `N` is one of the names. */
export function questionOf<N extends QueryName, D>(question: QuestionOf<N, D>): Question<D>;
export function questionOf(question: unknown): unknown {
  return question;
}

type Answer = Snapshot | ApiError;

/** A cached answer, with its question so that it can be refreshed. */
interface CachedAnswer {
  question: QuestionOf<QueryName>;
  answer: Answer;
}

export interface FrontQueriesOptions {
  bus: Pick<Bus, 'query'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
}

/** Most cached answers of one process, and most bytes of them. */
const limits = { entries: 10_000, bytes: 64 * 2 ** 20 };

/** How long an answer is given to equal requests before its question is made again, ms. */
const life = 1_000;
/** Most of these answers, and most bytes of their bodies. */
const mostAgain = { entries: 10_000, bytes: 32 * 2 ** 20 };

/**
 * The answers of about the last second, which are given again without their question being made, but never after their own
 * end. After a second all are dropped, so the other inputs of a question (the lists of markets) are at most that old.
 */
class RecentAnswers {
  #kept: Kept[] = [];
  #bytes = 0;
  #begun = 0;

  /** Keeps an answer that is fresh until `until`; both times are Unix ms. */
  keep(answer: Snapshot, until: number, now: number): void {
    if (now >= this.#begun + life || now < this.#begun) this.#drop(now);
    const isFull =
      this.#kept.length === mostAgain.entries || this.#bytes + answer.length > mostAgain.bytes;
    if (answer.kept.answer !== null || isFull) return;
    const from = this.#begun;
    answer.kept = { answer, from, until: Math.min(until, from + life) };
    this.#kept.push(answer.kept);
    this.#bytes += answer.length;
  }

  #drop(now: number): void {
    for (const kept of this.#kept) kept.answer = null;
    this.#kept = [];
    this.#bytes = 0;
    this.#begun = now;
  }
}

const keyOf = (question: QuestionOf<QueryName>): string => {
  const { source, name, params, variant = '', sameQueryElsewhere, otherQueries } = question;
  return JSON.stringify([source, name, params, variant, sameQueryElsewhere, otherQueries]);
};

/** The same data, marked; a list cannot be: its age alone says so. */
export function markStale<D>(data: D | JsonText<D>): D | JsonText<D> {
  if (data instanceof JsonText) {
    const { text } = data;
    return text.startsWith('[') ? data : new JsonText(`{"stale":true,${text.slice(1)}`);
  }
  if (Array.isArray(data)) return data;
  return typeof data === 'object' && data !== null ? { ...data, stale: true } : data;
}

/**
 * The answers to queries, as ready bytes: each is given again, to everyone, until the reply says that it is no longer
 * fresh, without the bus.
 */
export class FrontQueries {
  readonly #bus: Pick<Bus, 'query'>;
  readonly #cache: QueryCache<CachedAnswer>;
  readonly #refresher: Refresher<CachedAnswer>;
  readonly #clock: Clock;
  readonly #recent = new RecentAnswers();
  /** Answers that were given again without a question. */
  #again = 0;

  constructor({ bus, clock, random }: FrontQueriesOptions) {
    this.#bus = bus;
    this.#clock = clock;
    this.#cache = new QueryCache<CachedAnswer>({
      clock,
      ...limits,
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

  /** The answer that an equal request was given within the last second, where it is fresh at `now`, Unix ms. */
  known({ answer, from, until }: Kept, now: number): Snapshot | null {
    if (answer === null || now < from || now >= until) return null;
    this.#again += 1;
    return answer;
  }

  /**
   * At once where the answer is fresh, else when it has been asked for, for `account`. An answer at once is then kept for
   * equal requests. Rejects when the question's `data` throws.
   */
  read<N extends QueryName>(question: QuestionOf<N>, account: string): Answer | Promise<Answer> {
    const key = keyOf(question);
    const cached = this.#cache.get(key, account);
    if (cached) {
      const answer = answerOf(question, cached);
      if (cached.ok && !isApiError(answer)) {
        this.#recent.keep(answer, cached.value.until, this.#clock.now());
      }
      return answer;
    }
    return this.#cache
      .refresh(key, account, () => this.#fetch(question, account))
      .then((outcome) => {
        if (outcome.ok && question.refresh) this.#refresher.plan(outcome.value.until);
        return answerOf(question, outcome);
      });
  }

  /**
   * The data that a question has now, for a file, which has no place to say that a reply is stale: then it is an error. Nothing of it is
   * kept. Rejects when its `data` throws.
   */
  async once<D>(question: Question<D>, account: string): Promise<D | JsonText<D> | ApiError>;
  async once(question: QuestionOf<QueryName>, account: string): Promise<unknown> {
    const made = await this.#make(question, account);
    if (!made.ok) return failedAs(question, made.failure);
    const { data, times } = made.value;
    return times.stale ? apiError('upstream_failed', `${question.what} is not up to date`) : data;
  }

  counts(): CacheCounts {
    const counts = this.#cache.counts();
    return { ...counts, hits: counts.hits + this.#again };
  }

  stop(): void {
    this.#refresher.stop();
  }

  async #fetch<N extends QueryName>(
    question: QuestionOf<N>,
    account: string,
  ): Promise<Result<Fetched<CachedAnswer>>> {
    const made = await this.#make(question, account);
    if (!made.ok) return made;
    const { data, times } = made.value;
    const isError = typeof data === 'object' && data !== null && isApiError(data);
    const marked = times.stale && !isError ? markStale(data) : data;
    const answer = isError ? data : snapshotOf(marked, times.received);
    return success({ value: { question, answer }, ...times });
  }

  /** Asks all of a question. */
  async #make<N extends QueryName>(
    question: QuestionOf<N>,
    account: string,
  ): Promise<Result<{ data: unknown; times: Omit<Reply<unknown>, 'value'> }>> {
    const { name, source, params, sameQueryElsewhere = [], otherQueries = {} } = question;
    const ask = (one: Pick<Query<N>, 'source' | 'params'>) =>
      this.#bus.query({ ...one, name }, { account });
    const [own, others, further] = await Promise.all([
      ask({ source, params }),
      Promise.all(sameQueryElsewhere.map(ask)),
      this.#askOthers(otherQueries, account),
    ]);
    const rest = [...others, ...further.results];
    if (!own.ok && !(question.onPartialFailure && rest.some(({ ok }) => ok))) return own;
    const values = others.map(goodOf);
    const data = own.ok
      ? question.data(own.value.value, values, further.values)
      : question.onPartialFailure?.(values, further.values);
    const times = timesOf([own, ...rest], question.cacheFor);
    const error = typeof data === 'object' && data !== null && isApiError(data);
    // An answer that needs a failed reply fails as that did.
    const missing =
      error && data.error === 'upstream_failed' && [own, ...rest].find(({ ok }) => !ok);
    return missing && !missing.ok ? missing : success({ data, times });
  }

  /** The queries of further names. */
  async #askOthers(otherQueries: OtherQueries, account: string) {
    const values: OtherReplies = {};
    const ask = async <M extends QueryName>(name: M): Promise<Result<Reply<unknown>>[]> => {
      const asked = otherQueries[name] ?? [];
      const results = await Promise.all(
        asked.map(({ source, params }) => this.#bus.query({ source, name, params }, { account })),
      );
      Object.assign(values, { [name]: results.map(goodOf) });
      return results;
    };
    const isAsked = (name: string): name is QueryName => Object.hasOwn(otherQueries, name);
    const results = await Promise.all(Object.keys(otherQueries).filter(isAsked).map(ask));
    return { values, results: results.flat() };
  }
}

/** What the error of a question depends on. */
type ErrorSubject = Pick<Question, 'name' | 'what' | 'failure'>;

const goodOf = <T>(result: Result<Reply<T>>): T | null => (result.ok ? result.value.value : null);

const answerOf = (asked: ErrorSubject, outcome: Result<{ value: CachedAnswer }>): Answer =>
  outcome.ok ? outcome.value.value.answer : failedAs(asked, outcome.failure);

function failedAs({ name, what, failure }: ErrorSubject, cause: Failure): ApiError {
  const errorOf = storeQueries.has(name) ? fromStore : fromFailure;
  const error = errorOf(cause, what);
  return failure ? failure(error) : error;
}

/** The times of all: as fresh as the first that ends, or for as long as the answer is kept (`cacheFor`), and not given again where one failed. */
function timesOf(
  all: readonly Result<Reply<unknown>>[],
  cacheFor = 0,
): Omit<Reply<unknown>, 'value'> {
  const replies = all.flatMap((one) => (one.ok ? [one.value] : []));
  const isWhole = replies.length === all.length;
  const received = Math.max(...replies.map((one) => one.received));
  const until = Math.min(...replies.map((one) => one.until));
  if (replies.some((one) => one.stale))
    return { received, until: isWhole ? until : 0, stale: true };
  return { received, until: isWhole ? Math.max(until, received + cacheFor) : 0 };
}
