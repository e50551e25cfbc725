/** The work of streams, in turns of the event loop. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import type { Pace } from '../../config/pace.ts';

/** Units of one turn: an answer read again, a message sent and a path of a pattern are one each. One step may exceed it. */
const perTurn = 200;
/** Units of one account before it is another one's turn. */
const perVisit = 20;
/** After this time a turn ends, whatever it has done, ms. */
const longest = 10;

/** Work that is done in steps. Each states its units. */
export type Steps = Iterator<number, unknown>;

/** Does a bounded part of the work in each turn, of one account after the other; requests are served between two turns. */
export class Turns {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #failed: (error: unknown) => void;
  /** The work of each account, in the order in which they come to their turn. */
  readonly #accounts = new Map<string, Set<Steps>>();
  /** Units that this turn has left. */
  #left = perTurn;
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
    if (isFirst && !this.#isWorking && this.#left > 0) {
      this.#pace.run(() => this.#visit([account, mine], Math.min(this.#left, perVisit)));
    }
  }

  stop(): void {
    this.#next?.();
    this.#next = null;
    this.#accounts.clear();
  }

  #plan(): void {
    this.#next ??= this.#clock.after(0, () => this.#pace.run(this.#turn));
  }

  readonly #turn = (): void => {
    const began = this.#clock.monotonic();
    let took = 0;
    this.#left = perTurn;
    try {
      while (this.#left > 0 && took < longest) {
        const [first] = this.#accounts;
        if (first === undefined) break;
        this.#visit(first, Math.min(this.#left, perVisit));
        took = this.#clock.monotonic() - began;
      }
    } finally {
      this.#next = null;
      if (this.#left < perTurn) this.#plan();
    }
  };

  /** Does about `most` units of an account, which is the last one then. They count as one at least. */
  #visit([account, all]: [string, Set<Steps>], most: number): void {
    let units = 0;
    const [steps] = all;
    this.#isWorking = true;
    try {
      if (steps !== undefined) all.delete(steps);
      while (steps !== undefined && units < most) {
        const { done, value } = steps.next();
        if (done) return;
        units += value;
      }
      if (steps !== undefined) all.add(steps);
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
