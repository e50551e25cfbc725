/**
 * A lease: at most one of many processes holds a name at a time. The holder's clock decides when its lease
 * ends, the store's clock when another may have it, and the first is always earlier. The fencing number
 * makes the rest safe: a writer under a lease sends it along, and an older one is refused.
 * https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html
 */
import { type Clock, late, within } from './clock.ts';
import type { LeaseStore } from './lease-store.ts';

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
  /** Makes an attempt when it may be made; the attempt tells whether the work has begun. */
  turn?: (attempt: () => Promise<boolean>) => Promise<void>;
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
export interface Lease {
  readonly held: boolean;
  /** The fencing number while held, else null. */
  readonly fence: number | null;
  /** Ends the work, then gives the lease up and seeks it again. Does nothing without the lease. */
  handOver(): Promise<void>;
  /** Gives the lease up and seeks it no more. Waits for the store, within the call deadlines, and for the end of the work. Idempotent. */
  stop(): Promise<void>;
}

/** A lease that this process has. */
interface Grant {
  readonly token: string;
  readonly fence: number;
  /** When the last grant or renewal was asked for, and until when it is good, in monotonic time. */
  asked: number;
  until: number;
  /** The lease is given up; `released` follows. */
  isOver: boolean;
  readonly over: PromiseWithResolvers<void>;
  readonly released: PromiseWithResolvers<void>;
}

/** Life of an unrenewed lease, ms. */
const ttl = 6_000;
/** Between renewals, and the deadline of every call, ms: one that hangs leaves time for another. */
const beat = ttl / 3;

let attempts = 0;

/** After this many failed starts in a row the pause grows no more. */
const mostDoublings = 7;

class SoughtLease implements Lease {
  readonly #options: LeaseOptions;
  readonly #retry: () => number;
  readonly #random: () => number;
  readonly #stopping = Promise.withResolvers<void>();
  #isStopping = false;
  #grant: Grant | null = null;
  /** Resolves after the stop. */
  readonly #sought: Promise<void>;
  /** Starts in a row that ended with an exception. */
  #failedStarts = 0;

  constructor(options: LeaseOptions) {
    const { retry = 1_500, random = Math.random } = options;
    this.#retry = typeof retry === 'number' ? () => retry : retry;
    const first = this.#retry();
    if (!(first > 0)) throw new RangeError(`lease: retry must be more than 0 ms, not ${first}`);
    this.#options = options;
    this.#random = random;
    this.#sought = this.#seek(random() * first);
  }

  /** Asks the clock as well as the timer, which a busy process runs late. */
  get held(): boolean {
    const grant = this.#grant;
    return grant !== null && !grant.isOver && this.#options.clock.monotonic() < grant.until;
  }

  get fence(): number | null {
    return this.held && this.#grant ? this.#grant.fence : null;
  }

