/** How the answers by symbol of one kind are made. */
import type { Fold, MarketRow, ReadingOf } from '../../indicators/market/fold.ts';
import type { Explanation } from './explanation.ts';

/** A row with the market's id, by which a newer one replaces it. */
export type ListedRow = MarketRow & { market: string };

/** An answer with the rows that it was made of just now. */
export interface Explained<Row, Entry, One> {
  one: One;
  entries: readonly (readonly [exchange: string, Entry])[];
  rows: readonly { exchange: string; row: Row; received: number }[];
}

export interface SymbolViewOptions<Row, Entry, One, Summary> {
  /** Oldest age of a row that counts, ms. */
  maxAge: number;
  fold(readings: Iterable<ReadingOf<Row>>, now: number): Fold<Entry>;
  /** When an entry was heard last, Unix ms, where the answer says so of one that was not for a while (`unheard`). */
  heard?(entry: Entry): number;
  /** `data` of the answer of one symbol at `now`, Unix ms, without the exchanges and markets that are left out. */
  one(symbol: string, entries: [exchange: string, Entry][], now: number): One;
  /** The inputs of the main number of `one`. */
  explain(found: Explained<Row, Entry, One>): Explanation;
  /** The symbol's entry of the map of all; there is at least one entry. */
  summary(symbol: string, entries: readonly [exchange: string, Entry][], now: number): Summary;
}
