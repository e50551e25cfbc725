/** One API of an upstream at run time: when a request may go, to which hosts, and how often. */
import type { Dispatcher } from 'undici';
import { type Failure, failed, type Result } from '../failure.ts';
import { type Backoff, fullJitter } from '../kernel/backoff.ts';
import { late, within } from '../kernel/clock.ts';
import type { SharedPause, SharedWindows } from '../kernel/shared-window.ts';
import { exchange, header, type Reply } from './exchange.ts';
import { AbortReason, cutAfter, type Flight } from './flight.ts';
import { httpTarget, type Target } from './gateway.ts';
import { type ApiState, Health } from './health.ts';
import type { Around } from './limits.ts';
import type { Api, UpstreamAnswer, UpstreamRequest } from './request.ts';
import { isRetryable, judge, type Verdict } from './verdict.ts';
import { BudgetWindow, type Ending, type Pass } from './window.ts';

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

/** A request under way, and whether there is another host or round after this try. */
interface Ask {
  readonly request: UpstreamRequest;
  readonly flight: Flight<UpstreamAnswer>;
  readonly more: boolean;
}

/** Between rounds over the hosts. */
const retryDelay: Backoff = { base: 250, cap: 5_000 };

export class ApiClient {
  readonly #api: Api;
  readonly #name: string;
  readonly #around: ApiContext;
  readonly #health: Health;
  readonly #windows: ReadonlyMap<string, BudgetWindow>;

  constructor(name: string, api: Api, around: ApiContext) {
    const { source, gateway, reserved } = around;
    this.#api = api;
    this.#name = `${source}/${name}`;
    this.#around = around;
    const onPause = (until: number, code: SharedPause['code']) => this.#pause(until, code);
    this.#windows = new Map(
      Object.entries(api.budgets).map(([key, budget]) => {
        const least = reserved ? (reserved[`${name}/${key}`] ?? 0) : budget.weight / 2;
        const own = { api: this.#name, name: `${this.#name}/${key}`, budget, onPause };
        return [key, new BudgetWindow({ ...around, ...own, reserved: least })];
      }),
    );
    const targets = api.hosts.map((host) => httpTarget(host, gateway));
    this.#health = new Health(around, targets);
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
   * flight's deadline leaves no time, or the last caller has left. A question has two tries at most, of two hosts: further ones
   * would be more work for an exchange that is slow already. Never rejects because of an upstream.
   */
  async ask(request: UpstreamRequest, flight: Flight<UpstreamAnswer>): Promise<Answer> {
    const window = this.#window(request);
    const order = this.#health.order(flight.asker);
    const rounds = Array.from({ length: 1 + this.#around.limits.retries }, () => order);
    const tries = flight.asker === null ? rounds.flat() : order.slice(0, 2);
    let last: Answer | null = null;
    for (const [n, target] of tries.entries()) {
      // A round over the hosts is over.
      const pause = n > 0 && n % order.length === 0;
      if (pause && !(await this.#rest(flight, last, n / order.length - 1))) break;
      const pass = await this.#admit(flight, window);
      // The failure of the last try is more informative than the reason that there is no further one.
      if (typeof pass !== 'function') return last ?? pass;
      const more = n + 1 < tries.length;
      const { verdict, ending } = await this.#try({ request, flight, more }, target);
      pass(ending);
      last = verdict.result;
      if (isFinal(verdict)) break;
    }
    return last ?? failed('stopped', `${flight.label}: no host`);
  }

  /** Waits until the request may be sent; a failure when it must not. */
  async #admit(flight: Flight<UpstreamAnswer>, window: BudgetWindow): Promise<Pass | Answer> {
    const refused = ({ code, message, ...more }: Failure) =>
      failed(code, `${flight.label}: ${message}`, more);
    const retryAfter = () => this.#health.wait(flight.asker);
    const open = { code: 'breaker_open', message: 'too many failures in a row' } as const;
    if (retryAfter() > 0) return refused({ ...open, retryAfter: retryAfter() });
    const pass = await window.enter(flight);
    if (typeof pass !== 'function') return refused(pass);
    if (retryAfter() === 0) return pass;
    pass({ how: 'unsent' });
    return refused({ ...open, retryAfter: retryAfter() });
  }

  /** Asks one host. With `more` to try after it, it gets half of the time that is left. */
  async #try(
    { request, flight, more }: Ask,
    target: Target,
  ): Promise<{ verdict: Verdict; ending: Ending }> {
    const { agents, limits, clock } = this.#around;
    const { signal, asker } = flight;
    const cut = new AbortController();
    const half = (flight.deadline - clock.monotonic()) / 2;
    const stopTimer = more
      ? cutAfter(this.#around, half, (code) => cut.abort(new AbortReason(code)))
      : () => {};
    // `AbortSignal.any` costs several times what a listener does.
    const abandon = () => cut.abort(signal.reason);
    signal.addEventListener('abort', abandon, { once: true });
    if (signal.aborted) abandon();
    const reply = await exchange({
      dispatcher: asker === null ? agents.polls : agents.questions,
      clock,
      target,
      request,
      headers: this.#api.headers,
      maxBody: this.#api.maxBody ?? limits.maxBody,
      signal: cut.signal,
    });
    signal.removeEventListener('abort', abandon);
    stopTimer();
    const label = `${request.method ?? 'GET'} ${target.name}${request.path}`;
    const verdict = this.#excuse(judge(reply, this.#api, label), reply);
    const pause = this.#health.learn(verdict, target, asker);
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

  /** A host is not to blame for a try that was cut before one can be expected to answer. */
  #excuse(verdict: Verdict, { problem, asked, received }: Reply): Verdict {
    const isHurried = received - asked < this.#around.limits.patience;
    const isCut = problem?.code === 'timeout' && verdict.concern === 'host';
    return isHurried && isCut ? { ...verdict, concern: 'none' } : verdict;
  }

  /** Waits before the next round. False when there shall be none. */
  async #rest(
    flight: Flight<UpstreamAnswer>,
    before: Answer | null,
    round: number,
  ): Promise<boolean> {
    const { clock, random } = this.#around;
    if (!before || before.ok || !isRetryable(before.failure)) return false;
    const delay = Math.max(fullJitter(round, retryDelay, random), before.failure.retryAfter ?? 0);
    if (clock.monotonic() + delay >= flight.deadline) return false;
    return (await within(clock, delay, flight.ended)) === late;
  }
}

/** Successes, and failures that another host would repeat; a body over the cap is not fetched a second time. */
const isFinal = ({ concern, result }: Verdict): boolean =>
  concern === 'request' ||
  concern === 'api' ||
  (!result.ok && (result.failure.code === 'too_large' || result.failure.code === 'stopped'));
