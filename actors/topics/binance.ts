/** What is asked of Binance alone, for those who read it in its own form. */
import type { SeriesParams } from './analytics.ts';

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
