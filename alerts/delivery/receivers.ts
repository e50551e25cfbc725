/** Receivers that fail: one that is dead is asked seldom, by one request at a time, whatever the number of rules that it is of. */
import type { ReceiverState } from '../store/queued.ts';
import { pauseAfter } from './schedule.ts';

/** Failures in a row from which a receiver pauses. */
export const tolerated = 3;
/** Receivers that are remembered at most. */
const most = 10_000;

/** What a failed attempt says of its receiver. */
export interface Failure {
  error: string;
  /** It says that it will never take this. */
  refused: boolean;
  /** Unix ms. */
  now: number;
  /** What it asks for, ms; null where it asks for nothing. */
  retryAfter: number | null;
  /** Uniform in [0, 1). */
  random: number;
}

/** By names that are those of one account's receiver. */
export class Receivers {
  readonly #states = new Map<string, ReceiverState>();

  /** Takes what another process knew, unless this one knows better. */
  know(name: string, state: ReceiverState): void {
    if (!this.#states.has(name)) this.#set(name, state);
  }

  /** How it does; null where it takes deliveries, as far as is known. */
  of(name: string): ReceiverState | null {
    return this.#states.get(name) ?? null;
  }

  /** Before then nothing is sent to it, Unix ms. */
  until(name: string): number {
    return this.#states.get(name)?.until ?? 0;
  }

  /** Whether one request at a time is enough to see whether it is back. */
  isDead(name: string): boolean {
    return (this.#states.get(name)?.failures ?? 0) >= tolerated;
  }

  /** Its owner wants it to be tried now. */
  tryNow(name: string): void {
    const known = this.#states.get(name);
    if (known !== undefined) this.#states.set(name, { ...known, until: 0 });
  }

  delivered(name: string): void {
    this.#states.delete(name);
  }

  failed(name: string, { error, refused, now, retryAfter, random }: Failure): ReceiverState {
    const { failures: before = 0, since = now } = this.#states.get(name) ?? {};
    const failures = before + 1;
    const pause = failures < tolerated ? 0 : pauseAfter(failures - tolerated + 1, random);
    const until = Math.round(now + Math.max(pause, retryAfter ?? 0));
    const state = { failures, since, until, error, refused };
    this.#set(name, state);
    return state;
  }

  #set(name: string, state: ReceiverState): void {
    this.#states.delete(name);
    this.#states.set(name, state);
    const [oldest] = this.#states.keys();
    if (this.#states.size > most && oldest !== undefined) this.#states.delete(oldest);
  }
}
