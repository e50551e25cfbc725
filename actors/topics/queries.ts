/** Every query that a process may ask of a source: its parameters, its reply and its deadline. Times are Unix ms. */
import type { MarginPoint } from '../../indicators/market/margin.ts';
import type { AlertDeliveriesParams, AlertDelivery } from './alerts.ts';
import type {
  BasisPoint,
  FundingPoint,
  History,
  HistoryParams,
  InterestPoint,
  LongShortParams,
  LongShortPoint,
  SeriesParams,
  TakerCandle,
  TakerPoint,
} from './analytics.ts';
import type {
  ComputeParams,
  ComputeReply,
  IndicatorsParams,
  IndicatorsReply,
  ScreenerParams,
  ScreenerReply,
} from './compute.ts';
import type { DexParams, DexReply } from './defi.ts';
import type {
  Recorded,
  RecordedAt,
  RecordedAtParams,
  RecordedCoverage,
  RecordedParams,
  RecordParams,
  RecordReply,
  Scorecard,
} from './history.ts';
import type { Clearinghouse, Vault, VaultParams } from './hyperliquid.ts';
import type { HyperliquidInfoParams, RelayedParams, RelayedReply } from './hyperliquid-info.ts';
import type {
  HyperliquidWalletParams,
  HyperliquidWalletReply,
  PositionEventsReply,
  WalletPositionsParams,
  WalletPositionsReply,
} from './hyperliquid-wallets.ts';
import type { LiquidationState, LiquidationStateParams } from './liquidations.ts';
import type { MarginParams, MarginReply } from './market-indicators.ts';
import type {
  BestQuotes,
  BestQuotesParams,
  CandleParams,
  Candles,
  PriceCandle,
  PriceCandleParams,
  RecentTrades,
  RecentTradesParams,
  TradeTapeParams,
  TradeTapeReply,
} from './market-queries.ts';
import type {
  Depth,
  DepthParams,
  FullBookParams,
  OrderBook,
  OrderBookParams,
} from './order-book.ts';
import type { WalletParams, WalletReply } from './wallet.ts';

/**
 * By name. Several sources may answer a query of the same name. A query of one exchange alone is declared beside the entry
 * that answers it, by `declare module` (docs/adding-a-venue.md).
 */
export interface Queries {
  orderBook: { params: OrderBookParams; reply: OrderBook };
  /** As many levels as the exchange gives, shared for some seconds. */
  fullBook: { params: FullBookParams; reply: OrderBook };
  candles: { params: CandleParams; reply: Candles };
  depth: { params: DepthParams; reply: Depth };
  recentTrades: { params: RecentTradesParams; reply: RecentTrades };
  /** Of markets whose trades are heard. */
  tradeTape: { params: TradeTapeParams; reply: TradeTapeReply };
  clearinghouse: { params: Readonly<Record<never, never>>; reply: Clearinghouse };
  vault: { params: VaultParams; reply: Vault };
  /** Of tracked wallets of Hyperliquid. */
  walletPositions: { params: WalletPositionsParams; reply: WalletPositionsReply };
  positionEvents: { params: Readonly<Record<never, never>>; reply: PositionEventsReply };
  hyperliquidWallet: { params: HyperliquidWalletParams; reply: HyperliquidWalletReply };
  /** The text of Hyperliquid's own answer to a question about public market data. */
  hyperliquidInfo: { params: HyperliquidInfoParams; reply: string };
  /** Frames of channels that are passed on as they come. */
  relayed: { params: RelayedParams; reply: RelayedReply };
  indicators: { params: IndicatorsParams; reply: IndicatorsReply };
  compute: { params: ComputeParams; reply: ComputeReply };
  screener: { params: ScreenerParams; reply: ScreenerReply };
  dexSearch: { params: DexParams; reply: DexReply };
  dexToken: { params: DexParams; reply: DexReply };
  wallet: { params: WalletParams; reply: WalletReply };
  margin: { params: MarginParams; reply: MarginReply };
  longShort: { params: LongShortParams; reply: History<LongShortPoint> };
  takerVolume: { params: SeriesParams; reply: History<TakerPoint> };
  takerCandles: { params: SeriesParams; reply: History<TakerCandle> };
  openInterestHistory: { params: SeriesParams; reply: History<InterestPoint> };
  /** Of all markets of a kind. */
  bestQuotes: { params: BestQuotesParams; reply: readonly BestQuotes[] };
  priceCandles: { params: PriceCandleParams; reply: History<PriceCandle> };
  basisHistory: { params: SeriesParams; reply: History<BasisPoint> };
  /** Margin positions in a spot market at the start of each interval. */
  marginHistory: { params: SeriesParams; reply: History<MarginPoint> };
  fundingHistory: { params: HistoryParams; reply: History<FundingPoint> };
  series: { params: RecordedParams; reply: Recorded };
  seriesAt: { params: RecordedAtParams; reply: RecordedAt };
  liquidationState: { params: LiquidationStateParams; reply: LiquidationState };
  /** Newest first. */
  alertDeliveries: { params: AlertDeliveriesParams; reply: readonly AlertDelivery[] };
  scorecard: { params: Readonly<Record<never, never>>; reply: Scorecard };
  coverage: { params: Readonly<Record<never, never>>; reply: RecordedCoverage };
  /** Asked by the sources of this service only: stores their samples. */
  record: { params: RecordParams; reply: RecordReply };
}

