/** The rows of exchanges, and the readings that they come in. Times are Unix ms. */

/** A market whose newest number is held back, since nothing confirms it: its last good row stands, if there is one. */
export interface Suspect {
  market: string;
  symbol: string;
}

/** The rows of one request group of one source at one time. */
export interface Reading<Row> {
  source: string;
  /** The request group within the source, such as `spot` or `linear`; each is polled and fails by itself. */
  part: string;
  asked: number;
  received: number;
  rows: Row[];
  /** The venue repeats outdated values: shown, and left out of every aggregate. */
  frozen?: true;
  /** Markets whose newest numbers are held back; absent when there are none. */
  suspect?: readonly Suspect[];
  /**
   * The longest age of its rows in use, ms, where the plan of its polls needs a longer one than the topic has: an exchange that
   * answers for one market at a time may need more time to ask all of them.
   */
  maxAge?: number;
}

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
