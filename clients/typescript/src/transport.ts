/** Requests that are repeated where that helps, and answers that are kept for their entity tags. */
import { type Quota, quotaOf, TidemarkError } from './errors.ts';
import { isRecord } from './record.ts';
import type { ErrorCode } from './types.ts';

/** What subscriptions use of a WebSocket: the browser's, Node's and that of the package `ws` have it. */
export interface Socket {
  /** 1 while it is open. */
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { code: number; reason: string }) => void,
  ): void;
}

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. */
  url: string;
  /** An API key; not needed where access is open. */
  key?: string | undefined;
  /** A token of the identity provider, or what gives one for each request; only the paths of keys and accounts need it. */
  bearer?: string | (() => string | Promise<string>) | undefined;
  /** Longest time of a request with its repetitions, ms; 30,000 when absent. */
  timeout?: number | undefined;
  /** Most repetitions after 429, 502, 503 or a broken connection; 3 when absent. */
  retries?: number | undefined;
  /** Most answers that are kept for their entity tags; 100 when absent, 0 for none. */
  kept?: number | undefined;
  fetch?: typeof fetch | undefined;
  /** The class of the connections of subscriptions; the global `WebSocket` when absent, which Node has from version 22 on. */
  WebSocket?: (new (url: string) => Socket) | undefined;
}

export interface RequestOptions {
  /** Aborts the request, its pauses and its repetitions. */
  signal?: AbortSignal | undefined;
  /** In place of the client's, ms. */
  timeout?: number | undefined;
}

export interface WriteOptions extends RequestOptions {
  /** Values of `{name}` in the path. */
  params?: Readonly<Record<string, string>>;
  /** `Idempotency-Key`: a POST that has one is repeated as a read is, since the service carries it out once. */
  idempotencyKey?: string | undefined;
}

export interface Answer<T> {
  data: T;
  /** When the newest reading in the data was received, Unix ms; null where the answer has no age. */
  asOf: number | null;
  /** When the service made the answer, Unix ms. */
  timestamp: number;
  /** Version of the data; null where it has none. */
  etag: string | null;
  /** The service said that the data is still that of the last answer (304). */
  unchanged: boolean;
  /** Null where the service states none. */
  quota: Quota | null;
}

/** What is asked for; `body` is undefined without one. */
export interface Asked {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  body?: unknown;
}

type Init = RequestInit & { method: string; headers: Headers };

/** Whether a request may be carried out twice. */
const isSafe = ({ method, headers }: Init): boolean =>
  method === 'GET' || headers.has('idempotency-key');

/** Whether the same request may succeed later: after 502 and 503 a write may have been carried out. */
const mayPass = ({ status }: Response, safe: boolean): boolean =>
  status === 429 || (safe && (status === 502 || status === 503));

/** Pauses where the service names none, ms. */
const pauses = { first: 250, longest: 10_000 } as const;

/** A random pause before attempt `count`, twice as long each time, ms. */
export const backoff = (count: number): number =>
  Math.random() * Math.min(pauses.longest, pauses.first * 2 ** count);

/** Pause before attempt `count` + 1, ms: what the service says in seconds, else a random one. */
function pauseAfter(response: Response | null, count: number): number {
  const seconds = Number.parseInt(response?.headers.get('retry-after') ?? '', 10);
  return Number.isNaN(seconds) ? backoff(count) : seconds * 1000;
}

/** Resolves after `ms`; rejects with the reason of the signal when that aborts before. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', gone);
      resolve();
    }, ms);
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  });
}

/** The body as JSON; null where it is none, such as the error page of a proxy. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function errorOf({ status, statusText, headers }: Response, text: string): TidemarkError {
  const body = jsonOf(text);
  const { code, message } = isRecord(body) ? body : {};
  const about = { status, code: (code ?? 'internal') as ErrorCode, headers };
  return new TidemarkError(String(message ?? statusText), about);
}

/** The answer in a response; throws a TidemarkError for an error. */
async function answerOf(response: Response): Promise<Answer<unknown>> {
  const text = await response.text();
  const body = jsonOf(text);
  const { headers } = response;
  const { status, data, as_of, timestamp } = isRecord(body) ? body : {};
  if (!response.ok || status !== 'ok') throw errorOf(response, text);
  const asOf = typeof as_of === 'number' ? as_of : null;
  const about = { etag: headers.get('etag'), unchanged: false, quota: quotaOf(headers) };
  return { data, asOf, timestamp: Number(timestamp), ...about };
}

