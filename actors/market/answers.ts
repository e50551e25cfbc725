/** What the desks of the market indicators tell the front: answers that need no more computing. Times are Unix ms. */

/** The path segments of specification 4.9. */
export const indicatorNames = [
  'fear-greed',
  'altcoin-season',
  'bitcoin-dominance',
  'stablecoin-mcap',
  'bitcoin-correlations',
  'options-futures-oi-ratio',
  'futures-spot-volume-ratio',
  'ahr999',
  'puell-multiple',
  'stock-to-flow',
  'pi-cycle',
  'rainbow-chart',
  'exchange-transparency',
  'borrow-interest-rate',
  'borrow-rates',
  'bitfinex-margin',
] as const;
export type IndicatorName = (typeof indicatorNames)[number];

/** One point of a chart; `provisional` for one whose day is not over. */
export interface HistoryRow extends Readonly<Record<string, unknown>> {
  timestamp: number;
  provisional?: true;
}

/** What the current value of one endpoint is; its key on the topic is the name, with `/BTC` for a symbol behind it. */
export interface IndicatorReading {
  name: IndicatorName;
  /** The fields of the answer that are the indicator's own, in their order; null where there is too little history. */
  fields: Readonly<Record<string, unknown>> | null;
  /** With `fields` null: what is too little, how many days it needs and how many there are. */
  lacks: { what: string; needs: number; has: number } | null;
  /** Who gave the inputs. */
  source: string | string[];
  /** Time of the newest input, as its source states it where it does. */
  updated_at: number;
  /** When the newest input was received. */
  received_at: number;
  /** Age of `received_at` from which the answer is stale: three times the cadence. */
  stale_after: number;
  /** A last point of the chart for the day or hour that still runs; null without one. */
  live: HistoryRow | null;
}

/** The chart of one endpoint, on its own topic because it changes seldom; keys are those of the readings. */
export interface IndicatorHistory {
  name: IndicatorName;
  /** Ascending; 5,000 at most. */
  rows: HistoryRow[];
  /** Since when this service has recorded the series itself; null where the sources give it whole. */
  recorded_from: number | null;
}

/** Most points of a chart that a client can ask for. */
export const mostHistory = 5_000;

/** A series that a desk keeps for itself over restarts, by its key on the topic. */
export interface Series {
  /** Columns of equal length by name: times, numbers, words. */
  columns: Readonly<Record<string, readonly (number | string | null)[]>>;
  /** When it was last written. */
  at: number;
}

/** Margin of one symbol of Bitfinex, asked on demand. */
export interface MarginRequest {
  /** Base asset in upper case. */
  symbol: string;
}
export interface MarginReply {
  reading: IndicatorReading;
  history: IndicatorHistory;
}
