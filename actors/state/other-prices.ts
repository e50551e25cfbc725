/** Last prices of markets and assets: the second opinion on a price that jumped, and on an order book. */
import { type PriceRow, type Reading, topics } from '../topics/index.ts';
import { type NewestRows, oncePerReading } from './newest-rows.ts';

/** Who asks, and when: Unix ms. */
interface Asker {
  source: string;
  now: number;
}

/** The rows of a reading by the market that they are about. */
export const pricesByMarket = oncePerReading(
  (rows: readonly PriceRow[]) => new Map(rows.map((row) => [row.market, row])),
);
const bySymbol = oncePerReading((rows: readonly PriceRow[]) =>
  Map.groupBy(rows, (row) => row.symbol),
);

/** Whether a row is young enough for the topic. */
const isYoung = (row: PriceRow, { received }: Reading<PriceRow>, now: number): boolean =>
  now - (row.received ?? received) <= topics.prices.maxAge;

/** A source's own last price of a market, young enough for the topic; null without one, and where its part is frozen. */
export function ownPrice(
  newest: NewestRows,
  market: string,
  { source, now }: Asker,
): number | null {
  for (const reading of newest.of('prices', source)) {
    if (reading.frozen) continue;
    const row = pricesByMarket(reading).get(market);
    if (row && isYoung(row, reading, now)) return row.price;
  }
  return null;
}

/** Prices of each of the assets in readings, in one pass; those of frozen ones and rows older than the topic allows are left out. */
export function pricesIn(
  readings: readonly Reading<PriceRow>[],
  symbols: ReadonlySet<string>,
  now: number,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const reading of readings.filter(({ frozen }) => !frozen)) {
    for (const row of reading.rows) {
      if (!symbols.has(row.symbol) || !isYoung(row, reading, now)) continue;
      const known = found.get(row.symbol);
      if (known) known.push(row.price);
      else found.set(row.symbol, [row.price]);
    }
  }
  return found;
}

/** The prices of an asset at all sources but the one that asks, in US dollars to within the rate of the quote; as of `pricesIn`. */
export const otherPrices = (
  newest: NewestRows,
  symbol: string,
  { source, now }: Asker,
): readonly number[] =>
  newest
    .all('prices')
    .filter((reading) => reading.source !== source && !reading.frozen)
    .flatMap((reading) =>
      (bySymbol(reading).get(symbol) ?? []).flatMap((row) =>
        isYoung(row, reading, now) ? row.price : [],
      ),
    );