export class Transport {
  readonly #options: ClientOptions;
  /** The last answers by URL, the oldest first. */
  readonly #kept = new Map<string, Answer<unknown>>();
  /** The quota is used up until then, Unix ms. */
  #closedUntil = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Reads or writes; only what is read is kept. */
  async ask(asked: Asked, options: WriteOptions): Promise<Answer<unknown>> {
    const { url, method } = asked;
    const known = method === 'GET' ? this.#kept.get(url) : undefined;
    return this.#within(url, options, async (limits) => {
      const init = await this.#initOf(asked, options, known);
      const response = await this.#send(url, init, limits);
      if (response.status === 304 && known !== undefined) return renewed(known, response);
      const answer = await answerOf(response);
      if (method === 'GET') this.#keep(url, answer);
      return answer;
    });
  }

  /** Reads an answer that is no JSON; nothing of it is kept. */
  text(url: string, options: RequestOptions): Promise<string> {
    return this.#within(url, options, async (limits) => {
      const init = await this.#initOf({ method: 'GET', url }, {}, undefined);
      const response = await this.#send(url, init, limits);
      const text = await response.text();
      if (!response.ok) throw errorOf(response, text);
      return text;
    });
  }

  /** Sends within the deadline of a request (`end`, Unix ms). */
  async #within<T>(
    url: string,
    { signal: given, timeout = this.#options.timeout ?? 30_000 }: RequestOptions,
    send: (limits: { signal: AbortSignal; end: number }) => Promise<T>,
  ): Promise<T> {
    const late = AbortSignal.timeout(timeout);
    const signal = given === undefined ? late : AbortSignal.any([given, late]);
    try {
      return await send({ signal, end: Date.now() + timeout });
    } catch (error) {
      if (error instanceof TidemarkError || given?.aborted) throw error;
      const code = signal.aborted ? 'timeout' : 'network';
      throw new TidemarkError(`${url}: no answer (${code})`, { status: 0, code, cause: error });
    }
  }

  async #initOf(
    { method, body }: Asked,
    { idempotencyKey = '' }: WriteOptions,
    known: Answer<unknown> | undefined,
  ): Promise<Init> {
    const { key = '', bearer = '' } = this.#options;
    const token = typeof bearer === 'string' ? bearer : await bearer();
    const headers = new Headers();
    if (key !== '') headers.set('x-api-key', key);
    if (token !== '') headers.set('authorization', `Bearer ${token}`);
    if (idempotencyKey !== '') headers.set('idempotency-key', idempotencyKey);
    if (known?.etag) headers.set('if-none-match', known.etag);
    if (body === undefined) return { method, headers };
    headers.set('content-type', 'application/json');
    return { method, headers, body: JSON.stringify(body) };
  }

  /**
   * Sends a request until its answer is none that may pass, or the pause before the next attempt would be longer than its
   * deadline (`end`, Unix ms). One that is not safe to repeat is repeated after 429 only.
   */
  async #send(
    url: string,
    init: Init,
    { signal, end }: { signal: AbortSignal; end: number },
  ): Promise<Response> {
    const { retries = 3, fetch: send = fetch } = this.#options;
    const safe = isSafe(init);
    for (let attempt = 1; ; attempt++) {
      // Where the quota resets too late, the service says so itself.
      if (this.#closedUntil < end) await pause(Math.max(0, this.#closedUntil - Date.now()), signal);
      const last = attempt > retries;
      const response = await send(url, { ...init, signal }).catch((error: unknown) => {
        if (last || !safe || signal.aborted) throw error;
        return null;
      });
      const quota = response === null ? null : quotaOf(response.headers);
      if (quota?.remaining === 0) this.#closedUntil = quota.resetsAt;
      const rest = pauseAfter(response, attempt);
      const late = last || Date.now() + rest >= end;
      if (response !== null && (late || !mayPass(response, safe))) return response;
      await response?.body?.cancel();
      await pause(rest, signal);
    }
  }

  #keep(url: string, answer: Answer<unknown>): void {
    const { kept = 100 } = this.#options;
    if (answer.etag === null || kept === 0) return;
    this.#kept.delete(url);
    const oldest = this.#kept.size < kept ? undefined : this.#kept.keys().next().value;
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(url, answer);
  }
}

/** The kept answer after a 304, whose `Age` is that of a newer reading with the same numbers. */
function renewed(known: Answer<unknown>, { headers }: Response): Answer<unknown> {
  const timestamp = Date.now();
  const age = headers.get('age');
  const asOf = age === null ? known.asOf : timestamp - Number(age) * 1000;
  return { ...known, asOf, timestamp, unchanged: true, quota: quotaOf(headers) };
}
