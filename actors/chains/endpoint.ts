/**
 * One endpoint of a chain: a URL with the state of its own. Each is an API by itself, as they belong to different
 * operators: a rate limit of one does not pause the others.
 */

import { type Failure, failed, type Result } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { isRecord } from '../read.ts';
import { createHttpClient, type HttpClient, type Limits, type Log } from '../upstream/client.ts';
import type { Faults } from '../upstream/faults.ts';
import { httpTarget, type Target } from '../upstream/gateway.ts';
import type { Api, UpstreamAnswer } from '../upstream/request.ts';

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

/** Statuses with which providers refuse a batch that is too large for them, or every batch. */
export const sizeRefusals: ReadonlySet<number> = new Set([400, 413, 422, 500]);

/**
 * An error object with such a status refuses the request and is not a failure of the endpoint. Inside a 200 it belongs
 * to one call, whose caller reads it; with any other status that decides.
 */
const faults: Faults = [
  {
    name: 'JSON-RPC',
    when: ({ error }) => isRecord(error) && isRateLimit(error.code),
    means: 'rate_limited',
  },
  {
    name: 'JSON-RPC',
    when: ({ error }, status) => isRecord(error) && sizeRefusals.has(status),
    means: 'refused',
  },
];

/** Far above the actual use: a poll a minute, a few calls each where batches are refused. */
const budgets = { default: { weight: 300, per: 60_000 } };
/** Finding out what batch an endpoint takes costs up to five refusals, which shall not open its breaker. */
const defaults: Partial<Limits> = { retries: 0, failures: 6, maxBody: 8 * 2 ** 20, connections: 4 };

/** The path is taken apart so that the key it may hold never becomes part of a name. */
interface Address {
  target: Target;
  api: Api;
  path: string;
  query: Readonly<Record<string, string>>;
}

function addressOf(url: string): Address {
  const { origin, pathname, searchParams } = new URL(url);
  return {
    target: httpTarget(origin, null),
    api: { hosts: [origin], budgets, faults },
    path: pathname.replace(/\/$/, ''),
    query: Object.fromEntries(searchParams),
  };
}

export class Endpoint {
  /** The entry of the endpoint in the order of hosts; its name is host and port. */
  readonly target: Target;
  /** Most calls that the endpoint takes in one batch, as observed so far. */
  batchSize = Number.POSITIVE_INFINITY;
  readonly #address: Address;
  readonly #api: string;
  readonly #client: HttpClient;
  readonly #clock: Clock;

  constructor(address: Address, api: string, around: { client: HttpClient; clock: Clock }) {
    this.target = address.target;
    this.#address = address;
    this.#api = api;
    this.#client = around.client;
    this.#clock = around.clock;
  }

  /** Host and port: all that may be shown of it. */
  get name(): string {
    return this.target.name;
  }

  /** One request. An upstream failure is a value; a pause of the endpoint is not waited for: others can be asked. */
  async send({ path = '', body }: EndpointCall, time: Time): Promise<Result<UpstreamAnswer>> {
    const { path: base, query } = this.#address;
    const { pausedUntil } = this.#client.state(this.#api);
    if (pausedUntil !== null) {
      const retryAfter = pausedUntil - this.#clock.now();
      return failed('rate_limited', `${this.name}: asked for silence`, { retryAfter });
    }
    const result = await this.#client.send(
      {
        api: this.#api,
        path: `${base}${path}` || '/',
        query,
        ...(body === undefined ? {} : { method: 'POST', body }),
      },
      {
        deadline: time.until - this.#clock.monotonic(),
        ...(time.signal && { signal: time.signal }),
        ...(time.account !== undefined && { account: time.account }),
      },
    );
    return result.ok ? result : { ok: false, failure: this.#redacted(result.failure) };
  }

  /** The client names the path, which may be a key; neither a path nor a label ends in a colon and a blank. */
  #redacted({ code, message, ...more }: Failure): Failure {
    return failed(code, `${this.name}: ${message.split(': ').at(-1)}`, more).failure;
  }
}

export interface EndpointsOptions {
  /** Id of the chain, for logs. */
  source: string;
  /** In order; at least one. */
  urls: readonly string[];
  gateway: string | null;
  clock: Clock;
  random?: () => number;
  log?: Log;
  limits?: Partial<Limits>;
}

/** The endpoints of one chain over one HTTP client. Throws TypeError for a URL that is none. */
export function createEndpoints(options: EndpointsOptions): {
  endpoints: readonly Endpoint[];
  close(): Promise<void>;
} {
  const { source, urls, gateway, clock, random, log, limits } = options;
  const addresses = urls.map(addressOf);
  const client = createHttpClient({
    source,
    gateway,
    clock,
    ...(random && { random }),
    ...(log && { log }),
    apis: Object.fromEntries(addresses.map(({ api }, at) => [`${at}`, api])),
    limits: { ...defaults, ...limits },
  });
  return {
    endpoints: addresses.map((address, at) => new Endpoint(address, `${at}`, { client, clock })),
    close: () => client.close(),
  };
}
