/** One price level: price of a canonical unit in quote, quantity in canonical base units. */
export interface Level {
  price: number;
  quantity: number;
}

export interface OrderBookParams {
  /** The venue's own instrument id, as the client sent it. */
  market: string;
  /** Which instrument is meant where a venue uses one id for two; the venue's first when absent. */
  kind?: 'spot' | 'perpetual' | undefined;
  depth: number;
}

export interface OrderBook {
  market: string;
  /** Price descending. */
  bids: Level[];
  /** Price ascending. */
  asks: Level[];
  /** When the venue took the snapshot; the time we received it where the venue does not say. */
  timestamp: number;
  /** True where the best bid is at or above the best ask, twice in a row: the venue's two sides are not of one moment. */
  crossed?: true;
}
