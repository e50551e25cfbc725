import type { Clock } from '../../actors/kernel/clock.ts';
import type { LeaseStore } from '../../actors/kernel/lease.ts';

/** A lease store in memory that answers at once and truthfully; `calls` are the names of what it was asked. */
export class MemoryStore implements LeaseStore {
  readonly calls: string[] = [];
  readonly #clock: Clock;
  readonly #held = new Map<string, { holder: string; until: number }>();
  #fence = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  holder(name: string): string | null {
    const lease = this.#held.get(name);
    return lease && this.#clock.now() < lease.until ? lease.holder : null;
  }

  async acquire(name: string, holder: string, ttl: number): Promise<number | null> {
    this.calls.push('acquire');
    if (this.holder(name) !== null) return null;
    this.#held.set(name, { holder, until: this.#clock.now() + ttl });
    return ++this.#fence;
  }

  async renew(name: string, holder: string, ttl: number): Promise<boolean> {
    this.calls.push('renew');
    if (this.holder(name) !== holder) return false;
    this.#held.set(name, { holder, until: this.#clock.now() + ttl });
    return true;
  }

  async release(name: string, holder: string): Promise<void> {
    this.calls.push('release');
    if (this.holder(name) === holder) this.#held.delete(name);
  }
}
