/** One API of an upstream at run time: when a request may go, to which hosts, and how often. */
import type { Failure, Result } from '../failure.ts';
import { type Backoff, fullJitter } from '../kernel/backoff.ts';
import { type Clock, late, within } from '../kernel/clock.ts';
import type { SharedWindows } from '../kernel/shared-window.ts';
import type { Permit } from './breaker.ts';
import { exchange, header, type Reply, type Wire } from './exchange.ts';
import { firstSuccess } from './first-success.ts';
import { AbortReason, cutAfter, type Flight } from './flight.ts';
import { httpTarget, type Target } from './gateway.ts';
import { checkHeaders } from './headers.ts';
import { type ApiState, Health, type Log, type Side } from './health.ts';
import type { Limits } from './limits.ts';
import type { Api, UpstreamAnswer, UpstreamRequest } from './request.ts';
import { isRetryable } from './retry.ts';
import { judge, type Verdict } from './verdict.ts';
import { BudgetWindow, type Pass } from './window.ts';

/** The context that the APIs of one source share. */
export interface ApiContext {
  source: string;
  clock: Clock;
  wires: Readonly<Record<'polls' | 'questions', Wire>>;
  gateway: string | null;
  /** Uniform in [0, 1). */
  random: () => number;
  limits: Limits;
  log: Log | undefined;
  shared: SharedWindows | undefined;
  /** The weight that the polls need of each window, by `api/budget`; half of each where it is not known. */
  reserved: Readonly<Record<string, number>> | undefined;
}

type Answer = Result<UpstreamAnswer>;

/** What a request needs to go. */
interface Leave {
  permit: Permit;
  pass: Pass;
}

/** A request under way, with the state that all of its attempts share. */
interface Ask {
  readonly request: UpstreamRequest;
  readonly flight: Flight<UpstreamAnswer>;
  readonly window: BudgetWindow;
  /** What its failures count against. */
  readonly side: Side;
  /** The failure of the last attempt: it is more informative than the reason that there is no further one. */
  last: { ok: false; failure: Failure } | null;
}

/** Between rounds over the hosts. */
const retryDelay: Backoff = { base: 250, cap: 5_000 };

export class ApiClient {
  readonly #api: Api;
  readonly #around: ApiContext;
  readonly #health: Health;
  readonly #windows: ReadonlyMap<string, BudgetWindow>;

