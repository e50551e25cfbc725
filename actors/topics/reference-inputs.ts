/** What the reference rate weighs a market by: its largest dollar spot market on one exchange, over the last 60 minutes. */
export interface ReferenceInput {
  /** The exchange's own id. */
  market: string;
  symbol: string;
  /** Base units that were traded in 60 minutes that are over. */
  volume: number;
  /** Variance of the logarithmic returns from one to the next of their closes. */
  variance: number;
  /** End of the last of the minutes, Unix ms. */
  through: number;
}
