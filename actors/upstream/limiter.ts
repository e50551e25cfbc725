/** Weight over time: a sliding window with a queue in front, and the pauses that an upstream asks for. */
import { hour } from '../../config/time.ts';
import type { BudgetUse, Failure } from '../failure.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { Budget } from './request.ts';
import { type Claim, PlannedWindow, Window } from './schedule.ts';
import { Shares } from './shares.ts';

export interface LimiterOptions {
  budget: Budget;
  clock: Clock;
  /** Most polls and most questions that wait; beyond it the last in order is refused. */
  maxQueue: number;
}

interface Waiting {
  readonly claim: Claim;
  settle(refusal: Failure | null): void;
}

/** When a claim's turn comes, and which account it is charged to: null for a poll. */
interface Turn {
  readonly waiting: Waiting;
  readonly account: string | null;
  /** Unix ms; infinite for one that the budget can never grant. */
  readonly at: number;
  /** The account's own share, weight of a minute, where that decides it; null where the budget does. */
  readonly share: number | null;
}

const overBudget = (bound: string): Failure => ({ code: 'over_budget', message: bound, bound });
const abandoned: Failure = { code: 'stopped', message: 'abandoned' };

/** The polls keep twice what they used at most in one window, up to half of the budget; questions never take it. */
const reserve = { peaks: 2, most: 0.5 };

/** Polls that are made at all are made within this time, ms: the most that they have used is kept for one to two of it. */
const peakLife = hour;

/** Time, ms, that a query waits for its account's own share, so that one account cannot fill the queue. */
const ownPatience = 1_000;

