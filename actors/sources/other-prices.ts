/** Prices of an asset on all sources: the second opinion on a price that jumped. */
import { type PriceRow, type Reading, topics } from '../topics/index.ts';

/** The last price reading of every source and part. */
export class OtherPrices {
  readonly #readings = new Map<string, Reading<PriceRow>>();

  /** Takes a published reading; it replaces the one before it of the same part. */
  accept(reading: Reading<PriceRow>): void {
    this.#readings.set(`${reading.source}/${reading.part}`, reading);
  }

  /** A source's own last prices of these markets, each young enough for the topic; a frozen part has none. */
  own(
    markets: ReadonlySet<string>,
    { source, now }: { source: string; now: number },
  ): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const reading of this.#readings.values()) {
      if (reading.source !== source || reading.frozen) continue;
      for (const row of reading.rows) {
        const isYoung = now - (row.received ?? reading.received) <= topics.prices.maxAge;
        if (isYoung && markets.has(row.market)) found.set(row.market, row.price);
      }
    }
    return found;
  }

  /**
   * Prices of each of the assets in every dollar market of all other sources, in US dollars to within the rate of the
   * quote. Frozen readings and rows older than the topic allows are left out. One pass over all rows.
   */
  of(
    symbols: ReadonlySet<string>,
    { source, now }: { source: string; now: number },
  ): ReadonlyMap<string, readonly number[]> {
    const found = new Map<string, number[]>([...symbols].map((symbol) => [symbol, []]));
    for (const reading of this.#readings.values()) {
      if (reading.source === source || reading.frozen) continue;
      for (const row of reading.rows) {
        if (now - (row.received ?? reading.received) > topics.prices.maxAge) continue;
        found.get(row.symbol)?.push(row.price);
      }
    }
    return found;
  }
}
