/** Weight over time: a sliding window with a queue in front, and the pauses that an upstream asks for. */
import type { Failure } from '../failure.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { Budget } from './request.ts';
import { type Claim, type Spent, schedule } from './schedule.ts';

export interface LimiterOptions {
  budget: Budget;
  clock: Clock;
  /** Most claims that wait; beyond it the last in order is refused. */
  maxQueue: number;
}

interface Waiting {
  readonly claim: Claim;
  settle(refusal: Failure | null): void;
}

const noRoom: Failure = {
  code: 'over_budget',
  message: 'the weight budget has no room before the deadline',
};
const queueFull: Failure = { code: 'over_budget', message: 'too many requests wait' };
const abandoned: Failure = { code: 'stopped', message: 'abandoned' };

/**
 * One budget of one API. What is spent is remembered entry by entry, so that no window of `per` ms, wherever it
 * begins, holds more than `weight`.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  /** What the window holds, oldest first, and its sum. */
  #spent: Spent[] = [];
  #used = 0;
  /** Urgent first, then by arrival. */
  #queue: Waiting[] = [];
  #timer: Cancel = () => {};
  #pause: { until: number; why: Failure } | null = null;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  get paused(): boolean {
    return this.#pause !== null && this.#options.clock.now() < this.#pause.until;
  }

  /**
   * Null when the claim's turn has come and its weight is spent; else, as soon as that is certain, why the turn
   * will not come: `over_budget`, or the code of a pause that outlasts the deadline, with what remains of it.
   */
  take(claim: Claim): Promise<Failure | null> {
    const { promise, resolve } = Promise.withResolvers<Failure | null>();
    this.#queue.push({ claim, settle: resolve });
    this.review();
    return promise;
  }

  /** Gives up a claim that waits: its `take` ends as `stopped`. */
  leave(claim: Claim): void {
    const index = this.#queue.findIndex((waiting) => waiting.claim === claim);
    if (index === -1) return;
    this.#queue.splice(index, 1)[0]?.settle(abandoned);
    this.review();
  }

  /** Nothing is granted before `until` (Unix ms), because of `why`. A pause is never shortened. */
  pause(until: number, why: Failure): void {
    if (this.#pause && this.#pause.until >= until) return;
    this.#pause = { until, why };
    this.review();
  }

  /** Takes over the weight that the upstream says is used, where it is more than we counted. */
  correct(stated: number): void {
    this.#expire();
    if (!Number.isFinite(stated) || stated <= this.#used) return;
    this.#spend(stated - this.#used);
    this.review();
  }

  /** Why somebody who shares a waiting claim, but has only until `deadline`, waits in vain; null if not. */
  refusal(claim: Claim, deadline: number): Failure | null {
    const index = this.#queue.findIndex((waiting) => waiting.claim === claim);
    const turn = index === -1 ? null : this.#turns()[index];
    return typeof turn === 'number' && turn >= deadline ? this.#why(deadline) : null;
  }

  /** Grants every turn that has come, refuses every one that cannot come in time, and waits for the next. */
  review(): void {
    this.#timer();
    this.#expire();
    this.#queue.sort((a, b) => Number(b.claim.urgent) - Number(a.claim.urgent));
    const now = this.#options.clock.now();
    const turns = this.#turns();
    let next = Number.POSITIVE_INFINITY;
    this.#queue = this.#queue.filter(({ claim, settle }, index) => {
      const turn = turns[index] ?? null;
      if (turn === null) settle(this.#why(claim.deadline));
      else if (turn <= now) {
        this.#spend(claim.weight);
        settle(null);
      } else {
        next = Math.min(next, turn);
        return true;
      }
      return false;
    });
    for (const { settle } of this.#queue.splice(this.#options.maxQueue)) settle(queueFull);
    if (this.#queue.length === 0) return;
    this.#timer = this.#options.clock.after(next - now, () => this.review());
  }

  #turns(): (number | null)[] {
    const { budget, clock } = this.#options;
    return schedule(
      this.#queue.map(({ claim }) => claim),
      budget,
      { spent: this.#spent, used: this.#used },
      Math.max(clock.now(), this.#pause?.until ?? 0),
    );
  }

  #why(deadline: number): Failure {
    const { until, why } = this.#pause ?? { until: 0, why: noRoom };
    if (until < deadline || !this.paused) return noRoom;
    return { ...why, retryAfter: until - this.#options.clock.now() };
  }

  #spend(weight: number): void {
    const at = this.#options.clock.now();
    this.#used += weight;
    const newest = this.#spent.at(-1);
    if (newest?.at === at)
      this.#spent[this.#spent.length - 1] = { at, weight: newest.weight + weight };
    else if (weight > 0) this.#spent.push({ at, weight });
  }

  #expire(): void {
    const end = this.#options.clock.now() - this.#options.budget.per;
    let gone = 0;
    for (let entry = this.#spent[0]; entry && entry.at <= end; entry = this.#spent[gone]) {
      this.#used -= entry.weight;
      gone++;
    }
    this.#spent.splice(0, gone);
    if (this.#spent.length === 0) this.#used = 0;
  }
}
