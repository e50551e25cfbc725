/** Prices of an asset on all sources: the second opinion on a price that jumped, and on an order book. */
import { type PriceRow, type Reading, topics } from '../topics/index.ts';

/** A reading whose rows are found by market and by symbol. */
class IndexedPrices {
  readonly reading: Reading<PriceRow>;
  #byMarket: ReadonlyMap<string, PriceRow> | undefined;
  #bySymbol: ReadonlyMap<string, readonly PriceRow[]> | undefined;

  constructor(reading: Reading<PriceRow>) {
    this.reading = reading;
  }

  ofMarket(market: string): PriceRow | undefined {
    this.#byMarket ??= new Map(this.reading.rows.map((row) => [row.market, row]));
    return this.#byMarket.get(market);
  }

  /** Prices of an asset that are young enough for the topic. */
  young(symbol: string, now: number): number[] {
    this.#bySymbol ??= Map.groupBy(this.reading.rows, (row) => row.symbol);
    const rows = this.#bySymbol.get(symbol) ?? [];
    return rows.filter((row) => this.isYoung(row, now)).map(({ price }) => price);
  }

  /** Whether a row is young enough for the topic. */
  isYoung(row: PriceRow, now: number): boolean {
    return now - (row.received ?? this.reading.received) <= topics.prices.maxAge;
  }
}

/** Who asks, and when: Unix ms. */
interface Asker {
  source: string;
  now: number;
}

/** The last price reading of every source and part. */
export class OtherPrices {
  readonly #readings = new Map<string, IndexedPrices>();

  /** Takes a published reading; it replaces the one before it of the same part. */
  accept(reading: Reading<PriceRow>): void {
    this.#readings.set(`${reading.source}/${reading.part}`, new IndexedPrices(reading));
  }

  /** The source's own last price of a market, young enough for the topic; null without one, and where its part is frozen. */
  own(market: string, { source, now }: Asker): number | null {
    for (const known of this.#readings.values()) {
      if (known.reading.source !== source || known.reading.frozen) continue;
      const row = known.ofMarket(market);
      if (row && known.isYoung(row, now)) return row.price;
    }
    return null;
  }

  /**
   * Prices of each of the assets in every dollar market of all other sources, in US dollars to within the rate of the
   * quote. Frozen readings and rows older than the topic allows are left out.
   */
  of(symbols: ReadonlySet<string>, { source, now }: Asker): ReadonlyMap<string, readonly number[]> {
    const found = new Map<string, number[]>();
    const elsewhere = [...this.#readings.values()].filter(
      ({ reading }) => reading.source !== source && !reading.frozen,
    );
    for (const symbol of symbols)
      found.set(
        symbol,
        elsewhere.flatMap((known) => known.young(symbol, now)),
      );
    return found;
  }
}
