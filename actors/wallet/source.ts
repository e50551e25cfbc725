/** One upstream of the wallets, asked on demand: pauses are not waited for, and bodies are parsed on arrival. */
import { type Failure, failed, type Result, ShapeError, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { SharedWindows } from '../kernel/shared-window.ts';
import type { Source as Provider } from '../sources/define.ts';
import { createHttpClient, type HttpClient, type Log } from '../upstream/client.ts';
import { firstSuccess } from '../upstream/first-success.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';

/** The context that all sources share. */
export interface SourceOptions {
  /** Base URL that every request goes through, or null. */
  gateway: string | null;
  clock: Clock;
  log?: Log;
  /** Uniform in [0, 1). */
  random?: () => number;
  shared?: SharedWindows;
  /** Abandons all that is under way. */
  signal: AbortSignal;
}

/** Reads an answer; throws ShapeError where the body is not what is documented. */
export type Reader<T> = (answer: UpstreamAnswer) => T;

/** The account and the deadline of the query that a request belongs to. */
export interface QuestionScope {
  /** Unix ms. */
  until: number;
  account: string;
}

const maxTroubles = 1_024;

/** A wallet's client waits: one more try is all there is time for. */
const limits = { retries: 1 };

export class Source {
  /** As people write it. */
  readonly name: string;
  readonly #client: HttpClient;
  readonly #options: SourceOptions;
  /** How each API failed an account last: why its breaker is open. The oldest goes first. */
  readonly #trouble = new Map<string, Failure>();

  constructor({ id, name, apis }: Pick<Provider, 'id' | 'name' | 'apis'>, options: SourceOptions) {
    const { gateway, clock, log, random, shared } = options;
    const extras = { ...(log && { log }), ...(random && { random }), ...(shared && { shared }) };
    this.name = name;
    this.#options = options;
    this.#client = createHttpClient({ source: id, apis, gateway, clock, limits, ...extras });
  }

  /** One request. Upstream trouble is a value. */
  async ask<T>(
    request: UpstreamRequest,
    { until, account }: QuestionScope,
    read: Reader<T>,
  ): Promise<Result<T>> {
    const { clock, signal } = this.#options;
    const { pausedUntil } = this.#client.state(request.api);
    if (pausedUntil !== null) {
      const retryAfter = pausedUntil - clock.now();
      return failed('rate_limited', `${this.name} asked for silence`, { retryAfter });
    }
    const deadline = until - clock.monotonic();
    const result = await this.#client.send(request, { deadline, signal, account });
    if (!result.ok)
      return { ok: false, failure: this.#meant(account, request.api, result.failure) };
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
  async first<T>(
    requests: readonly UpstreamRequest[],
    { until, account }: QuestionScope,
    read: Reader<T>,
  ): Promise<Result<T>> {
    const { clock } = this.#options;
    return firstSuccess(
      requests,
      (request, end) => this.ask(request, { until: end, account }, read),
      {
        clock,
        until,
        isFinal: ({ code }) => code === 'unknown_instrument',
        worse: (before, now) => (isClosed(before) ? before : now),
      },
    );
  }

  /** Ends all that is under way and closes every connection. */
  close(): Promise<void> {
    return this.#client.close();
  }

  #meant(account: string, api: string, failure: Failure): Failure {
    const key = `${account} ${api}`;
    if (failure.code === 'breaker_open') return this.#trouble.get(key) ?? failure;
    if (failure.code === 'over_budget' || failure.code === 'stopped') return failure;
    this.#trouble.delete(key);
    this.#trouble.set(key, failure);
    const oldest = this.#trouble.size > maxTroubles ? this.#trouble.keys().next().value : undefined;
    if (oldest !== undefined) this.#trouble.delete(oldest);
    return failure;
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
