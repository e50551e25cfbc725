import type { Candle } from '../../indicators/market/candles.ts';
import type { Interval } from '../../indicators/market/intervals.ts';
import type { Kind } from './instruments.ts';

export type { Candle };

export interface CandleParams {
  /** The venue's own instrument id. */
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  interval: Interval;
  /** How many of the newest candles; of those that open from `from` to `to` (Unix ms, inclusive) where these are given. */
  limit: number;
  from?: number | undefined;
  to?: number | undefined;
}

export interface Candles {
  market: string;
  kind: Kind | null;
  quote: string | null;
  /** Ascending by time, one per open time. */
  candles: Candle[];
  received: number;
  /** So many were asked for: fewer are all that there are. Only on the page that a reply is cut from. */
  asked?: number;
}
