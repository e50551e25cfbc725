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
}