  async handOver(): Promise<void> {
    const grant = this.#grant;
    if (!grant || this.#isStopping) return;
    await this.#call(() => this.#options.onHandOver?.());
    if (this.#grant === grant) await this.#drop(grant);
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopping.resolve();
    if (this.#grant) void this.#drop(this.#grant);
    return this.#sought;
  }

  /** One attempt after another, with the time of each lease between them, until stopped. */
  async #seek(first: number): Promise<void> {
    const { turn = (attempt) => attempt(), clock } = this.#options;
    for (let pause = first; !this.#isStopping; pause = this.#pause()) {
      await within(clock, pause, this.#stopping.promise);
      let holding: Promise<void> | null = null;
      await turn(async () => {
        if (this.#isStopping) return false;
        const grant = await this.#acquire();
        if (grant) holding = this.#hold(grant);
        return grant !== null;
      });
      await holding;
    }
  }

  #pause(): number {
    const factor = 2 ** Math.min(this.#failedStarts, mostDoublings);
    return this.#retry() * (0.5 + this.#random()) * factor;
  }

  async #acquire(): Promise<Grant | null> {
    const { name, holder, store, clock } = this.#options;
    // A token of its own, so that calls of an earlier attempt still under way cannot change this one's lease.
    const token = `${holder}/${++attempts}`;
    const asked = clock.monotonic();
    const until = asked + ttl;
    const call = promised(() => store.acquire(name, token, ttl));
    const fence = await this.#answer('acquire', call);
    if (typeof fence === 'number') {
      const over = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const grant = { token, fence, asked, until, isOver: false, over, released };
      if (!this.#isStopping && clock.monotonic() < until) return grant;
      await this.#release(token);
    } else if (fence === undefined) {
      const releaseLate = (granted: number | null) =>
        granted === null ? undefined : this.#release(token);
      call.then(releaseLate).catch(() => {});
    }
    return null;
  }

  /** From the beginning of the work to its end. */
  async #hold(grant: Grant): Promise<void> {
    this.#grant = grant;
    let hasBegun = false;
    await this.#call(() => {
      this.#options.onGained(grant.fence);
      hasBegun = true;
    });
    // Work that has not begun leaves the lease to others, and the next attempt here comes later each time.
    this.#failedStarts = hasBegun ? 0 : this.#failedStarts + 1;
    const isOurs = hasBegun ? await this.#renew(grant) : true;
    this.#grant = null;
    const ended = this.#call(() => this.#options.onLost());
    if (isOurs) await this.#release(grant.token);
    grant.released.resolve();
    await ended;
  }

  /** Renews the lease until it is given up or over; false when another process has it. */
  async #renew(grant: Grant): Promise<boolean> {
    const { clock, keep = 0 } = this.#options;
    for (;;) {
      const end = grant.until + keep;
      const wait = Math.min(grant.asked + beat, end) - clock.monotonic();
      await within(clock, Math.max(0, wait), grant.over.promise);
      // Where the work may go on, a process that was held up asks first.
      if (grant.isOver || (keep === 0 && clock.monotonic() >= end)) return true;
      if ((await this.#extend(grant, end)) === false) return false;
      if (clock.monotonic() >= grant.until + keep) return true;
    }
  }

  /** Asks the store once; undefined without its answer in time. */
  async #extend(grant: Grant, end: number): Promise<boolean | undefined> {
    const { name, store, clock } = this.#options;
    grant.asked = clock.monotonic();
    const call = promised(() => store.renew(name, grant.token, ttl, grant.fence));
    const either = Promise.race([call, grant.over.promise]);
    const renewed = (await this.#answer('renew', either, end)) ?? undefined;
    if (renewed) grant.until = grant.asked + ttl;
    return renewed;
  }

  async #drop(grant: Grant): Promise<void> {
    grant.isOver = true;
    grant.over.resolve();
    await grant.released.promise;
  }

  async #release(token: string): Promise<void> {
    const { name, store } = this.#options;
    await this.#answer(
      'release',
      promised(() => store.release(name, token)),
    );
  }

  /** The store's answer, or undefined when it fails or does not come in time, nor by `end`. Never rejects. */
  async #answer<T>(what: string, call: Promise<T>, end = Infinity): Promise<T | undefined> {
    const { name, clock } = this.#options;
    // An answer after the end helps nobody; one call is made where the end is over.
    const left = end - clock.monotonic();
    const deadline = left > 0 ? Math.min(beat, left) : beat;
    try {
      const answer = await within(clock, deadline, call);
      if (answer !== late) return answer;
      this.#report(new Error(`lease ${name}: ${what} was not answered in ${deadline} ms`));
    } catch (error) {
      this.#report(error);
    }
    return undefined;
  }

  async #call(callback: () => void | Promise<void>): Promise<void> {
    try {
      await callback();
    } catch (error) {
      this.#report(error);
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

/** Seeks a lease until stopped. Throws RangeError when `retry` is not positive. */
export const seekLease = (options: LeaseOptions): Lease => new SoughtLease(options);
