import { defiStaleAfter, isOf } from '../../actors/topics/defi.ts';
import type { DefiFigure, DefiReading, DefiRows } from '../../actors/topics/index.ts';
import { Document } from './published.ts';

/** The last rows of one figure. */
export class DefiDocument<F extends DefiFigure> extends Document<DefiReading<F>> {
  readonly #figure: F;

  constructor(figure: F) {
    const staleAfter = defiStaleAfter[figure];
    super(({ received }) => ({ received, staleAfter }));
    this.#figure = figure;
  }

  /** Takes a reading of any figure; those of others are ignored. */
  take(reading: DefiReading, now: number): void {
    if (isOf(reading, this.#figure)) this.accept(reading, now);
  }

  /** The result of `fold` for the rows, with their age; null while there are none. */
  read<T extends object>(
    fold: (rows: readonly DefiRows[F][]) => T,
  ): (T & { updated_at: number; stale?: true }) | null {
    const found = this.current();
    if (found === null) return null;
    const { value, stale } = found;
    return { ...fold(value.rows), updated_at: value.received, ...(stale && { stale }) };
  }
}

/** The pool lists, the stablecoins and the lending pools (specification 2.7, 2.8, 2.10 to 2.13). */
export class DefiView {
  readonly lending = new DefiDocument('lending');
  readonly lendingTvl = new DefiDocument('lendingTvl');
  readonly uniswap = new DefiDocument('uniswap');
  readonly raydium = new DefiDocument('raydium');
  readonly orca = new DefiDocument('orca');
  readonly stablecoins = new DefiDocument('stablecoins');
  /** US dollars below which a lending pool cannot be the best offer. */
  readonly leastTvl: number;

  constructor({ leastTvl }: { leastTvl: number }) {
    this.leastTvl = leastTvl;
  }

  /** Takes a reading; a reading older than the current one is ignored. `now` is Unix ms. */
  accept(reading: DefiReading, now: number): void {
    this[reading.figure].take(reading, now);
  }

  /** Marks answers that have become stale. Call it about every second. */
  expire(now: number): void {
    const { lending, lendingTvl, uniswap, raydium, orca, stablecoins } = this;
    for (const one of [lending, lendingTvl, uniswap, raydium, orca, stablecoins]) one.expire(now);
  }
}
