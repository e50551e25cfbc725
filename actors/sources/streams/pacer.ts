/** How fast connections are opened and messages sent: one after another, within what an upstream allows. */
import { minute } from '../../../config/time.ts';
import type { Clock } from '../../kernel/clock.ts';

interface Limits {
  /** Least time between two turns, ms. */
  gap: number;
  /** Most turns in any minute; as many as the gap leaves when absent. */
  most?: number;
  /** Milliseconds from now to the first turn; 0 when absent. */
  rest?: number;
}

/** Gives turns in the order in which they are asked for. */
export class Pacer {
  readonly #clock: Clock;
  readonly #gap: number;
  readonly #most: number;
  readonly #from: number;
  readonly #waiting: (() => boolean)[] = [];
  /** When the last turns were: as many as there may be in a minute. */
  readonly #taken: number[] = [];
  #isPlanned = false;

  constructor(clock: Clock, { gap, most = Math.ceil(minute / gap), rest = 0 }: Limits) {
    this.#clock = clock;
    this.#gap = gap;
    this.#most = most;
    this.#from = clock.monotonic() + rest;
  }

  /** Calls `turn` once, at once where that is possible. It returns false where there is nothing to do any more: that takes no time. */
  enter(turn: () => boolean): void {
    this.#waiting.push(turn);
    this.#go();
  }

  /** Counts a turn that could not wait. */
  count(): void {
    this.#taken.push(this.#clock.monotonic());
    if (this.#taken.length > this.#most) this.#taken.shift();
  }

  #go(): void {
    for (let [turn] = this.#waiting; turn && !this.#isPlanned; [turn] = this.#waiting) {
      const left = this.#free() - this.#clock.monotonic();
      if (left > 0) this.#plan(left);
      else if (this.#waiting.shift()?.()) this.count();
    }
  }

  #plan(ms: number): void {
    this.#isPlanned = true;
    this.#clock.after(ms, () => {
      this.#isPlanned = false;
      this.#go();
    });
  }

  /** When the next turn is possible. */
  #free(): number {
    const { [this.#taken.length - this.#most]: first = -Infinity } = this.#taken;
    return Math.max(this.#from, (this.#taken.at(-1) ?? -Infinity) + this.#gap, first + minute);
  }
}

const shared = new WeakMap<Clock, Map<string, Pacer>>();

/** The one pacer of this process with that name, for all who share a limit. */
export function sharedPacer(clock: Clock, name: string, limits: Limits): Pacer {
  const all = shared.get(clock) ?? new Map<string, Pacer>();
  shared.set(clock, all);
  const pacer = all.get(name) ?? new Pacer(clock, limits);
  all.set(name, pacer);
  return pacer;
}
