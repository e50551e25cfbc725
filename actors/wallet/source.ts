/** One upstream of the wallets, asked on demand: no waiting for silences, and its bodies read on the way. */
import { type Failure, failed, type Result, ShapeError, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { MarketUpstream } from '../market/upstream.ts';
import { createHttpClient, type HttpClient, type Log } from '../upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';

/** What all sources share. */
export interface SourceOptions {
  /** Base URL that every request goes through, or null. */
  gateway: string | null;
  clock: Clock;
  log?: Log;
  /** Uniform in [0, 1). */
  random?: () => number;
  /** Abandons all that is under way. */
  signal: AbortSignal;
}

/** Reads an answer; throws ShapeError where the body is not what is documented. */
export type Reader<T> = (answer: UpstreamAnswer) => T;

/** A wallet's client waits: one more try is all there is time for. */
const limits = { retries: 1 };

export class Source {
  /** As people write it. */
  readonly name: string;
  readonly #client: HttpClient;
  readonly #options: SourceOptions;
  /** How each API failed last: why its breaker is open. */
  readonly #trouble = new Map<string, Failure>();

  constructor(
    { id, name, apis }: Pick<MarketUpstream, 'id' | 'name' | 'apis'>,
    options: SourceOptions,
  ) {
    const { gateway, clock, log, random } = options;
    const extras = { ...(log && { log }), ...(random && { random }) };
    this.name = name;
    this.#options = options;
    this.#client = createHttpClient({ source: id, apis, gateway, clock, limits, ...extras });
  }

  /** One request, over at `until` (Unix ms). Upstream trouble is a value. */
  async ask<T>(request: UpstreamRequest, until: number, read: Reader<T>): Promise<Result<T>> {
    const { clock, signal } = this.#options;
    const { pausedUntil } = this.#client.state(request.api);
    if (pausedUntil !== null) {
      const retryAfter = pausedUntil - clock.now();
      return failed('rate_limited', `${this.name} asked for silence`, { retryAfter });
    }
    const deadline = until - clock.now();
    const result = await this.#client.send(request, { deadline, signal, urgent: true });
    if (!result.ok) return { ok: false, failure: this.#meant(request.api, result.failure) };
    try {
      return success(read(result.value));
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return failed('shape', `${this.name}: ${error.message}`);
    }
  }

  /**
   * The same thing from one place after the other. With another to come each gets half of the time that is left. Of
   * failures, the one that says most: that a place is closed to us, else what the last one met.
   */
  async first<T>(
    requests: readonly UpstreamRequest[],
    until: number,
    read: Reader<T>,
  ): Promise<Result<T>> {
    const { clock } = this.#options;
    let last: Result<T> = failed('unavailable', `${this.name}: nowhere to ask`);
    for (const [at, request] of requests.entries()) {
      const more = at + 1 < requests.length;
      const time = more ? (clock.now() + until) / 2 : until;
      const result = await this.ask(request, time, read);
      if (result.ok || result.failure.code === 'unknown_instrument') return result;
      last = !last.ok && isClosed(last.failure) ? last : result;
    }
    return last;
  }

  /** Ends all that is under way and closes every connection. */
  close(): Promise<void> {
    return this.#client.close();
  }

  #meant(api: string, failure: Failure): Failure {
    if (failure.code === 'breaker_open') return this.#trouble.get(api) ?? failure;
    const unsent = failure.code === 'over_budget' || failure.code === 'stopped';
    if (!unsent) this.#trouble.set(api, failure);
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
