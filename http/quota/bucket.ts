import type { Clock } from '../../actors/kernel/clock.ts';
import type { QuotaState } from '../wire/form.ts';
import type { Allowance } from './allowance.ts';
import type { Outage } from './outage.ts';
import {
  inTime,
  type QuotaStore,
  type QuotaWindow,
  type Settlement,
  windowLength,
  windowSeconds,
} from './store.ts';

/** Time between two questions of a process with a used up account whether another process has returned requests, ms. */
const probeEvery = 1_000;
/** Time without a request after which the unspent part of a block is returned, milliseconds. */
const idleAfter = 5_000;
/** Longest time until a process reports its uses, milliseconds. */
const tellEvery = 5_000;

/** The context that all buckets of a process share. */
export interface BucketContext {
  store: QuotaStore;
  /** A monotonic clock: durations are measured with it. */
  clock: Clock;
  outage: Outage;
  /** The number of the next settlement of this process. */
  next(): number;
}

/**
 * The quota of one account or address in this process: a block of requests that Redis has reserved for it, spent
 * without asking. Times are those of the clock of the context.
 *
 * A block is valid until `sent + resetIn`. By the clock of Redis this is before the end of the window, however long the
 * reservation took; so a request is never admitted in a later window than the one of its reservation.
 */
export class Bucket implements Allowance {
  readonly subject: string;
  limit: number;
  epoch = 0;
  gone = false;
  readonly #context: BucketContext;
  #window = '';
  /** Requests that may be admitted now, and the size of their block. */
  #left = 0;
  #block = 0;
  /** Requests that were not reserved by any process when Redis last answered. */
  #rest = 0;
  #spendBy = 0;
  #resetAt = 0;
  /** The block is not a reservation, because Redis was away. */
  #alone = false;
  #owed = 0;
  /** Admitted and not reported yet, by key; those of the latest key are counted apart, without a look-up. */
  #used = new Map<string, number>();
  #key = '';
  #uses = 0;
  /** The settlement whose answer did not come: whether Redis has carried it out is not known. */
  #lost: Settlement | null = null;
  #pending: Promise<void> | null = null;
  #waiting = 0;
  #probed = 0;
  #taken = 0;
  #reported = 0;
  /** What the headers of the latest request state. */
  readonly #state: QuotaState = { limit: 0, remaining: 0, seconds: 0 };

  constructor(context: BucketContext, subject: string, limit: number) {
    this.#context = context;
    this.subject = subject;
    this.limit = limit;
  }

