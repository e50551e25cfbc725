import type { Failure } from '../failure.ts';

/** One HTTP call to an upstream, without its host: the client picks that. */
export interface UpstreamRequest {
  /** Key of the source's `apis`. */
  api: string;
  /** Absolute path, without query. */
  path: string;
  query?: Readonly<Record<string, string | number>>;
  /** GET when absent. */
  method?: 'GET' | 'POST';
  /** Sent as JSON. */
  body?: unknown;
  /** What the call costs in `budget`; 1 when absent. */
  weight?: number;
  /** Key of the API's `budgets`; `default` when absent. */
  budget?: string;
  /** The one market that the call is about: its failure loses that market only. */
  market?: string;
  /**
   * The poll can do without it: where it fails, its last good body stands in for a while, and after that the parser
   * gets undefined.
   */
  optional?: true;
  /**
   * The answer is a text (CSV) instead of JSON: `body` is then the string, without its byte order mark. What is not
   * UTF-8 or is a page of HTML is a `shape` failure.
   */
  text?: true;
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
  hosts: readonly string[];
  /** At least `default`. */
  budgets: Readonly<Record<string, Budget>>;
  /**
   * Sent with every request of the API, by name in lower case: a key, a `user-agent` in place of the client's. No
   * failure, log or state holds a value of eight characters or more, even where `fault` quotes it.
   */
  headers?: Readonly<Record<string, string>>;
  /**
   * Reads the upstream's own error out of an answer, or null when the answer is not an error it defines.
   * Called for every complete JSON answer, whatever its status: some venues refuse inside a 200. Called as well for a
   * 404 without JSON, with undefined as its body: some venues answer so where a market is part of the path. Where a
   * text was asked for, `body` is that text: a refusal in JSON is then still to be parsed.
   */
  fault(status: number, body: unknown): Failure | null;
  /** Largest body accepted, in bytes after decompression; the client's default when absent. */
  maxBody?: number;
}

/** A complete answer: parsed JSON or the text asked for, and the two times around it (Unix ms). */
export interface UpstreamAnswer {
  body: unknown;
  asked: number;
  received: number;
}
