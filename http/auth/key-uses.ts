import { type Cancel, type Clock, every } from '../../actors/kernel/clock.ts';
import { day } from '../../config/time.ts';

/** Uses of one key. */
export interface Use {
  /** The latest, Unix ms. */
  at: number;
  /** How many on the UTC day of `at`. */
  count: number;
}

/** A key, and its uses that are not written yet. */
export interface UsedKey {
  readonly digest: string;
  /** The latest use, Unix ms. */
  used: number;
  /** How many on `day`. */
  count: number;
  day: number;
  /** Until then a use need only be counted, Unix ms; from then on it is to be noted. */
  due: number;
}

/** A key before its first use. */
export const unused = (digest: string): UsedKey => ({
  digest,
  used: 0,
  count: 0,
  day: 0,
  due: 0,
});

/** The number of the UTC day of a time in Unix ms. */
export const dayOf = (at: number): number => Math.floor(at / day);

/** Time between two writes, ms. */
const period = 10_000;
/** Keys per write. */
const batch = 500;
/** Most keys that wait to be written; further keys are not counted. */
const maxUses = 100_000;

/**
 * Counts the uses of keys in memory and writes them in batches. A failed write is repeated at the next one; when Redis
 * had carried it out without confirming it in time, its uses count twice.
 */
export class KeyUses {
  readonly #write: (uses: ReadonlyMap<string, Use>) => Promise<void>;
  /** Keys with uses to be written. */
  readonly #noted = new Set<UsedKey>();
  /** Uses that could not be written. */
  readonly #failed = new Map<string, Use>();
  readonly #cancel: Cancel;
  #writing: Promise<void> = Promise.resolve();

  /** `write` adds uses by the digests of keys. */
  constructor(clock: Clock, write: (uses: ReadonlyMap<string, Use>) => Promise<void>) {
    this.#write = write;
    this.#cancel = every(clock, period, () => {
      this.#writing = this.flush();
      return this.#writing;
    });
  }

  /** Counts a use of the key at `now`, Unix ms: the first since its uses were written, or of a day. Others need only be counted. */
  note(key: UsedKey, now: number): void {
    const today = dayOf(now);
    key.count = key.day === today ? key.count + 1 : 1;
    key.day = today;
    key.used = now;
    const hasRoom = this.#noted.size + this.#failed.size < maxUses;
    if (hasRoom) this.#noted.add(key);
    key.due = hasRoom ? (today + 1) * day : 0;
  }

  /** Writes the counted uses. Never rejects. */
  async flush(): Promise<void> {
    while (this.#noted.size + this.#failed.size > 0) {
      const uses = this.#take();
      try {
        await this.#write(uses);
      } catch {
        for (const [digest, use] of uses) add(this.#failed, digest, use);
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

  #take(): Map<string, Use> {
    const uses = new Map<string, Use>();
    for (const [digest, use] of this.#failed) {
      if (uses.size === batch) return uses;
      this.#failed.delete(digest);
      add(uses, digest, use);
    }
    for (const key of this.#noted) {
      if (uses.size === batch) return uses;
      this.#noted.delete(key);
      add(uses, key.digest, { at: key.used, count: key.count });
      key.count = 0;
      key.due = 0;
    }
    return uses;
  }
}

/** Adds uses to those of the same day; those of an earlier day are dropped. */
function add(to: Map<string, Use>, digest: string, use: Use): void {
  const known = to.get(digest);
  if (known === undefined || dayOf(known.at) < dayOf(use.at)) to.set(digest, use);
  else if (dayOf(known.at) === dayOf(use.at)) {
    known.at = Math.max(known.at, use.at);
    known.count += use.count;
  }
}
