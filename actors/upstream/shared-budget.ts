/** One budget of an upstream for all processes behind one address. */
import type { Failure } from '../failure.ts';
import { type Clock, late, within } from '../kernel/clock.ts';
import type { Flight } from './flight.ts';
import type { Budget } from './request.ts';

/** A sliding window of weight that processes share. */
export interface SharedBudgets {
  /**
   * Spends `weight` of the window `name`: 0 when that is done, else the ms after which there may be room. Rejects when
   * the window is not available.
   */
  take(name: string, budget: Pick<Budget, 'weight' | 'per'>, weight: number): Promise<number>;
}

/** How long an answer of the window is waited for, and how long it is then not asked again, ms. */
const patience = 250;
const pause = 1_000;

const noRoom: Failure = {
  code: 'over_budget',
  message: 'the weight budget of all processes has no room before the deadline',
};

/** The window of one budget, asked before a request goes. While it is not available the local limiter alone decides. */
export class SharedBudget {
  readonly #budgets: SharedBudgets;
  readonly #name: string;
  readonly #budget: Budget;
  readonly #clock: Clock;
  #awayUntil = 0;

  constructor(budgets: SharedBudgets, name: string, budget: Budget, clock: Clock) {
    this.#budgets = budgets;
    this.#name = name;
    this.#budget = budget;
    this.#clock = clock;
  }

  /**
   * Null when the request may go, or when it is abandoned; else why there will be no room in time. One that waits must
   * have `leeway` ms left after that.
   */
  async admit(
    flight: Pick<Flight<unknown>, 'weight' | 'deadline' | 'signal' | 'ended'>,
    leeway = 0,
  ): Promise<Failure | null> {
    for (;;) {
      const wait = await this.#take(flight.weight);
      if (wait === 0 || flight.signal.aborted) return null;
      if (this.#clock.now() + wait >= flight.deadline - leeway)
        return { ...noRoom, retryAfter: wait };
      if ((await within(this.#clock, wait, flight.ended)) !== late) return null;
    }
  }

  async #take(weight: number): Promise<number> {
    const now = this.#clock.now();
    if (now < this.#awayUntil) return 0;
    const asked = this.#budgets.take(this.#name, this.#budget, weight).catch(() => null);
    const wait = await within(this.#clock, patience, asked);
    if (wait !== late && wait !== null) return wait;
    this.#awayUntil = now + pause;
    return 0;
  }
}
