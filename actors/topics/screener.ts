/** What the screener is asked, and its table. */
import type { ChosenIndicator } from './compute.ts';

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
