/** Folds the readings of one exchange to one entry per symbol. */

/** The rows that one exchange stated at one time. */
export interface ReadingOf<Row> {
  received: number;
  rows: readonly Row[];
  /** The exchange repeats old numbers. */
  frozen?: true;
  /** Markets whose newest numbers are held back. */
  suspect?: readonly { market: string; symbol: string }[];
  /** The oldest age of its rows that count, ms, where it is another one than that of the topic. */
  maxAge?: number;
}

/** The readings of one exchange, folded. */
export interface Fold<Entry> {
  entries: Map<string, Entry>;
  /** Symbols whose every row is too old, or whose exchange is frozen; of sums those of which a row is missing so. */
  stale: Set<string>;
  /** Markets whose newest numbers are held back, by symbol. */
  suspect: Map<string, string[]>;
  /** When the first of the rows in use becomes too old, Unix ms; infinite without any. */
  until: number;
}

/** USD per unit of each dollar quote. */
export type Rates = ReadonlyMap<string, number>;

/** The fields that every row of a market has. */
export interface MarketRow {
  symbol: string;
  quote: string;
  received?: number;
}

/** Adds one row to its symbol's entry; `rate` is USD per unit of the row's quote, times are Unix ms. */
export type Add<Row, Entry> = (
  entries: Map<string, Entry>,
  row: Row,
  at: { rate: number; received: number; now: number },
) => void;

export interface FoldOptions<Row, Entry> {
  rates: Rates;
  now: number;
  /** Oldest age of a row that counts, ms, where its reading states no other. */
  maxAge: number;
  add: Add<Row, Entry>;
  /** An entry is the sum of its rows. */
  isSum?: true;
}

/** Folds the readings of one exchange with `add`; rows in quotes without a rate are left out. */
export function foldReadings<Row extends MarketRow, Entry>(
  readings: Iterable<ReadingOf<Row>>,
  { rates, now, maxAge, add, isSum }: FoldOptions<Row, Entry>,
): Fold<Entry> {
  const all = [...readings];
  const fold: Fold<Entry> = {
    entries: new Map(),
    stale: new Set(),
    suspect: suspectsOf(all, now - maxAge),
    until: Number.POSITIVE_INFINITY,
  };
  for (const { row, received, maxAge: own = maxAge } of datedRows(all)) {
    const rate = rates.get(row.quote);
    if (rate === undefined) continue;
    if (now - received > own) {
      fold.stale.add(row.symbol);
      continue;
    }
    fold.until = Math.min(fold.until, received + own);
    add(fold.entries, row, { rate, received, now });
  }
  if (!isSum) for (const symbol of fold.entries.keys()) fold.stale.delete(symbol);
  return fold;
}

/** Markets that readings received since then hold back, by symbol. */
function suspectsOf(readings: readonly ReadingOf<MarketRow>[], since: number) {
  const found = new Map<string, string[]>();
  for (const { received, suspect = [] } of readings) {
    if (received < since) continue;
    for (const { market, symbol } of suspect) {
      found.set(symbol, [...(found.get(symbol) ?? []), market]);
    }
  }
  return found;
}

/** Rows with their receive time, Unix ms; 0 for those of a frozen exchange, so that they are too old. `maxAge` as in a reading. */
export function* datedRows<Row extends { received?: number }>(readings: Iterable<ReadingOf<Row>>) {
  for (const { rows, frozen, received, maxAge } of readings) {
    for (const row of rows)
      yield { row, received: frozen ? 0 : (row.received ?? received), maxAge };
  }
}
