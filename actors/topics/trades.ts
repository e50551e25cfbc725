import type { Kind } from './instruments.ts';

export interface RecentTradesParams {
  /** The venue's own instrument id. */
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  /** How many of the newest trades. */
  limit: number;
}

/** One public trade, or several that an exchange states as one: those of one taker order at one price. */
export interface PublicTrade {
  /** The exchange's own; null where it states none. */
  id: string | null;
  timestamp: number;
  /** Of one canonical unit, in the quote of the market. */
  price: number;
  /** Canonical base units. */
  quantity: number;
  /** Whether the taker bought; else the taker sold. */
  bought: boolean;
}

export interface RecentTrades {
  market: string;
  kind: Kind;
  quote: string;
  /** Newest first. */
  trades: PublicTrade[];
  /** When the newest of them was heard, where that is some seconds ago (`unheard`). */
  unheard_since?: number;
  /** `live`: out of the stream of the exchange, which was not asked; the answer to a request when absent. */
  source?: 'live';
}

export interface TradeTapeParams {
  /** As that of `RecentTradesParams`. */
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  /** The tape that the asker knows, and the number of the next entry; null for all that is kept. */
  after: { began: number; next: number } | null;
}

/** What the stream of a market has brought, oldest first. */
export interface TradeTapeReply {
  quote: string;
  /** Tells the tape from those of other processes, Unix ms. */
  began: number;
  /** Number of the first entry. */
  first: number;
  /** Null for a hole: before the next trade others may be missing. */
  entries: (PublicTrade | null)[];
}
