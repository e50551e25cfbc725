/** One upstream of the wallets, asked on demand with the client of the process; answers are parsed on arrival. */
import { type Failure, failed, type Result, ShapeError, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { HttpClient } from '../upstream/client.ts';
import { firstSuccess } from '../upstream/first-success.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';

/** Reads an answer; throws ShapeError where the body is not what is documented. */
export type Reader<T> = (answer: UpstreamAnswer) => T;

/** The account and the deadline (monotonic ms) of the query that a request belongs to. */
export interface QuestionScope {
  until: number;
  account: string;
}

export interface SourceOptions {
  /** As people write it. */
  name: string;
  client: Pick<HttpClient, 'send'>;
  clock: Clock;
  /** Abandons all that is under way. */
  signal: AbortSignal;
}

export class Source {
  readonly name: string;
  readonly #options: SourceOptions;

  constructor(options: SourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** One request. Upstream trouble is a value. */
  async ask<T>(
    request: UpstreamRequest,
    { until, account }: QuestionScope,
    read: Reader<T>,
  ): Promise<Result<T>> {
    const { client, clock, signal } = this.#options;
    const result = await client.send(request, {
      deadline: until - clock.monotonic(),
      signal,
      account,
    });
    if (!result.ok) return result;
    try {
      return success(read(result.value));
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return failed('shape', `${this.name}: ${error.message}`);
    }
  }

  /**
   * The same thing from one place after the other, each with an equal share of the time that is left. Of failures, the
   * one that says most: that a place is closed to us, else what the last one met.
   */
  first<T>(
    requests: readonly UpstreamRequest[],
    { until, account }: QuestionScope,
    read: Reader<T>,
  ): Promise<Result<T>> {
    const ask = (request: UpstreamRequest, end: number) =>
      this.ask(request, { until: end, account }, read);
    return firstSuccess(requests, ask, {
      clock: this.#options.clock,
      until,
      isFinal: ({ code }) => code === 'unknown_instrument',
      worse: (before, now) => (isClosed(before) ? before : now),
    });
  }
}

const closing: ReadonlySet<Failure['code']> = new Set([
  'rate_limited',
  'banned',
  'blocked',
  'over_budget',
]);
/** Unauthorized, payment required, forbidden, gone. */
const closingStatuses: ReadonlySet<number> = new Set([401, 402, 403, 410]);

/**
 * True where a service is not to be had by us: a wrong key, a quota used up, too many requests, an address or a path
 * that is not served any more. It works, and asking again does not help; other failures are failures of the service.
 */
export const isClosed = ({ code, status }: Failure): boolean =>
  closing.has(code) || (code === 'refused' && closingStatuses.has(status ?? 0));