export type QueryName = keyof Queries;
export type Params<N extends QueryName> = Queries[N]['params'];

/** One question to one source. */
export interface Query<N extends QueryName> {
  /** Id of an exchange, of `compute`, or of another source with queries. */
  source: string;
  name: N;
  params: Params<N>;
}

/** The reply of a source. */
export interface Reply<T> {
  value: T;
  /** When the newest part of the value was received. */
  received: number;
  /** When the value stops being fresh; not after `received` where it must not be given again. */
  until: number;
  /** The source fails at present, and this is its last good answer. */
  stale?: true;
}
export type ReplyOf<N extends QueryName> = Reply<Queries[N]['reply']>;

/** Ms, for a query that is not named in `deadlines` (the specification's upstream limit). */
const usualDeadline = 10_000;
/** The others: a wallet takes 20 s; data that this service stores itself take less. */
const deadlines: Readonly<Partial<Record<QueryName, number>>> = {
  wallet: 22_000,
  series: 6_000,
  seriesAt: 6_000,
  liquidationState: 6_000,
  alertDeliveries: 6_000,
  scorecard: 6_000,
  coverage: 6_000,
  record: 6_000,
};

/** How long a client waits at most for the reply to a query of this name, ms. */
export const deadlineOf = (name: QueryName): number => deadlines[name] ?? usualDeadline;

/** Queries about data that this service stores itself: their failure is not that of an upstream. */
export const storeQueries: ReadonlySet<QueryName> = new Set([
  'series',
  'seriesAt',
  'scorecard',
  'coverage',
  'alertDeliveries',
  'record',
]);

/** Queries with a range whose reply counts rows from `from` on, as the exchange does, and says how far it reaches (`reached`). */
export const countingQueries: ReadonlySet<QueryName> = new Set([
  'candles',
  'longShort',
  'takerVolume',
  'takerCandles',
  'openInterestHistory',
  'basisHistory',
  'marginHistory',
  'fundingHistory',
]);

/** How a query is asked. */
export interface Asking {
  /** Monotonic ms of the process that answers: a later reply is discarded. */
  deadline: number;
  /** The account that asks; empty for the service itself. */
  account: string;
}

/** The outcomes of the queries to one cache since its start, and its present size. */
export interface CacheCounts {
  /** Answered from memory. */
  hits: number;
  /** Answered by a call that was under way. */
  joined: number;
  /** Calls that gave a value. */
  loaded: number;
  /** Calls that failed, those that were answered with a stale reply included. */
  failed: number;
  /** Failed calls that were answered with a stale reply. */
  stale: number;
  /** Entries that made room for others. */
  evicted: number;
  entries: number;
  bytes: number;
}
