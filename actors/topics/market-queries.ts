/** Questions about one market, and the replies to them. */
import type { Candle } from '../../indicators/market/candles.ts';
import type { Interval } from '../../indicators/market/intervals.ts';
import type { SeriesParams } from './analytics.ts';
import type { Kind } from './instruments.ts';

export type { Candle };

export interface CandleParams {
  /** The venue's own instrument id. */
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  interval: Interval;
  /** How many candles that open from `from` to `to` (Unix ms, inclusive): with `from` the oldest, else the newest. */
  limit: number;
  from?: number | undefined;
  to?: number | undefined;
}

export interface Candles {
  market: string;
  kind: Kind | null;
  quote: string | null;
  /** Ascending by time, one per open time. */
  candles: Candle[];
  received: number;
  /** With `from`: no later candles than this time, Unix ms, were looked for; absent where there are no more in the range. */
  reached?: number;
  /** So many were asked for: fewer are all that there are. Only on the page that a reply is cut from. */
  asked?: number;
}

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

export interface BestQuotesParams {
  kind: 'spot' | 'perpetual';
}

/** Best bid and ask of a market, of one message: prices and quantities as the exchange writes them. */
export interface BestQuotes {
  /** The exchange's own id. */
  market: string;
  bid: readonly [price: string, quantity: string];
  ask: readonly [price: string, quantity: string];
  /** When they were so, Unix ms; null where it is not stated. */
  stated: number | null;
}

/** Candles of the price by which a perpetual is valued, or of that of its index. */
export interface PriceCandleParams extends SeriesParams {
  of: 'mark' | 'index';
}

/** Prices of one canonical unit, in quote. */
export interface PriceCandle {
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
}
