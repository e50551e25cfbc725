/**
 * One endpoint of a chain: a URL with the state of its own. Each is an API by itself, as they belong to different
 * operators: a rate limit of one does not pause the others.
 */

import { type Failure, failed, type Result } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { isRecord } from '../read.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions } from '../upstream/client.ts';
import type { Faults } from '../upstream/faults.ts';
import type { Limits, UpstreamAnswer } from '../upstream/request.ts';

/** Until when an endpoint may be asked. */
export interface Time {
  /** Unix ms by which all must have ended, headers and body included. */
  until: number;
  signal?: AbortSignal;
  /** The account of the query; absent for a poll. */
  account?: string;
}

/** One HTTP request below the endpoint's URL. */
export interface EndpointCall {
  /** Added to the path of the URL; nothing when absent. */
  path?: string;
  /** Sent as JSON by POST; a GET when absent. */
  body?: unknown;
}

/** An endpoint that did not answer. The message names the host alone. */
export class EndpointError extends Error {
  override name = 'EndpointError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Errors that providers send for "too many requests": EIP-1474, and the two that others made up. */
export const isRateLimit = (code: unknown): boolean =>
  code === -32005 || code === -32007 || code === 429;

/** Inside a 200 any other error belongs to its call, whose caller reads it; with another status that decides. */
const faults: Faults = {
  name: 'JSON-RPC',
  when: ({ error }) => isRecord(error) && isRateLimit(error.code),
  means: 'rate_limited',
};

/** Far above the actual use: a poll a minute of five requests at the most, and the questions about wallets. */
const budgets = { default: { weight: 300, per: 60_000 } };
/** An endpoint that fails is followed by the next one at once. */
const limits: Partial<Limits> = { retries: 0, maxBody: 8 * 2 ** 20, connections: 4 };

/**
 * What is known of an endpoint. `unknown`: it has failed, or was not asked yet; it is tried when no other is left, and asked for
 * its chain then. The last two are not used until the next look.
 */
export type Standing = 'fit' | 'unknown' | 'other_chain' | 'behind';

/** The height that an endpoint stated. */
export interface StatedHeight {
  block: number;
  /** Unix ms to which it belongs: the middle between request and answer. */
  at: number;
}

export class Endpoint {
  /** Host and port: all that may be shown of it, as a path or a query may hold a key. */
  readonly name: string;
  standing: Standing = 'unknown';
  /** Of the last look; null without an answer from the right chain. */
  height: StatedHeight | null = null;
  readonly #url: URL;
  readonly #api: string;
  readonly #client: HttpClient;
  readonly #clock: Clock;

  constructor(url: URL, api: string, around: { client: HttpClient; clock: Clock }) {
    this.name = url.host;
    this.#url = url;
    this.#api = api;
    this.#client = around.client;
    this.#clock = around.clock;
  }

  /** One request. An upstream failure is a value; a pause of the endpoint is not waited for: others can be asked. */
  async send({ path = '', body }: EndpointCall, time: Time): Promise<Result<UpstreamAnswer>> {
    const { pausedUntil } = this.#client.state(this.#api);
    if (pausedUntil !== null) {
      const retryAfter = pausedUntil - this.#clock.now();
      return failed('rate_limited', `${this.name}: asked for silence`, { retryAfter });
    }
    const { until, ...caller } = time;
    const { pathname, searchParams } = this.#url;
    const result = await this.#client.send(
      {
        api: this.#api,
        path: `${pathname.replace(/\/$/, '')}${path}` || '/',
        query: Object.fromEntries(searchParams),
        ...(body === undefined ? {} : { method: 'POST', body }),
      },
      { ...caller, deadline: until - this.#clock.monotonic() },
    );
    if (result.ok) return result;
    // The client names the path, which may be a key; neither a path nor a label ends in a colon and a blank.
    const { code, message, ...more } = result.failure;
    return failed(code, `${this.name}: ${message.split(': ').at(-1)}`, more);
  }
}

/** The endpoints of one chain, in order, over one HTTP client. Throws TypeError for a URL that is none. */
export function createEndpoints(
  urls: readonly string[],
  around: Omit<HttpClientOptions, 'apis' | 'limits'> & { clock: Clock },
): { endpoints: readonly Endpoint[]; client: HttpClient } {
  const parsed = urls.map((url) => new URL(url));
  const apis = Object.fromEntries(
    parsed.map(({ origin }, at) => [`${at}`, { hosts: [origin], budgets, faults } as const]),
  );
  const client = createHttpClient({ ...around, apis, limits });
  const { clock } = around;
  const endpoints = parsed.map((url, at) => new Endpoint(url, `${at}`, { client, clock }));
  return { endpoints, client };
}
