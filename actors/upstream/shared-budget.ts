/** One budget of an upstream for all processes behind one address. */
import type { Failure } from '../failure.ts';
import { type Clock, late, within } from '../kernel/clock.ts';
import type { Hold, SharedWindows } from '../kernel/shared-window.ts';
import type { Flight } from './flight.ts';
import type { Budget } from './request.ts';
import type { Claim } from './schedule.ts';

/** How long an answer of the window is waited for, and how long it is then not asked again, ms. */
const timeoutMs = 250;
const pause = 1_000;

/**
 * With each request that ends, as much is held for the next one, for this time (ms), so that it need not wait for the window.
 * No more than this part of a budget, since other processes cannot use it.
 */
const ahead = { life: 30_000, most: 1 / 4 } as const;

/** The window of one budget, asked before a request goes. While it is not available the local limiter alone decides. */
export class SharedBudget {
  readonly #budgets: SharedWindows;
  readonly #name: string;
  readonly #budget: Budget;
  readonly #clock: Clock;
  /** Requests that wait for room. */
  waiting = 0;
  #awayUntil = 0;
  /** What is held for the next request, until a monotonic time (ms); null where nothing is. */
  #ahead: { id: string; weight: number; until: number } | null = null;
  #isAsked = false;

  constructor(budgets: SharedWindows, name: string, budget: Budget, clock: Clock) {
    this.#budgets = budgets;
    this.#name = name;
    this.#budget = budget;
    this.#clock = clock;
  }

  /**
   * Holds the weight of a request for `rest` ms beyond its deadline, or until its id is settled. The id when the request may
   * go, or when it is abandoned; else why there will be no room in time.
   */
  async admit(
    flight: Omit<Claim, 'accounts'> & Pick<Flight<unknown>, 'signal' | 'ended'>,
    rest = 0,
  ): Promise<Failure | string> {
    const { weight, leeway = 0 } = flight;
    const end = flight.deadline + rest;
    const held = this.#ahead;
    this.#ahead = null;
    if (held && held.weight >= weight && held.until >= end) return held.id;
    const id = held?.id ?? crypto.randomUUID();
    for (;;) {
      const now = this.#clock.monotonic();
      const wait = await this.#hold({ id, weight, life: end - now });
      if (wait === 0 || flight.signal.aborted) return id;
      if (this.#clock.monotonic() + wait >= flight.deadline - leeway) {
        this.#ahead ??= held;
        const { weight: most, per } = this.#budget;
        const bound = `all processes together have used the weight of ${most} in ${per / 1000} s that the exchange allows`;
        return { code: 'over_budget', message: bound, bound, retryAfter: wait };
      }
      this.waiting++;
      const isLeft = (await within(this.#clock, wait, flight.ended)) !== late;
      this.waiting--;
      if (isLeft) return id;
    }
  }

  /** The upstream has counted a request by now; `spent` is 0 for one that was not sent. */
  settle(id: string, { weight, spent }: { weight: number; spent: number }): void {
    const now = this.#clock.monotonic();
    if (now < this.#awayUntil) return;
    const isNext = !this.#ahead && !this.#isAsked && weight <= ahead.most * this.#budget.weight;
    const next = isNext ? { weight, life: ahead.life } : null;
    if (next) this.#isAsked = true;
    const settled = this.#budgets.settle(this.#name, this.#budget, { id, spent, next });
    void settled
      .then((isHeld) => {
        if (isHeld) this.#ahead = { id, weight, until: now + ahead.life };
      })
      .catch(() => {
        this.#awayUntil = now + pause;
      })
      .finally(() => {
        if (next) this.#isAsked = false;
      });
  }

  async #hold(wanted: Hold): Promise<number> {
    const now = this.#clock.monotonic();
    if (now < this.#awayUntil) return 0;
    const asked = this.#budgets.hold(this.#name, this.#budget, wanted).catch(() => null);
    const wait = await within(this.#clock, timeoutMs, asked);
    if (wait !== late && wait !== null) return wait;
    this.#awayUntil = now + pause;
    return 0;
  }
}
