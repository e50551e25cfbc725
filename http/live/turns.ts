/** The work of streams, in turns of the event loop. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import type { Pace } from '../../config/pace.ts';

/** Units of one turn: an answer read again, a message sent and a path of a pattern are one each. One step may exceed it. */
const perTurn = 200;
/** Units of one account before it is another one's turn. */
const perVisit = 20;
/** After this time a turn ends with the step that it is in, ms. */
const longest = 1;

/** Work that is done in steps. Each states its units. */
export type Steps = Iterator<number, unknown>;

/** Does a bounded part of the work in each turn, of one account after the other; requests are served between two turns. */
export class Turns {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #failed: (error: unknown) => void;
  /** The work of each account, in the order in which they come to their turn. */
  readonly #accounts = new Map<string, Set<Steps>>();
  /** Units that this turn has left, and when it ends, monotonic ms. */
  #left = perTurn;
  #until = 0;
  #next: Cancel | null = null;
  #isWorking = false;

  /** `pace` takes account of the time that the work takes. `failed` is called with what work has thrown, which is over then. */
  constructor(clock: Clock, pace: Pace, failed: (error: unknown) => void) {
    this.#clock = clock;
    this.#pace = pace;
    this.#failed = failed;
  }

  /** Does `steps` for `account`: a part at once where nothing waits and this turn has units left, the rest in the next turns. */
  add(account: string, steps: Steps): void {
    const known = this.#accounts.get(account);
    const mine = known ?? new Set();
    mine.add(steps);
    if (known === undefined) this.#accounts.set(account, mine);
    this.#plan();
    const isFirst = this.#accounts.size === 1 && mine.size === 1;
    if (isFirst && !this.#isWorking && this.#hasRest) {
      this.#pace.run(() => this.#visit([account, mine]));
    }
  }

  stop(): void {
    this.#next?.();
    this.#next = null;
    this.#accounts.clear();
  }

  get #hasRest(): boolean {
    return this.#left > 0 && this.#clock.monotonic() < this.#until;
  }

  #plan(): void {
    if (this.#next !== null) return;
    this.#until = this.#clock.monotonic() + longest;
    this.#next = this.#clock.after(0, () => this.#pace.run(this.#turn));
  }

  readonly #turn = (): void => {
    this.#left = perTurn;
    this.#until = this.#clock.monotonic() + longest;
    try {
      do {
        const [first] = this.#accounts;
        if (first === undefined) break;
        this.#visit(first);
      } while (this.#hasRest);
    } finally {
      this.#next = null;
      if (this.#left < perTurn) this.#plan();
    }
  };

  /** Does some units of an account, which is the last one then. They count as one at least. */
  #visit([account, all]: [string, Set<Steps>]): void {
    const most = Math.min(this.#left, perVisit);
    let units = 0;
    const [steps] = all;
    this.#isWorking = true;
    try {
      if (steps === undefined) return;
      all.delete(steps);
      do {
        const { done, value } = steps.next();
        if (done) return;
        units += value;
      } while (units < most && this.#clock.monotonic() < this.#until);
      all.add(steps);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isWorking = false;
      this.#left -= Math.max(1, units);
      this.#accounts.delete(account);
      if (all.size > 0) this.#accounts.set(account, all);
    }
  }
}
