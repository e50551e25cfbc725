/** One run of a source as its streams and publishers see it: on standby until it has the lease, then with its fence. */
import type { Cancel } from '../kernel/clock.ts';

/** A stream on standby. `isLate`: it has had its time, and what the upstream does not bring is not waited for. */
type IsReady = (isLate: boolean) => boolean;

/** A run to one of its streams. */
export interface StreamTerm {
  /** Whether it may publish; until then another process does. */
  readonly isHeld: boolean;
  /** Whether another process has gone on from where this one ends. */
  readonly isHandedOver: boolean;
  /** Takes part in the decision whether the run can take over. */
  watch(isReady: IsReady): Cancel;
  /** Counts rows that were read or published. */
  count(rows: number): void;
}

/** Time in which the rate of rows follows a change, ms. */
const smoothing = 20_000;

/** How many rows come a second, over about the last twenty. */
export class RowRate {
  #count = 0;
  #rate = 0;
  #read: number;

  /** `now` is Unix ms, here and below. */
  constructor(now: number) {
    this.#read = now;
  }

  add(rows: number): void {
    this.#count += rows;
  }

  read(now: number): number {
    const passed = now - this.#read;
    if (passed <= 0) return this.#rate;
    const rate = (this.#count / passed) * 1_000;
    this.#rate += (rate - this.#rate) * (1 - Math.exp(-passed / smoothing));
    this.#count = 0;
    this.#read = now;
    return this.#rate;
  }
}

export class Term implements StreamTerm {
  isHandedOver = false;
  /** That of the lease. */
  readonly name: string;
  readonly rate: RowRate;
  readonly #streams = new Set<IsReady>();
  #fence: number | null = null;

  /** `now` is Unix ms. */
  constructor(name: string, now: number) {
    this.name = name;
    this.rate = new RowRate(now);
  }

  /** Null on standby. */
  get fence(): number | null {
    return this.#fence;
  }

  get isHeld(): boolean {
    return this.#fence !== null;
  }

  /** The lease is there. */
  begin(fence: number): void {
    this.#fence = fence;
  }

  watch(isReady: IsReady): Cancel {
    this.#streams.add(isReady);
    return () => void this.#streams.delete(isReady);
  }

  count(rows: number): void {
    this.rate.add(rows);
  }

  /** Whether so many streams are there and each has what it needs. */
  isReady(streams: number, isLate: boolean): boolean {
    return this.#streams.size >= streams && [...this.#streams].every((ready) => ready(isLate));
  }
}
