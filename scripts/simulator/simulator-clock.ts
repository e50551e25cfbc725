import type { Clock } from '../../actors/kernel/clock.ts';

const machine: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** A clock that can be stopped at any time and set free again; timers stay those of the clock beneath. */
export class SimulatorClock implements Clock {
  readonly #base: Clock;
  #frozen: number | null = null;

  constructor(base: Clock = machine) {
    this.#base = base;
  }

  now(): number {
    return this.#frozen ?? this.#base.now();
  }

  after(ms: number, fn: () => void) {
    return this.#base.after(ms, fn);
  }

  /** Stops at `now` (Unix ms), or runs again with null. */
  freeze(now: number | null): void {
    this.#frozen = now;
  }

  get frozen(): boolean {
    return this.#frozen !== null;
  }
}
