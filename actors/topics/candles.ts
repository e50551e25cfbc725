import type { Candle } from '../../indicators/market/candles.ts';
import type { Interval } from '../../indicators/market/intervals.ts';
import type { Kind } from './instruments.ts';

export type { Candle };

export interface CandleParams {
  /** The venue's own instrument id. */
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  interval: Interval;
  /** How many candles that open from `from` to `to` (Unix ms, inclusive): with `from` the oldest, else the newest. */
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
  /** With `from`: no later candles than this time, Unix ms, were looked for; absent where there are no more in the range. */
  reached?: number;
  /** So many were asked for: fewer are all that there are. Only on the page that a reply is cut from. */
  asked?: number;
}
