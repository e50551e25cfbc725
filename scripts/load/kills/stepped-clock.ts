/** A clock that moves on command, and lets others have turns between its timers. */
import { setImmediate } from 'node:timers/promises';
import type { Cancel, Clock } from '../../../actors/kernel/clock.ts';

/** As many as a sample takes: its series are written one after the other. */
const turns = 10;

export class SteppedClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ at: number; fn: () => void }>();

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): Cancel {
    const timer = { at: this.#now + Math.max(0, ms), fn };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  async advanceTo(end: number): Promise<void> {
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      const [next] = due;
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fn();
      for (let turn = 0; turn < turns; turn++) await setImmediate();
    }
    this.#now = Math.max(this.#now, end);
  }
}
