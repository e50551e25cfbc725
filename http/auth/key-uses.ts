import { type Cancel, type Clock, every } from '../../actors/kernel/clock.ts';
import { day } from '../../config/time.ts';

/** Uses of one key. */
export interface Use {
  /** The latest, Unix ms. */
  at: number;
  /** How many on the UTC day of `at`. */
  count: number;
}

/** A key, with where its uses are counted. */
export interface UsedKey {
  readonly digest: string;
  /** Null before the first use. */
  use: Use | null;
  /** The batch that they are written in. */
  batch: number;
}

/** A key before its first use. */
export const unused = (digest: string): UsedKey => ({ digest, use: null, batch: 0 });

/** The number of the UTC day of a time in Unix ms. */
export const dayOf = (at: number): number => Math.floor(at / day);

/** Time between two writes, ms. */
const period = 10_000;
/** Keys per write. */
const batch = 500;
/** Most keys that wait to be written; further keys are not counted. */
const most = 100_000;

/**
 * Counts the uses of keys in memory and writes them in batches. A failed write is repeated at the next one; when Redis
 * had carried it out without confirming it in time, its uses count twice.
 */
export class KeyUses {
  readonly #write: (uses: ReadonlyMap<string, Use>) => Promise<void>;
  readonly #waiting = new Map<string, Use>();
  readonly #cancel: Cancel;
  #writing: Promise<void> = Promise.resolve();
  /** Number of the batch that is written next. */
  #batch = 0;

  /** `write` adds uses by the digests of keys. */
  constructor(clock: Clock, write: (uses: ReadonlyMap<string, Use>) => Promise<void>) {
    this.#write = write;
    this.#cancel = every(clock, period, () => {
      this.#writing = this.flush();
      return this.#writing;
    });
  }

  /** Counts one use of the key at `now`, Unix ms. */
  note(key: UsedKey, now: number): void {
    const { use } = key;
    if (use !== null && key.batch === this.#batch && dayOf(now) === dayOf(use.at)) {
      use.at = now;
      use.count += 1;
    } else this.#begin(key, now);
  }

  #begin(key: UsedKey, now: number): void {
    const known = this.#waiting.get(key.digest);
    const isOfToday = known !== undefined && dayOf(now) === dayOf(known.at);
    const use = isOfToday ? known : { at: now, count: 0 };
    use.at = now;
    use.count += 1;
    if (known === undefined) this.#wait(key.digest, use);
    else this.#waiting.set(key.digest, use);
    key.use = use;
    key.batch = this.#batch;
  }

  /** Writes the counted uses. Never rejects. */
  async flush(): Promise<void> {
    while (this.#waiting.size > 0) {
      const uses = this.#take();
      try {
        await this.#write(uses);
      } catch {
        for (const [digest, use] of uses) this.#putBack(digest, use);
        return;
      }
    }
  }

  /** Writes the counted uses a last time and stops. */
  async stop(): Promise<void> {
    this.#cancel();
    await this.#writing;
    await this.flush();
  }

  #wait(digest: string, use: Use): void {
    if (this.#waiting.size < most) this.#waiting.set(digest, use);
  }

  #take(): Map<string, Use> {
    const uses = new Map<string, Use>();
    this.#batch += 1;
    for (const [digest, use] of this.#waiting) {
      if (uses.size === batch) break;
      uses.set(digest, use);
      this.#waiting.delete(digest);
    }
    return uses;
  }

  /** Uses of an earlier day than those counted meanwhile are dropped. */
  #putBack(digest: string, use: Use): void {
    const newer = this.#waiting.get(digest);
    if (newer === undefined) this.#wait(digest, use);
    else if (dayOf(newer.at) === dayOf(use.at)) newer.count += use.count;
  }
}
