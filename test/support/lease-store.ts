import type { Clock } from '../../actors/kernel/clock.ts';
import type {
  Held,
  LeaseStore,
  StandbyOptions,
  Standbys,
} from '../../actors/kernel/lease-store.ts';

/** A lease store in memory that answers at once and truthfully; `calls` are the names of what it was asked. */
export class MemoryStore implements LeaseStore, Standbys {
  readonly calls: string[] = [];
  /** Every change of the process that stands by. */
  readonly stoodBy: { name: string; process: string; at: number }[] = [];
  readonly #clock: Clock;
  readonly #held = new Map<string, { holder: string; until: number; fence: number }>();
  readonly #standbys = new Map<string, { process: string; isReady: boolean; until: number }>();
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
    const next = this.#standby(name)?.process ?? null;
    if (next !== null && !holder.startsWith(`${next}/`)) return null;
    if (this.holder(name) !== null) return null;
    this.#standbys.delete(name);
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

  async standBy(
    name: string,
    process: string,
    { ttl, isReady = false, isLeft = false }: StandbyOptions,
  ): Promise<boolean> {
    const now = this.#clock.now();
    const known = this.#standby(name);
    if (known?.process !== process) {
      if (known || (!isLeft && this.#rests(name))) return false;
      this.stoodBy.push({ name, process, at: now });
    }
    this.#standbys.set(name, { process, isReady, until: now + ttl });
    return true;
  }

  async withdraw(name: string, process: string): Promise<void> {
    if (this.#standby(name)?.process === process) this.#standbys.delete(name);
  }

  async look(names: readonly string[]): Promise<Held[]> {
    return names.map((name) => {
      const { process = null, isReady = false } = this.#standby(name) ?? {};
      const holder = this.holder(name)?.replace(/\/[^/]*$/, '') ?? null;
      return { holder, standby: process, isReady, rests: this.#rests(name) };
    });
  }

  #rests(name: string): boolean {
    const last = this.stoodBy.findLast((one) => one.name === name);
    return last !== undefined && this.#clock.now() - last.at < 60_000;
  }

  #standby(name: string) {
    const found = this.#standbys.get(name);
    return found && this.#clock.now() < found.until ? found : null;
  }
}
