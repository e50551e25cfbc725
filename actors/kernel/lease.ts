/**
 * A lease: at most one of many processes holds a name at a time. The holder's clock decides when its lease
 * ends, the store's clock when another may have it, and the first is always earlier. The fencing number
 * makes the rest safe: a writer under a lease sends it along, and an older one is refused.
 * https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html
 */
import { type Cancel, type Clock, late, within } from './clock.ts';
import type { LeaseStore } from './lease-store.ts';
import type { Turn } from './starts.ts';

export interface LeaseOptions {
  name: string;
  /** Must differ from every other process's and thread's. */
  holder: string;
  store: LeaseStore;
  clock: Clock;
  /** Uniform in [0, 1). */
  random?: () => number;
  /** Mean pause between attempts, ms; 1,500 when absent. The first comes within one. */
  retry?: number | (() => number);
  /**
   * How long the work goes on after the end of a lease that the store has not answered for, ms; 0 when absent. The store is asked
   * meanwhile whether anybody has had the lease since; `held` is false, and the fencing number refuses what is too late.
   */
  keep?: number;
  /** What an attempt waits for; null for nothing. */
  turn?: () => Promise<Turn | null>;
  /** The work may begin. */
  onGained: (fence: number) => void;
  /** Another process goes on: the work ends while the lease is still held. */
  onHandOver?: () => Promise<void>;
  /** The work must end, at once. Follows every onGained exactly once, at `stop` too. The next attempt awaits its promise. */
  onLost: () => void | Promise<void>;
  /** The store failed or was late, or a callback threw. A throw in it is ignored. */
  onError?: (error: unknown) => void;
}

/** The offer of one process to hold a lease. */
export interface Contention {
  readonly held: boolean;
  /** The fencing number while held, else null. */
  readonly fence: number | null;
  /** Ends the work, then gives the lease up and contends again. Does nothing without the lease. */
  handOver(): Promise<void>;
  /** Gives the lease up and contends no more. Waits for the store, within the call deadlines. Idempotent. */
  stop(): Promise<void>;
}

/** The time that one grant or renewal is good for. */
interface Span {
  until: number;
  cancel: Cancel;
}

interface Grant {
  readonly token: string;
  readonly fence: number;
  span: Span;
}

/** Life of an unrenewed lease, ms. */
const ttl = 6_000;
/** Between renewals, and the deadline of every call, ms: one that hangs leaves time for another. */
const beat = ttl / 3;

let attempts = 0;

/** After this many failed starts in a row the pause grows no more. */
const mostDoublings = 7;

class Contender implements Contention {
  readonly #options: LeaseOptions;
  readonly #retry: () => number;
  readonly #random: () => number;
  #grant: Grant | null = null;
  #next: Cancel = () => {};
  #attempt: Promise<void> = Promise.resolve();
  #stopping = false;
  /** Terms in a row that began with an exception. */
  #failedStarts = 0;
  #stopped: Promise<void> | null = null;

  constructor(options: LeaseOptions) {
    const { retry = 1_500, random = Math.random } = options;
    this.#retry = typeof retry === 'number' ? () => retry : retry;
    const first = this.#retry();
    if (!(first > 0)) throw new RangeError(`lease: retry must be more than 0 ms, not ${first}`);
    this.#options = options;
    this.#random = random;
    this.#contend(random() * first);
  }

  /** Asks the clock as well as the timer, which a busy process runs late. */
  get held(): boolean {
    return this.#grant !== null && this.#options.clock.monotonic() < this.#grant.span.until;
  }

  get fence(): number | null {
    return this.held && this.#grant ? this.#grant.fence : null;
  }

