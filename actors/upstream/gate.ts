/** When requests of one budget may go: by the limiter of this process, and by the window that all processes share. */
import type { BudgetUse, Failure } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { SharedWindows } from '../kernel/shared-window.ts';
import type { Flight } from './flight.ts';
import { Limiter } from './limiter.ts';
import type { Limits } from './limits.ts';
import type { Budget } from './request.ts';
import type { Claim } from './schedule.ts';
import { SharedBudget } from './shared-budget.ts';

/** Most requests that wait for one budget: of polls, and of questions. */
export const maxQueue = 512;

export interface GateOptions {
  /** Of the budget among all processes. */
  name: string;
  budget: Budget;
  clock: Clock;
  limits: Pick<Limits, 'spread' | 'abandoned'>;
  /** Absent where no other process uses the budget. */
  shared: SharedWindows | undefined;
}

/** A request that wants to go. */
type Entrant = Claim & Pick<Flight<unknown>, 'signal' | 'ended'>;

/** How a request ended that was let through: its weight counts for a window from then on. */
export type Passing =
  /** The upstream has counted it. */
  | 'counted'
  /** Its answer was not waited for: the upstream may count it later. */
  | 'abandoned'
  | 'unsent';

/** A request may go; to be called once, when it has ended. */
export type Pass = (how: Passing) => void;

export class Gate {
  readonly limiter: Limiter;
  readonly #options: GateOptions;
  readonly #shared: SharedBudget | undefined;

  constructor(options: GateOptions) {
    const { name, clock, limits, shared } = options;
    const budget = { ...options.budget, per: options.budget.per + limits.spread };
    this.#options = options;
    this.limiter = new Limiter({ budget, clock, maxQueue });
    this.#shared = shared && new SharedBudget(shared, name, budget, clock);
  }

  /** What is counted of the budget; null where nothing is, nobody waits, and nothing is paused. */
  use(): BudgetUse | null {
    const { name, budget } = this.#options;
    const counted = this.limiter.use();
    const waiting = counted.waiting + (this.#shared?.waiting ?? 0);
    if (counted.used === 0 && waiting === 0 && counted.paused_until === null) return null;
    return { name, weight: budget.weight, per_ms: budget.per, ...counted, waiting };
  }

  /** Waits until the request may be sent, or why it must not. */
  async enter(flight: Entrant): Promise<Pass | Failure> {
    const { limiter } = this;
    const leave = () => limiter.leave(flight);
    flight.signal.addEventListener('abort', leave, { once: true });
    try {
      for (;;) {
        const refusal = await limiter.take(flight);
        if (refusal) return refusal;
        const pass = await this.#share(flight);
        // A pause may begin between the grant and the code that waited for it.
        if (typeof pass !== 'function' || !limiter.paused) return pass;
        pass('unsent');
      }
    } finally {
      flight.signal.removeEventListener('abort', leave);
    }
  }

  /** The same of the shared window, once the limiter has let the request through. */
  async #share(flight: Entrant): Promise<Pass | Failure> {
    const { clock, limits } = this.#options;
    const { weight } = flight;
    const id = await this.#shared?.admit(flight, limits.abandoned);
    const end = (spent: number) => {
      this.limiter.ended(weight);
      // The answer goes first: this is a write to a socket.
      if (typeof id === 'string') setImmediate(() => this.#shared?.settle(id, { weight, spent }));
    };
    if (typeof id === 'object') {
      end(0);
      return id;
    }
    return (how) => {
      if (how === 'abandoned') clock.after(limits.abandoned, () => end(weight));
      else end(how === 'unsent' ? 0 : weight);
    };
  }
}
