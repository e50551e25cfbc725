/** The HTTP client of one source: its APIs, and the requests under way with their deadlines. */
import { Agent } from 'undici';
import { type FailureCode, failed, type OutcomeCounts, type Result } from '../failure.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { SharedWindows } from '../kernel/shared-window.ts';
import { ApiClient } from './api-client.ts';
import { AbortReason, cutAfter } from './exchange.ts';
import { isPlainPath } from './gateway.ts';
import type { ApiState } from './health.ts';
import {
  type Api,
  type Around,
  defaultLimits,
  type Limits,
  type Log,
  type UpstreamAnswer,
  type UpstreamRequest,
} from './request.ts';

/** How one caller wants its request sent. */
export interface SendOptions {
  /** Milliseconds from now in which all must end: queue, connect, headers and body, over every try. */
  deadline: number;
  /** Abandons the request. */
  signal?: AbortSignal;
  /**
   * The account whose question it is, empty for the service's own: it counts against what the polls leave of the budget, and its
   * failure does not affect the polls. Absent for a poll.
   */
  account?: string;
}

export interface HttpClientOptions {
  /** Id of the source, for logs and errors. */
  source: string;
  apis: Readonly<Record<string, Api>>;
  /** Base URL that every request goes through, or null. */
  gateway: string | null;
  clock?: Clock;
  /** Uniform in [0, 1). */
  random?: () => number;
  log?: Log;
  limits?: Partial<Limits>;
  /** Budgets that the client shares with other processes; its own alone when absent. */
  shared?: SharedWindows;
  /** The weight that the polls need of each window, by `api/budget`; half of each when absent. */
  reserved?: Readonly<Record<string, number>>;
}

export interface HttpClient {
  /** Sends a request. Upstream trouble is a value; throws only for an API or a budget that the source does not list. */
  send(request: UpstreamRequest, options: SendOptions): Promise<Result<UpstreamAnswer>>;
  /** Throws for an API that the source does not list. */
  state(api: string): ApiState;
  /** Ends all that is under way as `stopped` and closes every connection. */
  close(): Promise<void>;
}

/** How the requests of this process ended, by source. */
const outcomes = new Map<string, Partial<Record<FailureCode | 'ok', number>>>();

/** Counts of the requests of this process by source and outcome, since its start. */
export const requestOutcomes = (): OutcomeCounts[] =>
  [...outcomes].map(([source, counts]) => ({ source, outcomes: { ...counts } }));

function count(source: string, result: Result<unknown>): void {
  const outcome = result.ok ? 'ok' : result.failure.code;
  const counts = outcomes.get(source) ?? {};
  counts[outcome] = (counts[outcome] ?? 0) + 1;
  outcomes.set(source, counts);
}

/** Idle connections close before common servers close them (ALB after 60 s, nginx after 75 s). */
const keepAliveTimeout = 45_000;
/** Longest for a connection to be made, ms. */
const connectTimeout = 5_000;
/** Most connections of clients' questions to one host: each takes one until its answer, and one that waits for it loses its time. */
const questionConnections = 64;

export const createHttpClient = (options: HttpClientOptions): HttpClient => new Client(options);

const agentOf = (connections: number): Agent =>
  new Agent({
    connections,
    allowH2: false,
    keepAliveTimeout,
    keepAliveMaxTimeout: keepAliveTimeout,
    // The deadline of the whole exchange stands for both.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeout },
  });

class Client implements HttpClient {
  readonly #around: Around;
  readonly #agents: { polls: Agent; questions: Agent };
  readonly #apis = new Map<string, ApiClient>();
  /** Each of the requests under way. */
  readonly #open = new Set<AbortController>();
  #closed = false;

  constructor(options: HttpClientOptions) {
    const { source, apis, gateway, clock = systemClock, random = Math.random, log } = options;
    const limits = { ...defaultLimits, ...options.limits };
    this.#around = { source, clock, random, limits, log };
    this.#agents = {
      polls: agentOf(limits.connections),
      questions: agentOf(questionConnections),
    };
    const { shared, reserved } = options;
    const around = { ...this.#around, agents: this.#agents, gateway, shared, reserved };
    for (const [name, api] of Object.entries(apis)) {
      const counting = api.countedBy === undefined ? undefined : this.#api(api.countedBy);
      this.#apis.set(name, new ApiClient(name, api, around, counting));
    }
  }

  async send(request: UpstreamRequest, options: SendOptions): Promise<Result<UpstreamAnswer>> {
    const { instead } = request;
    if (instead === undefined) return this.#send(request, options);
    const half = { ...options, deadline: options.deadline / 2 };
    const first = await this.#send(request, half);
    if (first.ok) return first;
    const second = await this.#send(instead, half);
    return second.ok ? second : first;
  }

  async #send(request: UpstreamRequest, options: SendOptions): Promise<Result<UpstreamAnswer>> {
    const { method = 'GET', path, weight = 1 } = request;
    const api = this.#api(request.api);
    const at = `${method} ${api.state().host}`;
    if (!isPlainPath(path)) return failed('refused', `${at}: the path holds what no path may`);
    const label = `${at}${path}`;
    if (this.#closed || options.signal?.aborted) return failed('stopped', `${label}: not sent`);
    if (!(options.deadline > 0)) return failed('timeout', `${label}: no time left`);
    const { maxFlights } = this.#around.limits;
    if (this.#open.size >= maxFlights) {
      const bound = `${maxFlights} requests of this process are under way already`;
      return failed('over_budget', `${label}: ${bound}`, { bound });
    }
    const cut = new AbortController();
    const stop = () => cut.abort(new AbortReason('stopped'));
    const stopTimer = cutAfter(this.#around, options.deadline, cut);
    options.signal?.addEventListener('abort', stop, { once: true });
    this.#open.add(cut);
    const deadline = this.#around.clock.monotonic() + options.deadline;
    const asker = options.account ?? null;
    try {
      const result = await api.ask({ request, label, weight, asker, deadline, signal: cut.signal });
      count(this.#around.source, result);
      return result;
    } finally {
      stopTimer();
      options.signal?.removeEventListener('abort', stop);
      this.#open.delete(cut);
    }
  }

  state(api: string): ApiState {
    return this.#api(api).state();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const cut of this.#open) cut.abort(new AbortReason('stopped'));
    for (const api of this.#apis.values()) api.close();
    await Promise.all([this.#agents.polls.destroy(), this.#agents.questions.destroy()]);
  }

  #api(name: string): ApiClient {
    const api = this.#apis.get(name);
    if (!api) throw new Error(`source ${this.#around.source} has no api ${name}`);
    return api;
  }
}
