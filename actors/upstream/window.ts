/** One budget of an API: the requests of this process wait here for the window that all processes share. */
import type { BudgetUse, Failure } from '../failure.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { SharedPause, SharedWindows } from '../kernel/shared-window.ts';
import type { Limits } from './limits.ts';
import { Questions, type Wanted } from './questions.ts';
import type { Budget } from './request.ts';
import { SharedPart } from './shared-part.ts';
import { type Spent, sum, turnsIn } from './turns.ts';

/** A request that wants its turn. */
export interface Claim extends Wanted {
  /** Monotonic ms; later when another caller joins. */
  readonly deadline: number;
  /** What must be left of the time when its turn has come after a wait, ms. */
  readonly leeway: number;
  /** Gives it up. */
  readonly signal: AbortSignal;
  /** Set when its turn is refused. */
  isRefused: boolean;
}

/** A request may go; to be called once, when it has ended. `abandoned`: the upstream may count it later. */
export type Pass = (how: 'counted' | 'abandoned' | 'unsent') => void;

export interface WindowOptions {
  /** `source/api/budget` and `source/api`, among all processes. */
  name: string;
  api: string;
  budget: Budget;
  /** What the polls need of a window: questions leave it to them. */
  reserved: number;
  clock: Clock;
  limits: Pick<Limits, 'spread' | 'abandoned'>;
  /** Absent where no other process uses the budget. */
  shared: SharedWindows | undefined;
  /** Another process was asked for silence until then, monotonic ms. */
  onPause(until: number, code: SharedPause['code']): void;
}

interface Waiting {
  readonly claim: Claim;
  settle(outcome: Pass | Failure): void;
}

/** The least part of a budget that questions have, whatever the polls need. */
const leastAsked = 0.1;
/** As much as the last request is held for the next one, where it is no more than this part of the budget. */
const mostAhead = 1 / 4;

/** Those of this process. */
const open = new Set<BudgetWindow>();

/** What is counted of the budgets of this process that are used, waited for or paused. */
export const budgetUses = (): BudgetUse[] => [...open].flatMap((window) => window.use() ?? []);

/**
 * No `per` ms hold more than the weight, whenever between its grant and its end the upstream counts a request: it counts from its
 * grant until `per` after its end. Questions go before polls, and the service's own questions last; no account has more of what
 * the polls leave than it leaves free.
 */
export class BudgetWindow {
  readonly #options: WindowOptions;
  readonly #per: number;
  readonly #part: SharedPart;
  /** By arrival. */
  #queue: Waiting[] = [];
  /** What is under way, and the latest time at which the upstream may count it. */
  readonly #flying = new Set<Claim>();
  #last = Number.NEGATIVE_INFINITY;
  #ahead = 0;
  /** What has ended, oldest first. */
  readonly #spent: (Spent & { isOwn: boolean })[] = [];
  readonly #questions: Questions;
  #pause: { until: number; code: SharedPause['code'] } | null = null;
  /** Until when all processes together leave no room, monotonic ms. */
  #full = Number.NEGATIVE_INFINITY;
  #timer: Cancel = () => {};

