/** Counts what was asked: weights per bucket and window, and requests per host and path. */
import type { Bucket } from './venue.ts';

/** Used weight per bucket in fixed windows of the clock, as venues count it. */
export class Ledger {
  readonly #used = new Map<string, { window: number; weight: number }>();

  /** Adds to a bucket and returns what is used now and when the window ends (Unix ms). */
  spend(name: string, bucket: Bucket, weight: number, now: number): { used: number; ends: number } {
    const window = Math.floor(now / bucket.per);
    const entry = this.#used.get(name);
    const used = (entry?.window === window ? entry.weight : 0) + weight;
    this.#used.set(name, { window, weight: used });
    return { used, ends: (window + 1) * bucket.per };
  }
}

/** Requests per host and path; at most 1000 different ones are told apart. */
export class Requests {
  readonly #counts = new Map<string, number>();

  add(host: string, path: string): void {
    const key = `${host}${path}`;
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= 1000) return;
    this.#counts.set(key, (known ?? 0) + 1);
  }

  list(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
