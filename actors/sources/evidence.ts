/** The evidence that the prices and the open interest of one venue are checked against. */
import type { Clock } from '../kernel/clock.ts';
import type { DerivativeRow, OpenInterestRow, PriceRow } from '../topics/index.ts';
import type { OtherPrices } from './other-prices.ts';
import type { Evidence } from './suspects.ts';

/** Age, ms, beyond which mark and index prices are no evidence about a price. */
const markAge = 120_000;

const none: ReadonlyMap<string, readonly number[]> = new Map();

/** Mark and index prices of a venue's perpetuals from its last polls, and the checks that use them. */
export class VenueEvidence {
  readonly #source: string;
  readonly #clock: Clock;
  readonly #others: OtherPrices;
  readonly #marks = new Map<string, { mark: number | null; index: number | null; at: number }>();

  constructor(source: string, { clock, others }: { clock: Clock; others: OtherPrices }) {
    this.#source = source;
    this.#clock = clock;
    this.#others = others;
  }

  /** Takes the rows of a poll of the topic `derivatives`. */
  observe(rows: readonly DerivativeRow[]): void {
    const now = this.#clock.now();
    for (const { market, mark, index, received = now } of rows) {
      this.#marks.set(market, { mark, index, at: received });
    }
    for (const [market, { at }] of this.#marks) {
      if (now - at > markAge) this.#marks.delete(market);
    }
  }

  /** A price is held against the other sources' of the asset, and against its own mark and index price. */
  readonly prices: Evidence<PriceRow> = {
    value: ({ price }) => price,
    beside: ({ volume }) => volume,
    others: (symbols) => this.#others.of(symbols, { source: this.#source, now: this.#clock.now() }),
    own: ({ market, kind }) => (kind === 'perpetual' ? this.#marksOf(market) : []),
  };

  /** The value of an open interest is held against its units at the market's mark or index price. */
  readonly openInterest: Evidence<OpenInterestRow> = {
    value: ({ value }) => value,
    beside: ({ units }) => units,
    others: () => none,
    own: ({ market, units }) =>
      units === null ? [] : this.#marksOf(market).map((mark) => units * mark),
  };

  #marksOf(market: string): number[] {
    const known = this.#marks.get(market);
    if (!known || this.#clock.now() - known.at > markAge) return [];
    return [known.mark, known.index].filter((price) => price !== null);
  }
}
