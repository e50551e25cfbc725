/** What is asked of an upstream, what it allows, and how it is asked. */
import type { Clock } from '../kernel/clock.ts';
import type { Faults } from './faults.ts';

/** Query parameters by name. */
export type Query = Readonly<Record<string, string | number>>;

/** What is said over a WebSocket, and which of the messages that come is the answer. */
export interface SocketQuestion {
  say: string;
  isAnswer(message: unknown): boolean;
}

/** One HTTP call to an upstream, without its host: the client picks that. */
export interface UpstreamRequest<
  ApiName extends string = string,
  BudgetName extends string = string,
> {
  /** Key of the source's `apis`. */
  api: ApiName;
  /** Absolute path, without query. */
  path: string;
  query?: Query;
  /** GET when absent. */
  method?: 'GET' | 'POST';
  /** Sent as JSON. */
  body?: unknown;
  /** Weight of the call in `budget`; 1 when absent. */
  weight?: number;
  /** Key of the API's `budgets`; `default` when absent. */
  budget?: BudgetName;
  /** The one market that the call is about: its failure loses that market only. */
  market?: string;
  /** The poll can do without it: where it fails, the parser gets undefined, and the last good values stand until they are too old. */
  optional?: true;
  /**
   * The answer is a text (CSV) instead of JSON: `body` is then the string, without its byte order mark. What is not
   * UTF-8 or is a page of HTML is a `shape` failure.
   */
  text?: true;
  /**
   * The answer is a long text of which only the matches of this pattern are wanted: `body` is then a list of their groups, and no more
   * is kept at a time than a match. The pattern is global, and matches at most 4,096 characters, to a delimiter behind them.
   */
  scan?: RegExp;
  /** The answer is a file: `body` is then its bytes. */
  bytes?: true;
  /** It is asked over a WebSocket at its path. */
  socket?: SocketQuestion;
  /** Asked where this one has failed, each in half of the time. The failure of both is that of this one. */
  instead?: UpstreamRequest;
}

/** How much may be asked of one API: `weight` per `per` milliseconds, over all of its hosts. */
export interface Budget {
  weight: number;
  per: number;
  /** Response header in which the upstream states the weight used in the current window. */
  usedHeader?: string;
}

/** One API of an upstream: where it lives, what it allows, how it says no. */
export interface Api {
  /** `https://host[:port]`, the preferred one first. */
  hosts: readonly [string, ...string[]];
  /** By name; `default` is that of a request which names none. */
  budgets: Readonly<Record<'default', Budget>> & Readonly<Record<string, Budget>>;
  /** Another API of the source, listed before it, that counts the requests of this one among its own: budgets and pauses are one. */
  countedBy?: string;
  /**
   * Sent with every request of the API, by name in lower case: a key, a `user-agent` in place of the client's. No
   * failure, log or state holds a value of eight characters or more, even where an error quotes it.
   */
  headers?: Readonly<Record<string, string>>;
  /**
   * How the upstream states its own errors; the status alone decides when absent. Read for every complete JSON answer,
   * whatever its status: some upstreams refuse inside a 200. Read as well for a 404 without JSON, with undefined as its
   * body: some upstreams answer so where a market is part of the path. Where a text was asked for, the body is that text.
   */
  faults?: Faults;
  /** Largest body accepted, in bytes after decompression; the client's default when absent. */
  maxBody?: number;
}

/** A complete answer: parsed JSON or the text asked for, and the two times around it (Unix ms). */
export interface UpstreamAnswer {
  body: unknown;
  asked: number;
  received: number;
  /** How long ago the upstream gave it to the cache that it comes from, ms; absent where none says so. */
  age?: number;
}

/** The part of a pino logger that is used. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What all parts of an HTTP client share. */
export interface Around {
  /** Id of the source, for logs and errors. */
  source: string;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  limits: Limits;
  log: Log | undefined;
}

/** The bounds of an HTTP client; times in milliseconds. */
export interface Limits {
  /** Largest body of an API that states no own, in bytes after decompression. */
  maxBody: number;
  /** Most requests under way. */
  maxFlights: number;
  /** Most connections of the polls to one host, or to the gateway. */
  connections: number;
  /** Most rounds over the hosts after the first. */
  retries: number;
  /** Consecutive failures that open the breaker; never fewer than the API has hosts. */
  failures: number;
  /** Timers that are later than this show that the process is too busy to judge an upstream. */
  lag: number;
  /** Least time of a try: after a wait for its turn a request must have time for two. */
  patience: number;
  /** How much later than its answer an upstream may have counted a request: each window of ours is longer by this. */
  spread: number;
  /** How long after we gave up waiting for its answer an upstream may still count a request. */
  abandoned: number;
}

export const defaultLimits: Readonly<Limits> = {
  maxBody: 16 * 2 ** 20,
  maxFlights: 1_024,
  connections: 16,
  retries: 2,
  failures: 5,
  lag: 100,
  patience: 1_000,
  spread: 250,
  abandoned: 5_000,
};
