/** One API of an upstream at run time: when a request may go, to which hosts, and how often. */
import type { Dispatcher } from 'undici';
import { type Failure, failed, type Result } from '../failure.ts';
import { type Backoff, fullJitter } from '../kernel/backoff.ts';
import { sleep } from '../kernel/clock.ts';
import type { SharedPause, SharedWindows } from '../kernel/shared-window.ts';
import { cutAfter, exchange, header, type Reply, reasonOf, socketExchange } from './exchange.ts';
import { httpTarget, type Target } from './gateway.ts';
import { type ApiState, Health } from './health.ts';
import type { Api, Around, UpstreamAnswer, UpstreamRequest } from './request.ts';
import { isRetryable, judge, type Verdict } from './verdict.ts';
import { BudgetWindow, type Claim, type Ending, type Pass } from './window.ts';

/** The context that the APIs of one source share. */
export interface ApiContext extends Around {
  /** Of the polls and of the questions: neither waits for the other's connections. */
  agents: Readonly<Record<'polls' | 'questions', Dispatcher>>;
  gateway: string | null;
  shared: SharedWindows | undefined;
  /** The weight that the polls need of each window, by `api/budget`; half of each where it is not known. */
  reserved: Readonly<Record<string, number>> | undefined;
}

type Answer = Result<UpstreamAnswer>;

/** A request under way; `label` names it in messages. */
export interface Call extends Claim {
  readonly request: UpstreamRequest;
  readonly label: string;
}

/** Between rounds over the hosts. */
const retryDelay: Backoff = { base: 250, cap: 5_000 };

export class ApiClient {
  readonly #api: Api;
  readonly #name: string;
  readonly #around: ApiContext;
  readonly #health: Health;
  readonly #windows: ReadonlyMap<string, BudgetWindow>;

  /** `counting` is the client of the API that counts its requests, where another one does. */
  constructor(name: string, api: Api, around: ApiContext, counting?: ApiClient) {
    const { source, gateway } = around;
    this.#api = api;
    this.#name = counting ? counting.#name : `${source}/${name}`;
    this.#around = around;
    this.#windows = counting ? counting.#windows : this.#windowsOf(name);
    const targets = api.hosts.map((host) => httpTarget(host, gateway));
    this.#health = new Health(around, targets);
  }

