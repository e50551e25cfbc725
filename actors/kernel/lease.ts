/**
 * A lease: one of many processes holds a name at a time, and another one may stand by for it. The clock of the holder ends a lease before the
 * store gives it to another process. The fencing number makes the rest safe: a writer sends it along, and an older one is refused.
 * https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html
 */
import { amongProcesses, type Clock, late, sleep, within } from './clock.ts';

/** Who holds a lease, and who stands by for it: processes, or null. */
export interface LeaseState {
  holder: string | null;
  /** The newest fencing number, which is at least the Unix ms at which it was given; 0 before the first. */
  fence: number;
  standby: string | null;
  /** The standby can go on for the holder without a gap. */
  isReady: boolean;
}

/** Keeps leases for many processes. `ttl` in milliseconds. Each method rejects when the store cannot answer. */
export interface LeaseStore {
  /**
   * The fencing number, strictly growing per name, or null when another process holds the lease or stands by for it. A process
   * that holds it gets a new number: that it asks means that it does not know the last one.
   */
  acquire(name: string, process: string, ttl: number): Promise<number | null>;
  /** Restarts the ttl, also of a lease that has run out. False where another process has had it since. */
  renew(name: string, process: string, ttl: number, fence: number): Promise<boolean>;
  /** Does nothing when the process does not hold it with this number. */
  release(name: string, process: string, fence: number): Promise<void>;
  /** Makes a process the standby, which gets the lease next, for `ttl`; false where another process is it. */
  standBy(name: string, process: string, ttl: number, isReady: boolean): Promise<boolean>;
  /** In the order of the names, one at least. */
  look(names: readonly string[]): Promise<LeaseState[]>;
}

/** What a process runs as the holder of a lease, and before as its standby. */
export interface Holder {
  /** Whether it can go on for the holder without a gap; at once when absent. */
  isReady?(): boolean;
  /** The lease is held. Where it throws, the lease is given up until later. */
  begin(fence: number): void;
  /** Called once. `isHandedOver`: another process goes on, and the lease is held until this has ended. */
  stop(isHandedOver: boolean): void | Promise<void>;
}

export interface LeaseOptions {
  name: string;
  /** Must differ from every other process's, and after a restart. */
  process: string;
  store: LeaseStore;
  clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  /** Makes what runs, each time that the lease is gained or stood by for. */
  holder(): Holder;
  /** All that the holder writes has the fencing number: without an answer of the store it goes on until another process has had the lease. */
  isFenced?: boolean;
  /** Takes what happens, for a log: an error where something failed. */
  note(what: string, error?: unknown): void;
}

/** Life of an unrenewed lease, ms. With the pause between attempts it leaves 3 s of a pending query's 10 s to the next holder. */
const ttl = 6_000;
/** Between renewals, and the deadline of every call, ms: one that hangs leaves time for another. A late answer that has come counts. */
const beat = ttl / 3;
/** What did not begin is tried again after this time, ms. */
const failedPause = 30_000;
/** How long a process stands by at most, and the pause between its attempts, ms. */
const standby = { most: 20_000, pause: 100 };

/** How often a holder of this process threw as it began, by lease. */
export const failedStarts = new Map<string, number>();

/** A lease that this process holds: since when, in monotonic time, and what ends it. */
interface Holding {
  readonly fence: number;
  readonly since: number;
  readonly over: AbortController;
}

