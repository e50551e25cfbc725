/** What is told of recordings: their days, and pages of recorded trades. */

/** The recordings of an exchange of one day. */
export interface RecordedDay {
  exchange: string;
  /** UTC, such as `2026-11-29`. */
  day: string;
  /** Start of the first file, and the last write; Unix ms. */
  from: number;
  to: number;
  files: number;
  bytes: number;
  types: string[];
  /** Assets whose messages are recorded; all when empty. */
  symbols: string[];
  /** Files that do not continue the one before them. */
  gaps: number;
}

/** Prices of one canonical unit, quantities in canonical base units. */
interface RecordedTrade {
  id: string | null;
  /** When it was traded, Unix ms, and received, Unix microseconds. */
  timestamp: number;
  received: number;
  side: 'buy' | 'sell';
  price: number;
  quantity: number;
  /** The stream had missed it: it was asked for afterwards. */
  recovered: boolean;
}

/** A question for the trades of a market; Unix ms, `to` is not included. */
export interface TradeQuestion {
  exchange: string;
  /** Id of the market, in any letter case. */
  market: string;
  /** Of its markets with this id; the one in the first part of the exchange when absent. */
  kind?: 'spot' | 'perpetual' | undefined;
  from: number;
  to: number;
  limit: number;
  /** The `next` of the page before. */
  cursor: string | null;
}

/** Trades that were recorded, oldest first. */
export interface TradePage {
  trades: RecordedTrade[];
  /** Before the trades after these times (Unix ms) others may be missing. */
  gaps: number[];
  /** Where the next page begins; null after the last one. */
  next: string | null;
}
