import { type Clock, late, within } from '../../actors/kernel/clock.ts';
import { quotaLines } from './lines.ts';
import type { Outage } from './outage.ts';
import { type QuotaStore, type Settlement, type Standing, windowLength } from './store.ts';

/**
 * Longest that a request waits for one reservation, milliseconds; after that Redis is away and the process decides
 * alone. Generous, because a Redis that is only slow may have given the same requests to others.
 */
export const reservationDeadline = 2_000;
/** How often a process whose account is used up asks whether another has given something back, milliseconds. */
const probeEvery = 1_000;
/** After this long without a request the unspent part of a block goes back, milliseconds. */
const idleAfter = 5_000;
/** How long a process keeps to itself what was used, at most, milliseconds. */
const tellEvery = 5_000;

/** What all buckets of a process share. */
export interface BucketContext {
  store: QuotaStore;
  /** Steady: durations are measured with it. */
  clock: Clock;
  outage: Outage;
}

/**
 * One account's or address's quota in this process: a block of requests that Redis has reserved for it, spent
 * without asking. Times are of the context's clock.
 *
 * A block may be spent until `sent + resetIn`, which is before the window's end by Redis's clock however long
 * the reservation took; so a request is never admitted in a later window than it was reserved in.
 */
export class Bucket {
  readonly subject: string;
  /** Requests a window. */
  limit: number;
  /** Grows with every new window. */
  epoch = 0;
  readonly #context: BucketContext;
  #window = '';
  /** Requests that may be admitted now, and the size of the block they are of. */
  #left = 0;
  #block = 0;
  /** What nobody had reserved when Redis was last asked. */
  #rest = 0;
  #spendBy = 0;
  #resetAt = 0;
  /** The block is not reserved: Redis was away. */
  #alone = false;
  #owed = 0;
  #used = new Map<string, number>();
  #pending: Promise<void> | null = null;
  #waiting = 0;
  #probed = 0;
  #taken = 0;
  #told = 0;

  constructor(context: BucketContext, subject: string, limit: number) {
    this.#context = context;
    this.subject = subject;
    this.limit = limit;
  }

  /** Whether a request by `key` (empty where there is none) is admitted; a promise only when Redis must be asked. */
  take(key: string): boolean | Promise<boolean> {
    const { clock, outage } = this.#context;
    const now = clock.now();
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

  /** Takes an admission of the window `epoch` back. */
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

  /** The headers now; see `quotaLines`. */
  lines(): string {
    const resetIn = this.#resetAt - this.#context.clock.now();
    if (resetIn <= 0) return untouched(this.limit);
    const remaining = Math.max(0, Math.min(this.limit, this.#left + this.#rest));
    return quotaLines({ limit: this.limit, remaining, resetIn });
  }

  /** Gives back what has not been spent for a while and tells what was used; true when the window is over. */
  sweep(now: number): boolean {
    if (this.#pending !== null || this.#waiting > 0) return false;
    if (now >= this.#resetAt) return true;
    const idle = now - this.#taken >= idleAfter && this.#left > 0 && !this.#alone;
    const telling = now - this.#told >= tellEvery && this.#used.size > 0;
    if ((idle || telling) && !this.#context.outage.on(now)) void this.settle(idle);
    return false;
  }

  /** Tells Redis what was used, and gives the unspent rest back if asked to. Never rejects. */
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

  #isUsedUp(now: number): boolean {
    return now < this.#resetAt && this.#left + this.#rest <= 0;
  }

  #fetchAhead(): void {
    if (this.#rest === 0 || this.#pending !== null) return;
    void this.#ask(Math.max(1, this.#waiting), false);
  }

  #probe(now: number): void {
    const { outage } = this.#context;
    if (this.#alone || this.#pending !== null || now - this.#probed < probeEvery) return;
    this.#probed = now;
    if (!outage.on(now)) void this.#ask(1, false);
  }

  async #wait(key: string): Promise<boolean> {
    const { clock } = this.#context;
    this.#waiting += 1;
    try {
      for (;;) {
        await (this.#pending ?? this.#ask(this.#waiting, false));
        const now = clock.now();
        if (this.#spend(key, now)) return true;
        if (this.#isUsedUp(now)) return false;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** One settlement at a time; it always comes to an end, with a block, with nothing left, or alone. */
  #ask(want: number, giveBack: boolean): Promise<void> {
    this.#pending = this.#exchange(want, giveBack).finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #exchange(want: number, giveBack: boolean): Promise<void> {
    const { store, clock, outage } = this.#context;
    const sent = clock.now();
    const settlement = this.#settlement(want, giveBack, sent);
    // A reservation that comes after the deadline is lost: then a little less is admitted, never more.
    const asked = store.settle(settlement).catch((error: unknown) => new Error(String(error)));
    // In two halves: after a stall of this process a timer fires before the answer that has come is read.
    let standing = await within(clock, reservationDeadline / 2, asked);
    if (standing === late) standing = await within(clock, reservationDeadline / 2, asked);
    if (standing === late || standing instanceof Error) {
      outage.begin(standing === late ? 'no answer in time' : standing.message);
      this.#owed += settlement.owed;
      for (const [key, count] of settlement.used) this.#count(key, count);
      if (this.#left <= 0 || clock.now() >= this.#spendBy) this.#decideAlone(clock.now());
      return;
    }
    outage.end();
    this.#adopt(standing, sent);
  }

  /** Everything there is to tell, which is then no longer this bucket's to tell. */
  #settlement(want: number, giveBack: boolean, now: number): Settlement {
    if (now >= this.#resetAt) this.#forget();
    const back = giveBack && !this.#alone ? Math.max(0, this.#left) : 0;
    this.#left -= back;
    this.#rest += back;
    const { subject, limit } = this;
    // What was admitted alone counts in whatever window there is: Redis may have come back empty.
    const window = this.#alone ? '' : this.#window;
    const settlement = { subject, limit, want, window, back, owed: this.#owed, used: this.#used };
    this.#owed = 0;
    this.#used = new Map();
    this.#told = now;
    return settlement;
  }

  /** The window is over, and with it what was counted in it. */
  #forget(): void {
    this.#window = '';
    this.#left = 0;
    this.#rest = 0;
    this.#owed = 0;
    this.#used.clear();
    this.epoch += 1;
  }

  #count(key: string, by: number): void {
    this.#used.set(key, (this.#used.get(key) ?? 0) + by);
  }

  #adopt(standing: Standing | null, sent: number): void {
    const now = this.#context.clock.now();
    const { window, granted, rest, resetIn } = standing ?? closed;
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

  /** Without Redis: what it last said is left counts as this process's own, and the whole limit in a new window. */
  #decideAlone(now: number): void {
    if (now >= this.#resetAt) {
      this.#forget();
      this.#left = this.limit;
      this.#resetAt = now + windowLength;
    } else if (!this.#alone) this.#left = Math.max(0, this.#left) + this.#rest;
    this.#rest = 0;
    this.#spendBy = this.#resetAt;
    this.#alone = true;
  }
}

const closed: Standing = { window: '', granted: 0, rest: 0, resetIn: 0 };

/** The headers of a quota whose window has not begun. */
export const untouched = (limit: number): string =>
  quotaLines({ limit, remaining: limit, resetIn: windowLength });