  take(key: string): boolean | Promise<boolean> {
    const { clock, outage } = this.#context;
    const now = clock.monotonic();
    this.#taken = now;
    if (this.#alone && !outage.on(now)) return this.#wait(key);
    if (this.#spend(key, now)) return true;
    if (this.#isUsedUp(now)) {
      this.#probe(now);
      return false;
    }
    if (!outage.on(now)) return this.#wait(key);
    this.#decideAlone(now);
    return this.#spend(key, now);
  }

  refund(key: string, epoch: number): void {
    if (epoch !== this.epoch) return;
    this.#left += 1;
    if (this.#alone) this.#owed -= 1;
    this.#count(key, -1);
  }

  /** Adopts the limit of a changed plan. */
  limitTo(limit: number): void {
    this.#rest = Math.max(0, this.#rest + limit - this.limit);
    this.limit = limit;
  }

  state(sameTurn: boolean): QuotaState {
    const resetIn = this.#resetAt - (sameTurn ? this.#taken : this.#context.clock.monotonic());
    const open = resetIn > 0;
    const state = this.#state;
    state.limit = this.limit;
    state.remaining = open ? Math.min(this.limit, this.#left + this.#rest) : this.limit;
    state.seconds = open ? Math.min(windowSeconds, Math.ceil(resetIn / 1000)) : windowSeconds;
    return state;
  }

  /** Returns requests that were not spent for a while and reports uses; true when the window is over. */
  sweep(now: number): boolean {
    if (this.#pending !== null) return false;
    if (now >= this.#resetAt) return true;
    const idle = now - this.#taken >= idleAfter && this.#left > 0 && !this.#alone;
    const unreported = this.#uses !== 0 || this.#used.size > 0 || this.#lost !== null;
    const isReportDue = now - this.#reported >= tellEvery && unreported;
    if ((idle || isReportDue) && !this.#context.outage.on(now)) void this.settle(idle);
    return false;
  }

  /** Whether a settlement is under way, or its answer did not come. */
  get isSettling(): boolean {
    return this.#pending !== null || this.#lost !== null;
  }

  /** Reports uses to Redis, and returns the unspent rest if asked to. Never rejects. */
  async settle(giveBack: boolean): Promise<void> {
    while (this.#pending !== null) await this.#pending;
    await this.#ask(0, giveBack);
  }

  #spend(key: string, now: number): boolean {
    if (this.#left <= 0 || now >= this.#spendBy) return false;
    this.#left -= 1;
    if (this.#alone) this.#owed += 1;
    else if (this.#left <= this.#block >> 2) this.#fetchAhead();
    this.#count(key, 1);
    return true;
  }

  #count(key: string, by: number): void {
    if (key !== this.#key) this.#tally();
    this.#key = key;
    this.#uses += by;
  }

  #tally(): void {
    if (this.#uses === 0) return;
    this.#used.set(this.#key, (this.#used.get(this.#key) ?? 0) + this.#uses);
    this.#uses = 0;
  }

  /** All counts, which begin again. */
  #takeUsed(): ReadonlyMap<string, number> {
    this.#tally();
    const used = this.#used;
    this.#used = new Map();
    return used;
  }

  #isUsedUp(now: number): boolean {
    return now < this.#resetAt && this.#left + this.#rest <= 0;
  }

  #fetchAhead(): void {
    if (this.#rest === 0 || this.#pending !== null) return;
    void this.#ask(Math.max(1, this.#waiting), false);
  }

  #probe(now: number): void {
    const { outage } = this.#context;
    if (this.#pending !== null || now - this.#probed < probeEvery) return;
    this.#probed = now;
    if (!outage.on(now)) void this.#ask(1, false);
  }

  async #wait(key: string): Promise<boolean> {
    const { clock } = this.#context;
    this.#waiting += 1;
    try {
      for (;;) {
        await (this.#pending ?? this.#ask(this.#waiting, false));
        const now = clock.monotonic();
        if (this.#spend(key, now)) return true;
        if (this.#isUsedUp(now)) return false;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** One settlement at a time. It always ends: with a block, with nothing left, or without Redis. */
  #ask(want: number, giveBack: boolean): Promise<void> {
    this.#pending = this.#exchange(want, giveBack).finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #exchange(want: number, giveBack: boolean): Promise<void> {
    const { store, clock, outage } = this.#context;
    if (this.#lost !== null && !(await this.#undo(this.#lost))) return;
    const sent = clock.monotonic();
    const settlement = this.#settlement(want, giveBack, sent);
    const settled = await inTime(clock, store.settle(settlement));
    if (settled instanceof Error) {
      this.#lost = settlement;
      this.#beginOutage(settled);
      return;
    }
    outage.end();
    this.#adopt(settled, sent);
  }

  /**
   * What a settlement without an answer has reserved is returned, and what it has not reported is reported again: Redis
   * may have read it after it had stopped for a while. False while Redis is away.
   */
  async #undo(lost: Settlement): Promise<boolean> {
    const { clock, store } = this.#context;
    const done = await inTime(clock, store.undo(lost));
    if (done instanceof Error) {
      this.#beginOutage(done);
      return false;
    }
    // Not where the window has ended meanwhile.
    if (!done && this.#lost === lost) {
      this.#owed += lost.owed;
      for (const [key, count] of lost.used) this.#count(key, count);
    }
    this.#lost = null;
    return true;
  }

  #beginOutage({ message }: Error): void {
    const { clock, outage } = this.#context;
    outage.begin(message);
    if (this.#left <= 0 || clock.monotonic() >= this.#spendBy) this.#decideAlone(clock.monotonic());
  }

  /** Everything that was not reported yet; the bucket then forgets it. */
  #settlement(want: number, giveBack: boolean, now: number): Settlement {
    if (now >= this.#resetAt) this.#forget();
    const back = giveBack && !this.#alone ? this.#left : 0;
    this.#left -= back;
    this.#rest += back;
    const { subject, limit } = this;
    // Requests admitted without Redis count in the current window: Redis may have come back empty.
    const window = this.#alone ? '' : this.#window;
    const report = { owed: this.#owed, used: this.#takeUsed() };
    this.#owed = 0;
    this.#reported = now;
    return { number: this.#context.next(), subject, limit, want, window, back, ...report };
  }

  /** Ends the window and its counts. */
  #forget(): void {
    this.#window = '';
    this.#left = 0;
    this.#owed = 0;
    this.#takeUsed();
    this.#lost = null;
    this.epoch += 1;
  }

  #adopt(settled: QuotaWindow | null, sent: number): void {
    const now = this.#context.clock.monotonic();
    const { window, granted, rest, resetIn } = settled ?? closed;
    // What was counted since the question was sent belongs to the window before.
    if (!this.#alone && window !== this.#window) this.#takeUsed();
    if (this.#alone || window !== this.#window) {
      this.#left = 0;
      this.epoch += 1;
    }
    this.#alone = false;
    this.#window = window;
    this.#left += granted;
    if (granted > 0) this.#block = granted;
    this.#rest = rest;
    this.#spendBy = sent + resetIn;
    this.#resetAt = now + resetIn;
  }

  /** Without Redis: the process may use what Redis last reported as left, and the whole limit in a new window. */
  #decideAlone(now: number): void {
    if (now >= this.#resetAt) {
      this.#forget();
      this.#left = this.limit;
      this.#resetAt = now + windowLength;
    } else if (!this.#alone) this.#left += this.#rest;
    this.#rest = 0;
    this.#spendBy = this.#resetAt;
    this.#alone = true;
  }
}

const closed: QuotaWindow = { window: '', granted: 0, rest: 0, resetIn: 0 };
