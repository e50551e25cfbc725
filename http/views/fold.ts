/** Folding the readings of one exchange to one entry per symbol; the part that all views by symbol share. */
import type { PriceRow, Reading } from '../../actors/topics.ts';
import { dollarQuotes } from '../../config/quotes.ts';

/** One exchange's readings, folded. */
export interface Fold<Entry> {
  entries: Map<string, Entry>;
  /** Symbols whose every row is too old, or whose exchange is frozen. */
  stale: Set<string>;
  /** Receive time of the oldest row in use: the fold holds until that row is too old. */
  oldest: number;
}

/** USD per unit of each dollar quote. */
export type Rates = ReadonlyMap<string, number>;

/** What every row of a market has. */
export interface MarketRow {
  symbol: string;
  quote: string;
  received?: number;
}

/** Adds one row to its symbol's entry; `rate` is USD per unit of the row's quote. */
export type Add<Row, Entry> = (
  entries: Map<string, Entry>,
  row: Row,
  at: { rate: number; received: number },
) => void;

export interface FoldOptions<Row, Entry> {
  rates: Rates;
  now: number;
  /** Oldest age of a row that counts, ms. */
  maxAge: number;
  add: Add<Row, Entry>;
}

/** Folds the readings of one exchange with `add`; rows in quotes without a rate are left out. */
export function foldVenue<Row extends MarketRow, Entry>(
  readings: Iterable<Reading<Row>>,
  { rates, now, maxAge, add }: FoldOptions<Row, Entry>,
): Fold<Entry> {
  const fold: Fold<Entry> = { entries: new Map(), stale: new Set(), oldest: now };
  for (const { row, received } of datedRows(readings)) {
    const rate = rates.get(row.quote);
    if (rate === undefined) continue;
    if (now - received > maxAge) {
      fold.stale.add(row.symbol);
      continue;
    }
    fold.oldest = Math.min(fold.oldest, received);
    add(fold.entries, row, { rate, received });
  }
  for (const symbol of fold.entries.keys()) fold.stale.delete(symbol);
  return fold;
}

/** What a frozen exchange says is as old as can be. */
function* datedRows<Row extends MarketRow>(readings: Iterable<Reading<Row>>) {
  for (const reading of readings) {
    for (const row of reading.rows) {
      yield { row, received: reading.frozen ? 0 : (row.received ?? reading.received) };
    }
  }
}

/** The USD prices of stablecoins among the rows: spot markets of a dollar quote against USD itself. */
export function statedRates(rows: readonly PriceRow[]): Map<string, number> {
  const rates = new Map<string, number>();
  for (const row of rows) {
    if (row.quote === 'USD' && row.kind === 'spot' && dollarQuotes.has(row.symbol)) {
      rates.set(row.symbol, row.price);
    }
  }
  return rates;
}
