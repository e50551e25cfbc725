/** The documents of the market indicators. Times are Unix ms. */
import type { IndicatorName } from './indicator-names.ts';
import type { IndicatorFields, IndicatorRow } from './indicators/table.ts';

/** A point of the chart of any indicator; `provisional` for one whose day or hour is not over. */
export interface HistoryRow extends Readonly<Record<string, unknown>> {
  timestamp: number;
  provisional?: true;
}

/** A number that an indicator is made of and that its fields do not have. */
export interface IndicatorInput {
  /** The row of the answer that it belongs to; absent where it belongs to the main number. */
  of?: string;
  /** Exchange or coin. */
  name: string;
  value: number;
  /** Of a ratio: above its line or below it. */
  side?: 'above' | 'below';
}

/** Values of the days that follow each other from `from` (Unix ms of a day) on; null on days without one. */
export interface InputDays {
  /** The row of the answer that they belong to; absent where they belong to all. */
  of?: string;
  name: string;
  unit: string;
  from: number;
  values: readonly (number | null)[];
}

/** The current value of any indicator; its key on the topic is the name, with `/BTC` for a symbol behind it. */
export interface IndicatorReading {
  name: IndicatorName;
  /** Its own fields, in their order; null while there is too little history. */
  fields: Readonly<Record<string, unknown>> | null;
  /** With `fields` null: the input that is too short, the days that are needed and those there are. */
  lacks: { what: string; needs: number; has: number } | null;
  /** The source of the inputs. */
  source: string | string[];
  /** Time of the newest input, as its source states it where it does. */
  updated_at: number;
  /** When the newest input was received. */
  received_at: number;
  /** Age of `received_at` from which the answer is stale: three times the cadence. */
  stale_after: number;
  /** The last point of the chart, for the day or hour that still runs; null without one. */
  live: HistoryRow | null;
  /** What its main number is made of, where the fields do not say it. */
  inputs?: readonly IndicatorInput[];
}

/** The chart of any indicator, on its own topic because it changes seldom; keys are those of the readings. */
export interface IndicatorHistory {
  name: IndicatorName;
  /** Ascending; 5,000 at most. */
  rows: readonly HistoryRow[];
  /** Since when this service has recorded the series itself; null where the sources give it whole. */
  recorded_from: number | null;
  /** Days that the main number is made of, up to the last one that is over. */
  days?: readonly InputDays[];
}

/** The current value of one indicator, typed by its schema, as a job publishes it. */
export interface IndicatorDocument<N extends IndicatorName> extends IndicatorReading {
  name: N;
  fields: IndicatorFields<N> | null;
  live: IndicatorRow<N> | null;
}

/** The chart of one indicator, typed by its schema. */
export interface IndicatorChart<N extends IndicatorName> extends IndicatorHistory {
  name: N;
  rows: readonly IndicatorRow<N>[];
}

/** Most points of a chart that a client can ask for. */
export const mostHistory = 5_000;

/** A series that a job stores for itself over restarts, by its key on the topic. */
export interface Series {
  /** Columns of equal length by name: times, numbers, words. */
  columns: Readonly<Record<string, readonly (number | string | null)[]>>;
  /** When it was last written. */
  at: number;
}

/** Margin of one symbol of Bitfinex, asked on demand. */
export interface MarginParams {
  /** Base asset in upper case. */
  symbol: string;
}
export interface MarginReply {
  reading: IndicatorDocument<'bitfinex-margin'>;
  history: IndicatorChart<'bitfinex-margin'>;
}
