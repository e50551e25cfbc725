import type { Level } from './order-book.ts';

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
