import type { Band } from '../../indicators/order-book/bands.ts';
import type { Level } from '../../indicators/order-book/book.ts';
import type { LargeOrder } from '../../indicators/order-book/large-orders.ts';
import type { Liquidity } from '../../indicators/order-book/liquidity.ts';

export type { Level };

export interface OrderBookParams {
  /** The venue's own instrument id, as the client sent it. */
  market: string;
  /** Which instrument is meant where a venue uses one id for two; the venue's first when absent. */
  kind?: 'spot' | 'perpetual' | undefined;
  depth: number;
}

/** The same without a depth: as many levels as the venue gives. */
export type FullBookParams = Omit<OrderBookParams, 'depth'>;

export interface OrderBook {
  market: string;
  /** Price descending. */
  bids: Level[];
  /** Price ascending. */
  asks: Level[];
  /** When the venue took the snapshot; the time of receipt where the venue states none. */
  timestamp: number;
  /** From a live book; absent where the venue was asked. */
  source?: 'live';
  /** When it was heard last, where that is some seconds ago (`unheard`). */
  unheard_since?: number;
  /** Number of its last change, where the venue has any. */
  sequence?: number;
  /** True where the best bid is at or above the best ask, twice in a row: the venue's two sides are not of one moment. */
  crossed?: true;
  /** True where its middle is far from all prices of the asset (`bookGuard`). */
  suspect?: true;
}

/** Sums of the order book of a tracked asset at one exchange. US dollars: quotes count as one each. */
export interface BookSample {
  /** The exchange's own id of the market: the most traded one of the asset. */
  market: string;
  symbol: string;
  mid: number;
  /** In the order of `bandRanges`. */
  bands: readonly Band[];
  /** US dollars by distance from `mid`, as `Buckets` has them. */
  bids: readonly number[];
  asks: readonly number[];
  /** How far the book reaches from `mid`, percent. */
  reach: number;
  /** Absent in samples of processes that did not make it yet. */
  liquidity?: Liquidity;
  /** Unix ms. */
  received: number;
}

/** A large order of a tracked asset at one exchange. */
export interface LargeOrderRow extends LargeOrder {
  market: string;
  symbol: string;
}

export interface DepthParams {
  /** The venue's own instrument id. */
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  /** Most levels a side. */
  limit: number;
}

/** A whole order book, cut to `limit` levels a side, with the value near its middle. */
export interface Depth {
  market: string;
  /** Price descending. */
  bids: Level[];
  /** Price ascending. */
  asks: Level[];
  /** Value within 1 % of the mid price in quote, over all levels of a side. */
  bidsNear: number;
  asksNear: number;
  /** When the venue took the snapshot, Unix ms; the time of receipt where it states none. */
  timestamp: number;
  /** True where its middle is far from all prices of the asset (`bookGuard`). */
  suspect?: true;
}
