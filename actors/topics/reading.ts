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
