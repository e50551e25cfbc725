import type { BusLog } from '../../actors/bus/log.ts';

/** Milliseconds between two attempts to reach Redis while it is away. */
const retryEvery = 1_000;

/** Whether Redis is away, for all buckets of a process. Logs once at the beginning of an outage and once at its end. */
export class Outage {
  readonly #log: BusLog;
  readonly #now: () => number;
  #away = false;
  #retryAt = 0;

  constructor(log: BusLog, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  begin(error: string): void {
    if (!this.#away) this.#log.warn({ error }, 'quotas: Redis is away, each process counts alone');
    this.#away = true;
    this.#retryAt = this.#now() + retryEvery;
  }

  end(): void {
    if (this.#away) this.#log.info({}, 'quotas: Redis is back');
    this.#away = false;
  }

  /** False for one caller a second: that caller tries Redis again. */
  on(now: number): boolean {
    if (!this.#away) return false;
    if (now < this.#retryAt) return true;
    this.#retryAt = now + retryEvery;
    return false;
  }
}