  constructor(options: WindowOptions) {
    const { name, api, budget, limits, clock, shared } = options;
    this.#options = options;
    this.#per = budget.per + limits.spread;
    const left = Math.max(budget.weight - options.reserved, leastAsked * budget.weight);
    this.#questions = new Questions(left, this.#per);
    this.#part = new SharedPart({
      shared,
      clock,
      window: { name, api, weight: budget.weight, per: this.#per },
      state: () => ({ held: sum(this.#flying), ahead: this.#ahead, last: this.#last }),
      onRoom: (wait, pause) => {
        if (wait > 0) this.#full = clock.monotonic() + wait;
        if (pause) options.onPause(clock.monotonic() + pause.ms, pause.code);
        this.review();
      },
    });
    open.add(this);
  }

  /** Unix ms before which nothing goes; null where nothing is paused. */
  get pausedUntil(): number | null {
    const { clock } = this.#options;
    const left = (this.#pause?.until ?? Number.NEGATIVE_INFINITY) - clock.monotonic();
    return left > 0 ? clock.now() + left : null;
  }

  /**
   * The pass when the claim's turn has come; else, as soon as that is certain, why it will not come in time: `over_budget`, or
   * the code of a pause. `retryAfter`: when it would have come.
   */
  enter(claim: Claim): Promise<Pass | Failure> {
    const { promise, resolve } = Promise.withResolvers<Pass | Failure>();
    const leave = () => {
      this.#settle(waiting, { code: 'stopped', message: 'abandoned' });
      this.review();
    };
    const settle = (outcome: Pass | Failure) => {
      claim.signal.removeEventListener('abort', leave);
      resolve(outcome);
    };
    const waiting = { claim, settle };
    claim.signal.addEventListener('abort', leave, { once: true });
    this.#queue.push(waiting);
    this.review();
    return promise;
  }

  /** Nothing goes before `until` (monotonic ms); never shortened. `isNews`: the other processes are to hear of it. */
  pause(until: number, code: SharedPause['code'], isNews: boolean): void {
    if (this.#pause && this.#pause.until >= until) return;
    this.#pause = { until, code };
    if (isNews) this.#part.tell(0, this.#pause);
    this.review();
  }

  /** Adopts the used weight that the upstream states, where it is more than our count. */
  correct(stated: number): void {
    const weight = stated - this.#used();
    if (!Number.isFinite(weight) || weight <= 0) return;
    const over = this.#options.clock.monotonic() + this.#per;
    this.#spent.push({ over, weight, isOwn: false });
    this.review();
  }

  /** What is counted; null where nothing is, nobody waits, and nothing is paused. */
  use(): BudgetUse | null {
    const { name, budget } = this.#options;
    const [used, waiting, paused_until] = [this.#used(), this.#queue.length, this.pausedUntil];
    if (used === 0 && waiting === 0 && paused_until === null) return null;
    const own = used - sum(this.#spent.filter(({ isOwn }) => !isOwn));
    return { name, weight: budget.weight, per_ms: budget.per, own, used, waiting, paused_until };
  }

  close(): void {
    this.#timer();
    open.delete(this);
  }

  /** Forgets what is over; the weight that counts now. */
  #used(): number {
    const now = this.#options.clock.monotonic();
    const left = this.#spent.findIndex(({ over }) => over > now);
    this.#spent.splice(0, left === -1 ? this.#spent.length : left);
    return sum(this.#flying) + sum(this.#spent);
  }

  /** Grants each turn that has come, refuses what cannot come in time, and waits for the next. */
  review(): void {
    this.#timer();
    if (this.#queue.length > 0) this.#turns();
  }

  #turns(): void {
    const { clock, budget } = this.#options;
    const now = clock.monotonic();
    this.#questions.expire(now);
    const from = Math.max(now, this.#pause?.until ?? now, this.#full);
    const held = { used: this.#used(), spent: this.#spent, flying: sum(this.#flying) };
    const turns = turnsIn(held, { most: budget.weight, per: this.#per, from, now });
    let next = Number.POSITIVE_INFINITY;
    const ready: Waiting[] = [];
    for (const waiting of this.#inOrder()) {
      const { claim } = waiting;
      const share = this.#questions.turn(claim, { now, from });
      const at = Math.max(share, turns.of(claim.weight));
      if (at >= endOf(claim, now)) {
        this.#settle(waiting, this.#refusal(claim, at, share === at));
        continue;
      }
      // A question that waits for its share takes no room from those behind it.
      if (share === from) turns.plan(at, claim.weight);
      if (at > now) next = Math.min(next, at);
      else if (!this.#grant(waiting, ready.length)) ready.push(waiting);
    }
    const [first] = ready;
    if (first) void this.#part.ask(first.claim.weight, sum(ready.map(({ claim }) => claim)));
    if (Number.isFinite(next)) this.#timer = clock.after(next - now, () => this.review());
  }

  /** Lets the first go for whom the process holds room. */
  #grant(waiting: Waiting, before: number): boolean {
    const { claim } = waiting;
    if (before > 0 || !this.#part.allows(sum(this.#flying) + claim.weight)) return false;
    this.#settle(waiting, this.#go(claim));
    return true;
  }

  /** Questions of accounts, one of each account after the other, then polls, then the service's own questions. */
  #inOrder(): Waiting[] {
    const ahead = new Map<string, number>();
    const rankOf = ({ claim: { accounts } }: Waiting) => {
      if (accounts === null) return 1e6;
      const account = [...accounts].find((one) => one !== '');
      if (account === undefined) return 2e6;
      const rank = ahead.get(account) ?? 0;
      ahead.set(account, rank + 1);
      return rank;
    };
    const ranked = this.#queue.map((waiting) => ({ waiting, rank: rankOf(waiting) }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ waiting }) => waiting);
  }

  #settle(waiting: Waiting, outcome: Pass | Failure): void {
    this.#queue = this.#queue.filter((other) => other !== waiting);
    waiting.settle(outcome);
  }

  #go(claim: Claim): Pass {
    const { weight, deadline } = claim;
    const { clock, budget, limits } = this.#options;
    this.#flying.add(claim);
    this.#last = Math.max(this.#last, deadline + limits.abandoned);
    this.#ahead = weight <= mostAhead * budget.weight ? weight : 0;
    const ended = this.#questions.begin(claim);
    const end = (spent: number) => {
      const now = clock.monotonic();
      this.#flying.delete(claim);
      if (spent > 0) this.#spent.push({ over: now + this.#per, weight, isOwn: true });
      ended(spent > 0 ? now : null);
      this.#part.tell(spent);
      this.review();
    };
    return (how) => {
      if (how === 'abandoned') clock.after(limits.abandoned, () => end(weight));
      else end(how === 'unsent' ? 0 : weight);
    };
  }

  #refusal(claim: Claim, at: number, isShare: boolean): Failure {
    const { deadline } = claim;
    const now = this.#options.clock.monotonic();
    claim.isRefused = true;
    const { until = now, code } = this.#pause ?? {};
    if (code && until >= deadline && now < until)
      return { code, message: 'the upstream asked for silence', retryAfter: until - now };
    const bound = (isShare && this.#questions.refusal(claim)) || this.#spentAll();
    const failure: Failure = { code: 'over_budget', message: bound, bound };
    return Number.isFinite(at) ? { ...failure, retryAfter: at - now } : failure;
  }

  #spentAll(): string {
    const { budget, clock } = this.#options;
    const all = `a weight of ${budget.weight} in ${budget.per / 1000} s that the exchange allows`;
    return clock.monotonic() < this.#full
      ? `all processes together have used ${all}`
      : `of ${all} ${this.#used()} is used, and ${this.#queue.length} requests wait`;
  }
}

/** Before this time a turn must come, monotonic ms; one that has come needs no more than a deadline to be. */
const endOf = ({ deadline, leeway }: Claim, now: number): number =>
  Math.max(deadline - leeway, Math.min(deadline, now + 1));