  constructor(name: string, api: Api, around: ApiContext) {
    const { source, clock, gateway, random, limits, log, shared, reserved } = around;
    checkHeaders(api.headers);
    this.#api = api;
    this.#around = around;
    const all = { api: `${source}/${name}`, clock, limits, shared };
    const onPause = (until: number, code: 'banned' | 'rate_limited') => this.#pause(until, code);
    this.#windows = new Map(
      Object.entries(api.budgets).map(([key, budget]) => {
        const least = reserved ? (reserved[`${name}/${key}`] ?? 0) : budget.weight / 2;
        const own = { name: `${all.api}/${key}`, budget, reserved: least, onPause };
        return [key, new BudgetWindow({ ...all, ...own })];
      }),
    );
    this.#health = new Health({
      source,
      targets: api.hosts.map((host) => httpTarget(host, gateway)),
      clock,
      random,
      limits,
      log,
      onSilence: (until, code) => this.#pause(until, code, true),
    });
  }

  state(): ApiState {
    const paused = [...this.#windows.values()].map(({ pausedUntil }) => pausedUntil ?? 0);
    return { ...this.#health.state(), pausedUntil: Math.max(...paused) || null };
  }

  close(): void {
    for (const window of this.#windows.values()) window.close();
  }

  /** Another account, or one with more time, waits for the request now. */
  review(request: UpstreamRequest): void {
    this.#window(request).review();
  }

  /** All budgets pause together; of a pause that the upstream asked this process for, the first tells the other processes. */
  #pause(until: number, code: 'banned' | 'rate_limited', isNews = false): void {
    for (const [index, window] of [...this.#windows.values()].entries())
      window.pause(until, code, isNews && index === 0);
  }

  /**
   * Tries the hosts in turn, and after a pause again while that may help, until there is a definite answer, the
   * flight's deadline leaves no time, or the last caller has left. Never rejects because of an upstream.
   */
  async ask(request: UpstreamRequest, flight: Flight<UpstreamAnswer>): Promise<Answer> {
    const side = this.#health.side(flight.accounts?.values().next().value);
    const ask: Ask = { request, flight, window: this.#window(request), side, last: null };
    const { retries } = this.#around.limits;
    for (let round = 0; ; round++) {
      const { result, final } = await this.#round(ask, round < retries);
      if (final || result.ok || round >= retries) return result;
      if (!(await this.#rest(ask, result.failure, round))) return result;
    }
  }

  /** Every host once, until one gives a result that no other would change. */
  async #round(ask: Ask, again: boolean): Promise<{ result: Answer; final: boolean }> {
    const targets = ask.side.hosts.order();
    let final = false;
    const attempt = async (target: Target, _until: number, index: number): Promise<Answer> => {
      const leave = await this.#admit(ask);
      if ('code' in leave) {
        final = true;
        return ask.last ?? { ok: false, failure: leave };
      }
      const more = isShared(ask, { index, hosts: targets.length, again });
      const { result, concern } = await this.#try(ask, target, { ...leave, more });
      if (result.ok || isFinal(concern, result.failure)) final = true;
      else ask.last = result;
      return result;
    };
    const result = await firstSuccess(targets, attempt, {
      clock: this.#around.clock,
      until: Number.POSITIVE_INFINITY,
      isFinal: () => final,
      worse: (_before, now) => now,
    });
    return { result, final };
  }

  /** Waits until the request may be sent; a failure when it must not. */
  async #admit({ flight, window, side }: Ask): Promise<Leave | Failure> {
    const labelled = (why: Failure) => ({ ...why, message: `${flight.label}: ${why.message}` });
    const open = () =>
      labelled({
        code: 'breaker_open',
        message: 'too many failures in a row',
        retryAfter: this.#health.wait(side),
      });
    if (!this.#health.admits(side)) return open();
    const pass = await window.enter(flight);
    if (typeof pass !== 'function') return labelled(pass);
    const permit = flight.signal.aborted ? null : this.#health.admit(side);
    if (permit) {
      flight.turn ??= this.#around.clock.monotonic();
      return { permit, pass };
    }
    pass('unsent');
    return flight.signal.aborted ? labelled({ code: 'stopped', message: 'abandoned' }) : open();
  }

  /** Asks one host. With `more` to try after it, it gets half of the time that is left. */
  async #try(
    { request, flight, window, side }: Ask,
    target: Target,
    { permit, pass, more }: Leave & { more: boolean },
  ): Promise<Verdict> {
    const { clock, wires, limits } = this.#around;
    const cut = new AbortController();
    const half = (flight.deadline - clock.monotonic()) / 2;
    const stopTimer = more
      ? cutAfter({ clock, lag: limits.lag }, half, (code) => cut.abort(new AbortReason(code)))
      : () => {};
    // `AbortSignal.any` costs several times what a listener does.
    const abandon = () => cut.abort(flight.signal.reason);
    flight.signal.addEventListener('abort', abandon, { once: true });
    if (flight.signal.aborted) abandon();
    const reply = await exchange(flight.accounts === null ? wires.polls : wires.questions, {
      target,
      request,
      headers: this.#api.headers,
      maxBody: Math.min(this.#api.maxBody ?? limits.maxBody, flight.maxBody),
      signal: cut.signal,
    });
    flight.signal.removeEventListener('abort', abandon);
    stopTimer();
    pass(isAbandoned(reply) ? 'abandoned' : 'counted');
    this.#correct(request, reply, window);
    const label = `${request.method ?? 'GET'} ${target.name}${request.path}`;
    const verdict = this.#excuse(judge(reply, this.#api, label), reply);
    return this.#health.learn(verdict, { target, permit, side });
  }

  /** Throws for a budget that the API does not list. */
  #window({ api, budget = 'default' }: UpstreamRequest): BudgetWindow {
    const window = this.#windows.get(budget);
    if (!window) throw new Error(`api ${api} has no budget ${budget}`);
    return window;
  }

  #correct(
    { budget = 'default' }: UpstreamRequest,
    { headers }: Reply,
    window: BudgetWindow,
  ): void {
    const name = this.#api.budgets[budget]?.usedHeader?.toLowerCase();
    const used = name && header(headers, name);
    if (used) window.correct(Number(used));
  }

  /** A host is not to blame for a try that never had a fair chance. */
  #excuse(verdict: Verdict, reply: Reply): Verdict {
    const timeout = !verdict.result.ok && verdict.result.failure.code === 'timeout';
    return timeout && this.#isHurried(reply) ? { ...verdict, concern: 'none' } : verdict;
  }

  /** Whether the try was cut before a host can be expected to answer. */
  #isHurried({ problem, asked, received }: Reply): boolean {
    return problem?.code === 'timeout' && received - asked < this.#around.limits.patience;
  }

  /** Waits before the next round. False when there shall be none. */
  async #rest({ flight }: Ask, failure: Failure, round: number): Promise<boolean> {
    const { clock, random } = this.#around;
    if (!isRetryable(failure) || flight.signal.aborted) return false;
    const delay = Math.max(fullJitter(round, retryDelay, random), failure.retryAfter ?? 0);
    if (clock.monotonic() + delay >= flight.deadline) return false;
    return (await within(clock, delay, flight.ended)) === late;
  }
}

/**
 * Whether a try leaves half of the time to others. A question has two tries at most, of two hosts: further ones would be more
 * work for an exchange that is slow already, and take more of its budget.
 */
const isShared = (
  { flight }: Ask,
  { index, hosts, again }: { index: number; hosts: number; again: boolean },
): boolean => (flight.accounts === null ? again || index + 1 < hosts : index === 0 && hosts > 1);

/** Whether the request was given up before the upstream had shown that it knows of it. */
const isAbandoned = ({ status, problem }: Reply): boolean =>
  status === null && problem !== null && problem.code !== 'network';

/** Failures that another host would repeat; a body over the cap is not fetched a second time. */
const isFinal = (concern: Verdict['concern'], { code }: Failure): boolean =>
  concern === 'request' || concern === 'api' || code === 'too_large' || code === 'stopped';
