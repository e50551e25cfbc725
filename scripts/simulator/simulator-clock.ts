import { type Clock, systemClock } from '../../actors/kernel/clock.ts';

/** A clock that can be stopped at any time and set free again; timers stay those of the clock beneath. */
export class SimulatorClock implements Clock {
  readonly #base: Clock;
  #frozen: number | null = null;

  constructor(base: Clock = systemClock) {
    this.#base = base;
  }

  now(): number {
    return this.#frozen ?? this.#base.now();
  }

  monotonic(): number {
    return this.#base.monotonic();
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
