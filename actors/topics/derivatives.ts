/** The data of a perpetual besides its price. */
export interface DerivativeRow {
  market: string;
  symbol: string;
  quote: string;
  /** Mark and index price of one canonical unit, in `quote`. */
  mark: number | null;
  index: number | null;
  /** As the venue states it: a fraction per `funding_hours`; longs pay shorts when positive. */
  funding_rate: number | null;
  funding_hours: number | null;
  /** The same per 8 hours: rate x 8 / hours. Null where the hours are not known. */
  funding_rate_8h: number | null;
  /** When the rate above is charged. */
  next_funding: number | null;
  /** The rate that the venue expects for the interval after the running one, a fraction per `funding_hours`; absent where it states none. */
  predicted_rate?: number;
  /** Price impact against the index as the venue states it, a fraction; absent where it states none. */
  premium?: number;
  stated: number | null;
  received?: number;
}
