/** Dated futures of every exchange, beside the perpetuals of the same asset. */
import { type FutureRow, type Reading, topics } from '../../actors/topics/index.ts';
import { type Basis, basisOf } from '../../indicators/derivatives/basis.ts';
import type { Perpetual } from '../../indicators/derivatives/perpetuals.ts';
import type { Rates } from '../../indicators/market/fold.ts';
import type { PerpetualsView } from './perpetuals.ts';

/** A contract of the term structure; `expiry` is null for a perpetual. Prices are of one canonical unit, in `quote`. */
export interface TermContract extends Basis {
  exchange: string;
  contract: string;
  quote: string;
  inverse: boolean | null;
  /** Unix ms. */
  expiry: number | null;
  mark: number;
  index: number | null;
  open_interest_usd: number | null;
  volume_24h_usd: number | null;
  /** When it was received, Unix ms. */
  received: number;
}

/** What a contract states, with its value and turnover in `quote`. */
interface Stated extends Pick<TermContract, 'exchange' | 'contract' | 'quote' | 'inverse'> {
  expiry: number | null;
  mark: number | null;
  index: number | null;
  value: number | null;
  volume: number | null;
  received: number;
}

const perpetual = (exchange: string, row: Perpetual): Stated => ({
  exchange,
  contract: row.contract,
  quote: row.quote,
  inverse: row.inverse,
  expiry: null,
  mark: row.mark,
  index: row.index,
  value: row.value,
  volume: row.volume,
  received: row.received,
});

const future = (row: FutureRow, { source, received }: Reading<FutureRow>): Stated => ({
  exchange: source,
  contract: row.market,
  quote: row.quote,
  inverse: row.inverse,
  expiry: row.expiry,
  mark: row.mark,
  index: row.index,
  value: row.value,
  volume: row.volume,
  received: row.received ?? received,
});

/** Perpetuals first, then the contracts that expire soonest; of equal ones by exchange and contract. */
const inOrder = (a: TermContract, b: TermContract): number =>
  (a.expiry ?? 0) - (b.expiry ?? 0) || (a.exchange + a.contract < b.exchange + b.contract ? -1 : 1);

/** The view. Its answers are those of the perpetuals too, so that they have one source, whose keys are symbols. */
export class FuturesView {
  readonly #perpetuals: Pick<PerpetualsView, 'source' | 'ofSymbol' | 'isEmpty'>;
  readonly #rates: () => Rates;
  readonly #readings = new Map<string, Reading<FutureRow>>();
  #now = 0;

  constructor(
    perpetuals: Pick<PerpetualsView, 'source' | 'ofSymbol' | 'isEmpty'>,
    prices: { rates(): Rates },
  ) {
    this.#perpetuals = perpetuals;
    this.#rates = () => prices.rates();
  }

  get source(): PerpetualsView['source'] {
    return this.#perpetuals.source;
  }

  /** Takes a reading; one older than the current one of its part is ignored. `now` is Unix ms. */
  accept(reading: Reading<FutureRow>, now: number): void {
    this.#now = now;
    const key = `${reading.source}/${reading.part}`;
    const before = this.#readings.get(key);
    if ((before?.received ?? 0) > reading.received) return;
    this.#readings.set(key, reading);
    const rows = [...(before?.rows ?? []), ...reading.rows];
    this.source.change(new Set(rows.map(({ symbol }) => symbol)));
  }

  /** Tells it the time, Unix ms: about every second. */
  expire(now: number): void {
    this.#now = now;
  }

  /** Whether nothing is known of any contract. */
  isEmpty(): boolean {
    return this.#readings.size === 0 && this.#perpetuals.isEmpty();
  }

  /**
   * Every contract on an asset (in upper case) whose mark price is known: perpetuals, and futures that have not expired and were
   * heard of within ten minutes.
   */
  termStructure(symbol: string): TermContract[] {
    const now = this.#now;
    const rates = this.#rates();
    return [...this.#stated(symbol, now)]
      .flatMap(({ value, volume, mark, ...one }): TermContract[] => {
        if (mark === null) return [];
        const dollars = rates.get(one.quote) ?? null;
        const worth = (amount: number | null) =>
          amount === null || dollars === null ? null : amount * dollars;
        return [
          {
            ...one,
            mark,
            ...basisOf({ mark, index: one.index, expiry: one.expiry }, now),
            open_interest_usd: worth(value),
            volume_24h_usd: worth(volume),
          },
        ];
      })
      .sort(inOrder);
  }

  *#stated(symbol: string, now: number): Iterable<Stated> {
    for (const [id, row] of this.#perpetuals.ofSymbol(symbol)) yield perpetual(id, row);
    for (const reading of this.#readings.values()) {
      for (const row of reading.rows) {
        if (row.symbol !== symbol || row.expiry <= now) continue;
        const one = future(row, reading);
        if (now - one.received <= topics.futures.maxAge) yield one;
      }
    }
  }
}
