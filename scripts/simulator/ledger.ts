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

/** Requests per host and path, and those that were over a limit; at most 1000 different ones are counted by name. */
export class Requests {
  readonly #counts = new Map<string, number>();
  readonly #refused = new Map<string, number>();

  add(host: string, path: string): void {
    count(this.#counts, `${host}${path}`);
  }

  /** One of them was refused because a limit of the venue was exceeded. */
  refuse(host: string, path: string): void {
    count(this.#refused, `${host}${path}`);
  }

  list(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  refused(): Record<string, number> {
    return Object.fromEntries(this.#refused);
  }
}

function count(counts: Map<string, number>, key: string): void {
  const known = counts.get(key);
  if (known === undefined && counts.size >= 1000) return;
  counts.set(key, (known ?? 0) + 1);
}