  #windowsOf(name: string): ReadonlyMap<string, BudgetWindow> {
    const { reserved } = this.#around;
    const onPause = (until: number, code: SharedPause['code']) => this.#pause(until, code);
    return new Map(
      Object.entries(this.#api.budgets).map(([key, budget]) => {
        const least = reserved ? (reserved[`${name}/${key}`] ?? 0) : budget.weight / 2;
        const own = { api: this.#name, name: `${this.#name}/${key}`, budget, onPause };
        return [key, new BudgetWindow({ ...this.#around, ...own, reserved: least })];
      }),
    );
  }

  state(): ApiState {
    const paused = [...this.#windows.values()].map(({ pausedUntil }) => pausedUntil ?? 0);
    return { ...this.#health.state(), pausedUntil: Math.max(...paused) || null };
  }

  close(): void {
    for (const window of this.#windows.values()) window.close();
  }

  /** All budgets pause together. */
  #pause(until: number, code: SharedPause['code']): void {
    for (const window of this.#windows.values()) window.pause(until, code);
  }

  /**
   * Tries the hosts in turn, a poll after a pause again while that may help, until there is a definite answer, the
   * deadline leaves no time, or the call is given up. A question has two tries at most, of two hosts: further ones
   * would be more work for an exchange that is slow already. Never rejects because of an upstream.
   */
  async ask(call: Call): Promise<Answer> {
    const window = this.#window(call.request);
    const order = this.#health.order();
    const rounds = Array.from({ length: 1 + this.#around.limits.retries }, () => order);
    const tries = call.asker === null ? rounds.flat() : order.slice(0, 2);
    let last: Answer | null = null;
    for (const [n, target] of tries.entries()) {
      const round = n / order.length;
      if (n > 0 && Number.isInteger(round) && !(await this.#rest(call, last, round - 1))) break;
      const pass = await this.#admit(call, window);
      // The failure of the last try is more informative than the reason that there is no further one.
      if (typeof pass !== 'function') return last ?? pass;
      const { verdict, ending } = await this.#try(call, target, n + 1 === tries.length);
      pass(ending);
      last = verdict.result;
      if (isFinal(verdict)) break;
    }
    return last ?? failed('stopped', `${call.label}: no host`);
  }

  /** Waits until the request may be sent; a failure when it must not. */
  async #admit({ label, ...claim }: Call, window: BudgetWindow): Promise<Pass | Answer> {
    const refused = ({ code, message, ...more }: Failure) =>
      failed(code, `${label}: ${message}`, more);
    const { wait } = this.#health;
    if (wait > 0)
      return refused({
        code: 'breaker_open',
        message: 'too many failures in a row',
        retryAfter: wait,
      });
    const pass = await window.enter(claim);
    if (typeof pass === 'function') return pass;
    return refused(claim.signal.aborted ? reasonOf(claim.signal) : pass);
  }

  /** Asks one host. With another to try after it, it gets half of the time that is left. */
  async #try(
    { request, signal, asker, deadline }: Call,
    target: Target,
    isLast: boolean,
  ): Promise<{ verdict: Verdict; ending: Ending }> {
    const { agents, limits, clock } = this.#around;
    const cut = new AbortController();
    const half = (deadline - clock.monotonic()) / 2;
    const stopTimer = isLast ? () => {} : cutAfter(this.#around, half, cut);
    // `AbortSignal.any` costs several times what a listener does.
    const abandon = () => cut.abort(signal.reason);
    signal.addEventListener('abort', abandon, { once: true });
    if (signal.aborted) abandon();
    const options = {
      dispatcher: asker === null ? agents.polls : agents.questions,
      clock,
      target,
      request,
      headers: this.#api.headers,
      maxBody: this.#api.maxBody ?? limits.maxBody,
      signal: cut.signal,
    };
    const { socket } = request;
    const reply = await (socket ? socketExchange(socket, options) : exchange(options));
    signal.removeEventListener('abort', abandon);
    stopTimer();
    const label = `${request.method ?? 'GET'} ${target.name}${request.path}`;
    const verdict = judge(reply, this.#api, label);
    const pause = this.#health.learn(verdict, target, asker === null);
    if (pause) this.#silence(pause, verdict);
    return { verdict, ending: this.#endingOf(request, reply, pause !== null) };
  }

  /** For all processes and budgets; the failure says until when. */
  #silence(pause: SharedPause, verdict: Verdict): void {
    const { clock, shared } = this.#around;
    void shared?.pause(this.#name, pause).catch(() => {});
    this.#pause(clock.monotonic() + pause.ms, pause.code);
    if (!verdict.result.ok) verdict.result.failure.retryAfter = pause.ms;
  }

  /** Throws for a budget that the API does not list. */
  #window({ api, budget = 'default' }: UpstreamRequest): BudgetWindow {
    const window = this.#windows.get(budget);
    if (!window) throw new Error(`api ${api} has no budget ${budget}`);
    return window;
  }

  /** Given up before the upstream has shown that it knows of it, it may be counted later. */
  #endingOf({ budget = 'default' }: UpstreamRequest, reply: Reply, isSilent: boolean): Ending {
    const { status, problem, headers } = reply;
    if (status === null) return { how: problem?.code === 'network' ? 'counted' : 'abandoned' };
    const name = this.#api.budgets[budget]?.usedHeader?.toLowerCase();
    const stated = Number(name && header(headers, name));
    return { how: isSilent ? 'counted' : 'answered', stated: Number.isFinite(stated) ? stated : 0 };
  }

  /** Waits before the next round. False when there shall be none. */
  async #rest({ deadline, signal }: Call, before: Answer | null, round: number): Promise<boolean> {
    const { clock, random } = this.#around;
    if (!before || before.ok || !isRetryable(before.failure)) return false;
    const delay = Math.max(fullJitter(round, retryDelay, random), before.failure.retryAfter ?? 0);
    if (clock.monotonic() + delay >= deadline) return false;
    await sleep(clock, delay, signal);
    return !signal.aborted;
  }
}

/** Successes, and failures that another host would repeat; a body over the cap is not fetched a second time. */
const isFinal = ({ concern, result }: Verdict): boolean =>
  concern === 'request' ||
  concern === 'api' ||
  (!result.ok && (result.failure.code === 'too_large' || result.failure.code === 'stopped'));
