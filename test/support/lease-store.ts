import type { Clock } from '../../actors/kernel/clock.ts';
import type { LeaseState, LeaseStore } from '../../actors/kernel/lease.ts';

/** A lease store in memory that answers at once and truthfully; `calls` are the names of what it was asked. */
export class MemoryStore implements LeaseStore {
  readonly calls: string[] = [];
  /** Every change of the process that stands by. */
  readonly stoodBy: { name: string; process: string; at: number }[] = [];
  readonly #clock: Clock;
  readonly #held = new Map<string, { process: string; until: number }>();
  readonly #fences = new Map<string, number>();
  readonly #standbys = new Map<string, { process: string; isReady: boolean; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  holder(name: string): string | null {
    const lease = this.#held.get(name);
    return lease && this.#clock.now() < lease.until ? lease.process : null;
  }

  async acquire(name: string, process: string, ttl: number): Promise<number | null> {
    this.calls.push('acquire');
    const now = this.#clock.now();
    if ((this.#standby(name)?.process ?? process) !== process) return null;
    if ((this.holder(name) ?? process) !== process) return null;
    const fence = Math.max((this.#fences.get(name) ?? 0) + 1, now);
    this.#standbys.delete(name);
    this.#held.set(name, { process, until: now + ttl });
    this.#fences.set(name, fence);
    return fence;
  }

  async renew(name: string, process: string, ttl: number, fence: number): Promise<boolean> {
    this.calls.push('renew');
    const isOurs = this.#fences.get(name) === fence && (this.holder(name) ?? process) === process;
    if (isOurs) this.#held.set(name, { process, until: this.#clock.now() + ttl });
    return isOurs;
  }

  async release(name: string, process: string, fence: number): Promise<void> {
    this.calls.push('release');
    if (this.holder(name) === process && this.#fences.get(name) === fence) this.#held.delete(name);
  }

  async standBy(name: string, process: string, ttl: number, isReady: boolean): Promise<boolean> {
    const known = this.#standby(name);
    if (known && known.process !== process) return false;
    const now = this.#clock.now();
    if (!known) this.stoodBy.push({ name, process, at: now });
    this.#standbys.set(name, { process, isReady, until: now + ttl });
    return true;
  }

  async look(names: readonly string[]): Promise<LeaseState[]> {
    return names.map((name) => {
      const { process = null, isReady = false } = this.#standby(name) ?? {};
      const fence = this.#fences.get(name) ?? 0;
      return { holder: this.holder(name), fence, standby: process, isReady };
    });
  }

  #standby(name: string) {
    const found = this.#standbys.get(name);
    return found && this.#clock.now() < found.until ? found : null;
  }
}