/** The offer of one process to hold a lease. */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #stopped = new AbortController();
  /** An attempt, or a time of standing by or of holding the lease: one at a time. */
  #life: Promise<unknown> | null = null;
  #seeking = Promise.resolve();
  /** What runs or stands by, and the end of what ran. */
  #holder: Holder | null = null;
  #ended = Promise.resolve();
  #holding: Holding | null = null;
  /** Nothing begins before, monotonic ms. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(options: LeaseOptions) {
    this.#options = { ...options, clock: amongProcesses(options.clock) };
  }

  /** Whether the holder runs. */
  get isHeld(): boolean {
    return this.#holding !== null && this.#holder !== null;
  }

  /** Tries to get the lease until stopped, each `pause` ms in the mean; the first time comes within one. */
  seek(pause: () => number = () => 500): this {
    const { clock, random } = this.#options;
    const { signal } = this.#stopped;
    const seek = async () => {
      await sleep(clock, random() * pause(), signal);
      while (!signal.aborted) {
        await this.attempt();
        await sleep(clock, pause() * (0.5 + random()), signal);
      }
    };
    this.#seeking = seek();
    return this;
  }

  /** Asks for the lease once, where it is not held. True where the holder has begun. */
  async attempt(): Promise<boolean> {
    if (this.#options.clock.monotonic() < this.#notBefore) return false;
    return this.#alone(() => this.#acquire());
  }

  /**
   * Stands by for the holder until it has ended, or has died. False where this process is the holder, where another one stands by,
   * and where within 20 s this one was not ready or the holder did not end.
   */
  async takeOver(): Promise<boolean> {
    return this.#alone(() => this.#standBy());
  }

  /** Ends the holder, then gives the lease up. Does nothing without the lease. */
  async handOver(): Promise<void> {
    const holding = this.#holding;
    if (!holding) return;
    await this.#end(true);
    holding.over.abort();
    await this.#life;
  }

  /** Gives the lease up and seeks it no more. Waits for the store, within the deadlines of its calls, and for the end of the holder. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#holding?.over.abort();
    await Promise.all([this.#life, this.#seeking]);
  }

  async #alone(begin: () => Promise<boolean>): Promise<boolean> {
    if (this.#life || this.#stopped.signal.aborted) return false;
    const begun = begin();
    this.#life = begun
      .then(() => this.#holding && this.#hold(this.#holding))
      .finally(() => {
        this.#life = null;
      });
    return begun;
  }

  async #standBy(): Promise<boolean> {
    const { clock, name, process, store } = this.#options;
    const { signal } = this.#stopped;
    const standBy = (isReady: boolean, life = ttl) =>
      this.#ask(() => store.standBy(name, process, life, isReady));
    if (!(await standBy(false))) return false;
    const end = clock.monotonic() + standby.most;
    try {
      const holder = this.#options.holder();
      this.#holder = holder;
      while (!signal.aborted && clock.monotonic() < end) {
        await sleep(clock, standby.pause, signal);
        if (!(await standBy(holder.isReady?.() !== false))) break;
        if (await this.#acquire()) return true;
        if (this.#holder === null) break;
      }
    } catch (error) {
      this.#failed('it cannot be taken over', error);
    }
    await this.#end(false);
    await standBy(false, 1);
    return false;
  }

  async #acquire(): Promise<boolean> {
    const { clock, name, process, store } = this.#options;
    const since = clock.monotonic();
    const fence = await this.#ask(() => store.acquire(name, process, ttl));
    if (typeof fence !== 'number') return false;
    const isLate = this.#stopped.signal.aborted || clock.monotonic() >= since + ttl;
    if (!isLate && (await this.#begin(fence))) {
      this.#holding = { fence, since, over: new AbortController() };
      return true;
    }
    await this.#ask(() => store.release(name, process, fence));
    return false;
  }

  async #begin(fence: number): Promise<boolean> {
    try {
      this.#holder ??= this.#options.holder();
      this.#holder.begin(fence);
      this.#options.note('running');
      return true;
    } catch (error) {
      this.#failed('it does not begin', error);
      await this.#end(false);
      return false;
    }
  }

  #failed(what: string, error: unknown): void {
    const { clock, name, note } = this.#options;
    this.#notBefore = clock.monotonic() + failedPause;
    failedStarts.set(name, (failedStarts.get(name) ?? 0) + 1);
    note(what, error);
  }

  /** Renews the lease until it is given up or over, and ends the holder. */
  async #hold({ fence, since, over: { signal } }: Holding): Promise<void> {
    const { clock, name, process, store, isFenced } = this.#options;
    const untilOf = (asked: number) => (isFenced ? Number.POSITIVE_INFINITY : asked + ttl);
    let [asked, until, isOurs] = [since, untilOf(since), true];
    while (isOurs && !signal.aborted) {
      await sleep(clock, Math.max(0, Math.min(asked + beat, until) - clock.monotonic()), signal);
      asked = clock.monotonic();
      if (signal.aborted || asked >= until) break;
      const renewed = await this.#ask(
        () => store.renew(name, process, ttl, fence),
        Math.min(beat, until - asked),
      );
      if (renewed) until = untilOf(asked);
      isOurs = renewed !== false;
    }
    const ended = this.#end(false);
    this.#holding = null;
    if (isOurs) await this.#ask(() => store.release(name, process, fence));
    await ended;
  }

  /** Ends the holder, if there is one. */
  #end(isHandedOver: boolean): Promise<void> {
    const { note } = this.#options;
    const holder = this.#holder;
    this.#holder = null;
    if (!holder) return this.#ended;
    if (this.#holding !== null)
      note(isHandedOver ? 'another process goes on' : 'no longer running');
    const stop = async () => holder.stop(isHandedOver);
    this.#ended = stop().catch((error: unknown) => note('it did not end in order', error));
    return this.#ended;
  }

  /** The store's answer; undefined when it fails or does not come in time. */
  async #ask<T>(call: () => Promise<T>, deadline = beat): Promise<T | undefined> {
    const { clock, note } = this.#options;
    try {
      const answer = await within(clock, deadline, call());
      if (answer !== late) return answer;
      note('the lease', new Error(`its store did not answer in ${deadline} ms`));
    } catch (error) {
      note('the lease', error);
    }
    return undefined;
  }
}
