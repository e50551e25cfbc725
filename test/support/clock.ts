import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { now } from './makers.ts';

interface Timer {
  at: number;
  fn: () => void;
}

/**
 * A clock that moves only when the test says so. `advance` runs due timers in order and lets promises settle between them, `jump` does not; `step`
 * changes the time of day alone.
 */
export class FakeClock implements Clock {
  /** The time of timers and durations. */
  #now: number;
  /** By how much the time of day is ahead of it. */
  #ahead = 0;
  readonly #timers = new Set<Timer>();

  constructor(start = now) {
    this.#now = start;
  }

  now(): number {
    return this.#now + this.#ahead;
  }

  monotonic(): number {
    return this.#now;
  }

  step(ms: number): void {
    this.#ahead += ms;
  }

  after(ms: number, fn: () => void): Cancel {
    const timer = { at: this.#now + Math.max(0, ms), fn };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Timers not yet fired. */
  get pending(): number {
    return this.#timers.size;
  }

  /** The first that is due by then; of several at a time the one that was set first. */
  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers)
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }

  /** Runs the first timer that is due by then; false without one. */
  #fire(end: number): boolean {
    const next = this.#next(end);
    if (!next) return false;
    this.#timers.delete(next);
    this.#now = next.at;
    next.fn();
    return true;
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    while (this.#fire(end)) await settle();
    this.#now = end;
  }

  /** The same within this turn of the event loop: no promise settles, and nothing is received meanwhile. */
  jump(ms: number): void {
    const end = this.#now + ms;
    for (let isDue = true; isDue; ) isDue = this.#fire(end);
    this.#now = end;
  }
}

/** Lets every promise that can settle without IO do so. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
