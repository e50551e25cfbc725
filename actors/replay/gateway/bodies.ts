/** The bodies of a recording as they are known at the time of the replay; null for a request that has failed. */
import type { Cancel } from '../../kernel/clock.ts';

/** Times in requests, of seconds to nanoseconds: they differ in a replay. */
const time = /\b1\d{9}(\d{3}){0,3}\b/g;
const keyOf = (request: string): string => request.replaceAll(time, '#');

/** Requests are texts as `requestText` writes them. */
export class Bodies {
  readonly #newest = new Map<string, unknown>();
  readonly #waiting = new Map<string, Set<() => void>>();

  put(request: string, body: unknown): void {
    const key = keyOf(request);
    this.#newest.set(key, body);
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const call of waiting) call();
  }

  has(request: string): boolean {
    return this.#newest.has(keyOf(request));
  }

  /** The newest one. */
  get(request: string): unknown {
    return this.#newest.get(keyOf(request));
  }

  /** Forgets all. */
  clear(): void {
    this.#newest.clear();
  }

  /** Calls once when there is another one. */
  onNext(request: string, call: () => void): Cancel {
    const key = keyOf(request);
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting.add(call));
    return () => waiting.delete(call);
  }
}
