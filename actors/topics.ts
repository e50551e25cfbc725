/**
 * The contract between actors and http: every topic with what travels on it, and every ask with its
 * request and reply. Times are Unix milliseconds throughout.
 */
import type { ChainState } from './chains/rows.ts';
import type {
  ComputeReply,
  ComputeRequest,
  ComputeStatus,
  IndicatorsReply,
  IndicatorsRequest,
} from './compute/questions.ts';
import type { DefiReading, DexReply, DexRequest } from './defi/types.ts';
import type { Failure } from './failure.ts';
import type { Interval } from './intervals.ts';
import type {
  IndicatorHistory,
  IndicatorReading,
  MarginReply,
  MarginRequest,
  Series,
} from './market/answers.ts';
import type { WalletReply, WalletRequest } from './wallet/types.ts';

export type * from './chains/rows.ts';
export type * from './compute/questions.ts';
export type * from './defi/types.ts';
export type { Failure, FailureCode } from './failure.ts';
export { allIntervals, type Interval, intervals, isInterval } from './intervals.ts';
export type * from './market/answers.ts';
export { indicatorNames } from './market/answers.ts';
export type * from './wallet/types.ts';

/** What is traded: `other` is listed by the venue but not followed (dated futures, options, equities). */
export type Kind = 'spot' | 'perpetual' | 'other';

/** One instrument of a venue, the facts that turn its wire numbers into ours. */
export interface Instrument {
  /** The venue's own id, such as `BTCUSDT` or `BTC-USD-SWAP`. */
  market: string;
  /** What the venue calls it, where its id is a mere number. */
  name?: string;
  kind: Kind;
  /** Base asset in the field's usual ticker: XBT is BTC, 1000PEPE is PEPE. */
  symbol: string;
  quote: string;
  /** How many canonical units one native base unit is: 1000 for 1000PEPE, else 1. */
  scale: number;
  /**
   * Size of one native quantity unit: native base units per contract when linear (1 where the venue counts
   * in base), quote units (USD) per contract when inverse.
   */
  contract: number;
  inverse: boolean;
  /** Hours between fundings, where the venue's lists say; null on spot and where its tickers say or nothing does. */
  funding_hours: number | null;
}

/** The last trade and 24 h turnover of one market. */
export interface PriceRow {
  market: string;
  kind: 'spot' | 'perpetual';
  symbol: string;
  quote: string;
  /** Last traded price of one canonical unit, in `quote`. */
  price: number;
  /** Rolling 24 h turnover in `quote`; null when the venue does not give one. */
  volume: number | null;
  /** Change of the last price over 24 h, percent; null when the venue does not give it. */
  change: number | null;
  /** When the venue says that the ticker was true; null when it does not say. */
  stated: number | null;
  /** When we received this row, if that was before the reading's own `received` (a kept good value). */
  received?: number;
}

/** What a perpetual's venue says of it beside its price. */
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
  stated: number | null;
  received?: number;
}

/** Open interest of one market, one side counted. */
export interface OpenInterestRow {
  market: string;
  symbol: string;
  quote: string;
  /** Canonical base units; null where only the value is known, for want of a price. */
  units: number | null;
  /** Value in `quote`. */
  value: number;
  /** The price that turns one into the other: mark, or what the venue used; null where both were given. */
  mark: number | null;
  stated: number | null;
  received?: number;
}

/** Everything one request group of one source said at one time. */
export interface Reading<Row> {
  source: string;
  /** The request group within the source, such as `spot` or `linear`; each is polled and fails by itself. */
  part: string;
  asked: number;
  received: number;
  rows: Row[];
  /** The venue goes on answering with what it said long ago: shown, and out of every aggregate. */
  frozen?: true;
}

/** How one feed of one source is doing; the row of `/v1/status`. */
export interface FeedStatus {
  source: string;
  topic: string;
  part: string;
  /**
   * `waiting`: no poll has ended yet, or it waits for the instruments. `standby`: it was asked once, and is not now
   * that a source before it answers.
   */
  state: 'waiting' | 'up' | 'failing' | 'down' | 'frozen' | 'standby';
  last_success: number | null;
  last_attempt: number | null;
  /** Of the last successful poll, from the first byte sent to the last byte received. */
  latency_ms: number | null;
  last_error: { code: Failure['code'] | 'crash'; message: string; at: number } | null;
  breaker: 'closed' | 'open' | 'half_open';
  next_poll: number | null;
  rows: number;
  /** Rows of the last successful poll that were not used, by reason. */
  dropped: Record<string, number>;
  /** Consecutive failures. */
  failures: number;
}

/** Sign of life of one process, renewed every few seconds. */
export interface ProcessStatus {
  id: string;
  role: 'web' | 'feed' | 'compute';
  pid: number;
  host: string;
  started: number;
  at: number;
  rss_bytes: number;
  /** 99th percentile of event loop delay since the last sign of life. */
  loop_p99_ms: number;
}

