/**
 * One endpoint of a chain: a URL with the state of its own. Each is an API by itself, as they belong to different
 * operators: a rate limit of one does not pause the others.
 */
import { type CustomTransport, custom } from 'viem';
import { type Failure, failed, ShapeError } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { isRecord } from '../read.ts';
import { createHttpClient, type HttpClient, type HttpClientOptions } from '../upstream/client.ts';

/** Until when an endpoint may be asked. */
export interface Time {
  /** Monotonic ms by which all must have ended, headers and body included. */
  until: number;
  signal?: AbortSignal;
  /** The account of the query; absent for a poll. */
  account?: string;
}

/** The endpoint of a request, and its deadline. */
export interface Attempt extends Time {
  endpoint: Endpoint;
}

/** One HTTP request below the endpoint's URL. */
interface EndpointCall {
  /** Added to the path of the URL; nothing when absent. */
  path?: string;
  /** Sent as JSON by POST; a GET when absent. */
  body?: unknown;
}

/** An endpoint that did not answer, or refused. The message names the host alone, or a code: texts of others may quote anything. */
export class EndpointError extends Error {
  override name = 'EndpointError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Errors that providers send for "too many requests": EIP-1474, and the two that others made up. */
const isRateLimit = (code: unknown): boolean => code === -32005 || code === -32007 || code === 429;

/** The error object of an answer of JSON-RPC. https://www.jsonrpc.org/specification */
function rpcError(code: unknown): EndpointError {
  const means = isRateLimit(code) ? 'rate_limited' : 'refused';
  return new EndpointError(failed(means, `RPC error ${Number.isInteger(code) ? code : 0}`).failure);
}

/**
 * The failure among the causes of an error that a library threw; null when there is none. Messages of the libraries are
 * dropped: they quote requests.
 */
export function failureIn(error: unknown): Failure | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof EndpointError) return at.failure;
    if (at instanceof ShapeError) return failed('shape', at.message).failure;
  }
  return null;
}

/** A block, and the Unix ms to which it belongs. */
export interface Height {
  block: number;
  at: number;
}

export class Endpoint {
  /** Host and port: all that may be shown of it, as a path or a query may hold a key. */
  readonly name: string;
  /** Why it is not asked until the next look; null where it is fit. */
  failure: Failure | null;
  /** Of the last look; null without an answer from the right chain. */
  height: Height | null = null;
  readonly #url: URL;
  readonly #api: string;
  readonly #client: HttpClient;
  readonly #clock: Clock;

  constructor(url: URL, api: string, around: { client: HttpClient; clock: Clock }) {
    this.name = url.host;
    this.failure = failed('not_ready', `${url.host}: not asked yet`).failure;
    this.#url = url;
    this.#api = api;
    this.#client = around.client;
    this.#clock = around.clock;
  }

  /** The body of one answer. Rejects with an EndpointError; a pause of the endpoint is not waited for: others can be asked. */
  async send({ path = '', body }: EndpointCall, { until, ...caller }: Time): Promise<unknown> {
    const { pausedUntil } = this.#client.state(this.#api);
    if (pausedUntil !== null) {
      const retryAfter = pausedUntil - this.#clock.now();
      const paused = failed('rate_limited', `${this.name}: asked for silence`, { retryAfter });
      throw new EndpointError(paused.failure);
    }
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
    if (result.ok) return result.value.body;
    // The client names the path, which may be a key; neither a path nor a label ends in a colon and a blank.
    const { message, ...more } = result.failure;
    throw new EndpointError({ ...more, message: `${this.name}: ${message.split(': ').at(-1)}` });
  }
}

/** The endpoints of one chain, in order, over one HTTP client. Throws TypeError for a URL that is none. */
export function createEndpoints(
  urls: readonly string[],
  around: Omit<HttpClientOptions, 'apis' | 'limits'> & { clock: Clock },
): { endpoints: readonly Endpoint[]; client: HttpClient } {
  const parsed = urls.map((url) => new URL(url));
  const api = {
    // Far above the actual use: a poll a minute of five requests at the most, and the questions about wallets.
    budgets: { default: { weight: 300, per: 60_000 } },
    // Inside a 200 any other error belongs to its call, whose caller reads it; with another status that decides.
    faults: {
      name: 'JSON-RPC',
      when: ({ error }: Readonly<Record<string, unknown>>) =>
        isRecord(error) && isRateLimit(error.code),
      means: 'rate_limited',
    },
  } as const;
  const apis = Object.fromEntries(
    parsed.map(({ origin }, at) => [`${at}`, { hosts: [origin] as const, ...api }]),
  );
  // An endpoint that fails is followed by the next one at once.
  const limits = { retries: 0, maxBody: 8 * 2 ** 20, connections: 4 };
  const client = createHttpClient({ ...around, apis, limits });
  const { clock } = around;
  const endpoints = parsed.map((url, at) => new Endpoint(url, `${at}`, { client, clock }));
  return { endpoints, client };
}

/**
 * The result of one call of JSON-RPC by one attempt at one endpoint: our deadline, our cap of bodies, no retry. Calls are never joined to a
 * batch: some endpoints take none, and the others count each call in it. Rejects with an EndpointError or a ShapeError.
 */
export async function rpc(
  { endpoint, ...time }: Attempt,
  method: string,
  params: unknown = [],
): Promise<unknown> {
  const body = await endpoint.send({ body: { jsonrpc: '2.0', id: 1, method, params } }, time);
  if (!isRecord(body)) throw new ShapeError('not an answer of JSON-RPC');
  if (isRecord(body.error)) throw rpcError(body.error.code);
  if (body.result === undefined) throw new ShapeError('an answer without a result');
  return body.result;
}

/** viem's transport for one attempt at one endpoint, without a timer or a retry of its own. */
export const viemTransport = (attempt: Attempt): CustomTransport => {
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    rpc(attempt, method, params);
  return custom({ request }, { retryCount: 0 });
};
