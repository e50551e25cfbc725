/** How fast connections are opened and messages sent: one after another, within what an upstream allows. */
import type { Clock } from '../../kernel/clock.ts';

interface Limits {
  /** Least time between two turns, ms. */
  gap: number;
  /** Milliseconds from now to the first turn; 0 when absent. */
  rest?: number;
}

/** Gives turns in the order in which they are asked for. */
export class Pacer {
  readonly #clock: Clock;
  readonly #gap: number;
  readonly #waiting: (() => boolean)[] = [];
  /** When the next turn is possible, by the monotonic clock. */
  #free: number;
  #isPlanned = false;

  constructor(clock: Clock, { gap, rest = 0 }: Limits) {
    this.#clock = clock;
    this.#gap = gap;
    this.#free = clock.monotonic() + rest;
  }

  /** Calls `turn` once, at once where that is possible. It returns false where there is nothing to do any more: that takes no time. */
  enter(turn: () => boolean): void {
    this.#waiting.push(turn);
    if (!this.#isPlanned) this.#go();
  }

  #go(): void {
    this.#isPlanned = false;
    while (this.#waiting.length > 0) {
      const wait = this.#free - this.#clock.monotonic();
      if (wait > 0) {
        this.#isPlanned = true;
        this.#clock.after(wait, () => this.#go());
        return;
      }
      if (this.#waiting.shift()?.()) this.#free = this.#clock.monotonic() + this.#gap;
    }
  }
}

const shared = new WeakMap<Clock, Map<string, Pacer>>();

/** The one pacer of this process with that name, for all who share a limit. */
export function sharedPacer(clock: Clock, name: string, limits: Limits): Pacer {
  const all = shared.get(clock) ?? new Map<string, Pacer>();
  const pacer = all.get(name) ?? new Pacer(clock, limits);
  shared.set(clock, all.set(name, pacer));
  return pacer;
}
