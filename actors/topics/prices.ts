/** The last trade and 24 h turnover of one market. */
export interface PriceRow {
  market: string;
  kind: 'spot' | 'perpetual';
  symbol: string;
  quote: string;
  /** Last traded price of one canonical unit, in `quote`. */
  price: number;
  /** Rolling 24 h turnover in `quote`; null when the venue does not give one. */
  volume: number | null;
  /** Change of the last price over 24 h, percent; null when the venue does not give it. */
  change: number | null;
  /** When the venue says that the ticker was true; null when it does not say. */
  stated: number | null;
  /** When the row was received, if earlier than `received` of the reading (an older good value that is repeated). */
  received?: number;
  /**
   * Set by the parser, never published: other fields of the row contradict its price (`value`), or its turnover, which
   * is null then (`turnover`).
   */
  doubt?: 'value' | 'unit' | 'turnover';
}
