import type { Cancel, Clock } from '../../actors/kernel/clock.ts';

/** How often what was noted is written, ms. */
const period = 10_000;
/** Keys per write. */
const batch = 500;
/** Keys that may wait to be written; more are not noted. */
const most = 100_000;

/** Writes back when keys were last used, in batches; what cannot be written waits for the next turn. */
export class LastUsed {
  readonly #clock: Clock;
  readonly #write: (uses: ReadonlyMap<string, number>) => Promise<void>;
  readonly #waiting = new Map<string, number>();
  #next: Cancel;
  #writing: Promise<void> = Promise.resolve();

  /** `write` takes digest to Unix ms. */
  constructor(clock: Clock, write: (uses: ReadonlyMap<string, number>) => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
    this.#next = clock.after(period, () => this.#turn());
  }

  note(digest: string, now: number): void {
    if (this.#waiting.size < most || this.#waiting.has(digest)) this.#waiting.set(digest, now);
  }

  /** Writes what waits, once more, and ends. */
  async stop(): Promise<void> {
    await this.#writing;
    this.#next();
    await this.#flush();
  }

  #turn(): void {
    this.#writing = this.#flush().then(() => {
      this.#next = this.#clock.after(period, () => this.#turn());
    });
  }

  async #flush(): Promise<void> {
    while (this.#waiting.size > 0) {
      const uses = this.#first();
      try {
        await this.#write(uses);
      } catch {
        return;
      }
      for (const [digest, at] of uses) {
        if (this.#waiting.get(digest) === at) this.#waiting.delete(digest);
      }
    }
  }

  #first(): Map<string, number> {
    const uses = new Map<string, number>();
    for (const [digest, at] of this.#waiting) {
      if (uses.size === batch) break;
      uses.set(digest, at);
    }
    return uses;
  }
}