/** The keys or the plan of an account changed: whoever has them in memory looks them up again. */
export interface AccountChange {
  /** One more than that of the change before; from 1 again when Redis lost its memory. */
  number: number;
  account: string;
}

export interface Topics {
  instruments: Reading<Instrument>;
  prices: Reading<PriceRow>;
  derivatives: Reading<DerivativeRow>;
  openInterest: Reading<OpenInterestRow>;
  status: FeedStatus;
  processes: ProcessStatus;
  accounts: AccountChange;
  compute: ComputeStatus;
  chains: ChainState;
  defi: DefiReading;
  marketIndicators: IndicatorReading;
  indicatorHistories: IndicatorHistory;
  series: Series;
}
export type Topic = keyof Topics;

/** Per topic: how old a reading may be and still be used, and how many stream entries are kept. */
export const topics: Readonly<Record<Topic, { maxAge: number; length: number }>> = {
  instruments: { maxAge: 86_400_000, length: 256 },
  prices: { maxAge: 300_000, length: 128 },
  // Venues that are asked market by market have each one every five minutes only.
  derivatives: { maxAge: 600_000, length: 128 },
  openInterest: { maxAge: 600_000, length: 128 },
  status: { maxAge: 300_000, length: 1024 },
  processes: { maxAge: 20_000, length: 1024 },
  accounts: { maxAge: 30_000, length: 1024 },
  compute: { maxAge: 20_000, length: 256 },
  // From here on rows show their own age: the last good one is served, marked as stale.
  chains: { maxAge: 180_000, length: 64 },
  defi: { maxAge: 900_000, length: 16 },
  marketIndicators: { maxAge: 259_200_000, length: 64 },
  indicatorHistories: { maxAge: 259_200_000, length: 4 },
  // Nobody follows it: whoever keeps a series reads it back once.
  series: { maxAge: 259_200_000, length: 1 },
};

/** One price level: price of a canonical unit in quote, quantity in canonical base units. */
export interface Level {
  price: number;
  quantity: number;
}

export interface OrderBookRequest {
  exchange: string;
  /** The venue's own instrument id, as the client sent it. */
  market: string;
  /** Which instrument is meant where a venue uses one id for two; the venue's first when absent. */
  kind?: 'spot' | 'perpetual' | undefined;
  depth: number;
}
export interface OrderBook {
  market: string;
  /** Price descending. */
  bids: Level[];
  /** Price ascending. */
  asks: Level[];
  /** When the venue took the snapshot; the time we received it where the venue does not say. */
  timestamp: number;
}

export interface CandleRequest {
  exchange: string;
  /** The venue's own instrument id. */
  market: string;
  kind?: 'spot' | 'perpetual' | undefined;
  interval: Interval;
  limit: number;
}
export interface Candle {
  /** Open time. */
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** In canonical base units. */
  volume: number;
  /** In quote; null where neither the wire nor arithmetic gives it. */
  turnover: number | null;
  /** False while the interval still runs. */
  closed: boolean;
}
export interface Candles {
  market: string;
  kind: Kind | null;
  quote: string | null;
  /** Ascending by time, one per open time. */
  candles: Candle[];
  received: number;
}

export interface Asks {
  orderBook: { request: OrderBookRequest; reply: OrderBook };
  candles: { request: CandleRequest; reply: Candles };
  indicators: { request: IndicatorsRequest; reply: IndicatorsReply };
  compute: { request: ComputeRequest; reply: ComputeReply };
  dexSearch: { request: DexRequest; reply: DexReply };
  dexToken: { request: DexRequest; reply: DexReply };
  wallet: { request: WalletRequest; reply: WalletReply };
  margin: { request: MarginRequest; reply: MarginReply };
}
export type Ask = keyof Asks;

/**
 * Per ask: `deadline` is how long a client waits at most (the specification's upstream limit is 10 s), `ttl`
 * how long an answer may be given again. Identical questions in flight always share one call.
 */
export const asks: Readonly<Record<Ask, { deadline: number; ttl: number }>> = {
  orderBook: { deadline: 10_000, ttl: 0 },
  candles: { deadline: 10_000, ttl: 1_000 },
  // Kept by whoever asks, until the reply's own `until`.
  indicators: { deadline: 10_000, ttl: 0 },
  compute: { deadline: 10_000, ttl: 0 },
  // The actors keep the answers of these themselves: for 15 s, 15 s, 30 s (within a deadline of 20 s) and 60 s.
  dexSearch: { deadline: 10_000, ttl: 0 },
  dexToken: { deadline: 10_000, ttl: 0 },
  wallet: { deadline: 22_000, ttl: 0 },
  margin: { deadline: 10_000, ttl: 0 },
};
