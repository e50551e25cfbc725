/** Requests and replies between the front and the compute processes. */

import type { Interval } from '../../indicators/market/intervals.ts';
import type { CandleParams } from './market-queries.ts';

export interface IndicatorsParams {
  /** A spot market of Binance, in upper case. */
  symbol: string;
  interval: Interval;
}
/** The set of specification 2.14, of the last closed candle; prices in quote, `rsi` from 0 to 100. */
export interface IndicatorValues {
  rsi: number;
  macd: { value: number; signal: number; histogram: number };
  bollinger: { upper: number; middle: number; lower: number };
  atr: number;
  ema20: number;
  ema50: number;
}
export interface IndicatorsReply {
  /** Closed candles that were computed from: 500, or all there are. */
  closed: number;
  /** Null when `closed` is too few. */
  values: IndicatorValues | null;
  /** Close time of the last closed candle, its last millisecond as the exchange states it; null without any. */
  timestamp: number | null;
}

/** One indicator with every parameter chosen, under the name that the answer gives it. */
export interface ChosenIndicator {
  id: string;
  name: string;
  chosen: Readonly<Record<string, number | string>>;
}
export interface ComputeParams {
  /** `limit` counts closed candles. */
  market: (CandleParams & { exchange: string }) | null;
  /** Without a market, the caller's own candles: six columns of float64, as `indicators/job-columns.ts` lays them out. */
  own: { rows: Uint8Array; interval: Interval | null; limit: number } | null;
  indicators: ChosenIndicator[];
  /** Every value of the newest candles, or those of the last one. */
  series: boolean;
}
export interface ComputeReply {
  /** JSON text of the answer's `data`; null when every indicator needs more candles than there are. */
  data: string | null;
  closed: number;
  /** Candles that the least demanding indicator needs. */
  needed: number;
}

/** Durations by upper bound in seconds, as Prometheus counts them; the last of `counts` is beyond all bounds. */
export interface Durations {
  bounds: number[];
  counts: number[];
  /** Seconds. */
  sum: number;
}

/** The counts of the indicator pool of one compute process. */
export interface ComputeStatus {
  at: number;
  threads: number;
  /** Jobs that wait for a thread. */
  queued: number;
  /** Jobs by where and how they ended. */
  jobs: Record<string, number>;
  /** Dispatches to threads; jobs that are done per dispatch say how well batching works. */
  batches: number;
  /** Threads that died or were ended and have been replaced. */
  replaced: number;
  wait: Durations;
  run: Durations;
}

/** The candle lengths that it has. */
export const screenerIntervals = ['5m', '15m', '30m', '1h', '4h', '1d'] as const;
export type ScreenerInterval = (typeof screenerIntervals)[number];

export interface ScreenerParams {
  interval: ScreenerInterval;
  indicators: ChosenIndicator[];
}

/** Indicators of one asset, of the last closed candle of its most traded dollar market. */
export interface ScreenerRow {
  symbol: string;
  exchange: string;
  /** The exchange's own id. */
  market: string;
  kind: 'spot' | 'perpetual';
  /** Close of that candle, in quote. */
  price: number;
  /** Its last millisecond, Unix ms. */
  as_of: number;
  /** By indicator as asked, then by output of the catalogue; null where the candles are too few. */
  values: (number | null)[][];
}

export interface ScreenerReply {
  /** Tracked assets, the most traded first, as far as their values are known. */
  rows: ScreenerRow[];
  /** The other tracked assets. */
  missing: string[];
}
