import {
  isOf,
  lendingOverview,
  lendingRates,
  lendingTvl,
  poolList,
  stablecoinList,
} from '../../actors/defi/fold.ts';
import type { DefiFigure, DefiReading, DefiRows } from '../../actors/topics.ts';
import { Snapshot } from '../snapshots.ts';

/** How often the rows of each figure are renewed while its sources answer, ms (actors/defi/desks.ts). */
const cadence: Readonly<Record<DefiFigure, number>> = {
  lending: 300_000,
  lendingTvl: 300_000,
  // Looked at every minute, in bodies that are fetched every five.
  uniswap: 300_000,
  raydium: 60_000,
  orca: 60_000,
  stablecoins: 300_000,
};
/** Rows are stale when so many renewals have failed to come. */
const missed = 3;

/** The last rows of one figure, and the answers that were made of them. */
class Shelf<F extends DefiFigure> {
  readonly #figure: F;
  #reading: DefiReading<F> | null = null;
  #stale = false;
  readonly #answers = new Map<string, Snapshot>();

  constructor(figure: F) {
    this.#figure = figure;
  }

  accept(reading: DefiReading, now: number): void {
    if (!isOf(reading, this.#figure)) return;
    if (reading.received < (this.#reading?.received ?? 0)) return;
    this.#reading = reading;
    this.#stale = this.#isStale(now);
    this.#answers.clear();
  }

  expire(now: number): void {
    if (this.#stale === this.#isStale(now)) return;
    this.#stale = !this.#stale;
    this.#answers.clear();
  }

  /** The answer of the name, made by `data` when it is first wanted; null when there are no rows yet. */
  read(name: string, data: (rows: readonly DefiRows[F][]) => object): Snapshot | null {
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    if (this.#reading === null) return null;
    const { rows, received } = this.#reading;
    const age = { updated_at: received, ...(this.#stale && { stale: true }) };
    const snapshot = new Snapshot(JSON.stringify({ ...data(rows), ...age }));
    this.#answers.set(name, snapshot);
    return snapshot;
  }

  #isStale(now: number): boolean {
    if (this.#reading === null) return false;
    return now - this.#reading.received > missed * cadence[this.#figure];
  }
}

export interface DefiViewOptions {
  /** US dollars below which a lending pool is no best offer. */
  leastTvl: number;
}

/**
 * The answers of the pool lists, of `/v2/defi/stablecoins` and of `/v1/lending/*` (specification 2.7, 2.8, 2.10 to
 * 2.13): bytes, made when they are first wanted and kept until the rows change. There are as many as limits that can
 * be asked for: 700, and four more.
 */
export class DefiView {
  readonly #leastTvl: number;
  readonly #shelves = {
    lending: new Shelf('lending'),
    lendingTvl: new Shelf('lendingTvl'),
    uniswap: new Shelf('uniswap'),
    raydium: new Shelf('raydium'),
    orca: new Shelf('orca'),
    stablecoins: new Shelf('stablecoins'),
  };

  constructor({ leastTvl }: DefiViewOptions) {
    this.#leastTvl = leastTvl;
  }

  /** Takes a reading; one older than what is here is ignored. `now` is Unix ms. */
  accept(reading: DefiReading, now: number): void {
    this.#shelves[reading.figure].accept(reading, now);
  }

  /** Marks what has become stale. To be called about every second. */
  expire(now: number): void {
    for (const shelf of Object.values(this.#shelves)) shelf.expire(now);
  }

  /** The first `limit` pools, which has been checked against `listLimits`; null when there are none yet. */
  uniswap(limit: number): Snapshot | null {
    return this.#shelves.uniswap.read(`${limit}`, (rows) => poolList(rows, limit));
  }

  raydium(limit: number): Snapshot | null {
    return this.#shelves.raydium.read(`${limit}`, (rows) => poolList(rows, limit));
  }

  orca(limit: number): Snapshot | null {
    return this.#shelves.orca.read(`${limit}`, (rows) => poolList(rows, limit));
  }

  stablecoins(): Snapshot | null {
    return this.#shelves.stablecoins.read('all', stablecoinList);
  }

  rates(): Snapshot | null {
    return this.#shelves.lending.read('rates', lendingRates);
  }

  overview(): Snapshot | null {
    return this.#shelves.lending.read('overview', (rows) => lendingOverview(rows, this.#leastTvl));
  }

  tvl(): Snapshot | null {
    return this.#shelves.lendingTvl.read('tvl', lendingTvl);
  }
}
