/** The last trade and 24 h turnover of one market. */
export interface PriceRow {
  market: string;
  kind: 'spot' | 'perpetual';
  symbol: string;
  quote: string;
  /** Last traded price of one canonical unit, in `quote`. */
  price: number;
  /** Best bid and best ask of one canonical unit, in `quote`; null where the venue's list of tickers lacks them. */
  bid: number | null;
  ask: number | null;
  /** Highest and lowest price of the last 24 h of one canonical unit, in `quote`; null as above. */
  high: number | null;
  low: number | null;
  /** Rolling 24 h volume in canonical base units; null as above. */
  base: number | null;
  /** Rolling 24 h turnover in `quote`; null when the venue does not give one. */
  volume: number | null;
  /** Change of the last price over 24 h, percent; null when the venue does not give it. */
  change: number | null;
  /** The time that the venue states for the ticker; null without one. */
  stated: number | null;
  /** When bid and ask were received, Unix ms, where they came before a streamed price; absent where they are of its time. */
  quoted?: number;
  /** When the row was received, if earlier than `received` of the reading (an older good value that is repeated). */
  received?: number;
  /** Set by the parser, never published: other fields of the row contradict its price. */
  doubt?: 'value' | 'unit';
}
