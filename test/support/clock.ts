import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { now } from './makers.ts';

/** A clock that moves only when the test says so. `advance` runs due timers in order and lets promises settle between them. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { at: number; fn: () => void }[] = [];

  constructor(start = now) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): Cancel {
    const timer = { at: this.#now + Math.max(0, ms), fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Timers not yet fired. */
  get pending(): number {
    return this.#timers.length;
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const next = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = next.at;
      next.fn();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets every promise that can settle without IO do so. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