/**
 * One budget of one API. No window of `per` ms, wherever it begins, holds more than `weight`, whenever between its grant
 * and its end the upstream counts a request: it is counted here from its grant until `per` after its end. Questions of
 * clients go before polls, within what polls leave to them, and share that by account.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #all: Window;
  readonly #polled: Window;
  readonly #asked: Window;
  /** What the upstream stated beyond our count. */
  readonly #stated: Window;
  readonly #shares: Shares;
  /** The most that polls have used in one window: since `since`, and in the time of the same length before. */
  #peak = { since: 0, most: 0, before: 0 };
  readonly #refused = new WeakSet<Claim>();
  /** By arrival. */
  #queue: Waiting[] = [];
  #timer: Cancel = () => {};
  #pause: { until: number; why: Failure } | null = null;

  constructor(options: LimiterOptions) {
    const { per } = options.budget;
    this.#options = options;
    this.#all = new Window(per);
    this.#polled = new Window(per);
    this.#asked = new Window(per);
    this.#stated = new Window(per);
    this.#shares = new Shares(per);
  }

  get paused(): boolean {
    return this.#pause !== null && this.#options.clock.monotonic() < this.#pause.until;
  }

  /**
   * Null when the claim's turn has come and its weight is held, until `ended`; else, as soon as that is certain, why the
   * turn will not come: `over_budget`, or the code of a pause beyond the deadline. `retryAfter`: when a turn would
   * have come, or when the pause ends.
   */
  take(claim: Claim): Promise<Failure | null> {
    const { promise, resolve } = Promise.withResolvers<Failure | null>();
    const settle = (refusal: Failure | null) => {
      if (refusal) this.#refused.add(claim);
      resolve(refusal);
    };
    this.#queue.push({ claim, settle });
    this.review();
    return promise;
  }

  /** A claim of that weight whose turn had come has ended: the upstream has counted it by now. */
  ended(weight: number): void {
    this.#all.settle(this.#options.clock.monotonic(), weight);
    this.review();
  }

  /** Gives up a claim that waits: its `take` ends as `stopped`. */
  leave(claim: Claim): void {
    const index = this.#queue.findIndex((waiting) => waiting.claim === claim);
    if (index === -1) return;
    this.#queue.splice(index, 1)[0]?.settle(abandoned);
    this.review();
  }

  /** Nothing is granted before `until` (monotonic ms), because of `why`. A pause is never shortened. */
  pause(until: number, why: Failure): void {
    if (this.#pause && this.#pause.until >= until) return;
    this.#pause = { until, why };
    this.review();
  }

  /** Adopts the used weight that the upstream states, where it is more than our count. */
  correct(stated: number): void {
    this.#expire();
    if (!Number.isFinite(stated) || stated <= this.#all.used) return;
    const [now, missing] = [this.#options.clock.monotonic(), stated - this.#all.used];
    for (const window of [this.#all, this.#stated]) window.spend(now, missing);
    this.review();
  }

  /** What is counted now. */
  use(): Pick<BudgetUse, 'own' | 'used' | 'waiting' | 'paused_until'> {
    this.#expire();
    const { used } = this.#all;
    const { clock } = this.#options;
    const paused = (this.#pause?.until ?? Number.NEGATIVE_INFINITY) - clock.monotonic();
    return {
      own: used - this.#stated.used,
      used,
      waiting: this.#queue.length,
      paused_until: paused > 0 ? clock.now() + paused : null,
    };
  }

  /** Whether the claim has been refused, even if its caller has not been resumed yet. */
  hasRefused(claim: Claim): boolean {
    return this.#refused.has(claim);
  }

  /** Why a caller who joins a waiting claim waits in vain, with its own `deadline` and account; null if not. */
  refusal(claim: Claim, joining: Omit<Claim, 'weight'>): Failure | null {
    const accounts = claim.accounts && new Set([...claim.accounts, ...(joining.accounts ?? [])]);
    const shared = { weight: claim.weight, deadline: claim.deadline, accounts };
    const joined = this.#queue.map((waiting) =>
      waiting.claim === claim ? { ...waiting, claim: shared } : waiting,
    );
    const turn = this.#turns(joined).find(({ waiting }) => waiting.claim === shared);
    return turn && turn.at >= this.#end(joining) ? this.#why(turn, joining.deadline) : null;
  }

  /** Grants every turn that has come, refuses every one that cannot come in time, and waits for the next. */
  review(): void {
    this.#timer();
    this.#expire();
    const now = this.#options.clock.monotonic();
    const staying: Turn[] = [];
    for (const turn of this.#turns(this.#queue)) {
      const { waiting, account, at } = turn;
      const { claim, settle } = waiting;
      const end =
        turn.share !== null ? Math.min(this.#end(claim), now + ownPatience) : this.#end(claim);
      if (at >= end) settle(this.#why(turn, claim.deadline));
      else if (at <= now) {
        this.#spend(account, claim.weight, now);
        settle(null);
      } else staying.push(turn);
    }
    this.#keep(staying);
    if (this.#queue.length === 0) return;
    const next = Math.min(...staying.map(({ at }) => at));
    this.#timer = this.#options.clock.after(next - now, () => this.review());
  }

  /** Keeps the waiting claims in the order of arrival; refuses the last ones where there are too many of a kind. */
  #keep(staying: readonly Turn[]): void {
    const { maxQueue } = this.#options;
    const polls = staying.filter(({ account }) => account === null);
    const questions = staying.filter(({ account }) => account !== null);
    const admitted = [...polls.slice(0, maxQueue), ...questions.slice(0, maxQueue)];
    for (const { waiting } of [...polls.slice(maxQueue), ...questions.slice(maxQueue)])
      waiting.settle(
        overBudget(`${maxQueue} requests wait for the budget of the exchange already`),
      );
    const keep = new Set(admitted.map(({ waiting }) => waiting));
    this.#queue = this.#queue.filter((waiting) => keep.has(waiting));
  }

  /**
   * The turns in their order: polls within their reserve, queries, the other polls. A claim without
   * a turn before its deadline takes no room from those behind it, nor does a question that waits for its own share.
   */
  #turns(queue: readonly Waiting[]): Turn[] {
    const { budget, clock } = this.#options;
    const from = Math.max(clock.monotonic(), this.#pause?.until ?? 0);
    const all = new PlannedWindow(this.#all, from);
    const reserved = Math.min(
      reserve.peaks * Math.max(this.#peak.most, this.#peak.before),
      reserve.most * budget.weight,
    );
    const polls = queue.filter(({ claim }) => claim.accounts === null);
    const first = this.#within(polls, reserved);
    const poll = (waiting: Waiting): Turn => {
      const { weight } = waiting.claim;
      const at =
        weight > budget.weight ? Number.POSITIVE_INFINITY : all.turn(weight, budget.weight);
      if (at < this.#end(waiting.claim)) all.plan(at, weight);
      return { waiting, account: null, at, share: null };
    };
    return [
      ...polls.slice(0, first).map(poll),
      ...this.#questions(queue, { all, from, cap: budget.weight - reserved }),
      ...polls.slice(first).map(poll),
    ];
  }

  /** Number of polls that fit into their reserve. */
  #within(polls: readonly Waiting[], reserved: number): number {
    let used = this.#polled.used;
    const index = polls.findIndex(({ claim }) => {
      used += claim.weight;
      return used > reserved;
    });
    return index === -1 ? polls.length : index;
  }

  /** `cap`: the weight that all queries may use in one window. */
  #questions(
    queue: readonly Waiting[],
    { all, from, cap }: { all: PlannedWindow; from: number; cap: number },
  ): Turn[] {
    const { weight: most } = this.#options.budget;
    const ranked = this.#shares.rank(queue.filter(({ claim }) => claim.accounts !== null));
    const { share, of } = this.#shares.plan(
      ranked.map(({ account }) => account),
      cap,
      from,
    );
    const asked = new PlannedWindow(this.#asked, from);
    return ranked.map(({ question: waiting, account }) => {
      const { weight } = waiting.claim;
      if (weight > most) return { waiting, account, at: Number.POSITIVE_INFINITY, share: null };
      const own = of(account);
      const turns = [own.turn(weight, share), asked.turn(weight, cap), all.turn(weight, most)];
      const at = Math.max(...turns);
      const deciding = [own, asked, all].filter((_, index) => turns[index] === at);
      if (at < this.#end(waiting.claim)) for (const window of deciding) window.plan(at, weight);
      const isOwn = Math.max(...turns.slice(1)) < at;
      return { waiting, account, at, share: isOwn ? share : null };
    });
  }

  /** Before this time a turn must come, monotonic ms; one that has come needs no more than a deadline to be. */
  #end({ deadline, leeway = 0 }: Pick<Claim, 'deadline' | 'leeway'>): number {
    return Math.max(deadline - leeway, Math.min(deadline, this.#options.clock.monotonic() + 1));
  }

  #why({ at, account, share }: Turn, deadline: number): Failure {
    const now = this.#options.clock.monotonic();
    if (this.#pause && this.#pause.until >= deadline && this.paused)
      return { ...this.#pause.why, retryAfter: this.#pause.until - now };
    const refusal = overBudget(share === null ? this.#full() : this.#usedUp(account ?? '', share));
    return Number.isFinite(at) ? { ...refusal, retryAfter: at - now } : refusal;
  }

  /** The state of the budget, in words. */
  #full(): string {
    const { weight, per } = this.#options.budget;
    const { used } = this.#all;
    return `of a weight of ${weight} in ${per / 1000} s that the exchange allows ${used} is used, ${this.#polled.used} of it by this service's own polls, and ${this.#queue.length} requests wait`;
  }

  #usedUp(account: string, share: number): string {
    const { used, horizon } = this.#shares.of(account);
    return `the account has used ${used} of its share of the exchange's budget, a weight of ${share} in ${horizon / 1000} s`;
  }

  #spend(account: string | null, weight: number, now: number): void {
    this.#all.hold(weight);
    if (account === null) {
      this.#polled.spend(now, weight);
      this.#peak.most = Math.max(this.#peak.most, this.#polled.used);
    } else {
      this.#asked.spend(now, weight);
      this.#shares.spend(account, now, weight);
    }
  }

  #expire(): void {
    const now = this.#options.clock.monotonic();
    for (const window of [this.#all, this.#polled, this.#asked, this.#stated]) window.expire(now);
    this.#shares.expire(now);
    const { since, most } = this.#peak;
    if (now - since < peakLife) return;
    const before = now - since < 2 * peakLife ? most : 0;
    this.#peak = { since: now, most: this.#polled.used, before };
  }
}
