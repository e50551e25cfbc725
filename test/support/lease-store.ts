import type { Clock } from '../../actors/kernel/clock.ts';
import type { LeaseStore, Successors } from '../../actors/kernel/lease-store.ts';

/** A lease store in memory that answers at once and truthfully; `calls` are the names of what it was asked. */
export class MemoryStore implements LeaseStore, Successors {
  readonly calls: string[] = [];
  /** Every change of the successor of a lease. */
  readonly reserved: { name: string; process: string; at: number }[] = [];
  readonly #clock: Clock;
  readonly #held = new Map<string, { holder: string; until: number; fence: number }>();
  readonly #successors = new Map<string, { process: string; until: number }>();
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
    const next = this.#successor(name);
    if (next !== null && !holder.startsWith(`${next}/`)) return null;
    if (this.holder(name) !== null) return null;
    this.#successors.delete(name);
    this.#held.set(name, { holder, until: this.#clock.now() + ttl, fence: ++this.#fence });
    return this.#fence;
  }

  async renew(name: string, holder: string, ttl: number, fence?: number): Promise<boolean> {
    this.calls.push('renew');
    const lease = this.#held.get(name);
    if (lease?.holder !== holder) return false;
    if (this.holder(name) === null && lease.fence !== fence) return false;
    lease.until = this.#clock.now() + ttl;
    return true;
  }

  async release(name: string, holder: string): Promise<void> {
    this.calls.push('release');
    if (this.holder(name) === holder) this.#held.delete(name);
  }

  async reserve(name: string, process: string, ttl: number, isLeft = false): Promise<boolean> {
    const now = this.#clock.now();
    const last = this.reserved.findLast((one) => one.name === name);
    const isNew = this.#successor(name) !== process;
    const rests = !isLeft && last !== undefined && now - last.at < 60_000;
    if (isNew && (this.#successor(name) !== null || rests)) return false;
    if (isNew) this.reserved.push({ name, process, at: now });
    this.#successors.set(name, { process, until: now + ttl });
    return true;
  }

  async withdraw(name: string, process: string): Promise<void> {
    if (this.#successor(name) === process) this.#successors.delete(name);
  }

  async successor(name: string): Promise<string | null> {
    return this.#successor(name);
  }

  #successor(name: string): string | null {
    const found = this.#successors.get(name);
    return found && this.#clock.now() < found.until ? found.process : null;
  }
}
