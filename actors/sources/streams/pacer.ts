/** How fast connections are opened and messages sent: one after another, within what an upstream allows. */
import { minute } from '../../../config/time.ts';
import type { Cancel, Clock } from '../../kernel/clock.ts';

export interface Pace {
  /** Least time between two turns, ms. */
  gap: number;
  /** Most turns in any minute; as many as the gap leaves when absent. */
  most?: number;
}

/** Gives turns in the order in which they are asked for. */
export class Pacer {
  readonly #clock: Clock;
  readonly #gap: number;
  readonly #most: number;
  readonly #waiting = new Set<() => void>();
  /** When the last turns were: as many as there may be in a minute. */
  #taken: number[] = [];
  #timer: Cancel | null = null;

  constructor(clock: Clock, { gap, most = Math.ceil(minute / gap) }: Pace) {
    this.#clock = clock;
    this.#gap = gap;
    this.#most = most;
  }

  /** Calls `turn` once, at once where that is possible. The result takes it back. */
  enter(turn: () => void): Cancel {
    // A function of its own, so that one may wait twice.
    const own = () => turn();
    this.#waiting.add(own);
    this.#go();
    return () => {
      if (this.#waiting.delete(own) && this.#waiting.size === 0) this.#stop();
    };
  }

  /** Counts a turn that could not wait. */
  count(): void {
    this.#taken.push(this.#clock.monotonic());
    if (this.#taken.length > this.#most) this.#taken.shift();
  }

  #go(): void {
    for (const turn of this.#waiting) {
      const left = this.#free() - this.#clock.monotonic();
      if (left > 0) {
        this.#timer ??= this.#clock.after(left, () => {
          this.#stop();
          this.#go();
        });
        return;
      }
      this.#waiting.delete(turn);
      this.count();
      turn();
    }
  }

  /** When the next turn is possible. */
  #free(): number {
    const never = Number.NEGATIVE_INFINITY;
    const { [this.#taken.length - this.#most]: first = never } = this.#taken;
    return Math.max((this.#taken.at(-1) ?? never) + this.#gap, first + minute);
  }

  #stop(): void {
    this.#timer?.();
    this.#timer = null;
  }
}

const shared = new WeakMap<Clock, Map<string, Pacer>>();

/** The one pacer of this process with that name, for all who share a limit. */
export function sharedPacer(clock: Clock, name: string, pace: Pace): Pacer {
  const all = shared.get(clock) ?? new Map<string, Pacer>();
  shared.set(clock, all);
  const pacer = all.get(name) ?? new Pacer(clock, pace);
  all.set(name, pacer);
  return pacer;
}
