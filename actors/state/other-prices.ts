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

/** Prices of each of the assets in the dollar markets of readings; those of frozen ones and rows older than the topic allows are left out. */
export function pricesIn(
  readings: readonly Reading<PriceRow>[],
  symbols: Iterable<string>,
  now: number,
): ReadonlyMap<string, readonly number[]> {
  const living = readings.filter(({ frozen }) => !frozen);
  const pricesOf = (symbol: string) =>
    living.flatMap((reading) =>
      (bySymbol(reading).get(symbol) ?? [])
        .filter((row) => isYoung(row, reading, now))
        .map(({ price }) => price),
    );
  return new Map([...symbols].map((symbol) => [symbol, pricesOf(symbol)]));
}

/** The prices of each of the assets at all sources but the one that asks, in US dollars to within the rate of the quote. */
export const otherPrices = (
  newest: NewestRows,
  symbols: ReadonlySet<string>,
  { source, now }: Asker,
): ReadonlyMap<string, readonly number[]> =>
  pricesIn(
    newest.all('prices').filter((reading) => reading.source !== source),
    symbols,
    now,
  );
