/** A dated future, as its exchange states it: prices of one canonical unit, in `quote`. */
export interface FutureRow {
  market: string;
  symbol: string;
  quote: string;
  inverse: boolean;
  /** Unix ms. */
  expiry: number;
  mark: number | null;
  index: number | null;
  /** Open interest, one side: canonical base units, and its value in `quote`. */
  units: number | null;
  value: number | null;
  /** 24 h turnover in `quote`. */
  volume: number | null;
  stated: number | null;
  received?: number;
}
