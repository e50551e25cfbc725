/** Open interest of one market, one side counted. */
export interface OpenInterestRow {
  market: string;
  symbol: string;
  quote: string;
  /** Canonical base units; null where only the value is known and there is no price to divide it by. */
  units: number | null;
  /** Value in `quote`. */
  value: number;
  /** The price of the conversion: the mark price, or the venue's own; null where both were given. */
  mark: number | null;
  stated: number | null;
  received?: number;
  /** Set by the parser, never published: other fields of the row contradict its value, by more than 30 % or by a wrong unit. */
  doubt?: 'value' | 'unit';
}
