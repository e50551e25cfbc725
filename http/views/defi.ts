import { defiStaleAfter, isOf } from '../../actors/topics/defi-lists.ts';
import type { DefiFigure, DefiReading, DefiRows } from '../../actors/topics/index.ts';
import {
  lendingOverview,
  lendingRates,
  lendingTvl,
  poolList,
  stablecoinList,
} from '../../indicators/defi/pools.ts';
import { jsonText } from '../answers/json.ts';
import { withoutQuery } from '../answers/source.ts';
import { Document } from './published.ts';

/** An answer with the age of its rows. */
type Aged<T> = T & { updated_at: number; stale?: true };

/** The last rows of one name, and the answers that are made of them. */
class Rows<F extends DefiFigure> {
  readonly #name: F;
  readonly #document: Document<DefiReading<F>>;

  constructor(name: F) {
    const staleAfter = defiStaleAfter[name];
    this.#name = name;
    this.#document = new Document(({ received }) => ({ received, staleAfter }));
  }

  accept(reading: DefiReading, now: number): void {
    if (isOf(reading, this.#name)) this.#document.accept(reading, now);
  }

  expire(now: number): void {
    this.#document.expire(now);
  }

  /** Declares the answer of a list: its first `limit` rows, and their age. */
  list<T extends object>(fold: (rows: readonly DefiRows[F][], limit: number) => T) {
    return this.#answers<number, T>((limit) => limit, fold);
  }

  /** Declares an answer of all rows. */
  answer<T extends object>(fold: (rows: readonly DefiRows[F][]) => T) {
    return withoutQuery(this.#answers<unknown, T>(() => '', fold));
  }

  #answers<Q, T extends object>(
    variantOf: (query: Q) => string | number,
    fold: (rows: readonly DefiRows[F][], query: Q) => T,
  ) {
    const build = ({ rows, received }: DefiReading<F>, query: Q, stale: boolean) =>
      jsonText<Aged<T>>({ ...fold(rows, query), updated_at: received, ...(stale && { stale }) });
    return this.#document.answers<Q, Aged<T>, never>(variantOf, build);
  }
}

export interface DefiViewOptions {
  /** US dollars below which a lending pool cannot be the best offer. */
  leastTvl: number;
}

/** The answers of the pool lists, of `/v2/defi/stablecoins` and of `/v1/lending/*` (specification 2.7, 2.8, 2.10 to 2.13). */
export class DefiView {
  readonly #rows = {
    lending: new Rows('lending'),
    lendingTvl: new Rows('lendingTvl'),
    uniswap: new Rows('uniswap'),
    raydium: new Rows('raydium'),
    orca: new Rows('orca'),
    stablecoins: new Rows('stablecoins'),
  };
  readonly #leastTvl: number;

  /** The first `limit` pools, which has been checked against `listLimits`. */
  readonly uniswap = this.#rows.uniswap.list(poolList<DefiRows['uniswap']>);
  readonly raydium = this.#rows.raydium.list(poolList<DefiRows['raydium']>);
  readonly orca = this.#rows.orca.list(poolList<DefiRows['orca']>);
  readonly stablecoins = this.#rows.stablecoins.answer(stablecoinList);
  readonly rates = this.#rows.lending.answer(lendingRates);
  readonly tvl = this.#rows.lendingTvl.answer(lendingTvl);
  readonly overview = this.#rows.lending.answer((rows) => lendingOverview(rows, this.#leastTvl));

  constructor({ leastTvl }: DefiViewOptions) {
    this.#leastTvl = leastTvl;
  }

  /** Takes a reading; a reading older than the current one is ignored. `now` is Unix ms. */
  accept(reading: DefiReading, now: number): void {
    this.#rows[reading.figure].accept(reading, now);
  }

  /** Marks answers that have become stale. Call it about every second. */
  expire(now: number): void {
    for (const rows of Object.values(this.#rows)) rows.expire(now);
  }
}
