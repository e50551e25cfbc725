import type { Result } from '../../actors/failure.ts';
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import type { Fetched, QueryCache } from '../../actors/queries/query-cache.ts';
import { day } from '../../config/time.ts';

export interface RefresherOptions<T> {
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  cache: QueryCache<T>;
  /** A value requested within this time, ms, before its end is refreshed; none is requested at its end, so 0 is never. */
  lengthOf(value: T): number;
  fetch(value: T): Promise<Result<Fetched<T>>>;
}

/** A little after the end, so that the exchange has the next candle; spread, so that not all ask at once. Both ms. */
const delay = { least: 100, spread: 400 } as const;
/** The end of a month is further away than a timer of Node's can reach (24.8 days). */
const longestTimer = day;
/** Most values that are refreshed at one end, and most at the same time. */
const hot = { most: 1_000, atOnce: 16 } as const;

/** Refreshes those values of a cache that were requested shortly before their end. */
export class Refresher<T> {
  readonly #options: RefresherOptions<T>;
  /** Timers by the end that they wait for. */
  readonly #ends = new Map<number, Cancel>();

  constructor(options: RefresherOptions<T>) {
    this.#options = options;
  }

  /** Refreshes values that end at `until` (Unix ms) shortly after it. */
  plan(until: number): void {
    if (this.#ends.has(until)) return;
    const { clock, random } = this.#options;
    const rest = until - clock.now() + delay.least + random() * delay.spread;
    const at = clock.monotonic() + rest;
    const wait = (): void => {
      const left = at - clock.monotonic();
      this.#ends.set(until, clock.after(Math.min(left, longestTimer), left > 0 ? wait : act));
    };
    const act = (): void => {
      this.#ends.delete(until);
      void this.#refresh(until);
    };
    wait();
  }

  stop(): void {
    for (const cancel of this.#ends.values()) cancel();
  }

  async #refresh(end: number): Promise<void> {
    const { cache, lengthOf, fetch } = this.#options;
    const wanted = [...cache.values()].filter(
      ({ value, until, asked }) => until === end && asked >= end - lengthOf(value),
    );
    const queue = wanted.slice(-hot.most);
    const work = async () => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        const { key, value, asked } = next;
        if (cache.has(key)) continue;
        const outcome = await cache.refresh(key, '', () => fetch(value), asked).catch(() => null);
        if (outcome?.ok) this.plan(outcome.value.until);
      }
    };
    await Promise.all(Array.from({ length: hot.atOnce }, work));
  }
}