  async handOver(): Promise<void> {
    const grant = this.#grant;
    if (!grant || this.#stopping) return;
    try {
      await this.#options.onHandOver?.();
    } catch (error) {
      this.#report(error);
    }
    if (this.#grant === grant) await this.#drop(grant);
  }

  stop(): Promise<void> {
    this.#stopping = true;
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#next();
    if (this.#grant) await this.#drop(this.#grant);
    else await this.#attempt;
  }

  #contend(ms: number): void {
    if (this.#stopping) return;
    this.#next = this.#options.clock.after(ms, () => void this.#await());
  }

  /** An attempt, in its turn. */
  async #await(): Promise<void> {
    const turn = (await this.#options.turn?.()) ?? null;
    if (!this.#stopping) {
      this.#attempt = this.#acquire();
      await this.#attempt;
    }
    turn?.end(this.#grant !== null);
  }

  #contendAgain(): void {
    const factor = 2 ** Math.min(this.#failedStarts, mostDoublings);
    this.#contend(this.#retry() * (0.5 + this.#random()) * factor);
  }

  async #acquire(): Promise<void> {
    const { name, holder, store, clock } = this.#options;
    // A token of its own, so that calls of an earlier attempt still under way cannot change this one's lease.
    const token = `${holder}/${++attempts}`;
    const span = this.#begin();
    const call = promised(() => store.acquire(name, token, ttl));
    const fence = await this.#answer('acquire', call);
    if (typeof fence === 'number') {
      if (!this.#stopping && clock.monotonic() < span.until)
        return this.#gain({ token, fence, span });
      await this.#release(token);
    } else if (fence === undefined) {
      const releaseLate = (granted: number | null) =>
        granted === null ? undefined : this.#release(token);
      call.then(releaseLate).catch(() => {});
    }
    span.cancel();
    this.#contendAgain();
  }

  #gain(grant: Grant): void {
    this.#grant = grant;
    const sinceSent = this.#options.clock.monotonic() - (grant.span.until - ttl);
    this.#renewIn(grant, beat - sinceSent);
    if (this.#notify(() => this.#options.onGained(grant.fence))) this.#failedStarts = 0;
    else this.#giveUp(grant);
  }

  /** The work has not started: somebody else may have the lease, and the next attempt here comes later each time. */
  #giveUp(grant: Grant): void {
    this.#failedStarts += 1;
    void this.#drop(grant);
  }

  #renewIn(grant: Grant, ms: number): void {
    // The bounds hold where the machine's clock was set in the meantime.
    const wait = Math.min(Math.max(ms, 0), beat);
    this.#next = this.#options.clock.after(wait, () => void this.#renew(grant));
  }

  async #renew(grant: Grant): Promise<void> {
    const { name, store } = this.#options;
    const span = this.#begin();
    const answer = this.#answer(
      'renew',
      promised(() => store.renew(name, grant.token, ttl, grant.fence)),
    );
    this.#renewIn(grant, beat);
    const renewed = await answer;
    const current = this.#grant === grant;
    if (current && renewed && this.#options.clock.monotonic() < span.until) {
      grant.span.cancel();
      grant.span = span;
      return;
    }
    span.cancel();
    if (current && renewed === false) this.#lose();
  }

  /** Starts counting the life that a call may bring, before the call is sent. */
  #begin(): Span {
    const { clock } = this.#options;
    const span: Span = {
      until: clock.monotonic() + ttl,
      cancel: clock.after(ttl, () => this.#expire(span)),
    };
    return span;
  }

  #expire(span: Span): void {
    const grant = this.#grant;
    if (grant?.span !== span) return;
    const { clock, keep = 0 } = this.#options;
    if (keep === 0) return void this.#drop(grant);
    span.cancel = clock.after(keep, () => {
      if (this.#grant?.span === span) void this.#drop(grant);
    });
    this.#next();
    void this.#renew(grant);
  }

  async #drop({ token }: Grant): Promise<void> {
    this.#lose();
    await this.#release(token);
  }

  /** Ends the term, if there is one, and contends again unless the lease is stopped. */
  #lose(): void {
    const grant = this.#grant;
    if (!grant) return;
    this.#grant = null;
    grant.span.cancel();
    this.#next();
    void this.#end();
  }

  /** The work of two terms must not overlap in one process. */
  async #end(): Promise<void> {
    try {
      const ending = this.#options.onLost();
      if (ending !== undefined) await ending;
    } catch (error) {
      this.#report(error);
    }
    this.#contendAgain();
  }

  async #release(token: string): Promise<void> {
    const { name, store } = this.#options;
    await this.#answer(
      'release',
      promised(() => store.release(name, token)),
    );
  }

  /** The store's answer, or undefined when it fails or does not come in time. Never rejects. */
  async #answer<T>(what: string, call: Promise<T>): Promise<T | undefined> {
    const { name, clock } = this.#options;
    try {
      const answer = await within(clock, beat, call);
      if (answer !== late) return answer;
      this.#report(new Error(`lease ${name}: ${what} was not answered in ${beat} ms`));
    } catch (error) {
      this.#report(error);
    }
    return undefined;
  }

  /** Whether the callback has not thrown. */
  #notify(callback: () => void): boolean {
    try {
      callback();
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  #report(error: unknown): void {
    try {
      this.#options.onError?.(error);
    } catch {
      // See LeaseOptions.onError.
    }
  }
}

/** Calls a store; an exception becomes a rejection. */
const promised = async <T>(call: () => Promise<T>): Promise<T> => call();

/** Contends for a lease until stopped. Throws RangeError when `retry` is not positive. */
export const contend = (options: LeaseOptions): Contention => new Contender(options);
