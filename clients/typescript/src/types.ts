// Made from the description of the API by `npm run docs`.

export interface ErrorAnswer {
  /** This is an error. */
  status: "error";
  /** Response time, Unix milliseconds. */
  timestamp: number;
  code: ErrorCode;
  /** The fault, in words. */
  message: string;
}

export type ErrorCode = "portfolio_failed" | "bad_parameter" | "bad_request" | "unauthorized" | "forbidden" | "not_found" | "unknown_symbol" | "unknown_exchange" | "method_not_allowed" | "request_timeout" | "too_large" | "unsupported_media_type" | "not_enough_data" | "too_many_requests" | "internal" | "upstream_failed" | "warming_up" | "too_old" | "overloaded" | "store_unavailable";

export interface AggTrade {
  /** The exchange's own id. */
  a: number | null;
  /** Price. */
  p: string | null;
  /** Quantity (base). */
  q: string | null;
  /** Unix ms. */
  T: number;
  /** Whether the buyer was the maker: the taker sold. */
  m: boolean;
}

export interface AggregatedBookLevel {
  /** US dollars, a multiple of `step`: bids rounded down, asks up. */
  price: number;
  /** Base units. */
  quantity: number;
  /** Sum of price x quantity of the levels, US dollars. */
  value_usd: number;
  /** Map from exchange. */
  exchanges: {
    [key: string]: number;
  };
}

export interface Alert {
  /** Id of the alert. */
  id: string;
  /** As given. */
  name: string;
  /** Whether it is evaluated. */
  status: "active" | "paused" | "expired";
  /** Path of the API whose answer is watched. */
  path: string;
  /** JSON Pointer into `data` of the answer; `*` for every row or name. */
  pointer: string;
  /** When the alert fires. */
  condition: AlertCondition;
  /** Seconds for which the condition must hold. */
  for: number;
  /** By how much the value must go back until the alert can fire again, in the unit of the watched value. */
  hysteresis: number;
  /** Seconds after a firing in which it does not fire again. */
  cooldown: number;
  /** When it ends, Unix ms; null for never. */
  expires_at: number | null;
  /** Where it is sent. */
  deliver: readonly (AlertReceiver)[];
  /** Whether the end of the condition is sent too. */
  resolved: boolean;
  /** It is not evaluated. */
  paused: boolean;
  /** One more with each change. */
  revision: number;
  /** Unix milliseconds. */
  created_at: number;
  /** Unix milliseconds. */
  updated_at: number;
}

export interface AlertCondition {
  /** Kind of condition. */
  type: "above" | "below" | "crosses" | "change" | "outside" | "stale" | "event";
  /** Level of `above`, `below` and `crosses`, in the unit of the watched value. */
  value?: number;
  /** Which way counts. */
  direction?: "up" | "down" | "any";
  /** Of `change`: by how many percent the value must have changed. */
  percent?: number;
  /** Of `change`: in how many seconds. */
  within?: number;
  /** Of `outside`: lowest value of the band, in the unit of the watched value. */
  low?: number;
  /** Of `outside`: highest value of the band, in the unit of the watched value. */
  high?: number;
  /** Of `stale`: seconds without news. */
  after?: number;
  /** Of `event`: the value of the event must be greater, in the unit of the watched value; null for any. */
  above?: number | null;
  /** Of `event`: the value of the event must be smaller, in the unit of the watched value; null for any. */
  below?: number | null;
}

export interface AlertDeadLetter {
  /** Of the dead letter. */
  id: string;
  /** Kind of receiver. */
  receiver: string;
  /** Its host or its chat. */
  target: string;
  /** Attempts before it was given up. */
  attempts: number;
  /** Unix milliseconds. */
  given_up_at: number;
  /** The fault of the last attempt, in words. */
  error: string;
  /** What an alert has fired. */
  event: AlertEvent;
}

export interface AlertDelivery {
  /** Of the event. */
  event_id: string;
  /** Kind of receiver. */
  receiver: string;
  /** Its host or its chat. */
  target: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  /** When it ended, Unix ms. */
  at: number;
  /** How long the receiver took, ms. */
  took_ms: number;
  /** Failed: it is tried again. Dead: it was given up. */
  outcome: "delivered" | "failed" | "dead";
  /** HTTP status; null without an answer. */
  status: number | null;
  /** The fault, in words; null without one. */
  error: string | null;
}

export interface AlertEvent {
  /** The same however often it is sent: the `webhook-id`. */
  id: string;
  /** Of the alert. */
  alert_id: string;
  /** Of the alert. */
  name: string;
  /** The condition was fulfilled, it ended, or somebody has asked for a sample. */
  kind: "fired" | "resolved" | "test";
  /** Unix milliseconds. */
  fired_at: number;
  /** When the value was received, Unix ms; null where that is not known. */
  data_time: number | null;
  /** As of the alert. */
  path: string;
  /** As of the alert. */
  pointer: string;
  /** The symbol, row or name of several; null where one value is watched. */
  subject: string | null;
  /** The value, in the unit that the answer has it in; of `stale` seconds without news. */
  value: number | null;
  /** The value before, or that which a change is measured from, in the unit of the watched value; null where none is known. */
  previous: number | null;
  /** When the alert fires. */
  condition: AlertCondition;
  /** For people. */
  text: string;
}

export interface AlertReceiver {
  /** Kind of receiver. */
  type: "webhook" | "telegram" | "discord" | "slack";
  /** Its host or its chat; URLs and tokens are never shown again. */
  target: string;
  /** The chat that was given, where Telegram has said that its group is another one now; else null. */
  former_target: string | null;
  /** `ok`; `failing`: the last attempt failed; `paused`: nothing is sent until `next_attempt`; `refused`: it says that it will never take this. */
  status: "ok" | "failing" | "paused" | "refused";
  /** The fault of the last attempt, in words; null without one. */
  error: string | null;
  /** Its first failure since the last delivery, Unix ms; null without one. */
  failing_since: number | null;
  /** Until when nothing is sent to it, Unix ms; null for no pause. */
  next_attempt: number | null;
}

export interface AlertValue {
  /** The symbol, row or name of several, as events have it; null where one value is watched. */
  subject: string | null;
  /** The value, in the unit of the watched value; null without one. */
  value: number | null;
  /** When it was received, Unix ms; null where that is not known. */
  data_time: number | null;
}

export interface AlertWithSecret {
  /** Id of the alert. */
  id: string;
  /** As given. */
  name: string;
  /** Whether it is evaluated. */
  status: "active" | "paused" | "expired";
  /** Path of the API whose answer is watched. */
  path: string;
  /** JSON Pointer into `data` of the answer; `*` for every row or name. */
  pointer: string;
  /** When the alert fires. */
  condition: AlertCondition;
  /** Seconds for which the condition must hold. */
  for: number;
  /** By how much the value must go back until the alert can fire again, in the unit of the watched value. */
  hysteresis: number;
  /** Seconds after a firing in which it does not fire again. */
  cooldown: number;
  /** When it ends, Unix ms; null for never. */
  expires_at: number | null;
  /** Where it is sent. */
  deliver: readonly (AlertReceiver)[];
  /** Whether the end of the condition is sent too. */
  resolved: boolean;
  /** It is not evaluated. */
  paused: boolean;
  /** One more with each change. */
  revision: number;
  /** Unix milliseconds. */
  created_at: number;
  /** Unix milliseconds. */
  updated_at: number;
  /** What the pointer gives now, in the unit of the watched value; null where it gives several, where there is no answer at present, and in answers to changes that leave path, pointer and condition. */
  value: number | null;
  /** What the pointer gives now, 20 values at most; empty where `value` is null for another cause than that there are several. */
  values: readonly (AlertValue)[];
  /** What webhooks of the account are signed with, in the answer to the first alert that has one and never again; null in all others. */
  secret: string | null;
}

export interface Alerts {
  /** Number of rows in the answer. */
  count: number;
  /** Alerts that the plan allows; null for no limit. */
  limit: number | null;
  /** The oldest first. */
  alerts: readonly (Alert)[];
}

export interface AlertsByIdDeliveries {
  /** Number of rows in the answer. */
  count: number;
  /** Newest first. */
  deliveries: readonly (AlertDelivery)[];
}

export interface AlertsDeadLetters {
  /** Number of rows in the answer. */
  count: number;
  /** Newest first. */
  letters: readonly (AlertDeadLetter)[];
}

export interface AlertsEvents {
  /** Number of rows in the answer. */
  count: number;
  /** Newest first. */
  events: readonly (AlertEvent)[];
}

export interface AnalyticsBitfinexMarginHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "bitfinex";
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (AnalyticsBitfinexMarginHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsBitfinexMarginHistoryPoint {
  /** When this was held, Unix ms. */
  timestamp: number;
  /** Held long on margin, base units. */
  long_size: number;
  /** Held short on margin, base units. */
  short_size: number;
  /** Long over short; null where nothing is held short. */
  long_short_ratio: number | null;
}

export interface AnalyticsBybitFundingHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "bybit";
  /** The exchange's own id. */
  contract: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (FundingHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsBybitLongShort {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "bybit";
  /** The exchange's own id. */
  contract: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (AnalyticsOkxLongShortPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsBybitOiHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "bybit";
  /** The exchange's own id. */
  contract: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (AnalyticsBybitOiHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsBybitOiHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Base units, one side. */
  open_interest_base: number | null;
  /** The same x mark price; null while there is none. */
  open_interest_usd: number | null;
}

export interface AnalyticsHtxEliteAccountRatio {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "htx";
  /** The exchange's own id. */
  contract: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (AnalyticsOkxLongShortPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsHtxFundingHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "htx";
  /** The exchange's own id. */
  contract: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (FundingHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsHyperliquidClearinghouse {
  /** Exchange id. */
  exchange: "hyperliquid";
  /** When the markets were received, Unix ms. */
  updated_at: number;
  /** Over all listed assets. */
  total_open_interest_usd: number;
  /** Turnover of 24 hours over all listed assets, USD. */
  total_volume_24h_usd: number;
  /** Of one market each, not of the asset as in the tables of assets. */
  price_change_24h_basis: "market";
  /** All listed assets, before `limit`. */
  asset_count: number;
  /** Base assets whose open interest may not grow. */
  assets_at_oi_cap: readonly (string)[];
  /** Account of the protocol's own vault. */
  liquidity_vault: HyperliquidAccount;
  /** Largest open interest first. */
  assets: readonly (AnalyticsHyperliquidClearinghouseAsset)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface AnalyticsHyperliquidClearinghouseAsset {
  /** Base asset. */
  symbol: string;
  /** The exchange's own id. */
  contract: string;
  /** Base units. */
  open_interest_base: number;
  /** Base units x mark price. */
  open_interest_usd: number;
  /** Turnover of 24 hours. */
  volume_24h_usd: number;
  /** US dollars. */
  mark_price: number;
  /** Of the validators, US dollars; null where it is not known. */
  oracle_price: number | null;
  /** Middle of the order book, US dollars; the mark price while a side is empty. */
  mid_price: number | null;
  /** Impact price against the oracle price, a fraction. */
  premium: number | null;
  /** Fraction of the running hour. */
  funding_rate_1h: number;
  /** The same times eight, a fraction. */
  funding_rate_8h: number;
  /** Largest leverage, a multiple of the margin. */
  max_leverage: number;
  /** Margin is never shared with other positions. */
  only_isolated: boolean;
  /** 1 / (2 x `max_leverage`), a fraction of the position. */
  maintenance_margin_rate: number;
  /** Change of the price of this market in 24 hours, percent; null where the exchange states none. */
  price_change_24h_percent: number | null;
}

export interface AnalyticsHyperliquidFundingHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "hyperliquid";
  /** The exchange's own id. */
  contract: string;
  /** Number of rows in the answer. */
  count: number;
  /** Between two points. */
  interval: "1h";
  /** Ascending by time. */
  points: readonly (AnalyticsHyperliquidFundingHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsHyperliquidFundingHistoryPoint {
  /** When it was charged, Unix ms. */
  timestamp: number;
  /** Fraction of the hour. */
  funding_rate_1h: number;
  /** The same times eight, a fraction. */
  funding_rate_8h: number;
  /** Rate of 365 days, a fraction. */
  annualized: number;
  /** Fraction. */
  premium: number | null;
}

export interface AnalyticsHyperliquidVault {
  /** Address of the vault. */
  address: string;
  /** Name of the vault. */
  name: string;
  /** Address of its leader. */
  leader: string;
  /** In the words of the leader. */
  description: string;
  /** A fraction, as the exchange states it. */
  apr: number;
  /** Last value of the vault in the chart of the day, USD. */
  tvl_usd: number;
  /** Part of the vault that is the leader's own, a fraction. */
  leader_fraction: number;
  /** Part of the profit that the leader takes, a fraction. */
  leader_commission: number;
  /** It is closed for good. */
  is_closed: boolean;
  /** It takes deposits. */
  allow_deposits: boolean;
  /** USDC, counted as dollars. */
  max_distributable_usd: number;
  /** USDC, counted as dollars. */
  max_withdrawable_usd: number;
  /** Followers that the exchange names. */
  follower_count: number;
  /** True at 100: the exchange names no more. */
  follower_count_capped: boolean;
  /** Addresses of vaults that it holds. */
  child_vaults: readonly (string)[];
  /** Profit, volume and value over several periods. */
  performance: AnalyticsHyperliquidVaultPerformance;
  /** As the exchange orders them. */
  followers: readonly (AnalyticsHyperliquidVaultFollower)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface AnalyticsHyperliquidVaultFollower {
  /** `Leader` for the leader. */
  address: string;
  /** USDC, counted as dollars. */
  equity_usd: number;
  /** USDC, counted as dollars. */
  pnl_usd: number;
  /** USDC, counted as dollars. */
  all_time_pnl_usd: number;
  /** Days since the deposit, as the exchange counts them. */
  days_following: number;
  /** Unix milliseconds, or null. */
  entry_time: number | null;
}

export interface AnalyticsHyperliquidVaultPerformance {
  /** The last 24 hours. */
  day: VaultPeriod;
  /** The last 7 days. */
  week: VaultPeriod;
  /** The last 30 days. */
  month: VaultPeriod;
  /** Since the vault was made. */
  all_time: VaultPeriod;
}

export interface AnalyticsKrakenDepth {
  /** Base asset. */
  symbol: string;
  /** The exchange's own id. */
  contract: string;
  /** Price descending. */
  bids: readonly (AnalyticsKrakenDepthBid)[];
  /** Price ascending. */
  asks: readonly (AnalyticsKrakenDepthBid)[];
  /** Highest bid, USD; null without bids. */
  best_bid: number | null;
  /** Lowest ask, USD; null without asks. */
  best_ask: number | null;
  /** USD; null while a side is empty or the book is crossed. */
  mid_price: number | null;
  /** Best ask less best bid, percent of the mid price. */
  spread_percent: number | null;
  /** Value of all bids within 1 % of the mid price. */
  bids_usd_1pct: number;
  /** Value of all asks within 1 % of the mid price. */
  asks_usd_1pct: number;
  /** When the exchange took it, Unix ms. */
  timestamp: number;
  /** True where its middle is more than 30 % away from all prices of the asset. */
  suspect?: boolean;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface AnalyticsKrakenDepthBid {
  /** USD. */
  price: number;
  /** Base units. */
  quantity: number;
  /** Price x quantity. */
  value_usd: number;
}

export interface AnalyticsKrakenFundingRates {
  /** Exchange id. */
  exchange: "kraken";
  /** When the newest reading was received, Unix ms. */
  updated_at: number;
  /** Number of rows in the answer. */
  count: number;
  /** One row a contract. */
  items: readonly (AnalyticsKrakenFundingRatesItem)[];
}

export interface AnalyticsKrakenFundingRatesItem {
  /** Base asset. */
  symbol: string;
  /** The exchange's own id. */
  contract: string;
  /** Fraction of the running hour. */
  funding_rate_1h: number | null;
  /** The same times eight, a fraction. */
  funding_rate_8h: number | null;
  /** Fraction expected for the next hour. */
  predicted_rate_1h: number | null;
  /** The same times eight, a fraction. */
  predicted_rate_8h: number | null;
  /** USD. */
  mark_price: number;
  /** USD; null where the exchange states none. */
  index_price: number | null;
  /** When the running rate is charged: the next full hour, Unix ms. */
  next_funding_time: number;
}

export interface AnalyticsKrakenMarkPrices {
  /** Exchange id. */
  exchange: "kraken";
  /** When the newest reading was received, Unix ms. */
  updated_at: number;
  /** Number of rows in the answer. */
  count: number;
  /** One row a contract. */
  items: readonly (AnalyticsKrakenMarkPricesItem)[];
}

export interface AnalyticsKrakenMarkPricesItem {
  /** Base asset. */
  symbol: string;
  /** The exchange's own id. */
  contract: string;
  /** Dated futures are not listed. */
  kind: "perpetual" | "future";
  /** USD. */
  mark_price: number;
  /** USD; null where the exchange states none. */
  index_price: number | null;
  /** Last trade, USD. */
  last_price: number | null;
  /** Mark over index, less one, percent; null without an index. */
  premium_percent: number | null;
}

export interface AnalyticsKrakenOpenInterest {
  /** Exchange id. */
  exchange: "kraken";
  /** When the newest reading was received, Unix ms. */
  updated_at: number;
  /** Sum of all items, USD. */
  total_open_interest_usd: number;
  /** Number of rows in the answer. */
  count: number;
  /** One row a contract. */
  items: readonly (AnalyticsKrakenOpenInterestItem)[];
}

export interface AnalyticsKrakenOpenInterestItem {
  /** Base asset. */
  symbol: string;
  /** The exchange's own id. */
  contract: string;
  /** inverse: margined in the base asset. */
  margin_type: "linear" | "inverse";
  /** Dated futures are not listed. */
  kind: "perpetual" | "future";
  /** Base units, one side. */
  open_interest_base: number;
  /** USD, one side. */
  open_interest_usd: number;
  /** Turnover of 24 hours, USD. */
  volume_24h_usd: number | null;
}

export interface AnalyticsOkxFundingHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "okx";
  /** The exchange's own id. */
  contract: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (FundingHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsOkxLiquidations {
  /** Exchange id. */
  exchange: "okx";
  /** First time of the last 24 hours in which a feed was heard, Unix ms. */
  recording_since: number;
  /** Every feed of the answer is heard at present, or was 60 s ago. */
  connected: boolean;
  /** Number of rows in the answer. */
  count: number;
  /** Newest first. */
  orders: readonly (AnalyticsOkxLiquidationsOrder)[];
}

export interface AnalyticsOkxLiquidationsOrder {
  /** Base asset. */
  symbol: string;
  /** The exchange's own id. */
  contract: string;
  /** Of the position that was closed. */
  side: "long" | "short";
  /** At which the margin was used up, for one unit of the base asset, in quote. */
  price: number;
  /** The price at which the margin was used up. */
  price_kind: "bankruptcy";
  /** Contracts. */
  quantity_contracts: number;
  /** Base units. */
  quantity_base: number;
  /** US dollars; stablecoins count as one each. */
  value_usd: number;
  /** Loss beyond the margin, in a unit that the exchange does not document; null where it states none. */
  bankruptcy_loss: number | null;
  /** When it happened, as the exchange states it, Unix ms. */
  timestamp: number;
}

export interface AnalyticsOkxLongShort {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "okx";
  /** The exchange's own id. */
  contract: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (AnalyticsOkxLongShortPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsOkxLongShortPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Share of long, a fraction. */
  long_ratio: number;
  /** Share of short, a fraction. */
  short_ratio: number;
  /** Long over short. */
  long_short_ratio: number;
  /** Share of locked positions; null where the exchange states none. */
  locked_ratio: number | null;
}

export interface AnalyticsOkxTakerVolume {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "okx";
  /** The exchange's own id. */
  contract: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (SpotTakerBuysellHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsOkxTopTraders {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "okx";
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (TopTradersPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsTakerVolume {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "binance";
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (SpotTakerBuysellHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AnalyticsTopTraders {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: "binance";
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (TopTradersPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface AuthKey {
  /** Id of the key, a UUID. */
  id: string;
  /** 1 to 64 characters once trimmed, without control characters. */
  name: string;
  /** The first 12 characters of the key. */
  prefix: string;
  /** `link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`). */
  kind: "live" | "link";
  /** Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one; null for other keys. */
  paths: readonly (string)[] | null;
  /** Unix milliseconds. */
  created_at: number;
  /** Unix milliseconds, at most 10 s late; null when it was never used. */
  last_used_at: number | null;
  /** Requests with the key since 00:00 UTC, whatever came of them, at most 10 s late. */
  requests_today: number;
  /** As the newest token that states one has it; free when none has. */
  plan: string;
  /** Revoked: it is refused. */
  status: "active" | "revoked";
  /** The same as `status`. */
  revoked: boolean;
  /** When a browser session or a replaced key ends by itself, Unix milliseconds; null for others. */
  ends_at: number | null;
  /** Unix milliseconds; null while the key is active. */
  revoked_at: number | null;
}

export interface AuthMe {
  /** The subject that the identity provider states. */
  id: string;
  /** As the token states it; absent where it states none. */
  email?: string;
  /** As the newest token that states one has it; free when none has. */
  plan: string;
  /** Requests a minute; null for no limit. */
  rate_limit: number | null;
  /** Null for no limit. */
  limits: AuthMeLimits;
  /** Active keys. */
  key_count: number;
  /** When the first token of the account was seen, Unix milliseconds; null while that is not noted. */
  created_at: number | null;
}

export interface AuthMeLimits {
  /** Requests a minute, over all keys of the account. */
  requests_per_minute: number | null;
  /** Active keys at once. */
  api_keys: number | null;
  /** Requests that may wait for upstreams or for their body at once. */
  connections: number | null;
}

export interface AuthSession {
  /** Whose session it is; null without one. */
  account: string | null;
  /** When it ends by itself, Unix milliseconds; null without one. */
  expires_at: number | null;
}

export interface Bar {
  /** Open time, Unix milliseconds. */
  timestamp: number;
  /** First price, in quote. */
  open: number;
  /** Highest price, in quote. */
  high: number;
  /** Lowest price, in quote. */
  low: number;
  /** Last price, in quote. */
  close: number;
  /** Base asset. */
  volume: number;
  /** Turnover; null when the market is not quoted in dollars. */
  volume_usd: number | null;
  /** False while the interval still runs. */
  closed: boolean;
  /** Exchanges with a candle of this time; with `exchange=all` only. */
  exchange_count?: number;
}

export interface Bars {
  /** Exchange id, or `all`. */
  exchange: string;
  /** As asked; the asset with `exchange=all`. */
  symbol: string;
  /** Exchanges that could not be asked; with `exchange=all` only. */
  failed_exchanges?: readonly (string)[];
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Native symbol that the bars are of; the asset with `exchange=all`. */
  market: string;
  /** `spot` or `perpetual`; null where it is not known. */
  kind: string | null;
  /** Quote asset; null as `kind`. `USD` with `exchange=all`. */
  quote: string | null;
  /** Ascending by time. */
  bars: readonly (Bar)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface BatchAnswer {
  /** As given. */
  path: string;
  /** HTTP status that the path has by itself. */
  status: number;
  /** When the newest reading in the data was received, Unix ms. */
  as_of?: number;
  /** Of the data, as in its `ETag`. */
  version?: string;
  /** As the path has it by itself. */
  data?: unknown;
  /** Which error it is. */
  code?: string;
  /** The fault, in words. */
  message?: string;
}

export interface BinanceContract {
  /** The exchange's own id. */
  symbol: string;
  /** Markets that are not traded are left out. */
  status: "TRADING";
  /** Base asset. */
  baseAsset: string;
  /** Digits after the point. */
  baseAssetPrecision: number;
  /** Quote asset. */
  quoteAsset: string;
  /** Digits after the point. */
  quotePrecision: number;
  /** Empty where they are not known. */
  filters: readonly (Filter)[];
  /** As `symbol`. */
  pair: string;
  /** Others are left out. */
  contractType: "PERPETUAL";
  /** Unix ms; in the year 2100 for contracts that do not end. */
  deliveryDate: number;
  /** When it was listed, Unix ms. */
  onboardDate: number | null;
  /** What it is settled in. */
  marginAsset: string;
  /** Digits after the point. */
  pricePrecision: number | null;
  /** Digits after the point. */
  quantityPrecision: number | null;
}

export interface BinanceContractDay {
  /** The exchange's own id. */
  symbol: string;
  /** Last price less that of 24 h ago. */
  priceChange: string | null;
  /** The same, percent. */
  priceChangePercent: string | null;
  /** Turnover divided by volume. */
  weightedAvgPrice: string | null;
  /** Of the last trade. */
  lastPrice: string | null;
  /** 24 h ago. */
  openPrice: string | null;
  /** Of 24 h. */
  highPrice: string | null;
  /** Of 24 h. */
  lowPrice: string | null;
  /** Base assets in 24 h. */
  volume: string | null;
  /** Quote assets in 24 h. */
  quoteVolume: string | null;
  /** 24 h before `closeTime`, Unix ms. */
  openTime: number;
  /** The time of the ticker, Unix ms. */
  closeTime: number;
}

export interface BinanceContractPrice {
  /** The exchange's own id. */
  symbol: string;
  /** Of the last trade. */
  price: string | null;
  /** Unix ms. */
  time: number;
}

export interface BinancePremium {
  /** The exchange's own id. */
  symbol: string;
  /** In quote. */
  markPrice: string | null;
  /** In quote. */
  indexPrice: string | null;
  /** A fraction, charged at `nextFundingTime`. */
  lastFundingRate: string | null;
  /** Unix ms. */
  nextFundingTime: number | null;
  /** Unix ms. */
  time: number;
}

export interface BinanceQuotes {
  /** The exchange's own id. */
  symbol: string;
  /** Best bid; null where it is not known. */
  bidPrice: string | null;
  /** Null in `ticker/24hr`. */
  bidQty: string | null;
  /** Best ask, of the same message; null as the bid. */
  askPrice: string | null;
  /** As `bidQty`. */
  askQty: string | null;
  /** The time of the book, Unix ms; of contracts. */
  time?: number;
}

export interface BinanceSpotDay {
  /** The exchange's own id. */
  symbol: string;
  /** Last price less that of 24 h ago. */
  priceChange: string | null;
  /** The same, percent. */
  priceChangePercent: string | null;
  /** Turnover divided by volume. */
  weightedAvgPrice: string | null;
  /** Of the last trade. */
  lastPrice: string | null;
  /** 24 h ago. */
  openPrice: string | null;
  /** Of 24 h. */
  highPrice: string | null;
  /** Of 24 h. */
  lowPrice: string | null;
  /** Base assets in 24 h. */
  volume: string | null;
  /** Quote assets in 24 h. */
  quoteVolume: string | null;
  /** 24 h before `closeTime`, Unix ms. */
  openTime: number;
  /** The time of the ticker, Unix ms. */
  closeTime: number;
  /** Best bid; null where it is not known. */
  bidPrice: string | null;
  /** Null in `ticker/24hr`. */
  bidQty: string | null;
  /** Best ask, of the same message; null as the bid. */
  askPrice: string | null;
  /** As `bidQty`. */
  askQty: string | null;
}

export interface BinanceSpotMarket {
  /** The exchange's own id. */
  symbol: string;
  /** Markets that are not traded are left out. */
  status: "TRADING";
  /** Base asset. */
  baseAsset: string;
  /** Digits after the point. */
  baseAssetPrecision: number;
  /** Quote asset. */
  quoteAsset: string;
  /** Digits after the point. */
  quotePrecision: number;
  /** Empty where they are not known. */
  filters: readonly (Filter)[];
  /** Digits after the point. */
  quoteAssetPrecision: number;
  /** Others are left out. */
  isSpotTradingAllowed: true;
  /** Traded on margin as well. */
  isMarginTradingAllowed: boolean;
  /** Empty, as at the exchange. */
  permissions: readonly (string)[];
  /** What an account needs: SPOT, or MARGIN where it is traded on margin. Those of groups of traders are left out. */
  permissionSets: readonly (readonly (string)[])[];
}

export interface BinanceSpotPrice {
  /** The exchange's own id. */
  symbol: string;
  /** Of the last trade. */
  price: string | null;
}

export interface BookLevel {
  /** Of one base asset, in the quote of the market. */
  price: number;
  /** Base asset, whatever the exchange counts in. */
  quantity: number;
}

export interface BorrowRateExtreme {
  /** Exchange id. */
  exchange: string;
  /** Percent a year, without interest on interest. */
  annual_rate_pct: number;
}

export interface ChartCoverage {
  /** Time of the first point, Unix milliseconds. */
  from: number | null;
  /** Time of the last point, Unix milliseconds. */
  to: number | null;
  /** Points of the chart. */
  points: number;
  /** Since when this service has recorded the series, Unix milliseconds; null where the sources give it whole. */
  recorded_from: number | null;
}

export interface CompatBinanceApiV3ExchangeInfo {
  /** Of days. */
  timezone: "UTC";
  /** When the answer was made, Unix ms. */
  serverTime: number;
  /** Empty: limits are those of the account at this service. */
  rateLimits: readonly (CompatBinanceApiV3Ping)[];
  /** Empty. */
  exchangeFilters: readonly (CompatBinanceApiV3Ping)[];
  /** Those that are traded. */
  symbols: readonly (BinanceSpotMarket)[];
}

export interface CompatBinanceApiV3Ping {
}

export interface CompatBinanceFapiV1ExchangeInfo {
  /** Of days. */
  timezone: "UTC";
  /** When the answer was made, Unix ms. */
  serverTime: number;
  /** Empty: limits are those of the account at this service. */
  rateLimits: readonly (CompatBinanceApiV3Ping)[];
  /** Empty. */
  exchangeFilters: readonly (CompatBinanceApiV3Ping)[];
  /** Those that are traded. */
  symbols: readonly (BinanceContract)[];
}

export interface CompatBinanceFapiV1FundingInfoItem {
  /** The exchange's own id. */
  symbol: string;
  /** Hours between two fundings. */
  fundingIntervalHours: number;
}

export interface CompatBinanceFapiV1FundingRateItem {
  /** The exchange's own id. */
  symbol: string;
  /** Unix ms, to the full minute. */
  fundingTime: number;
  /** A fraction. */
  fundingRate: string | null;
  /** At the settlement; null where it is not stated. */
  markPrice: string | null;
}

export interface CompatBinanceFapiV1OpenInterest {
  /** The exchange's own id. */
  symbol: string;
  /** Base assets, one side. */
  openInterest: string | null;
  /** Unix ms. */
  time: number;
}

export interface ComputedIndicators {
  /** The exchange's own symbol; null with candles of your own. */
  symbol: string | null;
  /** The same. */
  market: string | null;
  /** Exchange id; null with candles of your own or a recorded series. */
  exchange: string | null;
  /** Candle length; null where candles of your own state none. */
  timeframe: string | null;
  /** Close time of the last closed candle; of your own, its timestamp. Unix milliseconds. */
  timestamp: number | null;
  /** Closed candles that are shown. */
  count: number;
  /** Open times; with series only. */
  timestamps?: readonly (number)[];
  /** Map from column to values; with series of a symbol only. */
  candles?: {
    [key: string]: readonly (number)[];
  };
  /** Map from id to indicator. */
  indicators: {
    [key: string]: ComputedIndicatorsIndicator;
  };
  /** Indicators for which the candles are too few, or do not reach the start of a period: what lacks them is null. */
  warnings: readonly (ComputedIndicatorsWarning)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** The recorded series that stands for candles; absent without one. */
  recorded?: ComputedIndicatorsRecorded;
}

export interface ComputedIndicatorsIndicator {
  /** Name in the catalogue. */
  name: string;
  /** Its parameters by name. */
  params: {
  };
  /** Names of its outputs. */
  fields: readonly (string)[];
  /** Map from output to the value of the last candle. */
  latest: {
    [key: string]: number | null;
  };
  /** Map from output to values, oldest first. */
  series?: {
    [key: string]: readonly (number | null)[];
  };
}

export interface ComputedIndicatorsRecorded {
  /** Name of the series. */
  name: string;
  /** Base asset. */
  symbol: string;
  /** Which of its values. */
  column: string;
  /** Exchange id. */
  exchange?: string;
  /** Of the contracts, as asked. */
  margin?: string;
  /** Of the markets, as asked. */
  kind?: string;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
}

export interface ComputedIndicatorsWarning {
  /** Key in `indicators`. */
  id: string;
  /** Name in the catalogue. */
  name: string;
  /** Candles that it takes. */
  needed: number;
  /** Candles that there are. */
  available: number;
  /** The fault, in words. */
  message: string;
}

export interface ComputedMarkets {
  /** Number of rows in the answer. */
  count: number;
  /** In the order of `markets`. */
  items: readonly (ComputedMarketsItem)[];
}

export interface ComputedMarketsItem {
  /** As asked. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** Candle length. */
  timeframe: string;
  /** As of one market; null with an error. */
  data: ComputedIndicators | null;
  /** Which error it is; null with data. */
  code: string | null;
  /** The fault, in words; null with data. */
  message: string | null;
}

export interface CvdAggregatedPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Bought less sold by takers on all these exchanges, US dollars. */
  delta_usd: number;
  /** Sum of the differences from the first point of this answer on, US dollars: each page of a range begins at 0. */
  cvd_usd: number;
  /** Exchanges with a row of this interval. */
  exchange_count: number;
  /** Map from exchange. */
  exchanges: {
    [key: string]: number;
  };
}

export interface CvdHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (CvdHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface CvdHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Bought less sold by takers, US dollars. */
  delta_usd: number;
  /** Sum of the differences from the first point of this answer on, US dollars: each page of a range begins at 0. */
  cvd_usd: number;
  /** Bought less sold, base units. */
  delta_base: number;
  /** Sum of the differences from the first point of this answer on, base units: each page of a range begins at 0. */
  cvd_base: number;
  /** Last price of the interval, in quote; null where the volumes come without one. */
  close: number | null;
}

export interface DefiStablecoinsV2 {
  /** When the rows were received, Unix milliseconds. */
  updated_at: number;
  /** Older than 15 minutes: no source has answered since. */
  stale?: true;
  /** Number of rows in the answer. */
  count: number;
  /** The largest first. */
  stablecoins: readonly (DefiStablecoinsV2Stablecoin)[];
}

export interface DefiStablecoinsV2Stablecoin {
  /** Name of the coin. */
  name: string;
  /** Symbol of the coin. */
  symbol: string;
  /** `peggedUSD`, `peggedEUR`. */
  peg_type: string;
  /** The amount on all chains, USD: for coins pegged to another currency too the value in dollars, as the source states it. */
  circulating: number;
  /** The largest first. */
  chains: readonly (string)[];
}

export interface DeleteAlertsById {
  /** Id of the alert. */
  id: string;
  /** It does not fire any more. */
  status: "deleted";
}

export interface DeleteAuthKeysById {
  /** Id of the key, a UUID. */
  id: string;
  /** It is refused from now on. */
  status: "revoked";
}

export interface DeleteAuthSession {
  /** Whose session it is; null without one. */
  account: string | null;
}

export interface Depth {
  /** The exchange's number of the book's last change. */
  lastUpdateId?: number;
  /** When the book was so, Unix ms; of contracts. */
  T?: number;
  /** Price descending. */
  bids: readonly (readonly (string)[])[];
  /** Price ascending. */
  asks: readonly (readonly (string)[])[];
}

export interface DexOrcaPoolsV2 {
  /** When the rows were received, Unix milliseconds. */
  updated_at: number;
  /** Older than 3 minutes: no source has answered since. */
  stale?: true;
  /** Number of rows in the answer. */
  count: number;
  /** In the order of the summary. */
  pools: readonly (DexOrcaPoolsV2Pool)[];
}

export interface DexOrcaPoolsV2Pool {
  /** Address of the pool. */
  address: string;
  /** Mint of token A. */
  token_a: string;
  /** Mint of token B. */
  token_b: string;
  /** Absent where the token has none. */
  symbol_a?: string;
  /** Absent where the token has none. */
  symbol_b?: string;
  /** Amount of token B for one token A, a ratio. */
  price: number;
  /** USD. */
  tvl: number;
  /** USD. */
  volume_24h: number;
  /** Fraction of a trade: 0.003 is 0.3 %. */
  fee_rate: number;
}

export interface DexRaydiumPoolsV2 {
  /** When the rows were received, Unix milliseconds. */
  updated_at: number;
  /** Older than 3 minutes: no source has answered since. */
  stale?: true;
  /** Number of rows in the answer. */
  count: number;
  /** In the order of the summary. */
  pools: readonly (DexRaydiumPoolsV2Pool)[];
}

export interface DexRaydiumPoolsV2Pool {
  /** Address of the pool. */
  pool_id: string;
  /** `Standard` or `Concentrated`. */
  pool_type: string;
  /** Mint of token A. */
  mint_a: string;
  /** Mint of token B. */
  mint_b: string;
  /** Absent where the token has none. */
  symbol_a?: string;
  /** Absent where the token has none. */
  symbol_b?: string;
  /** USD. */
  tvl: number;
  /** USD. */
  volume_24h: number;
  /** USD. */
  fee_24h: number;
  /** Percent a year, fees and rewards together. */
  apr_24h: number;
}

export interface DexSearchV2 {
  /** In the order of the source, which is by relevance. */
  pairs: readonly (DexSearchV2Pair)[];
  /** How many pairs there are here; the source gives about 30 at most. */
  count: number;
  /** The source: `dexscreener`, or `geckoterminal` while that fails. */
  source: string;
  /** When its answer was received, Unix milliseconds. */
  updated_at: number;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface DexSearchV2Pair {
  /** In the words of the source: `ethereum`, `solana`. */
  chain: string;
  /** Exchange. */
  dex: string;
  /** Symbol, as the maker of the token wrote it. */
  base_token: string;
  /** Contract of the base token. */
  base_address: string;
  /** Symbol. */
  quote_token: string;
  /** Of the base token, USD. */
  price_usd: number;
  /** USD. */
  volume_24h: number;
  /** USD; 0 where the pair has no pool yet. */
  liquidity_usd: number;
  /** Fully diluted value, USD; null when unknown. */
  fdv: number | null;
  /** The pool's address, or the id that its exchange has for it. */
  pair_address: string;
  /** The pair on the site of the source. */
  url: string;
  /** Percent; null when unknown. */
  price_change_5m: number | null;
  /** Percent; null when unknown. */
  price_change_1h: number | null;
  /** Percent; 0 as well where nothing traded. */
  price_change_24h: number;
}

export interface DexUniswapPoolsV2 {
  /** When the rows were received, Unix milliseconds. */
  updated_at: number;
  /** Older than 15 minutes: no source has answered since. */
  stale?: true;
  /** Number of rows in the answer. */
  count: number;
  /** In the order of the summary. */
  pools: readonly (DexUniswapPoolsV2Pool)[];
}

export interface DexUniswapPoolsV2Pool {
  /** Contract of the pool, in checksum form. */
  pool_id: string;
  /** Symbol; the shortened address where it is unknown. */
  token0: string;
  /** Symbol; the shortened address where it is unknown. */
  token1: string;
  /** Hundredths of a basis point. */
  fee_tier: 100 | 500 | 3000 | 10000;
  /** USD. */
  tvl_usd: number;
  /** 24 h, USD; 0 as well where the source does not know it. */
  volume_usd: number;
}

export interface Exchange {
  /** Exchange id. */
  id: string;
  /** Name of the exchange. */
  name: string;
  /** spot, perpetual. */
  kinds: readonly (string)[];
  /** prices, derivatives, open_interest, orderbook, bars. */
  capabilities: readonly (string)[];
  /** Most levels a side; null without an order book. */
  orderbook_cap: number | null;
  /** One of the exchange's own symbols. */
  example: string;
}

export interface ExchangeDetail {
  /** Exchange id. */
  id: string;
  /** Name of the exchange. */
  name: string;
  /** spot, perpetual. */
  kinds: readonly (string)[];
  /** Map from name of the data to how it is had. */
  capabilities: {
    [key: string]: ExchangeDetailCapability;
  };
  /** Most levels a side; null without an order book. */
  orderbook_cap: number | null;
  /** Candle lengths of the exchange itself; others are built of them. */
  bar_intervals: readonly (string)[];
  /** One of the exchange's own symbols. */
  example: string;
}

export interface ExchangeDetailCapability {
  /** On demand: asked when a client asks. */
  how: "polled" | "streamed" | "on_demand";
  /** Between two readings; null where asked on demand. */
  every_seconds: number | null;
}

export interface Exchanges {
  /** Number of rows in the answer. */
  count: number;
  /** One row an exchange. */
  exchanges: readonly (Exchange)[];
}

export interface ExchangesV2 {
  /** Number of rows in the answer. */
  count: number;
  /** One row an exchange. */
  exchanges: readonly (ExchangeDetail)[];
}

export interface ExchangesVolumeHistory {
  /** Kind of the markets. */
  kind: "spot" | "perpetual";
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Ascending by time. */
  points: readonly (ExchangesVolumeHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface ExchangesVolumeHistoryPoint {
  /** Start of the interval, Unix ms; values are those at its end. */
  timestamp: number;
  /** Sum of `exchanges`, US dollars. */
  volume_24h_usd: number;
  /** Exchanges with a value: where it changes, so does what the sum is of. */
  exchange_count: number;
  /** Map from exchange. */
  exchanges: {
    [key: string]: number;
  };
}

export interface Explanation {
  /** The field of the answer that the inputs give. */
  field: string;
  /** Its value, US dollars or a fraction. */
  result: number;
  /** Sum of weight × value × conversion, or the smallest value × conversion at which half of the weight is reached. */
  method: "weighted_sum" | "weighted_median";
  /** Which inputs count, and how their weights follow. */
  rule: string;
  /** All that were looked at. */
  inputs: readonly (ExplanationInput)[];
}

export interface ExplanationInput {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own symbol of the market. */
  market: string;
  /** As the exchange states it, in `unit`: an amount in quote, or a fraction. */
  value: number;
  /** What the value is in. */
  unit: string;
  /** Factor that makes it comparable: US dollars a quote, or 8 / hours. */
  conversion: number;
  /** Of the converted value, a fraction or 1; 0 where it does not count. */
  weight: number;
  /** When it was received, Unix ms. */
  received_at: number;
  /** How much older it is than the newest input, or than the answer, ms. */
  age_ms: number;
  /** Why it does not count; null where it does. */
  excluded: string | null;
}

export interface FearGreedParts {
  /** Of the parts that are known, a fraction of all. */
  weight: number;
  /** Map from part to its rank among its last 365 days, percent. */
  ranks: {
    [key: string]: number | null;
  };
}

export interface Filter {
  /** Which rule it is. */
  filterType: string;
  [key: string]: string | undefined;
}

export interface FixingExchange {
  /** Exchange id. */
  exchange: string;
  /** Minutes of the hour of which every trade is known, 60 at most. */
  minutes: number;
}

export interface Footprint {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  market: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Width of a level, in quote. */
  step: number;
  /** Of most minutes: `trades` are the trades themselves, `klines_1m` spreads the volume of each minute evenly from its low to its high. */
  method: "trades" | "klines_1m";
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Bars. */
  count: number;
  /** Ascending by time. */
  bars: readonly (FootprintBar)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface FootprintBar {
  /** Start of the bar, Unix ms. */
  timestamp: number;
  /** Of the minutes of the bar. */
  method: "trades" | "klines_1m" | "mixed";
  /** Minutes that are made of trades. */
  trade_minutes: number;
  /** Minutes that are made of candles; the newest one is. */
  candle_minutes: number;
  /** Minutes until now that are neither: what was traded in them is in no number of the bar. */
  missing_minutes: number;
  /** First price, in quote. */
  open: number;
  /** Highest price, in quote. */
  high: number;
  /** Lowest price, in quote. */
  low: number;
  /** Last price, in quote. */
  close: number;
  /** Base units. */
  volume_base: number;
  /** Base units. */
  buy_base: number;
  /** Base units. */
  sell_base: number;
  /** Bought less sold by takers, base units. */
  delta_base: number;
  /** Start of the level with the largest volume, in quote. */
  poc_price: number | null;
  /** Highest level of the run around it with 70 % of the volume, in quote. */
  value_area_high: number | null;
  /** Its lowest level, in quote. */
  value_area_low: number | null;
  /** Ascending by price. */
  levels: readonly (FootprintBarLevel)[];
}

export interface FootprintBarLevel {
  /** Start of the level, in quote. */
  price: number;
  /** Base units. */
  buy_base: number;
  /** Base units. */
  sell_base: number;
  /** US dollars. */
  buy_usd: number;
  /** US dollars. */
  sell_usd: number;
  /** Base units. */
  delta_base: number;
}

export interface FundingArbitrage {
  /** Fees, slippage and borrowing are not in the figures. */
  fees_included: false;
  /** What the figures leave out, in words. */
  note: string;
  /** Percent a year, as asked. */
  min_apr: number;
  /** USD, as asked. */
  min_volume: number;
  /** Pairs found, before `limit`. */
  total: number;
  /** Number of rows in the answer. */
  count: number;
  /** Best first. */
  items: readonly (FundingArbitrageItem)[];
}

export interface FundingArbitrageItem {
  /** Base asset. */
  symbol: string;
  /** The contract to be bought. */
  long: FundingArbitrageSide;
  /** The contract to be sold. */
  short: FundingArbitrageSide;
  /** Received by the pair in 365 days at the present rates, percent of the size of one side, before fees. */
  apr_percent: number;
  /** Mark of the short side over that of the long side, less one, percent. */
  basis_percent: number;
}

export interface FundingArbitrageSide {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the contract. */
  contract: string;
  /** As the exchange states it, a fraction per `interval_hours`. */
  funding_rate: number;
  /** Hours between two fundings. */
  interval_hours: number;
  /** Rate of 365 days, a fraction, without interest on interest. */
  annualized: number;
  /** Unix ms; null where it is not known. */
  next_funding_time: number | null;
  /** In the quote of the contract. */
  mark_price: number | null;
  /** One side, USD. */
  open_interest_usd: number | null;
  /** Turnover of 24 hours, USD. */
  volume_24h_usd: number | null;
}

export interface FundingHistoryPoint {
  /** When it was charged, Unix ms. */
  timestamp: number;
  /** Fraction of `interval_hours`. */
  funding_rate: number;
  /** The rate expected before, a fraction of `interval_hours`; null where the exchange keeps none. */
  predicted_rate: number | null;
  /** Fraction: the rate x 8 / `interval_hours`. */
  funding_rate_8h: number | null;
  /** Hours since the funding before. */
  interval_hours: number | null;
}

export interface FundingRateExtreme {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the contract. */
  contract: string;
  /** Rate of 365 days, a fraction, without interest on interest. */
  annualized: number;
}

export interface FundingRatesAt {
  /** Base asset. */
  symbol: string;
  /** As asked, Unix ms. */
  at: number;
  /** Time between two samples, ms. */
  step_ms: number;
  /** Number of rows in the answer. */
  count: number;
  /** What was recorded. */
  items: readonly (FundingRatesAtItem)[];
}

export interface FundingRatesAtItem {
  /** Exchange id. */
  exchange: string;
  /** Settled in a dollar currency or in the base asset. */
  margin: "stable" | "coin";
  /** Hour in which it was settled, Unix ms. */
  sampled_at: number;
  /** Whether an exchange stated it afterwards; false where it was recorded at that time. */
  backfilled: boolean;
  /** Settled, a fraction per `interval_hours`. */
  funding_rate: number | null;
  /** Hours that it is for. */
  interval_hours: number | null;
}

export interface FundingRatesCumulative {
  /** Base asset. */
  symbol: string;
  /** Days back, as asked. */
  range: string;
  /** Largest sum of the range first. */
  exchanges: readonly (FundingRatesCumulativeExchange)[];
  /** By exchange that has recorded the whole range: the sum from its beginning until the end of the day. */
  points: readonly (FundingRatesCumulativePoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface FundingRatesCumulativeExchange {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id. */
  contract: string;
  /** Hours before the newest settlement; null without any. */
  interval_hours: number | null;
  /** Settlements that are recorded in the range. */
  settlements: number;
  /** Sum of the rates settled in 24 hours, a fraction; null where less than that is recorded. */
  cumulative_1d: number | null;
  /** Sum of the rates settled in 7 days, a fraction; null where less than that is recorded. */
  cumulative_7d: number | null;
  /** Sum of the rates settled in 30 days, a fraction; null where less than that is recorded. */
  cumulative_30d: number | null;
  /** Sum of the rates settled in the range, a fraction; null where less than that is recorded. */
  cumulative_range: number | null;
  /** The sum of the range in 365 days. */
  annualized: number | null;
}

export interface FundingRatesCumulativePoint {
  /** Start of the day (UTC), Unix ms. */
  timestamp: number;
  [key: string]: number | undefined;
}

export interface FundingRatesOfSymbol {
  /** Base asset. */
  symbol: string;
  /** Exchanges with a rate of it. */
  exchange_count: number;
  /** Contracts that the means are of. */
  contract_count: number;
  /** Mean of `funding_rate_8h`, each contract counted once, a fraction. */
  average_rate_8h: number;
  /** Median of `funding_rate_8h`, a fraction. */
  median_rate_8h: number;
  /** The mean per 365 days, a fraction. */
  annualized: number;
  /** Contract with the highest rate. */
  highest: FundingRateExtreme;
  /** Contract with the lowest rate. */
  lowest: FundingRateExtreme;
  /** Highest first. */
  rates: readonly (FundingRatesOfSymbolRate)[];
  /** Exchanges left out: what they stated is too old. */
  stale_exchanges: readonly (string)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: Explanation;
}

export interface FundingRatesOfSymbolRate {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the contract. */
  contract: string;
  /** Quote asset. */
  quote: string;
  /** As the exchange states it, a fraction per `interval_hours`. */
  funding_rate: number;
  /** Expected for the next interval, a fraction per `interval_hours`; null where the exchange states none. */
  predicted_rate: number | null;
  /** Hours between two fundings. */
  interval_hours: number;
  /** Fraction: the rate x 8 / `interval_hours`. */
  funding_rate_8h: number;
  /** Rate of 365 days, a fraction, without interest on interest. */
  annualized: number;
  /** Unix ms; null where it is not known. */
  next_funding_time: number | null;
  /** In the quote of the contract. */
  mark_price: number | null;
  /** In `quote`. */
  index_price: number | null;
  /** One side, USD. */
  open_interest_usd: number | null;
  /** Turnover of 24 hours, USD. */
  volume_24h_usd: number | null;
  /** When it was received, Unix ms. */
  updated_at: number;
}

export interface FundingRatesOfSymbols {
  /** Symbols that were found. */
  count: number;
  /** Map from symbol to its answer, as `symbol` gives it. */
  symbols: {
    [key: string]: FundingRatesOfSymbol;
  };
  /** Symbols without an answer, and why. */
  missing: readonly (MissingSymbol)[];
}

export interface FundingRatesOiWeightedHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Ascending by time. */
  points: readonly (FundingRatesOiWeightedHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface FundingRatesOiWeightedHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Mean of the rates of eight hours by open interest, a fraction. */
  funding_rate_8h: number;
  /** Rate of 365 days, a fraction, without interest on interest. */
  annualized: number;
  /** Mean of the same rates, each contract counted once, a fraction. */
  average_rate_8h: number;
  /** Open interest of these contracts at the end of the interval, one side, US dollars. */
  open_interest_usd: number;
  /** Exchanges with a settlement and an open interest in the interval. */
  exchange_count: number;
}

export interface FundingRatesPage {
  /** Symbols that there are. */
  total: number;
  /** Symbols before the first item, as asked. */
  offset: number;
  /** Most items, as asked. */
  limit: number;
  /** Number of rows in the answer. */
  count: number;
  /** One row a symbol, in the order of `sort`. */
  items: readonly (FundingRatesPageItem)[];
}

export interface FundingRatesPageItem {
  /** Base asset. */
  symbol: string;
  /** Exchanges with a rate of it. */
  exchange_count: number;
  /** Contracts that the means are of. */
  contract_count: number;
  /** Mean of `funding_rate_8h`, each contract counted once, a fraction. */
  average_rate_8h: number;
  /** Median of `funding_rate_8h`, a fraction. */
  median_rate_8h: number;
  /** The mean per 365 days, a fraction. */
  annualized: number;
  /** Contract with the highest rate. */
  highest: FundingRateExtreme;
  /** Contract with the lowest rate. */
  lowest: FundingRateExtreme;
  /** With `detail=full`; highest first. */
  rates?: readonly (FundingRatesOfSymbolRate)[];
}

export interface FundingRatesPredictedHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Ascending by time. */
  points: readonly (FundingRatesPredictedHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface FundingRatesPredictedHistoryPoint {
  /** Start of the interval, Unix ms; rates are those at its end. */
  timestamp: number;
  /** Mean of `exchanges`, a fraction of eight hours. */
  average_rate_8h: number;
  /** Their median, a fraction of eight hours. */
  median_rate_8h: number;
  /** Exchanges with a rate at the end of the interval. */
  exchange_count: number;
  /** Map from exchange. */
  exchanges: {
    [key: string]: number;
  };
}

export interface FundingRatesV2 {
  /** Exchange id. */
  exchange: string;
  /** Markets that are left out: what was stated of them is too old. */
  stale_count: number;
  /** Number of rows in the answer. */
  count: number;
  /** One row a market. */
  items: readonly (FundingRatesV2Item)[];
}

export interface FundingRatesV2Item {
  /** The exchange's own symbol. */
  market: string;
  /** Base asset. */
  symbol: string;
  /** Quote asset. */
  quote: string;
  /** Of one base asset, in `quote`. */
  mark_price: number | null;
  /** Of one base asset, in `quote`. */
  index_price: number | null;
  /** As the exchange states it, a fraction per `interval_hours`. */
  funding_rate: number | null;
  /** Expected for the next interval, a fraction per `interval_hours`; null where none is stated. */
  predicted_rate: number | null;
  /** Hours between two fundings; null where they are not known. */
  interval_hours: number | null;
  /** Fraction: the rate x 8 / `interval_hours`. */
  funding_rate_8h: number | null;
  /** Against the index, a fraction, where the exchange states it. */
  premium: number | null;
  /** Unix ms. */
  next_funding_time: number | null;
  /** The time that the exchange states, Unix ms. */
  venue_time: number | null;
  /** When it was received, Unix ms. */
  updated_at: number;
}

export interface FundingRatesVolWeighted {
  /** Base asset. */
  symbol: string;
  /** Mean of `funding_rate_8h` by turnover, a fraction. */
  vol_weighted_rate_8h: number;
  /** The same by open interest, a fraction; null where none is known. */
  oi_weighted_rate_8h: number | null;
  /** Mean, each contract counted once, a fraction. */
  average_rate_8h: number;
  /** Rate of 365 days, a fraction, without interest on interest. */
  annualized: number;
  /** Turnover of 24 hours of these contracts, USD. */
  total_volume_24h_usd: number;
  /** Exchanges with a rate of it. */
  exchange_count: number;
  /** When the newest of the rates was received, Unix ms. */
  updated_at: number;
  /** Largest turnover first. */
  exchanges: readonly (FundingRatesVolWeightedExchange)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: Explanation;
}

export interface FundingRatesVolWeightedExchange {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the contract. */
  contract: string;
  /** As the exchange states it, a fraction per `interval_hours`. */
  funding_rate: number;
  /** Hours between two fundings. */
  interval_hours: number;
  /** Fraction: the rate x 8 / `interval_hours`. */
  funding_rate_8h: number;
  /** Turnover of 24 hours, USD. */
  volume_24h_usd: number | null;
  /** One side, USD. */
  open_interest_usd: number | null;
  /** Share of the turnover; null where it is not known. */
  weight: number | null;
  /** Unix ms; null where it is not known. */
  next_funding_time: number | null;
}

export interface FundingRatesVolWeightedHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Ascending by time. */
  points: readonly (FundingRatesVolWeightedHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface FundingRatesVolWeightedHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Mean of the rates of eight hours by the turnover of the perpetuals of each exchange in the interval, as recorded, a fraction: of the exchanges whose turnover is recorded, and without weights where `weighted_count` is 0. */
  vol_weighted_rate_8h: number;
  /** Mean of the same, each exchange counted once, a fraction. */
  average_rate_8h: number;
  /** Exchanges whose turnover in the interval is recorded: those that are weighted. */
  weighted_count: number;
  /** Turnover of the perpetuals of all exchanges in the interval, US dollars; null where none is recorded. */
  total_volume_usd: number | null;
  /** Exchanges with a settlement in the interval. */
  exchange_count: number;
}

export interface FuturesBasisHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id. */
  contract: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Asked of the exchange, or read of what this service has recorded of an exchange that keeps none. */
  origin: "exchange" | "recorded";
  /** How much of what was asked for is recorded. */
  coverage?: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Ascending by time. */
  points: readonly (FuturesBasisHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface FuturesBasisHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Mark over index, less 1, percent; null without an index. */
  basis_percent: number | null;
  /** At the end of the interval, or now where it still runs, in quote. */
  mark_price: number | null;
  /** The same of the index, in quote; null where the exchange has no such candle. */
  index_price: number | null;
}

export interface FuturesCoinsMarkets {
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (FuturesCoinsMarketsItem)[];
}

export interface FuturesCoinsMarketsItem {
  /** Base asset. */
  symbol: string;
  /** US dollars: mean over the markets by their turnover, without those more than 5 % from the median. */
  price: number;
  /** Change of the mean price of all exchanges in one hour, percent; null where it is not recorded. */
  price_change_1h_percent: number | null;
  /** Change of the price of the asset in 24 hours, percent: mean over its markets, spot and perpetual, by their turnover. */
  price_change_24h_percent: number | null;
  /** asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is. */
  price_change_24h_basis: "asset" | "exchange" | "recorded" | null;
  /** One side, USD; null where it is not known. */
  open_interest_usd: number | null;
  /** Percent, over the exchanges that are recorded at both times; null where they have less than half of it. */
  open_interest_change_1h_percent: number | null;
  /** Percent, over the exchanges that are recorded at both times; null where they have less than half of it. */
  open_interest_change_24h_percent: number | null;
  /** Turnover of 24 hours of the markets that count, USD. */
  volume_24h_usd: number;
  /** Fraction: mean over the markets by their turnover. */
  funding_rate_8h: number | null;
  /** Open interest over turnover. */
  oi_volume_ratio: number | null;
  /** US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any. */
  liquidation_usd_24h: number | null;
  /** US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any. */
  long_liquidation_usd_24h: number | null;
  /** US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any. */
  short_liquidation_usd_24h: number | null;
  /** Accounts that are long over those that are short, on Binance, of the newest five minutes; null for assets that are not recorded. */
  long_short_ratio: number | null;
  /** Of that exchange alone; /v1/long-short-ratio is the mean of several. */
  long_short_ratio_basis: "binance";
  /** Exchanges whose markets count. */
  exchange_count: number;
  /** When the newest of its numbers was received, Unix ms. */
  updated_at: number;
  /** Two exchanges differ by more than 10 % in the price, or no majority of them agrees: the mean is of little worth. */
  disputed?: true;
  /** Map from a number of this row to the exchanges of which a market is left out of it: a price more than 5 % from the median, an open interest that cannot be true; absent without any. */
  outliers?: {
    [key: string]: readonly (string)[];
  };
  /** Map from a number of this row that is more than 90 seconds old to the time of its newest part; absent without any. */
  old_since?: {
    [key: string]: number;
  };
}

export interface FuturesCoinsPriceChange {
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (FuturesCoinsPriceChangeItem)[];
}

export interface FuturesCoinsPriceChangeItem {
  /** Base asset. */
  symbol: string;
  /** Mean of the perpetuals of all exchanges, US dollars. */
  price: number;
  /** Change in 5m, percent; null where the price then is not recorded. */
  price_change_percent_5m: number | null;
  /** Change in 15m, percent; null where the price then is not recorded. */
  price_change_percent_15m: number | null;
  /** Change in 30m, percent; null where the price then is not recorded. */
  price_change_percent_30m: number | null;
  /** Change in 1h, percent; null where the price then is not recorded. */
  price_change_percent_1h: number | null;
  /** Change in 4h, percent; null where the price then is not recorded. */
  price_change_percent_4h: number | null;
  /** Change in 12h, percent; null where the price then is not recorded. */
  price_change_percent_12h: number | null;
  /** Change of the asset in 24 hours, percent: as in the tables of assets. */
  price_change_percent_24h: number | null;
  /** asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is. */
  price_change_24h_basis: "asset" | "exchange" | "recorded" | null;
  /** Highest less lowest price of 24 hours in percent of the lowest, of the prices at the ends of the hours and now. */
  price_amplitude_percent_24h: number | null;
}

export interface FuturesCvdAggregated {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Exchanges of which a market could not be had. */
  failed_exchanges: readonly (string)[];
  /** Ascending by time. */
  points: readonly (CvdAggregatedPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface FuturesExchangeRank {
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (FuturesExchangeRankItem)[];
}

export interface FuturesExchangeRankItem {
  /** Among all exchanges, from 1. */
  rank: number;
  /** Exchange id. */
  exchange: string;
  /** One side, USD; null where it is not known. */
  open_interest_usd: number | null;
  /** Turnover of 24 hours, USD. */
  volume_24h_usd: number | null;
  /** US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any. */
  liquidation_usd_24h: number | null;
  /** Perpetuals against dollars. */
  pairs: number;
  /** Fraction of the open interest of all exchanges. */
  oi_share: number | null;
  /** Fraction of the turnover of all exchanges. */
  volume_share: number | null;
  /** Open interest over turnover. */
  oi_volume_ratio: number | null;
}

export interface FuturesPairsMarkets {
  /** Of one market each, not of the asset as in the tables of assets. */
  price_change_24h_basis: "market";
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (FuturesPairsMarketsItem)[];
}

export interface FuturesPairsMarketsItem {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id. */
  contract: string;
  /** Base asset. */
  symbol: string;
  /** Quote asset. */
  quote: string;
  /** inverse: margined in the base asset. */
  margin_type: "linear" | "inverse";
  /** Last trade, in `quote`; the mark price where the exchange states none. */
  price: number;
  /** In `quote`. */
  mark_price: number | null;
  /** In `quote`. */
  index_price: number | null;
  /** Change of the price of this market in 24 hours, percent; null where the exchange states none. */
  price_change_24h_percent: number | null;
  /** Turnover of 24 hours, USD. */
  volume_24h_usd: number | null;
  /** One side, USD; null where it is not known. */
  open_interest_usd: number | null;
  /** One side, base units. */
  open_interest_base: number | null;
  /** Fraction per `funding_interval_hours`. */
  funding_rate: number | null;
  /** Hours between two fundings; null where they are not known. */
  funding_interval_hours: number | null;
  /** Fraction: the rate x 8 / `funding_interval_hours`. */
  funding_rate_8h: number | null;
  /** Unix ms. */
  next_funding_time: number | null;
  /** When the newest of its numbers was received, Unix ms. */
  updated_at: number;
}

export interface FuturesTermStructure {
  /** Base asset. */
  symbol: string;
  /** Number of rows in the answer. */
  count: number;
  /** Perpetuals first, then by expiry, soonest first. */
  items: readonly (FuturesTermStructureItem)[];
}

export interface FuturesTermStructureItem {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own symbol. */
  contract: string;
  /** Quote asset. */
  quote: string;
  /** Inverse: settled in the base asset. Null while the instrument list is not known. */
  margin_type: "linear" | "inverse" | null;
  /** Unix ms; null for a perpetual. */
  expiry: number | null;
  /** Days, with their fraction; null for a perpetual. */
  days_to_expiry: number | null;
  /** Of one base asset, in `quote`. */
  mark_price: number;
  /** Of one base asset, in `quote`, as the exchange states it for this contract. */
  index_price: number | null;
  /** Mark over index, less 1, percent; null without an index. */
  basis_percent: number | null;
  /** basis_percent x 365 / days_to_expiry, percent a year, simple interest; null for a perpetual, without an index, and in the last hour. */
  annualized_percent: number | null;
  /** One side, US dollars; null where it is not known. */
  open_interest_usd: number | null;
  /** Turnover of 24 hours, US dollars; null where it is not known. */
  volume_24h_usd: number | null;
  /** When it was received, Unix ms. */
  updated_at: number;
}

export interface Healthz {
  /** Of the upstreams, or made up by the simulator. */
  data: "live" | "simulated";
  /** `slow`: it answers after more than 500 ms. `read_only`: it answers and takes no writes: its memory (`maxmemory`) or its disk is full, too few replicas follow, or it is a replica. Of several servers the worst. */
  redis: "up" | "slow" | "read_only" | "down";
  /** What Redis has lost and how it is restored, where it was emptied while the service was in use, or why keys cannot be changed. */
  redis_problem: string | null;
  /** Each server of Redis that has a setting of its own. */
  redis_servers: readonly (HealthzRedisServer)[];
  /** How long Redis takes to answer this process, of a ping each second over the last minute; null before its first answer. */
  redis_latency: HealthzRedisLatency | null;
  /** The store of recorded series. */
  history: HealthzHistory;
  /** Hosts whose clock differs from that of Redis by more than a second; their processes use the time of Redis. */
  clocks: readonly (HealthzClock)[];
  /** Since the newest reading was received, ms; null before the first. */
  newest_reading_age_ms: number | null;
  /** Since the process began, seconds. */
  uptime_s: number;
  /** Of the service. */
  version: string;
}

export interface HealthzClock {
  /** Name of the machine. */
  host: string;
  /** By how much its clock is ahead of that of Redis, ms; negative where it is behind. */
  ahead_ms: number;
}

export interface HealthzHistory {
  /** `down`: no history process runs. */
  state: "up" | "failing" | "down";
  /** Why nothing can be written at present (a full disk, a database that does not answer), or what has happened to the file since the start: a damaged one is set aside under a new name. */
  problem: string | null;
}

export interface HealthzRedisLatency {
  /** Median, ms. */
  p50_ms: number;
  /** 99th percentile, ms. */
  p99_ms: number;
}

export interface HealthzRedisServer {
  /** `REDIS_URL`, `REDIS_BUS_URL` or `REDIS_READ_URL`. */
  setting: string;
  /** As `redis`. */
  state: "up" | "slow" | "read_only" | "down";
  /** What is wrong with it, and what to do. */
  problem: string | null;
}

export interface HistoryCoverage {
  /** Number of rows in the answer. */
  count: number;
  /** By series and step, the shorter step first. */
  items: readonly (HistoryCoverageItem)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface HistoryCoverageItem {
  /** Recorded series; docs/history.md has their columns. */
  series: string;
  /** Length of a stored step: `1m`, `5m`, `1h` or `1d`. */
  step: string;
  /** For how long a row is kept, milliseconds; null where always. */
  kept_ms: number | null;
  /** When the recording of the series began, Unix ms: older rows are of exchanges that keep them. Null where it has not begun. */
  recorded_from: number | null;
  /** Start of the newest complete step with rows, Unix ms; null where none of the last 16 has any. */
  newest: number | null;
  /** Keys (exchanges and assets) with a row in that step. */
  keys: number;
  /** The key whose rows are counted: of these keys the first by name that names BTC, else the first one; null without any. */
  key: string | null;
  /** Rows of that key in the last `steps` complete steps. Liquidations have rows only where there were any, fundings at settlements. */
  rows: number;
  /** Steps of 24 hours; of 7 days where a step is an hour, and of 30 days where it is a day. */
  steps: number;
}

export interface HyperliquidAccount {
  /** Address of the account. */
  address: string;
  /** USDC, counted as dollars. */
  account_value_usd: number;
  /** USDC, counted as dollars. */
  total_position_usd: number;
  /** USDC, counted as dollars. */
  total_margin_used_usd: number;
  /** USDC, counted as dollars. */
  withdrawable_usd: number;
}

export interface IndicatorExplanation {
  /** The field of the answer that the inputs give; `[]` of each row. */
  field: string;
  /** Its value: US dollars, percent, a ratio or index points as the field; of the first row where there are several. */
  result: number | null;
  /** How `result` follows, for each `of` where inputs have one: stated: the one input as its source states it. sum, rounded_sum: of weight × value; rounded to one decimal. weighted_mean, rounded_weighted_mean: the sum of weight × value over that of the weights; rounded. rounded_share_above: the share of the inputs above `threshold`, percent, rounded. share_below: the share of the values below `threshold`, a fraction. ratio_of_sums: the sum of weight × value of the side above over that below; excess_of_ratio_pct: the same less 1, percent. product_of_powers: the product of value^weight; logarithmic_band: floor(ln(that product) / 0.3 + 2.5), 0 at least and 8 at most. last_product_over_mean: the products of both series day by day, the last over their mean. correlation: Pearson's coefficient of the returns (logarithms of ratios; differences where the unit is percent a year) of both series. */
  method: "stated" | "sum" | "rounded_sum" | "weighted_mean" | "rounded_weighted_mean" | "rounded_share_above" | "share_below" | "ratio_of_sums" | "excess_of_ratio_pct" | "product_of_powers" | "logarithmic_band" | "last_product_over_mean" | "correlation";
  /** What the inputs are compared with, US dollars or percent as they are; null where they are not. */
  threshold: number | null;
  /** What the inputs are, and how their weights follow. */
  rule: string;
  /** Where the inputs are from. */
  sources: readonly (string)[];
  /** Time of the newest input, Unix ms. */
  updated_at: number;
  /** How old that was when the number was made, ms. */
  age_ms: number;
  /** All that were looked at. */
  inputs: readonly (IndicatorInput)[];
  /** Inputs of many days, which count as the others. */
  series?: readonly (IndicatorInputSeries)[];
}

export interface IndicatorInput {
  /** Part of the index, coin or exchange. */
  name: string;
  /** US dollars, percent or what `unit` says; null where it is not known or not accepted, which leaves it out. */
  value: number | null;
  /** What the value is in. */
  unit: string;
  /** Of the value, a plain factor or power; 0 where it does not count. */
  weight: number;
  /** The row of the answer that it is for, as `rule` says; absent where it is for all. */
  of?: string;
  /** Of a ratio: above its line or below it. */
  side?: "above" | "below";
}

export interface IndicatorInputSeries {
  /** What the values are. */
  name: string;
  /** What they are in. */
  unit: string;
  /** Of each value, a plain factor or power; 0 where it does not count. */
  weight: number;
  /** Day of the first value, Unix ms. */
  from: number;
  /** From one value to the next, ms. */
  step_ms: number;
  /** Oldest first. */
  values: readonly (number | null)[];
  /** The row of the answer that it is for, as `rule` says; absent where it is for all. */
  of?: string;
  /** Of a ratio: above its line or below it. */
  side?: "above" | "below";
}

export interface IndicatorRequest {
  /** Name in the catalogue. */
  name: string;
  /** Its name in the answer; made from name and parameters when absent. */
  id?: string;
  /** Parameters by name; they may also stand beside the name. */
  params?: {
  };
}

export interface Indicators {
  /** As asked, in upper case. */
  symbol: string;
  /** The exchange's own symbol of the market. */
  market: string;
  /** Candle length. */
  timeframe: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d" | "3d" | "1w" | "1M";
  /** 14 candles, averages smoothed by Wilder, 0 to 100. */
  rsi: number;
  /** EMA 12 less EMA 26, signal 9. */
  macd: IndicatorsMacd;
  /** SMA 20 and two sample standard deviations. */
  bollinger: IndicatorsBollinger;
  /** 14 candles, smoothed by Wilder, in quote. */
  atr: number;
  /** EMA of 20 candles, in quote. */
  ema20: number;
  /** EMA of 50 candles, in quote. */
  ema50: number;
  /** Close time of the last closed candle, Unix milliseconds. */
  timestamp: number;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface Indicators200WeekMa {
  /** Price of one BTC, US dollars. */
  price: number;
  /** Mean of 200 weekly closes, US dollars. */
  ma_200_week: number;
  /** Price above that mean, percent of it. */
  distance_percent: number;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (Indicators200WeekMaHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface Indicators200WeekMaHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Price of one BTC, US dollars. */
  price: number;
  /** Mean of 200 weekly closes, US dollars. */
  ma_200_week: number;
}

export interface IndicatorsAhr999 {
  /** (price / cost) x (price / growth valuation), a ratio. */
  value: number;
  /** Price of one BTC, US dollars. */
  price_usd: number;
  /** Geometric mean of the last 200 daily closes, US dollars. */
  cost_200d_usd: number;
  /** 10^(5.84 log10(age in days) - 17.01), US dollars. */
  growth_valuation_usd: number;
  /** Whole days since 2009-01-03. */
  age_days: number;
  /** Below 0.45, below 1.2, below 5, above. */
  zone: "bottom_fishing" | "dca_zone" | "wait" | "overheated";
  /** What the zone suggests. */
  signal: "buy" | "accumulate" | "hold" | "sell";
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsAhr999HistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsAhr999HistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** (price / cost) x (price / growth valuation), a ratio. */
  value: number;
  /** Price of one BTC, US dollars. */
  price_usd: number;
  /** Geometric mean of the last 200 daily closes, US dollars. */
  cost_200d_usd: number;
  /** 10^(5.84 log10(age in days) - 17.01), US dollars. */
  growth_valuation_usd: number;
}

export interface IndicatorsAltcoinSeason {
  /** Share of the coins that did better than Bitcoin in 90 days, percent. */
  index: number;
  /** What the index means. */
  classification: "altcoin_season" | "bitcoin_season" | "neutral";
  /** Days over which the changes are taken. */
  period_days: number;
  /** Coins that are compared. */
  coins_evaluated: number;
  /** Coins that did better than Bitcoin. */
  coins_outperforming: number;
  /** Bitcoin's own change in 90 days, percent. */
  bitcoin_change_pct: number;
  /** The same over 30 days. */
  month_index: number | null;
  /** The same over 365 days. */
  year_index: number | null;
  /** Coins that are compared. */
  coins: readonly (IndicatorsAltcoinSeasonCoin)[];
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsAltcoinSeasonHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsAltcoinSeasonCoin {
  /** Base asset. */
  symbol: string;
  /** By market capitalisation. */
  rank: number;
  /** Percent. */
  change_pct: number;
  /** It did better than Bitcoin. */
  outperforms: boolean;
}

export interface IndicatorsAltcoinSeasonHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** 0 to 100. */
  index: number;
  /** Made afterwards from today's coins: flatters the altcoins. */
  backfilled?: true;
}

export interface IndicatorsBitcoinCorrelations {
  /** The asset that the others are compared with. */
  base: string;
  /** One row an asset. */
  assets: readonly (IndicatorsBitcoinCorrelationsAsset)[];
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsBitcoinCorrelationsHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsBitcoinCorrelationsAsset {
  /** Key of its column in `history`. */
  id: string;
  /** Name of the asset. */
  name: string;
  /** Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them. */
  correlation_30d: number | null;
  /** Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them. */
  correlation_90d: number | null;
  /** Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them. */
  correlation_365d: number | null;
  /** Index points, US dollars an ounce, or percent a year. */
  last_price: number | null;
  /** Day of the last price: YYYY-MM-DD, or Unix milliseconds. */
  last_date: string | number | null;
  /** Where its prices are from; null without any. */
  source: string | null;
  /** Of 90 days: weak, moderate (from 0.3) or strong (from 0.6), with `negative_` below 0. */
  strength: string | null;
}

export interface IndicatorsBitcoinCorrelationsHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them. */
  sp500: number | null;
  /** Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them. */
  nasdaq: number | null;
  /** Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them. */
  gold: number | null;
  /** Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them. */
  dxy: number | null;
  /** Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them. */
  us10y: number | null;
}

export interface IndicatorsBitcoinDominance {
  /** Bitcoin's share of all capitalisation, percent. */
  dominance_pct: number;
  /** Percent; null where it is not known. */
  eth_dominance_pct: number | null;
  /** Percent; null where it is not known. */
  others_pct: number | null;
  /** US dollars. */
  total_market_cap_usd: number;
  /** US dollars. */
  btc_market_cap_usd: number;
  /** US dollars; null where it is not known. */
  total_volume_24h_usd: number | null;
  /** Percentage points. */
  change_24h_pct_points: number | null;
  /** Over 7 days; flat within 0.1 points; null while the record is shorter. */
  trend: "rising" | "falling" | "flat" | null;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsBitcoinDominanceHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsBitcoinDominanceHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Percent. */
  dominance_pct: number;
}

export interface IndicatorsBitfinexMargin {
  /** Base asset. */
  symbol: string;
  /** Base asset. */
  long_size: number;
  /** Base asset. */
  short_size: number;
  /** US dollars; null where it is not known. */
  long_usd: number | null;
  /** US dollars; null where it is not known. */
  short_usd: number | null;
  /** Null without shorts. */
  long_short_ratio: number | null;
  /** Share of the longs, percent. */
  long_pct: number | null;
  /** Of USD and of the base asset. */
  funding: readonly (IndicatorsBitfinexMarginFundingItem)[];
  /** Change of the sizes in 24 hours. */
  change_24h: IndicatorsBitfinexMarginChange24h;
  /** The larger side, when the ratio is beyond two deviations from its mean of 30 days on that side; null while fewer hours are recorded. */
  signal: "crowded_long" | "crowded_short" | "normal" | null;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsBitfinexMarginHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsBitfinexMarginChange24h {
  /** Percent; null where it is not known. */
  long_pct: number | null;
  /** Percent; null where it is not known. */
  short_pct: number | null;
}

export interface IndicatorsBitfinexMarginFundingItem {
  /** What is lent. */
  currency: string;
  /** Flash return rate, percent a day. */
  frr_daily_pct: number | null;
  /** The same, simple, percent a year. */
  frr_annual_pct: number | null;
  /** Mean length of the loans, days. */
  average_period_days: number | null;
  /** In the currency. */
  provided: number | null;
  /** In the currency. */
  used: number | null;
  /** Used / provided. */
  utilization_ratio: number | null;
  /** Open offers below the threshold of the exchange (0.75 %), in the currency. */
  below_threshold: number | null;
}

export interface IndicatorsBitfinexMarginHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Base asset. */
  long_size: number;
  /** Base asset. */
  short_size: number;
  /** Flash return rate, percent a day. */
  frr_daily_pct?: number | null;
  /** Of the history that the exchange itself keeps, not recorded here. */
  backfilled?: true;
}

export interface IndicatorsBollinger {
  /** `middle` and two deviations, in quote. */
  upper: number;
  /** SMA 20, in quote. */
  middle: number;
  /** `middle` less two deviations, in quote. */
  lower: number;
}

export interface IndicatorsBorrowInterestRate {
  /** Asset of the rate below. */
  symbol: "USDT";
  /** Percent a year. */
  average_annual_rate_pct: number | null;
  /** One row an asset. */
  assets: readonly (IndicatorsBorrowInterestRateAsset)[];
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsBorrowInterestRateHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsBorrowInterestRateAsset {
  /** Symbol of the asset that is lent. */
  asset: string;
  /** Percent a year, without interest on interest. */
  average_annual_rate_pct: number;
  /** Percent a day. */
  average_daily_rate_pct: number;
  /** Exchange with the lowest rate. */
  min: BorrowRateExtreme;
  /** Exchange with the highest rate. */
  max: BorrowRateExtreme;
  /** Exchanges that answered within two hours. */
  exchange_count: number;
}

export interface IndicatorsBorrowInterestRateHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Percent a year; null where no exchange said it. */
  usdt?: number | null;
  /** Percent a year; null where no exchange said it. */
  usdc?: number | null;
  /** Percent a year; null where no exchange said it. */
  btc?: number | null;
  /** Percent a year; null where no exchange said it. */
  eth?: number | null;
}

export interface IndicatorsBorrowRate {
  /** Exchange id. */
  exchange: string;
  /** Symbol of the asset that is lent. */
  asset: string;
  /** Percent an hour, of the lowest tier of users. */
  hourly_rate_pct: number;
  /** Percent a day. */
  daily_rate_pct: number;
  /** Percent a year, without interest on interest. */
  annual_rate_pct: number;
  /** Most that one user may borrow, in the asset. */
  borrow_limit: number | null;
  /** Unix milliseconds. */
  updated_at: number | null;
}

export interface IndicatorsBorrowRates {
  /** One row an exchange and asset. */
  rates: readonly (IndicatorsBorrowRate)[];
  /** Rates that are shown. */
  count: number;
  /** Rates left out: far above what all others ask. */
  refused: readonly (IndicatorsBorrowRatesRefusedItem)[];
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsBorrowRatesHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsBorrowRatesHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  [key: string]: number | null | number | true | undefined;
}

export interface IndicatorsBorrowRatesRefusedItem {
  /** Exchange id. */
  exchange: string;
  /** Symbol of the asset that is lent. */
  asset: string;
}

export interface IndicatorsBullMarketPeak {
  /** Signals that are reached. */
  reached: number;
  /** Signals whose state is known. */
  known: number;
  /** Number of rows in the answer. */
  count: number;
  /** One row a signal. */
  items: readonly (IndicatorsBullMarketPeakItem)[];
}

export interface IndicatorsBullMarketPeakItem {
  /** Last segment of the path of the indicator. */
  indicator: "fear-greed" | "altcoin-season" | "bitcoin-dominance" | "stablecoin-mcap" | "bitcoin-correlations" | "options-futures-oi-ratio" | "futures-spot-volume-ratio" | "ahr999" | "puell-multiple" | "stock-to-flow" | "pi-cycle" | "rainbow-chart" | "two-year-ma" | "200-week-ma" | "golden-ratio" | "profitable-days" | "exchange-transparency" | "borrow-interest-rate" | "borrow-rates" | "bitfinex-margin";
  /** Its name in words. */
  title: string;
  /** What is compared, a ratio or an index, as `rule` says; null while it is not known. */
  value: number | null;
  /** The value from which on it is reached, a ratio or an index as `value`. */
  threshold: number;
  /** What the value is, and where its threshold is from. */
  rule: string;
  /** Null while the value is not known or stale. */
  reached: boolean | null;
  /** Value over threshold, a fraction of 0 to 1; null without a value. */
  progress: number | null;
  /** Null without a value. */
  source: string | readonly (string)[] | null;
  /** Time of the newest input, Unix milliseconds; null without a value. */
  updated_at: number | null;
  /** The newest input is older than three times its cadence; null without a value. */
  stale: boolean | null;
  /** `value` is the product of these to their powers; with `explain=1`. */
  inputs?: readonly (IndicatorsBullMarketPeakItemInput)[];
}

export interface IndicatorsBullMarketPeakItemInput {
  /** Field of the answer of the indicator. */
  field: string;
  /** Its value, US dollars, a ratio or index points as there. */
  value: number;
  /** Of the value. */
  power: 1 | -1;
}

export interface IndicatorsCatalogue {
  /** Number of rows in the answer. */
  count: number;
  /** By category. */
  indicators: readonly (IndicatorsCatalogueIndicator)[];
}

export interface IndicatorsCatalogueIndicator {
  /** Name for requests. */
  name: string;
  /** Other names of it. */
  aliases: readonly (string)[];
  /** Name for readers. */
  title: string;
  /** What it measures: trend, momentum, volatility, volume and others. */
  category: string;
  /** In the order of the short form. */
  parameters: readonly (IndicatorsCatalogueIndicatorParameter)[];
  /** Columns of the candles that it reads. */
  inputs: readonly (string)[];
  /** Names of its values. */
  outputs: readonly (string)[];
  /** Those of `outputs` that are prices where it is computed from prices: on a chart they belong over the candles, the others into a pane of their own. */
  on_price: readonly (string)[];
  /** Candles until every output has a value, with the defaults. */
  minimum: number;
  /** True where each value counts from the first candle that is fetched: the same candle has another value with another `limit` or start, and only changes compare. */
  cumulative: boolean;
  /** How it is computed. */
  formula: string;
  /** Where the formula is from. */
  source: string;
}

export interface IndicatorsCatalogueIndicatorParameter {
  /** Name of the parameter. */
  name: string;
  /** Word: one of `allowed`. */
  type: "integer" | "number" | "word";
  /** The value where none is given, in the unit of the parameter. */
  default: number | string;
  /** Least value, in the unit of the parameter. */
  minimum?: number;
  /** Largest value, in the unit of the parameter. */
  maximum?: number;
  /** Words that it may be. */
  allowed?: readonly (string)[];
  /** What it does, with its unit. */
  description: string;
}

export interface IndicatorsExchangeTransparency {
  /** One row an exchange. */
  exchanges: readonly (IndicatorsExchangeTransparencyExchange)[];
  /** Number of rows in the answer. */
  count: number;
  /** Whose scores: our own, or those of another times ten. */
  method: "published_reserves" | "trust_score";
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsExchangeTransparencyHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsExchangeTransparencyExchange {
  /** Id. */
  exchange: string;
  /** Name of the exchange. */
  name: string;
  /** 40 for wallets, 25 for audits, 20 for reserves in coins of others, 15 for leverage. */
  score: number;
  /** From 80, 60, 40, 20, 0. */
  grade: "A" | "B" | "C" | "D" | "E";
  /** US dollars; null where it is not known. */
  reserves_usd: number | null;
  /** Without its own token, US dollars. */
  clean_reserves_usd: number | null;
  /** Clean reserves / reserves. */
  clean_ratio: number | null;
  /** Symbol of the token of the exchange; null without one. */
  own_token: string | null;
  /** US dollars; positive is towards the exchange. */
  inflow_24h_usd: number | null;
  /** US dollars; positive is towards the exchange. */
  inflow_7d_usd: number | null;
  /** US dollars; positive is towards the exchange. */
  inflow_30d_usd: number | null;
  /** US dollars; null where it is not known. */
  spot_volume_24h_usd: number | null;
  /** US dollars; null where it is not known. */
  derivatives_volume_24h_usd?: number | null;
  /** US dollars; null where it is not known. */
  open_interest_usd: number | null;
  /** Open interest / reserves. */
  leverage_ratio: number | null;
  /** Who audits it; null where none is known. */
  auditor: string | null;
  /** Unix milliseconds, or null. */
  last_audit_at: number | null;
  /** Where the audit is published; null as `auditor`. */
  audit_url: string | null;
  /** Where its wallets are listed; null where it lists none. */
  wallets_url: string | null;
  /** Its wallets are known. */
  wallets_published: boolean;
}

export interface IndicatorsExchangeTransparencyHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Of all exchanges, US dollars. */
  reserves_usd: number | null;
  /** Without their own tokens, US dollars. */
  clean_reserves_usd: number | null;
  /** How many publish them. */
  exchanges_with_reserves: number | null;
}

export interface IndicatorsFearGreed {
  /** 0 to 100. */
  value: number;
  /** What the value means. */
  classification: "extreme_fear" | "fear" | "neutral" | "greed" | "extreme_greed";
  /** The same in words. */
  classification_label: string;
  /** 0 to 100. */
  previous_close: number | null;
  /** 0 to 100. */
  week_ago: number | null;
  /** 0 to 100. */
  month_ago: number | null;
  /** Seconds to the next value, counted down each minute; null where the source does not say. */
  next_update_in_s: number | null;
  /** The parts of our own index. */
  computed_from?: FearGreedParts;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsFearGreedHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsFearGreedHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** 0 to 100. */
  value: number;
  /** What the value means. */
  classification: "extreme_fear" | "fear" | "neutral" | "greed" | "extreme_greed";
}

export interface IndicatorsFuturesSpotVolumeRatio {
  /** 24 h turnover of futures over that of spot, a ratio. */
  ratio: number | null;
  /** US dollars; null where it is not known. */
  futures_volume_24h_usd: number | null;
  /** US dollars; null where it is not known. */
  spot_volume_24h_usd: number | null;
  /** By base asset. */
  by_asset: readonly (IndicatorsFuturesSpotVolumeRatioByAssetItem)[];
  /** By exchange. */
  by_exchange: readonly (IndicatorsFuturesSpotVolumeRatioByExchangeItem)[];
  /** Above 5 leverage, below 2 spot. */
  signal: "leverage_driven" | "spot_driven" | "balanced" | null;
  /** Exchanges whose turnover is not accepted. */
  excluded_exchanges?: readonly (string)[];
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsFuturesSpotVolumeRatioHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsFuturesSpotVolumeRatioByAssetItem {
  /** Base asset. */
  symbol: string;
  /** 24 h turnover of futures over that of spot, a ratio. */
  ratio: number | null;
  /** US dollars; null where it is not known. */
  futures_volume_24h_usd: number | null;
  /** US dollars; null where it is not known. */
  spot_volume_24h_usd: number | null;
}

export interface IndicatorsFuturesSpotVolumeRatioByExchangeItem {
  /** Exchange id. */
  exchange: string;
  /** 24 h turnover of futures over that of spot, a ratio. */
  ratio: number | null;
  /** US dollars; null where it is not known. */
  futures_volume_24h_usd: number | null;
  /** US dollars; null where it is not known. */
  spot_volume_24h_usd: number | null;
}

export interface IndicatorsFuturesSpotVolumeRatioHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** 24 h turnover of futures over that of spot, a ratio. */
  ratio: number | null;
  /** US dollars; null where it is not known. */
  futures_volume_24h_usd?: number | null;
  /** US dollars; null where it is not known. */
  spot_volume_24h_usd?: number | null;
}

export interface IndicatorsGoldenRatio {
  /** Price of one BTC, US dollars. */
  price: number;
  /** Mean of 350 daily closes, US dollars. */
  ma_350_day: number;
  /** Map from multiple. */
  multiples: {
    [key: string]: number;
  };
  /** The largest multiple at or below the price; null below all. */
  reached: number | null;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsGoldenRatioHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsGoldenRatioHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Price of one BTC, US dollars. */
  price: number;
  /** Mean of 350 daily closes, US dollars. */
  ma_350_day: number;
}

export interface IndicatorsMacd {
  /** EMA 12 less EMA 26, in quote. */
  value: number;
  /** EMA 9 of `value`, in quote. */
  signal: number;
  /** `value` less `signal`, in quote. */
  histogram: number;
}

export interface IndicatorsOptionsFuturesOiRatio {
  /** Asset of the ratio. */
  symbol?: string;
  /** Open interest of options over that of futures, a ratio. */
  ratio: number | null;
  /** US dollars; null where it is not known. */
  options_oi_usd: number | null;
  /** US dollars; null where it is not known. */
  futures_oi_usd: number | null;
  /** One row an asset. */
  by_asset: readonly (IndicatorsOptionsFuturesOiRatioByAssetItem)[];
  /** Above 1 options, below 0.5 futures. */
  signal: "options_dominant" | "futures_dominant" | "balanced" | null;
  /** Exchanges that the sums lack now. */
  missing_options_exchanges?: readonly (string)[];
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsOptionsFuturesOiRatioHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsOptionsFuturesOiRatioByAssetItem {
  /** Base asset. */
  symbol: string;
  /** Open interest of options over that of futures, a ratio. */
  ratio: number | null;
  /** US dollars; null where it is not known. */
  options_oi_usd: number | null;
  /** US dollars; null where it is not known. */
  futures_oi_usd: number | null;
  /** Exchanges whose options are in the sum. */
  options_exchanges: readonly (string)[];
  /** Exchanges whose futures are in the sum. */
  futures_exchange_count: number;
}

export interface IndicatorsOptionsFuturesOiRatioHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Open interest of options over that of futures, a ratio. */
  ratio: number | null;
  /** US dollars; null where it is not known. */
  options_oi_usd?: number | null;
  /** US dollars; null where it is not known. */
  futures_oi_usd?: number | null;
}

export interface IndicatorsPiCycle {
  /** Mean of 111 daily closes, US dollars. */
  ma_111d_usd: number;
  /** Twice the mean of 350 daily closes, US dollars. */
  ma_350d_x2_usd: number;
  /** How far the 111-day mean is above the other, percent. */
  gap_pct: number;
  /** On the last day that is over. */
  crossed: boolean;
  /** Where the 111-day mean is. */
  state: "above" | "below";
  /** Null before the first. */
  last_cross: IndicatorsPiCycleLastCross | null;
  /** Oldest first. */
  crosses: readonly (IndicatorsPiCycleLastCross)[];
  /** Top for 30 days from a cross upwards, approaching from 5 % below it on. */
  signal: "top" | "approaching" | "neutral";
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsPiCycleHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsPiCycleHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Price of one BTC, US dollars. */
  price_usd: number;
  /** Mean of 111 daily closes, US dollars. */
  ma_111d_usd: number;
  /** Twice the mean of 350 daily closes, US dollars. */
  ma_350d_x2_usd: number;
}

export interface IndicatorsPiCycleLastCross {
  /** Unix milliseconds. */
  timestamp: number;
  /** Of the 111-day mean. */
  direction: "up" | "down";
  /** Price of one BTC, US dollars. */
  price_usd: number;
}

export interface IndicatorsProfitableDays {
  /** Price of one BTC, US dollars. */
  price: number;
  /** Days that are compared. */
  days: number;
  /** Those that closed below the price. */
  profitable_days: number;
  /** Their share, a fraction. */
  share: number;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsProfitableDaysHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsProfitableDaysHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Price of one BTC, US dollars. */
  price: number;
  /** Days that are compared. */
  days: number;
  /** Those that closed below the price. */
  profitable_days: number;
  /** Their share, a fraction. */
  share: number;
}

export interface IndicatorsPuellMultiple {
  /** A day's issue / its mean of 365 days, both in US dollars. */
  value: number;
  /** The same with the mean of 7 days above the line. */
  value_smoothed: number;
  /** BTC. */
  daily_issuance_btc: number;
  /** Subsidies of one day without fees, US dollars. */
  daily_issuance_usd: number;
  /** US dollars. */
  average_365d_usd: number;
  /** Of the day; null where the source gives coins. */
  blocks: number | null;
  /** Of one block, BTC. */
  subsidy_btc: number;
  /** Below 0.5, below 2, below 4, above. */
  zone: "undervalued" | "normal" | "elevated" | "overvalued";
  /** What the zone suggests. */
  signal: "buy" | "hold" | "caution" | "sell";
  /** True where the source counts fees in. */
  includes_fees?: boolean;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsPuellMultipleHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsPuellMultipleHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** A day's issue / its mean of 365 days, both in US dollars. */
  value: number;
  /** Subsidies of one day without fees, US dollars. */
  daily_issuance_usd: number;
}

export interface IndicatorsRainbowChart {
  /** Price of one BTC, US dollars. */
  price_usd: number;
  /** Price of the regression, US dollars. */
  base_usd: number;
  /** Trolololo's line of 2014 for comparison, US dollars. */
  trolololo_line_usd: number;
  /** Since 2009-01-09. */
  days: number;
  /** Index of the band of the price. */
  band: number;
  /** Name of the band. */
  classification: string;
  /** The lowest first. */
  bands: readonly (IndicatorsRainbowChartBand)[];
  /** exp(a + b ln(days)), US dollars. */
  model: IndicatorsRainbowChartModel;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsRainbowChartHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsRainbowChartBand {
  /** From 0, the lowest. */
  index: number;
  /** Name of the band. */
  name: string;
  /** #rrggbb */
  color: string;
  /** US dollars. */
  lower_usd: number;
  /** US dollars. */
  upper_usd: number;
}

export interface IndicatorsRainbowChartHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Price of one BTC, US dollars. */
  price_usd: number;
  /** Price of the regression, US dollars. */
  base_usd: number;
  /** Index of the band of the price. */
  band: number;
}

export interface IndicatorsRainbowChartModel {
  /** Intercept, of the natural logarithm of US dollars. */
  a: number;
  /** Slope, a plain factor. */
  b: number;
  /** YYYY-MM-DD */
  fitted_through: string;
}

export interface IndicatorsStablecoinMcap {
  /** US dollars. */
  total_market_cap_usd: number;
  /** Percent; null where it is not known. */
  change_24h_pct: number | null;
  /** Percent; null where it is not known. */
  change_7d_pct: number | null;
  /** Percent; null where it is not known. */
  change_30d_pct: number | null;
  /** Those pegged to the dollar, US dollars. */
  usd_pegged_usd: number | null;
  /** Bitcoin's capitalisation / that of stablecoins. */
  stablecoin_supply_ratio: number | null;
  /** The ten largest, the largest first. */
  top: readonly (IndicatorsStablecoinMcapTopItem)[];
  /** By 1 % within 30 days. */
  signal: "expanding" | "contracting" | "stable" | null;
  /** Only the largest stablecoins are in the sum. */
  partial?: boolean;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsStablecoinMcapHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsStablecoinMcapHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** US dollars. */
  total_market_cap_usd: number;
}

export interface IndicatorsStablecoinMcapTopItem {
  /** Symbol of the stablecoin. */
  symbol: string;
  /** Name of the stablecoin. */
  name: string;
  /** US dollars. */
  market_cap_usd: number;
  /** Percent. */
  share_pct: number;
  /** Percent; null where it is not known. */
  change_30d_pct: number | null;
}

export interface IndicatorsStockToFlow {
  /** Coins that exist, BTC. */
  stock_btc: number;
  /** Issued in the last 365 days, BTC. */
  flow_btc_365d: number;
  /** 52,560 blocks of the current subsidy, BTC. */
  nominal_flow_btc?: number;
  /** Stock / flow, years. */
  ratio: number;
  /** exp(-1.84) x ratio^3.36, US dollars. */
  model_price_usd: number;
  /** Price of one BTC, US dollars. */
  price_usd: number;
  /** By the article of 2019, US dollars. */
  model_price_2019_usd: number;
  /** Price over model price, a ratio. */
  deflection: number;
  /** Newest block, its number. */
  block_height: number;
  /** Number of the block at which the subsidy halves. */
  next_halving_height: number;
  /** Days, at 144 blocks each. */
  days_to_halving: number;
  /** Below 0.5, below 2, above. */
  signal: "undervalued" | "fair" | "overvalued";
  /** What is special in these figures, in words. */
  note?: string;
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsStockToFlowHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsStockToFlowHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Stock / flow, years. */
  ratio: number;
  /** exp(-1.84) x ratio^3.36, US dollars. */
  model_price_usd: number;
  /** Price of one BTC, US dollars. */
  price_usd: number;
}

export interface IndicatorsTwoYearMa {
  /** Price of one BTC, US dollars. */
  price: number;
  /** Mean of 730 daily closes, US dollars. */
  two_year_ma: number;
  /** Five times that mean, US dollars. */
  multiplier_5x: number;
  /** Where the price is; tops of the past came near to five times the mean. */
  state: "below_average" | "between" | "above_multiplier";
  /** Time of the newest input, as its source states it, Unix milliseconds. */
  updated_at: number;
  /** When the newest input was received, Unix milliseconds. */
  received_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
  /** The whole chart that `history` is the end of. */
  coverage: ChartCoverage;
  /** Ascending by time; one point a UTC day where not said otherwise. */
  history: readonly (IndicatorsTwoYearMaHistoryItem)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: IndicatorExplanation;
}

export interface IndicatorsTwoYearMaHistoryItem {
  /** Unix milliseconds. */
  timestamp: number;
  /** The day or hour of this point is not over. */
  provisional?: true;
  /** Price of one BTC, US dollars. */
  price: number;
  /** Mean of 730 daily closes, US dollars. */
  two_year_ma: number;
  /** Five times that mean, US dollars. */
  multiplier_5x: number;
}

export interface Instrument {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own symbol. */
  market: string;
  /** The name that the exchange gives it, where its symbol is a mere number. */
  name: string | null;
  /** `BTC/USDT` for spot, `BTC/USDT:USDT` (linear) or `BTC/USD:BTC` (inverse) for perpetuals, `BTC/USD:BTC-260327` for dated futures; null for other kinds. */
  unified: string | null;
  /** Future: dated, and part of /v1/futures/term-structure only. Other: listed, but not followed. */
  kind: "spot" | "perpetual" | "future" | "other";
  /** Base asset in its usual ticker: XBT is BTC, 1000PEPE is PEPE. */
  base: string;
  /** Quote asset. */
  quote: string;
  /** Of one contract: units of the quote where an inverse contract is counted in them, else base assets (1000 of 1000PEPE). Null for spot. */
  contract_size: number | null;
  /** Inverse: settled in the base asset. Null for spot. */
  margin_type: "linear" | "inverse" | null;
  /** When a dated future expires, Unix ms; null for other kinds. */
  expiry: number | null;
  /** Hours between two fundings; null where the instrument list does not state it. */
  funding_interval_hours: number | null;
  /** Smallest step of a price, in the quote asset (1e-10 of PEPE where 1000PEPE moves by 1e-7); null where the instrument list does not state it, or where it depends on the price. */
  tick_size: number | null;
  /** A multiple of the margin; null where the instrument list does not state it. */
  max_leverage: number | null;
}

export interface Instruments {
  /** Number of rows in the answer. */
  count: number;
  /** By exchange. */
  instruments: readonly (Instrument)[];
}

export interface ItemDepthItem {
  /** Bids within that distance of the mid price, US dollars; null where the known book is too thin or ends before it. */
  bid_usd: number | null;
  /** Asks within it, US dollars; null where the known book is too thin or ends before it. */
  ask_usd: number | null;
}

export interface ItemSlippageItem {
  /** Size of the order, US dollars. */
  usd: number;
  /** Mean price of a purchase above the mid price, a fraction; null where the known book is too thin or ends before it. */
  buy: number | null;
  /** Mean price of a sale below the mid price, a fraction; null where the known book is too thin or ends before it. */
  sell: number | null;
}

export interface LargeOrders {
  /** Base asset. */
  symbol: string;
  /** Number of rows in the answer. */
  count: number;
  /** The order books of the asset are sampled all the time; else `first_seen` is the time of the answer. */
  tracked: boolean;
  /** Largest value first; where there are more than `limit`, ended ones are left out first. */
  items: readonly (LargeOrdersItem)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface LargeOrdersItem {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  pair: string;
  /** To buy, or to sell. */
  side: "bid" | "ask";
  /** In quote, a dollar or a dollar stablecoin. */
  price: number;
  /** Base units; of a closed order the last that was seen. */
  quantity: number;
  /** US dollars. */
  value_usd: number;
  /** US dollars, when it was first seen. */
  initial_value_usd: number;
  /** From the mid price, percent of it: negative below. */
  distance_percent: number;
  /** Filled: the price has gone through it; cancelled: less than 30 % of it is left. */
  state: "active" | "filled" | "cancelled";
  /** Unix milliseconds. */
  first_seen: number;
  /** Of a closed order the time at which it was found to be so, Unix ms. */
  last_seen: number;
}

export interface LatestLongShort {
  /** Exchange id. */
  exchange: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** Share of long, a fraction. */
  long_ratio: number;
  /** Share of short, a fraction. */
  short_ratio: number;
  /** Long over short. */
  long_short_ratio: number;
}

export interface LendingOverview {
  /** The asset with most in its pools first. */
  assets: readonly (LendingOverviewAsset)[];
  /** When the newest of it was received, Unix milliseconds. */
  updated_at: number;
  /** Older than 15 minutes: no source has answered since. */
  stale?: true;
}

export interface LendingOverviewAsset {
  /** Symbol of the token, upper case. */
  asset: string;
  /** Pool of the highest supply rate; pools of dust do not count. */
  best_supply: LendingRatesPool;
  /** Pool of the lowest borrow rate above zero; pools of dust do not count. */
  best_borrow: LendingRatesPool;
  /** Plain mean over the pools that count, percent a year. */
  avg_supply_apy: number;
  /** Plain mean over the pools that count and lend, percent a year. */
  avg_borrow_apy: number;
  /** Over all pools of the asset, USD. */
  total_tvl: number;
}

export interface LendingRates {
  /** One row per pool that can be supplied or borrowed. */
  pools: readonly (LendingRatesPool)[];
  /** How many pools there are. */
  total: number;
  /** When the newest of it was received, Unix milliseconds. */
  updated_at: number;
  /** Older than 15 minutes: no source has answered since. */
  stale?: true;
}

export interface LendingRatesPool {
  /** Protocol with its version, lower case: `aave-v3`. */
  protocol: string;
  /** Lower case: `ethereum`, `optimism`. */
  chain: string;
  /** Symbol of the token lent or borrowed, upper case. */
  asset: string;
  /** Unique. */
  pool_id: string;
  /** Percent a year, base and reward together. */
  supply_apy: number;
  /** Percent a year, before rewards; 0 where nothing can be borrowed. */
  borrow_apy: number;
  /** The amount that is supplied and not borrowed, USD. */
  tvl_usd: number;
  /** Borrowed over supplied, a fraction. */
  utilization: number;
  /** Part of `supply_apy` that is rewards, percent a year. */
  reward_apy: number | null;
  /** False where the protocol does not lend the asset out. */
  borrowable: boolean;
  /** When the row was received, Unix milliseconds. */
  updated_at: number;
}

export interface LendingTvl {
  /** The largest first. */
  protocols: readonly (LendingTvlProtocol)[];
  /** Sum over the protocols, USD. */
  total_tvl_usd: number;
  /** When the newest of it was received, Unix milliseconds. */
  updated_at: number;
  /** Older than 15 minutes: no source has answered since. */
  stale?: true;
}

export interface LendingTvlProtocol {
  /** Protocol with its version, lower case. */
  protocol: string;
  /** Without what is borrowed, USD. */
  tvl_usd: number;
  /** Chains that it is on. */
  chains: readonly (string)[];
}

export interface LiquidationMaxPain {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** Length of the past that is looked at, as asked. */
  range: string;
  /** Last close, in quote. */
  current_price: number;
  /** Of the largest level of longs, in quote; null without any. */
  long_max_pain_price: number | null;
  /** Value of that level, US dollars; null as its price. */
  long_max_pain_value_usd: number | null;
  /** From the current price to that level, percent of it, negative below; null as its price. */
  long_max_pain_distance_percent: number | null;
  /** Of the largest level of shorts, in quote; null without any. */
  short_max_pain_price: number | null;
  /** Value of that level, US dollars; null as its price. */
  short_max_pain_value_usd: number | null;
  /** From the current price to that level, percent of it, negative below; null as its price. */
  short_max_pain_distance_percent: number | null;
  /** Of the larger of the two, in quote. */
  max_pain_price: number | null;
  /** Value of that level, US dollars; null as its price. */
  max_pain_value_usd: number | null;
  /** From the current price to that level, percent of it, negative below; null as its price. */
  max_pain_distance_percent: number | null;
  /** Unix ms. */
  updated_at: number;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface LiquidationMaxPainList {
  /** Exchange id. */
  exchange: string;
  /** Length of the past that is looked at, as asked. */
  range: string;
  /** Number of rows in the answer. */
  count: number;
  /** Largest turnover first. */
  items: readonly (LiquidationMaxPain)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface LiquidationsAggregatedHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds. */
  sampled_exchanges: readonly (string)[];
  /** Ascending by time; none where no feed was heard. */
  points: readonly (LiquidationsAggregatedHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface LiquidationsAggregatedHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Of long positions, US dollars. */
  long_usd: number;
  /** Of short positions, US dollars. */
  short_usd: number;
  /** Of both, US dollars. */
  total_usd: number;
  /** Null where sums of an exchange come without it. */
  order_count: number | null;
  /** Map from exchange. */
  exchanges: {
    [key: string]: LiquidationsAggregatedHistoryPointExchange;
  };
}

export interface LiquidationsAggregatedHistoryPointExchange {
  /** Of long positions, US dollars. */
  long_usd: number;
  /** Of short positions, US dollars. */
  short_usd: number;
}

export interface LiquidationsCoinList {
  /** First time of the last 24 hours in which a feed was heard, Unix ms. */
  recording_since: number;
  /** Every feed of the answer is heard at present, or was 60 s ago. */
  connected: boolean;
  /** Exchanges whose feed is not heard at present. */
  disconnected_exchanges: readonly (string)[];
  /** Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds. */
  sampled_exchanges: readonly (string)[];
  /** Exchanges with perpetuals and without a public feed. */
  not_covered: readonly (string)[];
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Number of rows in the answer. */
  count: number;
  /** Largest sum of 24 hours first. */
  items: readonly (LiquidationsCoinListItem)[];
}

export interface LiquidationsCoinListItem {
  /** Base asset. */
  symbol: string;
  /** US dollars. */
  liquidation_usd_1h: number;
  /** US dollars. */
  long_1h_usd: number;
  /** US dollars. */
  short_1h_usd: number;
  /** US dollars. */
  liquidation_usd_4h: number;
  /** US dollars. */
  long_4h_usd: number;
  /** US dollars. */
  short_4h_usd: number;
  /** US dollars. */
  liquidation_usd_12h: number;
  /** US dollars. */
  long_12h_usd: number;
  /** US dollars. */
  short_12h_usd: number;
  /** US dollars. */
  liquidation_usd_24h: number;
  /** US dollars. */
  long_24h_usd: number;
  /** US dollars. */
  short_24h_usd: number;
  /** The largest single one, US dollars. */
  largest_order_usd_24h: number | null;
}

export interface LiquidationsExchangeList {
  /** Base asset; null for all. */
  symbol: string | null;
  /** Length of the window, as asked. */
  range: string;
  /** First time of the last 24 hours in which a feed was heard, Unix ms. */
  recording_since: number;
  /** Every feed of the answer is heard at present, or was 60 s ago. */
  connected: boolean;
  /** Exchanges whose feed is not heard at present. */
  disconnected_exchanges: readonly (string)[];
  /** Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds. */
  sampled_exchanges: readonly (string)[];
  /** Exchanges with perpetuals and without a public feed. */
  not_covered: readonly (string)[];
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Number of rows in the answer. */
  count: number;
  /** All exchanges together, then each, largest sum first. */
  items: readonly (LiquidationsExchangeListItem)[];
}

export interface LiquidationsExchangeListItem {
  /** `all` in the first item. */
  exchange: string;
  /** US dollars. */
  liquidation_usd: number;
  /** US dollars. */
  long_usd: number;
  /** US dollars. */
  short_usd: number;
  /** Share of longs, 0 to 1; null without liquidations. */
  long_ratio: number | null;
  /** Liquidations; null where sums of an exchange come without it. */
  order_count: number | null;
  /** Of all exchanges, 0 to 1; null without liquidations. */
  share: number | null;
}

export interface LiquidationsFeed {
  /** Exchange id. */
  exchange: "binance";
  /** The largest liquidation of a contract and second only. */
  sampled: true;
  /** First time of the last 24 hours in which a feed was heard, Unix ms. */
  recording_since: number;
  /** Every feed of the answer is heard at present, or was 60 s ago. */
  connected: boolean;
  /** Number of rows in the answer. */
  count: number;
  /** Newest first. */
  orders: readonly (LiquidationsFeedOrder)[];
}

export interface LiquidationsFeedOrder {
  /** Base asset. */
  symbol: string;
  /** The exchange's own id. */
  pair: string;
  /** Of the position that was closed. */
  side: "long" | "short";
  /** Of the order that closed the position. */
  order_side: "buy" | "sell";
  /** Of the order, for one unit of the base asset, in quote. */
  price: number;
  /** At which it was filled, in quote; 0 where the exchange states none. */
  average_price: number;
  /** Base units. */
  quantity_base: number;
  /** US dollars; stablecoins count as one each. */
  value_usd: number;
  /** As the exchange states it: `LIMIT`. */
  order_type: string;
  /** As the exchange states it: `IOC`. */
  time_in_force: string;
  /** Of the order, as the exchange states it: `FILLED`. */
  status: string;
  /** When it happened, as the exchange states it, Unix ms. */
  timestamp: number;
}

export interface LiquidationsHeatmap {
  /** Base asset. */
  symbol: string;
  /** Length of the past that is looked at, as asked. */
  range: string;
  /** Exchanges that the map is of. */
  exchanges: readonly (string)[];
  /** Exchanges whose candles could not be had. */
  failed_exchanges: readonly (string)[];
  /** Estimated from the growth of open interest and assumed leverages. */
  method: "oi_delta_leverage_v1";
  /** Width of a row, in quote. */
  bucket_size: number;
  /** Ascending. */
  timestamps: readonly (number)[];
  /** Ascending. */
  prices: readonly (number)[];
  /** What would be liquidated there; rows without anything are left out. */
  cells: readonly (readonly (number)[])[];
  /** Largest of the cells, US dollars. */
  max_value_usd: number;
  /** Close of each candle on the first exchange. */
  close: readonly (number | null)[];
  /** Unix ms. */
  updated_at: number;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface LiquidationsMap {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** Length of the past that is looked at, as asked. */
  range: string;
  /** Last close, in quote. */
  current_price: number;
  /** Width of a level, in quote. */
  bucket_size: number;
  /** Estimated from the growth of open interest and assumed leverages. */
  model: "oi_delta_leverage_v1";
  /** Ascending by price, within 25 % of the current price. */
  levels: readonly (LiquidationsMapLevel)[];
  /** US dollars. */
  total_long_usd: number;
  /** US dollars. */
  total_short_usd: number;
  /** Unix ms. */
  updated_at: number;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface LiquidationsMapLevel {
  /** Start of the level, in quote. */
  price: number;
  /** Of the position that was closed. */
  side: "long" | "short";
  /** US dollars. */
  value_usd: number;
  /** Map from leverage. */
  by_leverage: {
    [key: string]: number;
  };
  /** From the current price to this level, US dollars. */
  cumulative_usd: number;
}

export interface LiquidationsOrder {
  /** Exchange id. */
  exchange: string;
  /** Base asset. */
  symbol: string;
  /** The exchange's own id. */
  contract: string;
  /** Of the position that was closed. */
  side: "long" | "short";
  /** Of one unit of the base asset, in the quote of the contract. */
  price: number;
  /** Average of the fills, price at which the margin was used up, price of the order, or of one fill. */
  price_kind: "average" | "bankruptcy" | "order" | "fill";
  /** Base units. */
  quantity_base: number;
  /** US dollars; stablecoins count as one each. */
  value_usd: number;
  /** When it happened, as the exchange states it, Unix ms. */
  timestamp: number;
}

export interface LiquidationsOrders {
  /** First time of the last 24 hours in which a feed was heard, Unix ms. */
  recording_since: number;
  /** Every feed of the answer is heard at present, or was 60 s ago. */
  connected: boolean;
  /** Exchanges whose feed is not heard at present. */
  disconnected_exchanges: readonly (string)[];
  /** Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds. */
  sampled_exchanges: readonly (string)[];
  /** Exchanges with perpetuals and without a public feed. */
  not_covered: readonly (string)[];
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Number of rows in the answer. */
  count: number;
  /** Newest first. */
  orders: readonly (LiquidationsOrder)[];
}

export interface LiquidityAt {
  /** Base asset. */
  symbol: string;
  /** As asked, Unix ms. */
  at: number;
  /** Time between two samples, ms. */
  step_ms: number;
  /** Number of rows in the answer. */
  count: number;
  /** What was recorded. */
  items: readonly (LiquidityAtItem)[];
}

export interface LiquidityAtItem {
  /** Exchange id. */
  exchange: string;
  /** Of the market. */
  kind: "spot" | "perpetual";
  /** When it was sampled, Unix ms. */
  sampled_at: number;
  /** Whether an exchange stated it afterwards; false where it was recorded at that time. */
  backfilled: boolean;
  /** Best ask less best bid, percent of the mid price. */
  spread_percent: number | null;
  /** Map from distance from the mid price, percent of it. */
  depth: {
    [key: string]: ItemDepthItem;
  };
  /** Smallest order first. */
  slippage: readonly (ItemSlippageItem)[];
}

export interface LiquidityExplanation {
  /** How the numbers follow from the levels. */
  rule: string;
  /** Levels of a side that count at most. */
  most_levels: number;
  /** The best first. */
  bids: readonly (readonly (number)[])[];
  /** The best first. */
  asks: readonly (readonly (number)[])[];
}

export interface LiquidityHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Exchange id. */
  exchange: string;
  /** Of the market. */
  kind: "spot" | "perpetual";
  /** Distance from the mid price, percent. */
  depth_percent: number;
  /** Size of the order, US dollars. */
  order_usd: number;
  /** Ascending by time. */
  points: readonly (LiquidityHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface LiquidityHistoryPoint {
  /** Start of the interval, Unix ms; values are those of its last minute. */
  timestamp: number;
  /** Best ask less best bid, percent of the mid price. */
  spread_percent: number | null;
  /** Bids within `depth_percent` of the mid price, US dollars; null where the known book is too thin or ends before it. */
  bid_depth_usd: number | null;
  /** Asks within it, US dollars; null where the known book is too thin or ends before it. */
  ask_depth_usd: number | null;
  /** Of a purchase of `order_usd`, a fraction; null where the known book is too thin or ends before it. */
  slippage_buy: number | null;
  /** Of a sale of it, a fraction; null where the known book is too thin or ends before it. */
  slippage_sell: number | null;
}

export interface LiquidityOfBooks {
  /** Base asset. */
  symbol: string;
  /** Number of rows in the answer. */
  count: number;
  /** By exchange. */
  items: readonly (LiquidityOfBooksItem)[];
}

export interface LiquidityOfBooksItem {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  market: string;
  /** Of the market. */
  kind: "spot" | "perpetual";
  /** Between the best bid and ask, in quote, a dollar or a dollar stablecoin. */
  mid_price: number;
  /** Best ask less best bid, percent of the mid price. */
  spread_percent: number;
  /** Map from distance from the mid price, percent of it. */
  depth: {
    [key: string]: ItemDepthItem;
  };
  /** Smallest order first. */
  slippage: readonly (ItemSlippageItem)[];
  /** When the book was received, Unix ms. */
  as_of: number;
  /** The levels of which all numbers of the item are made; with `explain=1`. */
  explanation?: LiquidityExplanation;
}

export interface LongShortRatio {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Exchanges that could not be asked. */
  failed_exchanges: readonly (string)[];
  /** Share of long, a fraction. */
  long_ratio: number;
  /** Share of short, a fraction. */
  short_ratio: number;
  /** Long over short. */
  long_short_ratio: number;
  /** Mean over `exchanges`; the tables of assets have that of one exchange. */
  long_short_ratio_basis: "exchanges";
  /** Exchanges in the mean. */
  exchange_count: number;
  /** The newest point of each, largest share of long first. */
  exchanges: readonly (LongShortRatioExchange)[];
  /** Exchanges whose newest point is too old to be compared. */
  stale_exchanges: readonly (string)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface LongShortRatioExchange {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id. */
  contract: string;
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Share of long, a fraction. */
  long_ratio: number;
  /** Share of short, a fraction. */
  short_ratio: number;
  /** Long over short. */
  long_short_ratio: number;
}

export interface LongShortRatioNetPosition {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (LongShortRatioNetPositionPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface LongShortRatioNetPositionPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Base units. */
  open_interest_base: number;
  /** Longs that takers opened less those that they closed since the row before; null where that or their volume is missing. */
  net_long_change_base: number | null;
  /** The same of shorts. */
  net_short_change_base: number | null;
  /** Sum of the changes from the first point on. */
  net_long_base: number;
  /** The same of shorts. */
  net_short_base: number;
  /** Longs less shorts. */
  net_position_base: number;
  /** The same at the price of the open interest. */
  net_position_usd: number | null;
  /** Share of long less share of short positions of the largest accounts, -1 to 1. */
  top_trader_net_ratio: number | null;
}

export interface LongShortRatioTakerBuysellRatio {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (LongShortRatioTakerBuysellRatioPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface LongShortRatioTakerBuysellRatioPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Bought by takers, US dollars. */
  taker_buy_usd: number;
  /** Sold by takers, US dollars. */
  taker_sell_usd: number;
  /** Bought share of both, a fraction. */
  buy_ratio: number;
  /** Sold share of both, a fraction. */
  sell_ratio: number;
  /** Bought over sold; null where nothing was sold. */
  buy_sell_ratio: number | null;
}

export interface LongShortRatioTopAccounts {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** The newest point of each exchange that has answered, of a range up to the end of this page. */
  latest: readonly (LatestLongShort)[];
  /** Ascending by time. */
  points: readonly (LongShortRatioTopAccountsPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface LongShortRatioTopAccountsPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Share of long, a fraction. */
  long_ratio: number;
  /** Share of short, a fraction. */
  short_ratio: number;
  /** Long over short. */
  long_short_ratio: number;
}

export interface MarginHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Map from exchange. */
  coverage_by_exchange: {
    [key: string]: RecordCoverage;
  };
  /** Ascending by time. */
  points: readonly (MarginHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface MarginHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** One side, US dollars. */
  open_interest_usd: number;
  /** One side, base units; null where an exchange in the sum states none. */
  open_interest_base: number | null;
  /** Exchanges in the sum. */
  exchange_count: number;
  /** Exchanges of this answer that have no value at this time; absent where all have. */
  missing_exchanges?: readonly (string)[];
  /** Values in the sum that stand for missing ones: the last ones before. */
  carried: number;
  /** False while the interval still runs. */
  closed: boolean;
  /** Map from exchange. */
  exchanges: {
    [key: string]: number;
  };
}

export interface MissingRows {
  /** Exchange id. */
  exchange: string;
  /** Base asset; null for all that were asked for. */
  symbol: string | null;
  /** Name of the column; null for all that were asked for. */
  column: string | null;
  /** In words. */
  reason: string;
}

export interface MissingSymbol {
  /** Base asset, as asked. */
  symbol: string;
  /** Which error it is. */
  code: "unknown_symbol" | "warming_up";
  /** The fault, in words. */
  message: string;
}

export interface NetflowOfSymbol {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Trades, not transfers on a blockchain. */
  method: "taker";
  /** Ascending by time. */
  points: readonly (NetflowOfSymbolPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface NetflowOfSymbolPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Bought by takers, US dollars. */
  inflow_usd: number;
  /** Sold by takers, US dollars. */
  outflow_usd: number;
  /** The difference. */
  netflow_usd: number;
}

export interface NetflowRanking {
  /** Exchange id. */
  exchange: string;
  /** Trades, not transfers on a blockchain. */
  method: "taker";
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Largest net flow of 24 hours first. */
  items: readonly (NetflowRankingItem)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface NetflowRankingItem {
  /** Base asset. */
  symbol: string;
  /** Bought less sold by takers in 5m, US dollars; null where less is recorded. */
  netflow_usd_5m: number | null;
  /** Bought less sold by takers in 15m, US dollars; null where less is recorded. */
  netflow_usd_15m: number | null;
  /** Bought less sold by takers in 30m, US dollars; null where less is recorded. */
  netflow_usd_30m: number | null;
  /** Bought less sold by takers in 1h, US dollars; null where less is recorded. */
  netflow_usd_1h: number | null;
  /** Bought less sold by takers in 4h, US dollars; null where less is recorded. */
  netflow_usd_4h: number | null;
  /** Bought less sold by takers in 12h, US dollars; null where less is recorded. */
  netflow_usd_12h: number | null;
  /** Bought less sold by takers in 24h, US dollars; null where less is recorded. */
  netflow_usd_24h: number | null;
  /** Bought and sold in 24 hours, as far as recorded, US dollars. */
  volume_24h_usd: number;
}

export interface OnchainBlock {
  /** Chain id. */
  chain: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche" | "bitcoin" | "solana";
  /** Latest block number; the slot for solana. */
  block_number: number;
  /** Gas price, Gwei; null for bitcoin and solana. */
  gas_gwei: number | null;
  /** When the row was received, Unix seconds. */
  updated_at: number;
  /** Older than three minutes: no endpoint has answered since. */
  stale?: true;
}

export interface OnchainExchangeFlow {
  /** Exchange and `_hot`: the sum of its known hot wallets. */
  label: string;
  /** Chain id. */
  chain: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche";
  /** Whole coins. */
  eth_balance: number;
  /** Whole coins. */
  usdc_balance: number;
  /** Whole coins. */
  usdt_balance: number;
  /** When the row was received, Unix seconds. */
  updated_at: number;
  /** Older than three minutes: no endpoint has answered since. */
  stale?: true;
}

export interface OnchainGasItem {
  /** Chain id. */
  chain: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche";
  /** Gas price, Gwei. */
  gas_gwei: number;
  /** Latest block number. */
  block: number;
  /** When the row was received, Unix seconds. */
  updated_at: number;
  /** Older than three minutes: no endpoint has answered since. */
  stale?: true;
}

export interface OnchainSupplyItem {
  /** Symbol of the stablecoin. */
  token: "USDC" | "USDT";
  /** Chain id. */
  chain: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche";
  /** Whole coins. */
  total_supply: number;
  /** When the row was received, Unix seconds. */
  updated_at: number;
  /** Older than three minutes: no endpoint has answered since. */
  stale?: true;
}

export interface OnchainWallet {
  /** As asked. */
  address: string;
  /** As asked. */
  chain: string;
  /** Sum over the tokens, US dollars. */
  total_value_usd: number;
  /** The most valuable first. */
  tokens: readonly (OnchainWalletToken)[];
  /** The missing part, in words: tokens that could not be listed, or prices. Absent when nothing is. */
  partial?: string;
}

export interface OnchainWalletToken {
  /** Symbol. */
  token: string;
  /** Chain of the token. */
  chain: string;
  /** Whole coins. */
  balance: number;
  /** Absent for the native coin. */
  contract?: string;
  /** 0 for a token without a price. */
  price_usd: number;
  /** Balance x price, US dollars. */
  value_usd: number;
}

export interface OpenInterestAggregatedHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Map from exchange. */
  coverage_by_exchange: {
    [key: string]: RecordCoverage;
  };
  /** Ascending by time. */
  points: readonly (OpenInterestAggregatedHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface OpenInterestAggregatedHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** One side, US dollars. */
  open_interest_usd: number;
  /** Since the point before; null in the first one, and where other exchanges are in its sum. */
  change_usd: number | null;
  /** Since the point before, of the contracts that are in both sums; null where they are less than half. */
  change_percent: number | null;
  /** Of contracts settled in dollars or a dollar stablecoin. */
  stablecoin_margin_usd: number | null;
  /** US dollars, of contracts settled in the asset itself. */
  coin_margin_usd: number | null;
  /** Mean price of the perpetuals, US dollars; null where none is recorded. */
  price: number | null;
  /** Exchanges in the sum. */
  exchange_count: number;
  /** Exchanges of this answer that have no value at this time; absent where all have. */
  missing_exchanges?: readonly (string)[];
  /** Values in the sum that stand for missing ones: the last ones before. */
  carried: number;
  /** False while the interval still runs. */
  closed: boolean;
}

export interface OpenInterestAt {
  /** Base asset. */
  symbol: string;
  /** As asked, Unix ms. */
  at: number;
  /** Time between two samples, ms. */
  step_ms: number;
  /** Number of rows in the answer. */
  count: number;
  /** What was recorded. */
  items: readonly (OpenInterestAtItem)[];
}

export interface OpenInterestAtItem {
  /** Exchange id. */
  exchange: string;
  /** Settled in a dollar currency or in the base asset. */
  margin: "stable" | "coin";
  /** When it was sampled, Unix ms. */
  sampled_at: number;
  /** Whether an exchange stated it afterwards; false where it was recorded at that time. */
  backfilled: boolean;
  /** One side, US dollars. */
  open_interest_usd: number | null;
  /** One side, base units. */
  open_interest_base: number | null;
}

export interface OpenInterestExchangeHistoryChart {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Map from exchange. */
  coverage_by_exchange: {
    [key: string]: RecordCoverage;
  };
  /** Number of rows in the answer. */
  count: number;
  /** Ascending. */
  timestamps: readonly (number)[];
  /** Mean price of the perpetuals, US dollars; null where none is recorded. */
  prices: readonly (number | null)[];
  /** Map from exchange. */
  exchanges: {
    [key: string]: readonly (number | null)[];
  };
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface OpenInterestOfSymbol {
  /** Base asset. */
  symbol: string;
  /** Sum over the exchanges that are not excluded, one side counted, USD. */
  total_oi_usd: number;
  /** How many exchanges the sum is of. */
  exchange_count: number;
  /** Map from exchange id to its open interest. */
  exchanges: {
    [key: string]: OpenInterestOfSymbolExchange;
  };
  /** Exchanges left out: what they said is too old, or they are frozen. */
  stale_exchanges: readonly (string)[];
  /** Markets whose newest number is held back, since it moved by more than 30 % and nothing confirms it yet: the last good one stands for them, with its age, or none. */
  suspect: readonly (SuspectMarket)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: Explanation;
}

export interface OpenInterestOfSymbolExchange {
  /** One side, USD. */
  oi_usd: number;
  /** One side, base units. */
  oi_contracts: number | null;
  /** When the oldest of its markets was received, Unix milliseconds. */
  updated_at: number;
  /** The time that the exchange states, Unix milliseconds. */
  venue_time: number | null;
  /** Price that turned units into value, USD; null where the exchange gave both. */
  mark_price: number | null;
  /** More than all other exchanges together and more than 100 days of the exchange's own turnover: not part of the sum. */
  excluded?: true;
}

export interface OpenInterestOfSymbols {
  /** Symbols that were found. */
  count: number;
  /** Map from symbol to its answer, as `symbol` gives it. */
  symbols: {
    [key: string]: OpenInterestOfSymbol;
  };
  /** Symbols without an answer, and why. */
  missing: readonly (MissingSymbol)[];
}

export interface OpenInterestOhlc {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Map from exchange. */
  coverage_by_exchange: {
    [key: string]: RecordCoverage;
  };
  /** Ascending by time. */
  points: readonly (OpenInterestOhlcPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface OpenInterestOhlcPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** At the end of the interval before, one side, US dollars. */
  open: number;
  /** Highest of the samples and `open`, US dollars. */
  high: number;
  /** Lowest of them, US dollars. */
  low: number;
  /** At the end of the interval, US dollars; the newest while it runs. */
  close: number;
  /** Samples of the interval: each five minutes, above `1h` each hour. */
  samples: number;
  /** Exchanges in the sums. */
  exchange_count: number;
  /** False while the interval still runs. */
  closed: boolean;
}

export interface OpenInterestSummary {
  /** Sum over the exchanges that are not excluded, one side counted, USD. */
  total_oi_usd: number;
  /** How many exchanges the sum is of. */
  exchange_count: number;
}

export interface OpenInterestV2 {
  /** Exchange id. */
  exchange: string;
  /** Markets that are left out: what was stated of them is too old. */
  stale_count: number;
  /** Number of rows in the answer. */
  count: number;
  /** One row a market. */
  items: readonly (OpenInterestV2Item)[];
}

export interface OpenInterestV2Item {
  /** The exchange's own symbol. */
  market: string;
  /** Base asset. */
  symbol: string;
  /** Quote asset. */
  quote: string;
  /** Base assets, one side; null where only the value is known. */
  open_interest_base: number | null;
  /** In `quote`, one side. */
  open_interest_value: number;
  /** The price of the conversion, in `quote`; null where both were stated. */
  mark_price: number | null;
  /** The time that the exchange states, Unix ms. */
  venue_time: number | null;
  /** When it was received, Unix ms. */
  updated_at: number;
}

export interface OpenapiJson {
  /** Version of OpenAPI. */
  openapi: string;
  /** Title, version and contact. */
  info: {
  };
  /** Map from path to its operations. */
  paths: {
  };
}

export interface OptionsExchangeOi {
  /** Exchanges with these options; all of them also where `exchange` chooses one. */
  exchanges: readonly (string)[];
  /** Exchanges of which a list of options is missing or older than three minutes. */
  failed_exchanges: readonly (string)[];
  /** When the newest list was received, Unix ms. */
  updated_at: number;
  /** No exchange answers at present: these are the last lists. Absent otherwise. */
  stale?: true;
  /** Of all items, US dollars. */
  total_open_interest_usd: number;
  /** Largest open interest first. */
  items: readonly (OptionsExchangeOiItem)[];
  /** Of the last 30 days and of this one, by day: days of which nothing is recorded are left out. */
  history: readonly (OptionsExchangeOiHistoryItem)[];
}

export interface OptionsExchangeOiHistoryItem {
  /** Start of the UTC day, Unix ms. */
  timestamp: number;
  /** At the end of the day; of the day that still runs, now. */
  total_open_interest_usd: number;
  /** Map from exchange to US dollars. */
  exchanges: {
    [key: string]: number;
  };
  /** False while the day still runs. */
  closed: boolean;
}

export interface OptionsExchangeOiItem {
  /** Exchange id. */
  exchange: string;
  /** Base asset. */
  symbol: string;
  /** Base units, one side. */
  open_interest_base: number;
  /** At the forward of each option. */
  open_interest_usd: number;
  /** Base units, one side. */
  call_oi_base: number;
  /** Base units, one side. */
  put_oi_base: number;
  /** Null without calls. */
  put_call_oi_ratio: number | null;
  /** Base units; null where it is not stated. */
  volume_24h_base: number | null;
  /** Base units x forward. */
  volume_24h_usd: number | null;
  /** Options that are listed. */
  instrument_count: number;
  /** Part of the total, a fraction. */
  share: number;
  /** The same by what the options settle in. */
  settlements: readonly (OptionsExchangeOiItemSettlement)[];
}

export interface OptionsExchangeOiItemSettlement {
  /** The base asset, or USDC. */
  settlement_currency: string;
  /** Options that are listed. */
  instrument_count: number;
  /** Base units, one side. */
  open_interest_base: number;
  /** At the forward of each option, US dollars. */
  open_interest_usd: number;
}

export interface OptionsGammaExposure {
  /** Base asset. */
  symbol: string;
  /** Forward price of the nearest expiry, US dollars. */
  underlying_price: number;
  /** Exchanges with these options; all of them also where `exchange` chooses one. */
  exchanges: readonly (string)[];
  /** Exchanges of which a list of options is missing or older than three minutes. */
  failed_exchanges: readonly (string)[];
  /** When the newest list was received, Unix ms. */
  updated_at: number;
  /** No exchange answers at present: these are the last lists. Absent otherwise. */
  stale?: true;
  /** What is assumed of the positions of dealers. */
  convention: "dealers_long_calls_short_puts";
  /** US dollars per 1 % of the price. */
  calls_usd: number;
  /** The same of puts, 0 or less. */
  puts_usd: number;
  /** Calls and puts together. */
  net_usd: number;
  /** Nearest price at which the net exposure changes its sign, US dollars; null without one within 30 %. */
  flip_price: number | null;
  /** Soonest first. */
  expiries: readonly (OptionsGammaExposureExpiry)[];
  /** Lowest first. */
  strikes: readonly (OptionsGammaExposureStrike)[];
}

export interface OptionsGammaExposureExpiry {
  /** Unix ms. */
  expiry: number;
  /** Its day, UTC. */
  date: string;
  /** Days, with their fraction. */
  days_to_expiry: number;
  /** US dollars per 1 % of the price. */
  calls_usd: number;
  /** The same of puts, 0 or less. */
  puts_usd: number;
  /** Calls and puts together. */
  net_usd: number;
}

export interface OptionsGammaExposureStrike {
  /** US dollars. */
  strike: number;
  /** US dollars per 1 % of the price. */
  calls_usd: number;
  /** The same of puts, 0 or less. */
  puts_usd: number;
  /** Calls and puts together. */
  net_usd: number;
}

export interface OptionsGreeks {
  /** Base asset. */
  symbol: string;
  /** Forward price of the nearest expiry, US dollars. */
  underlying_price: number;
  /** Exchanges with these options; all of them also where `exchange` chooses one. */
  exchanges: readonly (string)[];
  /** Exchanges of which a list of options is missing or older than three minutes. */
  failed_exchanges: readonly (string)[];
  /** When the newest list was received, Unix ms. */
  updated_at: number;
  /** No exchange answers at present: these are the last lists. Absent otherwise. */
  stale?: true;
  /** Unix ms. */
  expiry: number;
  /** Its day, UTC. */
  date: string;
  /** Days, with their fraction. */
  days_to_expiry: number;
  /** Number of rows in the answer. */
  count: number;
  /** By strike. */
  items: readonly (OptionsGreeksItem)[];
}

export interface OptionsGreeksItem {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id. */
  instrument: string;
  /** Unix ms. */
  expiry: number;
  /** US dollars. */
  strike: number;
  /** Right to buy, or to sell. */
  type: "call" | "put";
  /** The base asset, or USDC. */
  settlement_currency: string;
  /** Of an option on one base unit, US dollars. */
  mark_price_usd: number | null;
  /** Fraction a year. */
  implied_volatility: number | null;
  /** Base units. */
  delta: number | null;
  /** Change of delta per US dollar of the forward. */
  gamma: number | null;
  /** US dollars a day. */
  theta: number | null;
  /** US dollars per point (0.01) of volatility. */
  vega: number | null;
  /** US dollars per 1 % of interest; computed for every exchange. */
  rho: number | null;
  /** Base units, one side. */
  open_interest_base: number;
  /** Forward price of the expiry, US dollars. */
  underlying_price: number;
  /** By the exchange, or here out of its volatility (Black-76). */
  source: "published" | "computed";
}

export interface OptionsHistory {
  /** Base asset. */
  symbol: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** As asked. */
  metric: "atm_iv" | "skew_25d";
  /** As asked. */
  tenor: "7d" | "30d" | "90d" | "180d";
  /** Ascending by time. */
  points: readonly (OptionsHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface OptionsHistoryPoint {
  /** Start of the hour or day, Unix ms: the value is that at its end. */
  timestamp: number;
  /** Fraction a year: 0.5 is 50 %. */
  value: number;
}

export interface OptionsInfo {
  /** Base asset. */
  symbol: string;
  /** Forward price of the nearest expiry, US dollars. */
  underlying_price: number;
  /** Exchanges with these options; all of them also where `exchange` chooses one. */
  exchanges: readonly (string)[];
  /** Exchanges of which a list of options is missing or older than three minutes. */
  failed_exchanges: readonly (string)[];
  /** When the newest list was received, Unix ms. */
  updated_at: number;
  /** No exchange answers at present: these are the last lists. Absent otherwise. */
  stale?: true;
  /** Soonest first. */
  expiries: readonly (OptionsInfoExpiry)[];
  /** Of all expiries, US dollars. */
  total_open_interest_usd: number;
  /** Open interest of puts over that of calls; null without calls. */
  put_call_ratio: number | null;
  /** With `expiry`: by strike. */
  options?: readonly (OptionsInfoOption)[];
}

export interface OptionsInfoExpiry {
  /** Unix ms. */
  expiry: number;
  /** Its day, UTC. */
  date: string;
  /** Days, with their fraction. */
  days_to_expiry: number;
  /** Options that are listed. */
  instrument_count: number;
  /** Base units, one side. */
  open_interest_base: number;
  /** At the forward of each option. */
  open_interest_usd: number;
  /** Base units, one side. */
  call_oi_base: number;
  /** Base units, one side. */
  put_oi_base: number;
  /** Open interest of puts over that of calls; null without calls. */
  put_call_ratio: number | null;
  /** Traded in 24 hours, base units x forward. */
  volume_24h_usd: number | null;
  /** Median over the options, US dollars. */
  forward_price: number;
  /** Implied volatility of the strike nearest to the forward, mean of call and put, fraction a year. */
  atm_iv: number | null;
  /** US dollars, ascending. */
  strikes: readonly (number)[];
}

export interface OptionsInfoOption {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id. */
  instrument: string;
  /** Unix ms. */
  expiry: number;
  /** US dollars. */
  strike: number;
  /** Right to buy, or to sell. */
  type: "call" | "put";
  /** The base asset, or USDC. */
  settlement_currency: string;
  /** Base asset. */
  symbol: string;
  /** Base units, one side. */
  open_interest_base: number;
  /** Base units x forward. */
  open_interest_usd: number;
  /** Base units; null where it is not stated. */
  volume_24h_base: number | null;
  /** Base units x forward. */
  volume_24h_usd: number | null;
  /** The premium paid for it; null where it is not stated. */
  premium_24h_usd: number | null;
  /** Of an option on one base unit, US dollars. */
  mark_price_usd: number | null;
  /** Best bid, US dollars; null without one. */
  bid_price_usd: number | null;
  /** Best ask, US dollars; null without one. */
  ask_price_usd: number | null;
  /** The same in base units. */
  mark_price_base: number | null;
  /** The best bid in base units. */
  bid_price_base: number | null;
  /** The best ask in base units. */
  ask_price_base: number | null;
  /** Of the mark price, fraction a year. */
  implied_volatility: number | null;
  /** Implied volatility of the best bid, fraction a year. */
  bid_iv: number | null;
  /** Implied volatility of the best ask, fraction a year. */
  ask_iv: number | null;
  /** Forward price of the expiry, US dollars. */
  underlying_price: number;
}

export interface OptionsMaxPain {
  /** Base asset. */
  symbol: string;
  /** Forward price of the nearest expiry, US dollars. */
  underlying_price: number;
  /** Exchanges with these options; all of them also where `exchange` chooses one. */
  exchanges: readonly (string)[];
  /** Exchanges of which a list of options is missing or older than three minutes. */
  failed_exchanges: readonly (string)[];
  /** When the newest list was received, Unix ms. */
  updated_at: number;
  /** No exchange answers at present: these are the last lists. Absent otherwise. */
  stale?: true;
  /** Soonest first. */
  expiries: readonly (OptionsMaxPainExpiry)[];
}

export interface OptionsMaxPainExpiry {
  /** Unix ms. */
  expiry: number;
  /** Its day, UTC. */
  date: string;
  /** Days, with their fraction. */
  days_to_expiry: number;
  /** A strike, the lowest of several, US dollars; null when nothing is open. */
  max_pain_price: number | null;
  /** Value of all options at that price for their holders. */
  pain_at_max_pain_usd: number | null;
  /** Max pain over `underlying_price`, less one, percent. */
  distance_percent: number | null;
  /** Base units, one side. */
  call_oi_base: number;
  /** Base units, one side. */
  put_oi_base: number;
  /** Null without calls. */
  put_call_ratio: number | null;
  /** At the forward of each option, US dollars. */
  open_interest_usd: number;
  /** Exchange ids. */
  exchanges: readonly (string)[];
}

export interface OptionsSurface {
  /** Base asset. */
  symbol: string;
  /** Forward price of the nearest expiry, US dollars. */
  underlying_price: number;
  /** Exchanges with these options; all of them also where `exchange` chooses one. */
  exchanges: readonly (string)[];
  /** Exchanges of which a list of options is missing or older than three minutes. */
  failed_exchanges: readonly (string)[];
  /** When the newest list was received, Unix ms. */
  updated_at: number;
  /** No exchange answers at present: these are the last lists. Absent otherwise. */
  stale?: true;
  /** Soonest first: the term structure. */
  expiries: readonly (OptionsSurfaceExpiry)[];
}

export interface OptionsSurfaceExpiry {
  /** Unix ms. */
  expiry: number;
  /** Its day, UTC. */
  date: string;
  /** Days, with their fraction. */
  days_to_expiry: number;
  /** Median over the options, US dollars. */
  forward_price: number;
  /** Of the strike nearest to the forward, fraction a year. */
  atm_iv: number | null;
  /** Volatility between the expiry before and this one, fraction a year; null for the first, and where variance falls. */
  forward_iv: number | null;
  /** Of the call with a delta of 0.25, fraction a year; null where no strike reaches it. */
  call_25d_iv: number | null;
  /** Of the put with a delta of -0.25, fraction a year. */
  put_25d_iv: number | null;
  /** `put_25d_iv` less `call_25d_iv`, fraction a year. */
  skew_25d: number | null;
  /** Mean of the two less `atm_iv`, fraction a year. */
  butterfly_25d: number | null;
  /** By strike. */
  points: readonly (OptionsSurfaceExpiryPoint)[];
}

export interface OptionsSurfaceExpiryPoint {
  /** US dollars. */
  strike: number;
  /** Natural logarithm of strike over forward. */
  moneyness: number;
  /** Mean of call and put, fraction a year. */
  iv: number | null;
  /** Mean over the exchanges, fraction a year. */
  call_iv: number | null;
  /** Mean over the exchanges, fraction a year. */
  put_iv: number | null;
}

export interface Orderbook {
  /** Exchange id. */
  exchange: string;
  /** As asked. */
  symbol: string;
  /** The exchange's own symbol of the market. */
  market: string;
  /** Price descending. */
  bids: readonly (BookLevel)[];
  /** Price ascending. */
  asks: readonly (BookLevel)[];
  /** Snapshot time, Unix milliseconds; receive time where the exchange states none. */
  timestamp: number;
  /** A book that is kept up to date by the stream of the exchange, or the answer to a request. */
  source: "live" | "request";
  /** When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago. */
  unheard_since?: number;
  /** The exchange's number of the last change of a live book, where it has any. */
  sequence?: number;
  /** True where the best bid is at or above the best ask, also when asked again; absent otherwise. */
  crossed?: boolean;
  /** True where its middle is more than 30 % away from the market's last price and from those of all other exchanges; absent otherwise. */
  suspect?: boolean;
  /** Best ask less best bid, percent of the mid price; null where a side is empty or the book is crossed. */
  spread_pct: number | null;
  /** In the quote of the market; null where `spread_pct` is. */
  mid_price: number | null;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface OrderbookHeatmap {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** Height of a row of prices, in quote. */
  bucket_size: number;
  /** Ascending. */
  timestamps: readonly (number)[];
  /** The middle of each row, ascending: 100 rows within 5 % of the newest mid price. */
  prices: readonly (number)[];
  /** `[index of the time, index of the price, US dollars]`. */
  bids: readonly (readonly (number)[])[];
  /** The same. Cells below 0.1 % of the largest are left out. */
  asks: readonly (readonly (number)[])[];
  /** The largest cell. */
  max_value_usd: number;
  /** At each of `timestamps`. */
  mid_prices: readonly (number | null)[];
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface OrderbookV2 {
  /** Exchange id. */
  exchange: string;
  /** As asked. */
  symbol: string;
  /** Price descending. */
  bids: readonly (BookLevel)[];
  /** Price ascending. */
  asks: readonly (BookLevel)[];
  /** Snapshot time, Unix milliseconds; receive time where the exchange states none. */
  timestamp: number;
  /** A book that is kept up to date by the stream of the exchange, or the answer to a request. */
  source: "live" | "request";
  /** When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago. */
  unheard_since?: number;
  /** The exchange's number of the last change of a live book, where it has any. */
  sequence?: number;
  /** True where the best bid is at or above the best ask, also when asked again; absent otherwise. */
  crossed?: boolean;
  /** True where its middle is more than 30 % away from the market's last price and from those of all other exchanges; absent otherwise. */
  suspect?: boolean;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface Overview {
  /** Of all assets, one side, USD. */
  total_open_interest_usd: number | null;
  /** Of all assets, USD. */
  total_spot_volume_24h_usd: number;
  /** Of all assets, USD. */
  total_futures_volume_24h_usd: number;
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (OverviewItem)[];
}

export interface OverviewItem {
  /** Base asset. */
  symbol: string;
  /** US dollars: of its spot markets, or of its perpetuals where it has none. */
  price: number;
  /** Change of the mean price of all exchanges in one hour, percent; null where it is not recorded. */
  price_change_1h_percent: number | null;
  /** Change of the price of the asset in 24 hours, percent: mean over its markets, spot and perpetual, by their turnover. */
  price_change_24h_percent: number | null;
  /** asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is. */
  price_change_24h_basis: "asset" | "exchange" | "recorded" | null;
  /** Highest spot price of 24 hours, USD. */
  high_24h: number | null;
  /** Lowest spot price of 24 hours, USD. */
  low_24h: number | null;
  /** Null without a spot market. */
  spot_volume_24h_usd: number | null;
  /** Null without a perpetual. */
  futures_volume_24h_usd: number | null;
  /** One side, USD. */
  open_interest_usd: number | null;
  /** Percent, over the exchanges that are recorded at both times; null where they have less than half of it. */
  open_interest_change_1h_percent: number | null;
  /** Percent, over the exchanges that are recorded at both times; null where they have less than half of it. */
  open_interest_change_24h_percent: number | null;
  /** Fraction: mean over its perpetuals by their turnover. */
  funding_rate_8h: number | null;
  /** The same per 365 days, a fraction. */
  funding_annualized: number | null;
  /** Accounts that are long over those that are short, on Binance, of the newest five minutes; null for assets that are not recorded. */
  long_short_ratio: number | null;
  /** Of that exchange alone; /v1/long-short-ratio is the mean of several. */
  long_short_ratio_basis: "binance";
  /** US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any. */
  liquidation_usd_24h: number | null;
  /** US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any. */
  long_liquidation_usd_24h: number | null;
  /** US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any. */
  short_liquidation_usd_24h: number | null;
  /** Exchanges with a spot market of it. */
  spot_exchange_count: number;
  /** Exchanges with a perpetual of it. */
  futures_exchange_count: number;
  /** When the newest of its numbers was received, Unix ms. */
  updated_at: number;
}

export interface PatchAlertsByIdRequest {
  /** 1 to 64 characters. */
  name?: string;
  /** Path of the API with its query, of an answer that can be followed; `symbol=*` for all symbols. */
  path?: string;
  /** JSON Pointer into `data` of the answer, such as `/average_price`; `*` for every row or name. */
  pointer?: string;
  /** `above` and `below` with `value`; `crosses` with `value` and `direction`; `change` with `percent`, `within` and `direction`; `outside` with `low` and `high`; `stale` with `after`; `event` of a log with `above` or `below`. */
  condition?: RequestCondition;
  /** Seconds for which the condition must hold; 0 when absent. */
  for?: number;
  /** By how much the value must go back until the alert can fire again, in the unit of the watched value; 0 when absent. */
  hysteresis?: number;
  /** Seconds after a firing in which it does not fire again; 0 when absent. */
  cooldown?: number;
  /** When it ends, Unix ms; null, or absent, for never. */
  expires_at?: number | null;
  /** Where it is sent, 5 at most. */
  deliver?: readonly (RequestDeliverItem)[];
  /** Whether the end of the condition is sent too; false when absent. */
  resolved?: boolean;
  /** Whether it is not evaluated; false when absent. */
  paused?: boolean;
}

export interface PostAlertsDeadLettersByIdResend {
  /** Of the dead letter, which leaves the list. */
  id: string;
  /** It is being delivered. */
  status: "queued";
}

export interface PostAlertsRequest {
  /** 1 to 64 characters. */
  name: string;
  /** Path of the API with its query, of an answer that can be followed; `symbol=*` for all symbols. */
  path: string;
  /** `above` and `below` with `value`; `crosses` with `value` and `direction`; `change` with `percent`, `within` and `direction`; `outside` with `low` and `high`; `stale` with `after`; `event` of a log with `above` or `below`. */
  condition: RequestCondition;
  /** JSON Pointer into `data` of the answer, such as `/average_price`; `*` for every row or name. */
  pointer?: string;
  /** Seconds for which the condition must hold; 0 when absent. */
  for?: number;
  /** By how much the value must go back until the alert can fire again, in the unit of the watched value; 0 when absent. */
  hysteresis?: number;
  /** Seconds after a firing in which it does not fire again; 0 when absent. */
  cooldown?: number;
  /** When it ends, Unix ms; null, or absent, for never. */
  expires_at?: number | null;
  /** Where it is sent, 5 at most. */
  deliver?: readonly (RequestDeliverItem)[];
  /** Whether the end of the condition is sent too; false when absent. */
  resolved?: boolean;
  /** Whether it is not evaluated; false when absent. */
  paused?: boolean;
}

export interface PostAlertsSecret {
  /** `whsec_` and 32 bytes in base64, in this answer and never again. */
  secret: string;
  /** Until when webhooks are signed with the former secret as well, Unix ms. */
  former_until: number;
}

export interface PostAuthKeys {
  /** Id of the key, a UUID. */
  id: string;
  /** 1 to 64 characters once trimmed, without control characters. */
  name: string;
  /** The first 12 characters of the key. */
  prefix: string;
  /** `link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`). */
  kind: "live" | "link";
  /** Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one; null for other keys. */
  paths: readonly (string)[] | null;
  /** The full key; null in the answer (200) to a request that repeats an Idempotency-Key. */
  key: string | null;
  /** Unix milliseconds. */
  created_at: number;
}

export interface PostAuthKeysByIdRotate {
  /** Id of the key, a UUID. */
  id: string;
  /** 1 to 64 characters once trimmed, without control characters. */
  name: string;
  /** The first 12 characters of the key. */
  prefix: string;
  /** `link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`). */
  kind: "live" | "link";
  /** Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one; null for other keys. */
  paths: readonly (string)[] | null;
  /** The full key; null in the answer (200) to a request that repeats an Idempotency-Key. */
  key: string | null;
  /** Unix milliseconds. */
  created_at: number;
  /** The other key, and when it ends. */
  replaces: PostAuthKeysByIdRotateReplaces;
}

export interface PostAuthKeysByIdRotateReplaces {
  /** Id of the key, a UUID. */
  id: string;
  /** Unix milliseconds. */
  ends_at: number;
}

export interface PostAuthKeysByIdRotateRequest {
  /** How long the other key still works, hours; 24 when absent. */
  overlap_hours?: number;
}

export interface PostAuthKeysRequest {
  /** 1 to 64 characters once trimmed, without control characters. */
  name: string;
  /** `link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`). */
  kind?: "live" | "link";
  /** Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one; 1 to 20. */
  paths?: readonly (string)[];
}

export interface PostAuthSession {
  /** Whose session it is; null without one. */
  account: string | null;
  /** Unix milliseconds. */
  expires_at: number;
}

export interface PostAuthSessionRequest {
  /** Behind `#code=` in the link; it works once, within an hour. */
  code: string;
}

export interface PostAuthTicket {
  /** For `ticket` in the query of the stream, or in its first message. */
  ticket: string;
  /** Unix milliseconds. */
  expires_at: number;
}

export interface PostBatch {
  /** Equal for equal answers. */
  snapshot_id: string;
  /** The moment, Unix ms. */
  at: number;
  /** Number of rows in the answer. */
  count: number;
  /** In the order of the paths. */
  answers: readonly (BatchAnswer)[];
}

export interface PostBatchRequest {
  /** Paths of GET requests with their queries. */
  paths: readonly (string)[];
}

export interface PostIndicatorsComputeRequest {
  /** The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`) or a base asset; either this or candles. */
  symbol?: string;
  /** Several markets instead of a symbol, each by its symbol or as an object with symbol, exchange, kind and interval in the place of those of the body; 20 indicators at most. It counts as so many requests. */
  markets?: readonly (string | {
  })[];
  /** Exchange id. */
  exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
  /** Which market is meant where an exchange uses one symbol for both. */
  kind?: "spot" | "perpetual";
  /** Candle length, 4h when absent; with candles of your own it is only repeated. */
  interval?: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d" | "3d" | "1w" | "1M";
  /** Newest closed candles that are shown, 500 when absent, all of your own. More are fetched before them, so that the start of averages does not show. */
  limit?: number;
  /** What to compute. */
  indicators: readonly (string | IndicatorRequest)[];
  /** Which values are wanted, or the recorded series to compute them from. */
  series?: boolean | RecordedSeriesRequest;
  /** Your own closed candles instead of a symbol, oldest first: objects as /v1/bars gives them, or [timestamp, open, high, low, close, volume]. */
  candles?: readonly ({
  } | readonly (unknown)[])[];
}

export interface PriceOfSymbol {
  /** Base asset. */
  symbol: string;
  /** Plain mean over the exchanges that are not excluded, USD. */
  average_price: number;
  /** Median over all exchanges listed, USD. */
  median_price: number;
  /** Two exchanges differ by more than 10 %, or no majority of them agrees: the mean is of little worth. */
  disputed?: true;
  /** How many prices the mean is of. */
  exchange_count: number;
  /** Map from exchange id to its price. */
  exchanges: {
    [key: string]: PriceOfSymbolExchange;
  };
  /** Exchanges left out: what they said is too old, or they are frozen. */
  stale_exchanges: readonly (string)[];
  /** Markets whose newest number is held back, since it moved by more than 30 % and nothing confirms it yet: the last good one stands for them, with its age, or none. */
  suspect: readonly (SuspectMarket)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: Explanation;
}

export interface PriceOfSymbolExchange {
  /** Last trade of the most traded dollar market, USD. */
  price: number;
  /** Rolling 24 h turnover of all dollar markets of the exchange, spot and perpetual, not of `market` alone, USD. */
  volume_24h: number;
  /** How many markets `volume_24h` is the sum of: those that state a turnover. */
  markets: number;
  /** When the reading was received, Unix milliseconds. */
  updated_at: number;
  /** The time that the exchange states, Unix milliseconds. */
  venue_time: number | null;
  /** When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago. */
  unheard_since?: number;
  /** Native instrument that the price is of: its most traded dollar market. */
  market: string;
  /** Which of the two `market` is. */
  kind: "spot" | "perpetual";
  /** Quote asset. */
  quote: string;
  /** More than 10 % from the median: not part of the mean. */
  excluded?: true;
}

export interface PriceSummary {
  /** Plain mean over the exchanges that are not excluded, USD. */
  average_price: number;
  /** Two exchanges differ by more than 10 %, or no majority of them agrees: the mean is of little worth. */
  disputed?: true;
  /** How many prices the mean is of. */
  exchange_count: number;
  /** When the newest of them was received, Unix milliseconds. */
  updated_at: number;
  /** When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago. */
  unheard_since?: number;
}

export interface PricesAt {
  /** Base asset. */
  symbol: string;
  /** As asked, Unix ms. */
  at: number;
  /** Time between two samples, ms. */
  step_ms: number;
  /** Number of rows in the answer. */
  count: number;
  /** What was recorded. */
  items: readonly (PricesAtItem)[];
}

export interface PricesAtItem {
  /** Of the markets. */
  kind: "spot" | "perpetual";
  /** When it was sampled, Unix ms. */
  sampled_at: number;
  /** Whether an exchange stated it afterwards; false where it was recorded at that time. */
  backfilled: boolean;
  /** Plain mean over the exchanges that were not excluded, US dollars. */
  average_price: number | null;
  /** Turnover of 24 hours; null where it was made of candles afterwards. */
  volume_24h_usd: number | null;
}

export interface PricesOfSymbols {
  /** Symbols that were found. */
  count: number;
  /** Map from symbol to its answer, as `symbol` gives it. */
  symbols: {
    [key: string]: PriceOfSymbol;
  };
  /** Symbols without an answer, and why. */
  missing: readonly (MissingSymbol)[];
}

export interface Readyz {
  /** Every view has data. */
  ready: true;
}

export interface RecordCoverage {
  /** First interval that was asked for, Unix ms. */
  from: number | null;
  /** Last interval that was asked for, Unix ms. */
  to: number | null;
  /** Rows of an unbroken record. */
  expected: number;
  /** Rows that there are. */
  present: number;
  /** At least 95 % of the expected rows are there. */
  complete: boolean;
  /** Some rows are from the history that the exchange itself keeps. */
  backfilled: boolean;
}

export interface RecordedSeriesRequest {
  /** One of `open-interest`, `funding`, `price`, `taker-flow`, `account-ratio`, `options-open-interest`, `liquidations`, `order-book`. */
  name?: unknown;
  /** Base asset, or a pair of it. */
  symbol?: unknown;
  /** Exchange id, `binance` when absent; `price` has none. `aggregated` is all of `order-book` together. */
  exchange?: unknown;
  /** Of `open-interest` and `funding`: `stable`, `coin`, the first when absent. */
  margin?: unknown;
  /** Of `price`, `taker-flow` and `order-book`: `perpetual`, `spot`, the first when absent. */
  kind?: unknown;
  /** The first when absent, of `open-interest`: `usd`, `base`; `funding`: `rate`; `price`: `price`, `turnover`; `taker-flow`: `buy_usd`, `sell_usd`; `account-ratio`: `long`, `short`; `options-open-interest`: `usd`, `base`, `calls`, `puts`; `liquidations`: `long_usd`, `short_usd`, `count`, `largest_usd`; `order-book`: `mid`, `bids_usd_25`, `asks_usd_25`, `bids_usd_50`, `asks_usd_50`, `bids_usd_100`, `asks_usd_100`, `bids_usd_200`, `asks_usd_200`, `bids_usd_500`, `asks_usd_500`. */
  column?: unknown;
  /** True for every value of the shown rows; only the last ones when absent. */
  full?: unknown;
}

export interface ReferenceRate {
  /** Base asset. */
  symbol: string;
  /** US dollars; null where fewer than three markets can be used. */
  rate: number | null;
  /** Why there is no rate; null where there is one. */
  reason: string | null;
  /** The smallest price at which half of the weight is reached. */
  method: "weighted-median";
  /** Version of the rules; a change of any of them changes it. */
  methodology: string;
  /** When it was computed, Unix ms. */
  as_of: number;
  /** Markets that it is made of. */
  used: number;
  /** SHA-256, hexadecimal, of the lines `exchange market price weight age_ms status` of all venues in their order, with numbers as in this answer and a line feed behind each. */
  inputs_hash: string;
  /** By exchange. */
  venues: readonly (ReferenceVenue)[];
  /** What the main number is made of; with `explain=1`. */
  explanation?: Explanation;
}

export interface ReferenceRateAt {
  /** Base asset. */
  symbol: string;
  /** As asked, Unix ms. */
  at: number;
  /** Time between two samples, ms. */
  step_ms: number;
  /** Number of rows in the answer. */
  count: number;
  /** What was recorded. */
  items: readonly (ReferenceRateAtItem)[];
}

export interface ReferenceRateAtItem {
  /** When it was sampled, Unix ms. */
  sampled_at: number;
  /** Whether an exchange stated it afterwards; false where it was recorded at that time. */
  backfilled: boolean;
  /** US dollars; null where fewer than three markets could be used. */
  rate: number | null;
  /** Markets that it was made of. */
  used: number | null;
}

export interface ReferenceRateFixings {
  /** Base asset. */
  symbol: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Ascending by time. */
  items: readonly (ReferenceRateFixingsItem)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface ReferenceRateFixingsItem {
  /** Start of the hour, Unix ms; the fixing is that of its end. */
  timestamp: number;
  /** Mean of the partitions that had trades, US dollars. */
  rate: number;
  /** Volume-weighted median of each five minutes, US dollars; null without a known trade. */
  partitions: readonly (number | null)[];
  /** Rows of trades, as the exchanges send them. */
  trades: number;
  /** Base units that were traded in the known minutes. */
  volume_base: number;
  /** Exchanges with at least one known minute. */
  exchanges: readonly (string)[];
  /** How much of the hour is known of each exchange. */
  known: readonly (FixingExchange)[];
}

export interface ReferenceVenue {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own symbol: its most traded dollar spot market. */
  market: string;
  /** Last trade, US dollars. */
  price: number;
  /** Fraction; those of all used markets add up to 1, all others have 0. */
  weight: number;
  /** Time since the price was received when the rate was computed, ms. */
  age_ms: number;
  /** From the median of the eligible markets; null without one. */
  deviation_percent: number | null;
  /** Why it counts or not: older than 10 s, over 5 % off the median (back below 2.5 %), held back as suspect or frozen, without a known volume of 60 minutes, best bid at or above best ask. */
  status: "used" | "stale" | "outlier" | "suspended" | "no_volume" | "crossed";
  /** Base units traded in 60 minutes; null where not known. */
  volume_60m_base: number | null;
  /** Variance of the 60 one-minute logarithmic returns, a squared fraction; null where not known. */
  variance_60m: number | null;
}

export interface RequestCondition {
  /** Kind of condition. */
  type: "above" | "below" | "crosses" | "change" | "outside" | "stale" | "event";
  /** Level of `above`, `below` and `crosses`, in the unit of the watched value. */
  value?: number;
  /** Which way counts. */
  direction?: "up" | "down" | "any";
  /** Of `change`: by how many percent the value must have changed. */
  percent?: number;
  /** Of `change`: in how many seconds. */
  within?: number;
  /** Of `outside`: lowest value of the band, in the unit of the watched value. */
  low?: number;
  /** Of `outside`: highest value of the band, in the unit of the watched value. */
  high?: number;
  /** Of `stale`: seconds without news. */
  after?: number;
  /** Of `event`: the value of the event must be greater, in the unit of the watched value. */
  above?: number;
  /** Of `event`: the value of the event must be smaller, in the unit of the watched value. */
  below?: number;
}

export interface RequestDeliverItem {
  /** Kind of receiver. */
  type: "webhook" | "telegram" | "discord" | "slack";
  /** Of `webhook`, `discord` and `slack`: where it takes messages. */
  url?: string;
  /** Of `telegram`: the token of a bot. */
  token?: string;
  /** Of `telegram`: the number of a chat, or @ and the name of a channel. */
  chat_id?: string;
}

export interface Rows {
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Of the markets. */
  kind: "spot" | "perpetual";
  /** Number of rows in the answer. */
  count: number;
  /** By time, and within a time by symbol and exchange as asked. A row without any value is left out. */
  rows: readonly (readonly (number | string | null)[])[];
  /** What the cells of a row are: `timestamp` (start of the interval, Unix ms), `exchange`, `symbol`, then the columns asked for. */
  columns: readonly (string)[];
  /** `cursor` of the next page; null on the last one, and without `from`. */
  next: string | null;
  /** What was asked for and is not there. */
  missing: readonly (MissingRows)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface RowsColumn {
  /** As `columns` of `/v1/rows` takes it. */
  name: string;
  /** Of its values. */
  unit: string;
  /** What it is. */
  description: string;
  /** Read of what this service has recorded, or asked of the exchange. */
  origin: "recorded" | "exchange";
  /** Exchanges that have it of spot markets. */
  spot_exchanges: readonly (string)[];
  /** Exchanges that have it of perpetuals. */
  perpetual_exchanges: readonly (string)[];
}

export interface RowsColumns {
  /** Number of rows in the answer. */
  count: number;
  /** As in the documentation. */
  columns: readonly (RowsColumn)[];
}

export interface Scorecard {
  /** Number of rows in the answer. */
  count: number;
  /** When the recording began, Unix ms; null where it has not. */
  recorded_from: number | null;
  /** By exchange and topic. */
  items: readonly (ScorecardItem)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface ScorecardItem {
  /** Exchange id. */
  exchange: string;
  /** Topic as `/v1/status` names it: `prices` is polled, `priceChanges` streamed. */
  topic: string;
  /** Share of the recorded time that it was up, over its parts. */
  up_24h: number;
  /** The same over 7 days; null until half of their hours, 84, are recorded. */
  up_7d: number | null;
  /** Milliseconds: median over the minutes of 24 hours of the mean age of its newest data; null while it has none, and of liquidations, books and trades, which may be quiet. */
  age_ms_p50: number | null;
  /** Milliseconds: 99th percentile over the minutes of 24 hours of their greatest age; null while it has none, and of liquidations, books and trades, which may be quiet. */
  age_ms_p99: number | null;
  /** Milliseconds from the time that the exchange states to our receipt: median over the minutes of 24 hours of their median; null for what is polled, and where the exchange states no time. Its clock is not corrected. */
  event_latency_ms_p50: number | null;
  /** Milliseconds from the time that the exchange states to our receipt: 95th percentile over the minutes of 24 hours of their 95th percentile; null for what is polled, and where the exchange states no time. Its clock is not corrected. */
  event_latency_ms_p95: number | null;
  /** Milliseconds from the time that the exchange states to our receipt: 99th percentile over the minutes of 24 hours of their 99th percentile; null for what is polled, and where the exchange states no time. Its clock is not corrected. */
  event_latency_ms_p99: number | null;
  /** Milliseconds from the receipt to the writing to all followers by WebSocket or SSE: median over the minutes of 24 hours of their median; null where nothing was followed. */
  delivery_ms_p50: number | null;
  /** Milliseconds from the receipt to the writing to all followers by WebSocket or SSE: 95th percentile over the minutes of 24 hours of their 95th percentile; null where nothing was followed. */
  delivery_ms_p95: number | null;
  /** Milliseconds from the receipt to the writing to all followers by WebSocket or SSE: 99th percentile over the minutes of 24 hours of their 99th percentile; null where nothing was followed. */
  delivery_ms_p99: number | null;
  /** Markets whose number was held back until it was confirmed. */
  suspect_24h: number;
  /** Markets on which a poll and the stream differed by more than a percent, of each poll. */
  differs_24h: number;
  /** Requests that the exchange refused: too many, banned, blocked. */
  refused_24h: number;
  /** Times that a stream was lost; 0 for what is polled. */
  reconnects_24h: number;
  /** Minutes of 24 hours that are recorded, 1,440 at most. */
  minutes_24h: number;
  /** Hours of 7 days that are recorded, 168 at most. */
  hours_7d: number;
}

export interface Screener {
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** In the order of `sort`; else the most traded asset first. */
  items: readonly (ScreenerItem)[];
  /** Tracked assets without values: not computed yet, or their exchange could not be asked. */
  missing: readonly (string)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface ScreenerItem {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own symbol: the most traded dollar market of the asset. */
  market: string;
  /** Of the market. */
  kind: "spot" | "perpetual";
  /** Close of the last closed candle, in quote, a dollar or a dollar stablecoin. */
  price: number;
  /** Close time of that candle, of which all values are, Unix ms. */
  as_of: number;
  /** Map from name of a value to the value. */
  values: {
    [key: string]: number | null;
  };
}

export interface Sentiment {
  /** Null while the index is not known. */
  fear_greed: SentimentFearGreed | null;
  /** Null while one of its prices is missing or too old. */
  coinbase_premium: SentimentCoinbasePremium | null;
}

export interface SentimentCoinbasePremium {
  /** BTC-USD of Coinbase over the mean of the USDT markets, percent. */
  premium_percent: number;
  /** Last trade of BTC-USD, USD. */
  coinbase_price: number;
  /** Mean of the last trades of BTC against USDT on spot markets, USD. */
  mean_price: number;
  /** USDT markets that the mean is of. */
  market_count: number;
  /** USD per USDT that they are converted with. */
  usdt_usd: number;
  /** When the price of Coinbase was received, Unix ms. */
  updated_at: number;
}

export interface SentimentFearGreed {
  /** 0 to 100. */
  value: number;
  /** What the value means. */
  classification: "extreme_fear" | "fear" | "neutral" | "greed" | "extreme_greed";
  /** The same in words. */
  classification_label: string;
  /** 0 to 100. */
  previous_close: number | null;
  /** 0 to 100. */
  week_ago: number | null;
  /** 0 to 100. */
  month_ago: number | null;
  /** Seconds to the next value, counted down each minute; null where the source does not say. */
  next_update_in_s: number | null;
  /** The parts of our own index. */
  computed_from?: FearGreedParts;
  /** Time of its newest input, Unix ms. */
  updated_at: number;
  /** The source of the inputs; `computed` for an index of our own. */
  source: string | readonly (string)[];
  /** The newest input is older than three times its cadence. */
  stale: boolean;
}

export interface SpotCoinbasePremiumHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Exchanges that could not be asked. */
  failed_exchanges: readonly (string)[];
  /** Ascending by time. */
  points: readonly (SpotCoinbasePremiumHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface SpotCoinbasePremiumHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Price of Coinbase over the mean of the USDT markets, less one, percent. */
  premium_percent: number | null;
  /** Last price of the interval on Coinbase, US dollars. */
  coinbase_price: number;
  /** Mean of the last prices against USDT, US dollars; null where none is known. */
  mean_price: number | null;
  /** USDT markets that the mean is of. */
  market_count: number;
  /** US dollars per USDT: the median of its dollar markets; null where unknown. */
  usdt_usd: number | null;
  /** False while the interval still ran when Coinbase was asked. */
  closed: boolean;
}

export interface SpotCoinsMarkets {
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (SpotCoinsMarketsItem)[];
}

export interface SpotCoinsMarketsItem {
  /** Base asset. */
  symbol: string;
  /** US dollars: mean over the markets by their turnover, without those more than 5 % from the median. */
  price: number;
  /** Change of the mean price of all exchanges in one hour, percent; null where it is not recorded. */
  price_change_1h_percent: number | null;
  /** Change of the price of the asset in 24 hours, percent: mean over its markets, spot and perpetual, by their turnover. */
  price_change_24h_percent: number | null;
  /** asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is. */
  price_change_24h_basis: "asset" | "exchange" | "recorded" | null;
  /** Turnover of 24 hours of the markets that count, USD. */
  volume_24h_usd: number;
  /** Fraction of the turnover of all assets. */
  volume_share: number;
  /** Highest price of 24 hours on any of them, USD. */
  high_24h: number | null;
  /** Lowest price of 24 hours on any of them, USD. */
  low_24h: number | null;
  /** Exchanges whose markets count. */
  exchange_count: number;
  /** Bought by takers on Binance in the last 24 whole hours, USD; null where it is not recorded. */
  buy_volume_24h_usd: number | null;
  /** Sold by takers there; null as above. */
  sell_volume_24h_usd: number | null;
  /** When the newest of its numbers was received, Unix ms. */
  updated_at: number;
  /** Two exchanges differ by more than 10 % in the price, or no majority of them agrees: the mean is of little worth. */
  disputed?: true;
  /** Map from a number of this row to the exchanges of which a market is left out of it: a price more than 5 % from the median, an open interest that cannot be true; absent without any. */
  outliers?: {
    [key: string]: readonly (string)[];
  };
  /** Map from a number of this row that is more than 90 seconds old to the time of its newest part; absent without any. */
  old_since?: {
    [key: string]: number;
  };
}

export interface SpotCvdAggregated {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Map from exchange. */
  coverage_by_exchange: {
    [key: string]: RecordCoverage;
  };
  /** Ascending by time. */
  points: readonly (CvdAggregatedPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface SpotGainers {
  /** USD. */
  min_volume: number;
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (SpotGainersItem)[];
}

export interface SpotGainersItem {
  /** Among all that moved so, from 1. */
  rank: number;
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The asset's most traded market: the exchange's own id. */
  market: string;
  /** Quote asset. */
  quote: string;
  /** Last trade, in `quote`. */
  price: number;
  /** Change of the price of the asset in 24 hours, percent: as in the tables of assets. */
  price_change_24h_percent: number;
  /** As in the tables of assets. */
  price_change_24h_basis: "asset" | "exchange" | "recorded";
  /** Turnover of the market in 24 hours, USD. */
  volume_24h_usd: number;
  /** When the newest of its numbers was received, Unix ms. */
  updated_at: number;
}

export interface SpotOrderbookAggregated {
  /** Base asset. */
  symbol: string;
  /** Mean of the mid prices of the exchanges by turnover, US dollars. */
  mid_price: number;
  /** The highest of all exchanges, US dollars. */
  best_bid: number;
  /** The lowest of all exchanges, US dollars. */
  best_ask: number;
  /** The best bid of one exchange is at or above the best ask of another. Nothing is matched. */
  crossed: boolean;
  /** Prices are multiples of it, US dollars. */
  step: number;
  /** Exchanges in the sums. */
  exchanges: readonly (string)[];
  /** Exchanges whose order book could not be had, or is far from all prices of the asset. */
  failed_exchanges: readonly (string)[];
  /** Price descending. */
  bids: readonly (AggregatedBookLevel)[];
  /** Price ascending. */
  asks: readonly (AggregatedBookLevel)[];
  /** Map from percent of the mid price to what rests within it, US dollars. */
  depth: {
    [key: string]: SpotOrderbookAggregatedDepthItem;
  };
  /** Exchanges whose order book ends nearer than 2 %: their depth beyond is not in the sums. */
  depth_limited: readonly (string)[];
  /** When the newest of the books was taken, Unix ms. */
  timestamp: number;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface SpotOrderbookAggregatedDepthItem {
  /** Of all bids within it, US dollars. */
  bids_usd: number;
  /** Of all asks within it, US dollars. */
  asks_usd: number;
}

export interface SpotOrderbookHistory {
  /** Base asset. */
  symbol: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** How much of what was asked for is recorded. */
  coverage: RecordCoverage;
  /** Why there are no points. */
  note?: string;
  /** Exchange id. */
  exchange: string;
  /** Of the mid price, on each side. */
  range_percent: number;
  /** Ascending by time. */
  points: readonly (SpotOrderbookHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface SpotOrderbookHistoryPoint {
  /** Start of the interval, Unix ms; values are those of its last minute. */
  timestamp: number;
  /** US dollars. */
  bids_usd: number;
  /** US dollars. */
  asks_usd: number;
  /** Base units. */
  bids_base: number;
  /** Base units. */
  asks_base: number;
  /** bids_usd / asks_usd; null without asks. */
  bid_ask_ratio: number | null;
  /** In quote, a dollar or a dollar stablecoin. */
  mid_price: number;
}

export interface SpotPairsMarkets {
  /** Of one market each, not of the asset as in the tables of assets. */
  price_change_24h_basis: "market";
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (SpotPairsMarketsItem)[];
}

export interface SpotPairsMarketsItem {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id. */
  pair: string;
  /** Base asset. */
  symbol: string;
  /** Quote asset. */
  quote: string;
  /** Last trade, in `quote`. */
  price: number;
  /** Best bid, in `quote`, of the same message as `ask`; both are null where the exchange states none or the last price has passed one of them. */
  bid: number | null;
  /** Best ask, in `quote`; null as `bid`. */
  ask: number | null;
  /** Ask less bid, percent of the mid price. */
  spread_percent: number | null;
  /** Change of the price of this market in 24 hours, percent; null where the exchange states none. */
  price_change_24h_percent: number | null;
  /** Base units. */
  volume_24h_base: number | null;
  /** Turnover of 24 hours, USD. */
  volume_24h_usd: number;
  /** Highest price of 24 hours, in `quote`. */
  high_24h: number | null;
  /** Lowest price of 24 hours, in `quote`. */
  low_24h: number | null;
  /** When bid and ask were received, Unix ms, which may be before a streamed price; null without them. */
  quotes_updated_at: number | null;
  /** When the newest of its numbers was received, Unix ms. */
  updated_at: number;
}

export interface SpotSupportedCoin {
  /** Base asset. */
  symbol: string;
  /** Exchanges that list it against dollars. */
  exchange_count: number;
  /** Exchanges that list it against dollars. */
  exchanges: readonly (string)[];
}

export interface SpotSupportedCoins {
  /** Number of rows in the answer. */
  count: number;
  /** By name. */
  coins: readonly (SpotSupportedCoin)[];
}

export interface SpotTakerBuysellHistory {
  /** Base asset. */
  symbol: string;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id of the market. */
  pair: string;
  /** Length of an interval, as asked: `5m`, `1h`, `1d`. */
  interval: string;
  /** Number of rows in the answer. */
  count: number;
  /** Ascending by time. */
  points: readonly (SpotTakerBuysellHistoryPoint)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
  /** `from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`. */
  next?: number;
}

export interface SpotTakerBuysellHistoryPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Bought by takers, US dollars. */
  taker_buy_usd: number | null;
  /** Sold by takers, US dollars. */
  taker_sell_usd: number | null;
  /** Base units. */
  taker_buy_base: number | null;
  /** Base units. */
  taker_sell_base: number | null;
  /** Bought over sold; null where nothing was sold. */
  buy_sell_ratio: number | null;
  /** Bought less sold, US dollars. */
  delta_usd: number | null;
  /** False while the interval still ran when the exchange was asked. */
  closed: boolean;
}

export interface SpotVolume {
  /** Of one market each, not of the asset as in the tables of assets. */
  price_change_24h_basis: "market";
  /** Of all pairs, those beyond `limit` among them, USD. */
  total_volume_24h_usd: number;
  /** Number of rows in the answer. */
  count: number;
  /** The rows of the table. */
  items: readonly (SpotVolumeItem)[];
}

export interface SpotVolumeItem {
  /** Among all pairs, from 1. */
  rank: number;
  /** Exchange id. */
  exchange: string;
  /** The exchange's own id. */
  pair: string;
  /** Base asset. */
  symbol: string;
  /** Turnover of 24 hours, USD. */
  volume_24h_usd: number;
  /** Last trade, in the quote of the pair. */
  price: number;
  /** Change of the price of this market in 24 hours, percent; null where the exchange states none. */
  price_change_24h_percent: number | null;
  /** Fraction of the total. */
  share: number;
}

export interface Status {
  /** Map from source id to its feeds. */
  sources: {
    [key: string]: StatusSource;
  };
  /** Processes that run. */
  processes: readonly (StatusProcess)[];
  /** What this service counts of the budgets of the sources: those that are used, waited for or paused, by the share that is used. */
  budgets: readonly (StatusBudget)[];
}

export interface StatusBudget {
  /** Source id. */
  source: string;
  /** API of the source. */
  api: string;
  /** Budget of the API. */
  budget: string;
  /** Requests that the source allows in `per_ms` ms, each by its weight where the source weighs them. */
  weight: number;
  /** Milliseconds of the time in which it allows them. */
  per_ms: number;
  /** Weight of the requests of all processes of this service in the last `per_ms` ms and 250 ms more, and of those under way; what the source has stated, where that is more: it counts whatever else uses the address or the key, too. */
  used_weight: number;
  /** Requests that wait for their turn. */
  waiting: number;
  /** Unix ms: nothing is sent before, since the source asked for silence; null where it did not. */
  paused_until: number | null;
}

export interface StatusProcess {
  /** Id of the process. */
  id: string;
  /** `web`, `feed`, `compute`, `history` or `alerts`. */
  role: string;
  /** Number of the process on its host. */
  pid: number;
  /** Name of the machine. */
  host: string;
  /** Unix milliseconds. */
  started: number;
  /** Unix milliseconds. */
  at: number;
  /** Memory of the process, bytes. */
  rss_bytes: number;
  /** 99th percentile of event loop delay. */
  loop_p99_ms: number;
  /** Of a feed process; absent otherwise. */
  load?: StatusProcessLoad;
}

export interface StatusProcessLoad {
  /** Processor time, a fraction of one core: 1 is all of it. */
  cpu: number;
  /** Sources that the process runs. */
  sources: number;
  /** Rows that it publishes in a second. */
  rows_per_second: number;
}

export interface StatusSource {
  /** Degraded: some of its feeds are up. Feeds that are idle do not count. */
  state: "up" | "degraded" | "down";
  /** One row a topic and part. */
  feeds: readonly (StatusSourceFeed)[];
  /** From the receipt of a value to the moment at which the answer that it has changed is written to all of its followers by WebSocket or SSE, once for each answer and change, over all web processes; logs (`mode=log`) and answers that are asked for are not in it. Absent where nothing is followed. Milliseconds of the last minute or two, each rounded up to the end of its step (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20 and so on, 60,000 for all that is longer). */
  delivery_ms?: StatusSourceFeedEventLatencyMs;
}

export interface StatusSourceFeed {
  /** What is received: prices, derivatives, instruments. */
  topic: string;
  /** Request group of the source, such as spot or linear. */
  part: string;
  /** `down`: failing so often that it is only probed; `closed`: the venue states that it trades nothing of this part now, polls go on; `standby`: not asked while a source before it answers; `frozen`: the newest time that the venue states is more than a minute old, or it says the same for ten polls, or it has no turnover at all; it is out of every aggregate; `silent`: its process no longer reports. */
  state: "waiting" | "up" | "failing" | "down" | "frozen" | "closed" | "standby" | "silent";
  /** Why it is closed; null in every other state. */
  reason: string | null;
  /** Unix milliseconds, or null. */
  last_success: number | null;
  /** Unix milliseconds, or null. */
  last_attempt: number | null;
  /** Of the last successful poll. */
  latency_ms: number | null;
  /** The latest failure, kept after later successes. */
  last_error: StatusSourceFeedLastError | null;
  /** Open: its upstream has failed so often that it is not asked; half open: one request tries. */
  breaker: "closed" | "open" | "half_open";
  /** Unix milliseconds, or null. */
  next_poll: number | null;
  /** Rows of the last reading; of a stream, those that came since the last report, or live order books. */
  rows: number;
  /** Map from Reason to rows of the last poll or publication that were not used, or of which a part was not; of live order books, how many were dropped since the stream began. `bad_row`: a row cannot be read: the last good one stands until it is too old; `unknown_instrument`: no instrument list has the market; `list_cut_off`: markets beyond the last page that is asked for; `duplicate`: a further row of a market in one poll; `request_failed`: a request about a single market failed; `late_row`: a row is older than the values that stand; `suspect`: a number jumped, and is held back until a second message has it too; `crossed_quotes`: the bid is above the ask; `bad_quotes`: bid or ask are far from the price; `bad_range`: the low is above the high, or the price outside of both; `bad_change`: the change is from a price outside of the range of the day, or jumped; `bad_turnover`: the turnover contradicts price and volume, or jumped; `bad_mark`: a mark or an index is no price, or jumped and nothing confirms it; `bad_funding_rate`: a funding rate or a premium is beyond all caps, or jumped; `bad_funding_interval`: hours of funding that do not divide a day; `bad_units`: units, or the price of the conversion, contradict the value of an open interest; `time_ahead`: the stated time is more than a minute ahead of ours; `out_of_time`: an event or a trade is too old, or ahead of our clock; `bad_message`: a message of a stream cannot be read; `message_missed`: a message of a stream has not come, by its number; `subscription_refused`: the upstream refused a name that was subscribed to; `differs_from_poll`: poll and stream of a market differed by more than 1 %; `overflow`: more has come than is kept until it can be used; `late`: a trade came after a newer one; of books: this process read them more than two seconds late; `gap`: trades, or changes of a book, are missing before this one; `bad_checksum`: the checksum of a book is another one; `crossed`: the best bid of a book is not below its best ask; `empty`: a side of a book has no level; `thin`: too few levels of a snapshot are left; `silent`: no message about a book came for a minute; `lost`: the connection of a book ended; `no_snapshot`: the snapshot of a book did not come.. */
  dropped: {
    [key: string]: number;
  };
  /** Markets whose newest number is held back until it is confirmed, 20 at most; absent when there are none. */
  suspect?: readonly (string)[];
  /** Of instruments: markets of the source whose price was more than 30 % away from that of the other exchanges for an hour, 20 at most. They have left their asset: their symbol has the name of the exchange behind it. Absent when there are none. */
  strays?: readonly (string)[];
  /** Of a stream whose source acknowledges; absent otherwise. */
  subscriptions?: StatusSourceFeedSubscriptions;
  /** Consecutive failures. */
  failures: number;
  /** Time since the last success, to the second. */
  age_ms: number | null;
  /** Of a stream that states times: from the newest time that a message states to our receipt. The clock of the source is not corrected: where it is ahead, the latency is too short, and a negative one counts as 1. Absent where nothing came. Milliseconds of the last minute or two, each rounded up to the end of its step (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20 and so on, 60,000 for all that is longer). */
  event_latency_ms?: StatusSourceFeedEventLatencyMs;
}

export interface StatusSourceFeedEventLatencyMs {
  /** What half of them do not exceed, ms. */
  p50: number;
  /** What 95 % of them do not exceed, ms. */
  p95: number;
  /** What 99 % of them do not exceed, ms. */
  p99: number;
}

export interface StatusSourceFeedLastError {
  /** Class of the failure. */
  code: string;
  /** The fault, in words. */
  message: string;
  /** Unix milliseconds. */
  at: number;
}

export interface StatusSourceFeedSubscriptions {
  /** Subscriptions that the source has acknowledged. */
  acknowledged: number;
  /** Of those, how many have brought nothing yet: normal for quiet markets, suspicious for all. */
  silent: number;
}

export interface SuspectMarket {
  /** Exchange id. */
  exchange: string;
  /** The exchange's own symbol. */
  market: string;
}

export interface Time {
  /** Unix ms. */
  serverTime: number;
}

export interface TopTradersPoint {
  /** Start of the interval, Unix ms. */
  timestamp: number;
  /** Share of accounts that are long, a fraction. */
  account_long_ratio: number;
  /** Share of accounts that are short. */
  account_short_ratio: number;
  /** Long over short. */
  account_long_short_ratio: number | null;
  /** Share of positions that are long, a fraction. */
  position_long_ratio: number;
  /** Share of positions that are short. */
  position_short_ratio: number;
  /** Long over short. */
  position_long_short_ratio: number | null;
}

export interface Trades {
  /** Exchange id. */
  exchange: string;
  /** As asked. */
  symbol: string;
  /** The exchange's own symbol of the market. */
  market: string;
  /** `spot` or `perpetual`. */
  kind: string | null;
  /** Out of the stream of the exchange, or the answer to a request. */
  source: "live" | "request";
  /** When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago. */
  unheard_since?: number;
  /** Quote asset. */
  quote: string | null;
  /** Number of rows in the answer. */
  count: number;
  /** Newest first. */
  items: readonly (TradesItem)[];
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface TradesItem {
  /** The exchange's own; null where it states none. */
  id: string | null;
  /** When it was traded, Unix ms. */
  timestamp: number;
  /** What the taker did. */
  side: "buy" | "sell";
  /** Of one base asset, in the quote of the market. */
  price: number;
  /** Base asset, whatever the exchange counts in. */
  quantity: number;
  /** Price times quantity, US dollars; null where the market is not quoted in dollars. */
  value_usd: number | null;
}

export interface UdfBars {
  /** There are bars. */
  s: "ok";
  /** Start of each bar, Unix seconds, ascending. */
  t: readonly (number)[];
  /** Closes: prices in quote, or the values of a series. */
  c: readonly (number)[];
  /** First prices, in quote; absent for series, as the three that follow. */
  o?: readonly (number)[];
  /** Highest prices, in quote. */
  h?: readonly (number)[];
  /** Lowest prices, in quote. */
  l?: readonly (number)[];
  /** Volumes, base asset. */
  v?: readonly (number)[];
}

export interface UdfChoice {
  /** Empty for all. */
  value: string;
  /** What is shown. */
  name: string;
  /** In words. */
  desc?: string;
}

export interface UdfConfig {
  /** True: `search` and `symbols`. */
  supports_search: boolean;
  /** False. */
  supports_group_request: boolean;
  /** True: liquidations. */
  supports_marks: boolean;
  /** False. */
  supports_timescale_marks: boolean;
  /** True. */
  supports_time: boolean;
  /** Those of any symbol. */
  supported_resolutions: readonly (string)[];
  /** For `search`. */
  exchanges: readonly (UdfChoice)[];
  /** For `search`. */
  symbols_types: readonly (UdfChoice)[];
}

export interface UdfFound {
  /** What is shown. */
  symbol: string;
  /** The ticker. */
  full_name: string;
  /** In words. */
  description: string;
  /** Exchange id, or `reference`. */
  exchange: string;
  /** What the other paths are asked by. */
  ticker: string;
  /** Series have one value a bar. */
  type: "spot" | "perpetual" | "series";
}

export interface UdfMarks {
  /** One for each mark. */
  id: readonly (string)[];
  /** Start of the bar, Unix seconds. */
  time: readonly (number)[];
  /** Red where longs were closed, green where shorts were. */
  color: readonly (string)[];
  /** The sum in US dollars, and the number of orders. */
  text: readonly (string)[];
  /** `L` or `S`. */
  label: readonly (string)[];
  /** Of the label. */
  labelFontColor: readonly (string)[];
  /** Pixels. */
  minSize: readonly (number)[];
}

export interface UdfNoBars {
  /** There are no bars in the range. */
  s: "no_data";
  /** The newest bar before the range, Unix seconds; absent where there is none. */
  nextTime?: number;
}

export interface UdfQuote {
  /** `error` where there is no price of the symbol. */
  s: "ok" | "error";
  /** The symbol as asked. */
  n: string;
  /** What is known of it. */
  v: UdfQuoteV;
}

export interface UdfQuoteV {
  /** The exchange's own id. */
  short_name?: string;
  /** Exchange id. */
  exchange?: string;
  /** The ticker. */
  description?: string;
  /** Last price, in quote. */
  lp?: number;
  /** Change over 24 h, in quote. */
  ch?: number;
  /** The same, percent. */
  chp?: number;
  /** Best bid, in quote. */
  bid?: number;
  /** Best ask, in quote. */
  ask?: number;
  /** Best ask less best bid, in quote. */
  spread?: number;
  /** 24 h ago, in quote. */
  open_price?: number;
  /** Of 24 h, in quote. */
  high_price?: number;
  /** Of 24 h, in quote. */
  low_price?: number;
  /** As `open_price`, in quote. */
  prev_close_price?: number;
  /** Of 24 h, base asset. */
  volume?: number;
}

export interface UdfQuotes {
  /** Each symbol states its own. */
  s: "ok";
  /** As asked. */
  d: readonly (UdfQuote)[];
}

export interface UdfSymbol {
  /** What is shown. */
  name: string;
  /** What the other paths are asked by. */
  ticker: string;
  /** In words. */
  description: string;
  /** Series have one value a bar. */
  type: "spot" | "perpetual" | "series";
  /** Always. */
  session: "24x7";
  /** Of days. */
  timezone: "Etc/UTC";
  /** Exchange id, or `reference`. */
  exchange: string;
  /** The same. */
  listed_exchange: string;
  /** Steps of the price are this divided by `pricescale`. */
  minmov: number;
  /** 10 to the power of the digits after the point: those of `tick_size` of /v1/instruments; six digits of the price where that is null. */
  pricescale: number;
  /** 0. */
  minmove2: number;
  /** False. */
  fractional: boolean;
  /** Whether there are bars of less than a day. */
  has_intraday: boolean;
  /** The resolutions of less than a day. */
  intraday_multipliers: readonly (string)[];
  /** Whether there are bars of a day. */
  has_daily: boolean;
  /** Whether there are bars of a week and a month. */
  has_weekly_and_monthly: boolean;
  /** False: a bar without a trade may be missing. */
  has_empty_bars: boolean;
  /** All resolutions. */
  supported_resolutions: readonly (string)[];
  /** Digits after the point of volumes. */
  volume_precision: number;
  /** How numbers are shown. */
  format: "price" | "volume";
  /** Series have closes alone. */
  visible_plots_set: "ohlcv" | "c";
  /** What prices are in. */
  currency_code: string;
  /** The newest bar changes as long as it runs. */
  data_status: "streaming";
}

export interface Usage {
  /** The subject that the identity provider states. */
  account: string;
  /** Plan of the account. */
  plan: string;
  /** Requests a minute, over all keys of the account; null for no limit. */
  limit: number | null;
  /** Requests admitted in the current window, as far as reported by every process; null without a limit. */
  used: number | null;
  /** Requests that would still be admitted, as in the header `RateLimit`; null without a limit. */
  remaining: number | null;
  /** End of the current window, Unix milliseconds; null when there is none. */
  resets_at: number | null;
  /** Active keys of the account, and others used in the window; requests with a bearer token are in `used` only. */
  keys: readonly (UsageKey)[];
}

export interface UsageHistory {
  /** Beginnings of UTC days, Unix milliseconds, the earliest first. */
  timestamps: readonly (number)[];
  /** Active keys of the account. */
  keys: readonly (UsageHistoryKey)[];
}

export interface UsageHistoryKey {
  /** Id of the key. */
  id: string;
  /** Of the key. */
  name: string;
  /** Requests with the key on each day, whatever came of them, at most 10 s late. */
  requests: readonly (number)[];
}

export interface UsageKey {
  /** Id of the key. */
  id: string;
  /** Null while the key store cannot be read. */
  name: string | null;
  /** Requests admitted in the window; null without a limit. */
  used: number | null;
  /** Since 00:00 UTC, as reported by the processes so far; null while the key store cannot be read. */
  requests_today: number | null;
}

export interface VaultPeriod {
  /** Profit of the period: the last value of `pnl` less the first. */
  pnl_usd: number;
  /** USDC, counted as dollars. */
  volume_usd: number;
  /** Value of the vault: [Unix ms, USD]. */
  account_value: readonly (readonly (number)[])[];
  /** Profit and loss: [Unix ms, USD]. */
  pnl: readonly (readonly (number)[])[];
}

export interface Volatility {
  /** Base asset. */
  symbol: string;
  /** Exchange of the daily closes. */
  exchange: string;
  /** Its own id of the market. */
  market: string;
  /** Standard deviation of daily logarithmic returns times the square root of 365. */
  realized: readonly (VolatilityRealizedItem)[];
  /** By tenor. */
  implied: readonly (VolatilityImpliedItem)[];
  /** Squared implied less squared realised volatility, both of 30 days; null where one is missing. */
  variance_premium: number | null;
  /** When the closes were received, Unix ms. */
  as_of: number;
  /** The source fails at present: this is its last answer. Absent otherwise. */
  stale?: true;
}

export interface VolatilityImpliedItem {
  /** Tenor. */
  days: number;
  /** Fraction a year, the variance interpolated between the expiries around the tenor; null outside of them and without options. */
  at_the_money: number | null;
  /** Exchanges of the options; `none` without any. */
  source: string;
}

export interface VolatilityRealizedItem {
  /** Daily returns of a window. */
  days: number;
  /** Of the last window, fraction a year. */
  current: number;
  /** Least of all windows of this length in up to two years, fraction a year. */
  min: number;
  /** First quartile of all windows of this length in up to two years, fraction a year. */
  p25: number;
  /** Median of all windows of this length in up to two years, fraction a year. */
  median: number;
  /** Third quartile of all windows of this length in up to two years, fraction a year. */
  p75: number;
  /** Largest of all windows of this length in up to two years, fraction a year. */
  max: number;
  /** Windows that these are of. */
  windows: number;
}

/** Every operation: its parameters, its body and the data of its answer. */
export interface Operations {
  /** Last traded prices over all exchanges, one symbol, several or all. */
  'GET /v1/prices': {
    params: {
      /** Base asset, in any case, or a pair of it (`BTCUSDT`, `BTC-USDT`, `BTC/USDT:USDT`). All symbols when absent. */
      symbol?: string;
      /** Base assets with commas between them, at most 100, instead of `symbol`. */
      symbols?: string;
      /** 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again. */
      explain?: "0" | "1";
      /** The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin. */
      at?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: PricesAt | PriceOfSymbol | PricesOfSymbols | {
      [key: string]: PriceSummary;
    };
    choices: [["at", PricesAt], ["symbol", PriceOfSymbol], ["symbols", PricesOfSymbols], [null, {
      [key: string]: PriceSummary;
    }]];
    csv: true;
  };
  /** Open interest of perpetuals over all exchanges, one symbol, several or all. */
  'GET /v1/open-interest': {
    params: {
      /** Base asset, in any case, or a pair of it (`BTCUSDT`, `BTC-USDT`, `BTC/USDT:USDT`). All symbols when absent. */
      symbol?: string;
      /** Base assets with commas between them, at most 100, instead of `symbol`. */
      symbols?: string;
      /** 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again. */
      explain?: "0" | "1";
      /** The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin. */
      at?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: OpenInterestAt | OpenInterestOfSymbol | OpenInterestOfSymbols | {
      [key: string]: OpenInterestSummary;
    };
    choices: [["at", OpenInterestAt], ["symbol", OpenInterestOfSymbol], ["symbols", OpenInterestOfSymbols], [null, {
      [key: string]: OpenInterestSummary;
    }]];
    csv: true;
  };
  /** The exchanges there are, and what each of them offers here. */
  'GET /v1/exchanges': {
    params: {
    };
    data: Exchanges;
    csv: true;
  };
  /** Every market of every exchange: its own symbol, base, quote, contract, unified name. */
  'GET /v1/instruments': {
    params: {
      /** Exchange id. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent. */
      symbol?: string;
      /** All kinds when absent. */
      kind?: "spot" | "perpetual" | "future" | "other";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: Instruments;
    csv: true;
  };
  /** The exchanges there are, and how each capability of theirs is had. */
  'GET /v2/exchanges': {
    params: {
    };
    data: ExchangesV2;
    csv: true;
  };
  /** Funding rates, mark and index prices of the perpetuals of one exchange. */
  'GET /v2/funding-rates': {
    params: {
      /** Exchange id. */
      exchange: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent. */
      symbol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: FundingRatesV2;
    csv: true;
  };
  /** Open interest of the perpetuals of one exchange. */
  'GET /v2/open-interest': {
    params: {
      /** Exchange id. */
      exchange: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent. */
      symbol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: OpenInterestV2;
    csv: true;
  };
  /** Order book of one market, live where it is kept, else asked of the exchange at once, with spread and mid price. */
  'GET /v1/orderbook': {
    params: {
      /** Exchange id. */
      exchange: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first). */
      symbol: string;
      /** Levels a side; cut to the 20 or 50 that the exchange is served with. */
      depth?: number;
      /** Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there. */
      kind?: "spot" | "perpetual";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Orderbook;
  };
  /** Order book of one market, live where it is kept, else asked of the exchange at once. */
  'GET /v2/orderbook': {
    params: {
      /** Exchange id. */
      exchange: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** The exchange's own symbol. */
      symbol: string;
      /** Levels a side; cut to the 20 or 50 that the exchange is served with. */
      depth?: number;
      /** Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there. */
      kind?: "spot" | "perpetual";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: OrderbookV2;
  };
  /** Order book of one market to 1000 levels a side, live where it is kept. */
  'GET /v1/orderbook/deep': {
    params: {
      /** Exchange id. */
      exchange: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first). */
      symbol: string;
      /** Levels a side; fewer where the exchange gives fewer (docs/order-books.md). */
      depth?: number;
      /** Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there. */
      kind?: "spot" | "perpetual";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Orderbook;
  };
  /** OHLCV candles of one market, or of an asset over exchanges. */
  'GET /v1/bars': {
    params: {
      /** The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first). */
      symbol?: string;
      /** Exchange id, or `all`: volume-weighted over the ten exchanges with the largest turnover (docs/numbers.md). */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc" | "all";
      /** Candle length, one that the exchange has or that its shorter ones make up; `1m` with `from` or `to` only. */
      interval?: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d" | "3d" | "1w" | "1M";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there. */
      kind?: "spot" | "perpetual";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Bars;
    csv: true;
  };
  /** The newest public trades of one market, out of the stream where it is heard, else asked of the exchange. */
  'GET /v1/trades': {
    params: {
      /** Exchange id. */
      exchange: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first). */
      symbol: string;
      /** Most trades (of a stream in `mode=log`: past ones); fewer where the exchange gives fewer, which is 60 to 150 at some. */
      limit?: number;
      /** Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there. */
      kind?: "spot" | "perpetual";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Trades;
    csv: true;
  };
  /** Spot order books of an asset at several exchanges as one. */
  'GET /v1/spot/orderbook/aggregated': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol: string;
      /** Exchange ids, separated by commas. The ten with the largest turnover of the asset when absent. */
      exchange?: string;
      /** Step of prices; a ten-thousandth of the mid price, rounded, when absent. */
      step?: number;
      /** Most levels a side. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: SpotOrderbookAggregated;
  };
  /** Orders near the mid price of spot markets over time. */
  'GET /v1/spot/orderbook/history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol: string;
      /** Exchange id. */
      exchange?: "aggregated" | "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Newest intervals. */
      limit?: number;
      /** Percent of the mid price: 0.25, 0.5, 1, 2 or 5. */
      range_percent?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: SpotOrderbookHistory;
    csv: true;
  };
  /** Order books of the perpetuals of an asset over time, by price. */
  'GET /v1/futures/orderbook-heatmap': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. */
      exchange?: "aggregated" | "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Newest minutes. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: OrderbookHeatmap;
  };
  /** Order books of the spot markets of an asset over time, by price. */
  'GET /v1/spot/orderbook-heatmap': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. */
      exchange?: "aggregated" | "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Newest minutes. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: OrderbookHeatmap;
  };
  /** Large resting orders of spot markets. */
  'GET /v1/spot/large-orders': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Least value, US dollars. */
      min_usd?: number;
      /** Most orders. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LargeOrders;
    csv: true;
  };
  /** Large resting orders of perpetuals. */
  'GET /v1/futures/large-orders': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Least value, US dollars. */
      min_usd?: number;
      /** Most orders. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LargeOrders;
    csv: true;
  };
  /** Spread, depth and slippage of the order books of an asset, by exchange. */
  'GET /v1/liquidity': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Spot markets or perpetuals; both when absent. */
      kind?: "spot" | "perpetual";
      /** Exchange id. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc" | "dydx";
      /** 1 asks for the book of `exchange` (of `kind`, spot when absent) now, and adds its levels, from which all numbers can be computed again. */
      explain?: "0" | "1";
      /** The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin. */
      at?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: LiquidityAt | LiquidityOfBooks;
    choices: [["at", LiquidityAt], [null, LiquidityOfBooks]];
    csv: true;
  };
  /** Spread, depth and slippage of an order book over time, recorded each minute. */
  'GET /v1/liquidity/history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc" | "dydx";
      /** Kind of the market. */
      kind?: "spot" | "perpetual";
      /** Distance from the mid price in percent: 0.1, 0.5, 1, 2, 5. */
      depth_percent?: number;
      /** Size of the order in US dollars: 1000, 10000, 100000, 1000000. */
      order_usd?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LiquidityHistory;
    csv: true;
  };
  /** Funding rates of every perpetual on every exchange, one symbol, several or all. */
  'GET /v1/funding-rates': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Base assets with commas between them, at most 100, instead of `symbol`. */
      symbols?: string;
      /** 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again. */
      explain?: "0" | "1";
      /** The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin. */
      at?: number;
      /** Without `symbol`: most symbols. */
      limit?: number;
      /** Without `symbol`: symbols to leave out at the start. */
      offset?: number;
      /** Without `symbol`, largest first: mean rate, number of exchanges, or largest annual rate of any contract, of either sign. */
      sort?: "rate" | "exchanges" | "annualized";
      /** Without `symbol`: full adds the rates of every exchange. */
      detail?: "summary" | "full";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: FundingRatesAt | FundingRatesOfSymbol | FundingRatesOfSymbols | FundingRatesPage;
    choices: [["at", FundingRatesAt], ["symbol", FundingRatesOfSymbol], ["symbols", FundingRatesOfSymbols], [null, FundingRatesPage]];
    csv: true;
  };
  /** Funding rate of an asset over all exchanges, weighted by turnover. */
  'GET /v1/funding-rates/vol-weighted': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: FundingRatesVolWeighted;
    csv: true;
  };
  /** Settled funding rates of an asset over all exchanges and over time. */
  'GET /v1/funding-rates/vol-weighted-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Candle length. */
      interval?: "8h" | "1d";
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: FundingRatesVolWeightedHistory;
    csv: true;
  };
  /** Settled funding rates of an asset over time, weighted by open interest of that time. */
  'GET /v1/funding-rates/oi-weighted-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Candle length. */
      interval?: "8h" | "1d";
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: FundingRatesOiWeightedHistory;
    csv: true;
  };
  /** Funding that a constant long paid, by exchange. */
  'GET /v1/funding-rates/cumulative': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Time until now. */
      range?: "1d" | "7d" | "30d" | "90d";
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: FundingRatesCumulative;
    csv: true;
  };
  /** Rates that exchanges stated for the next settlement, over time. */
  'GET /v1/funding-rates/predicted-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: FundingRatesPredictedHistory;
    csv: true;
  };
  /** Pairs of perpetuals with different funding rates: long on one exchange, short on another. */
  'GET /v1/funding-arbitrage': {
    params: {
      /** Least annual rate of the pair, percent. */
      min_apr?: number;
      /** Most pairs. */
      limit?: number;
      /** Base asset or a market of it, in any spelling: every pair of it. The best pair of each symbol when absent. */
      symbol?: string;
      /** Least turnover of 24 hours of either side, USD. */
      min_volume?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: FundingArbitrage;
    csv: true;
  };
  /** The newest liquidations of all exchanges with a public feed. */
  'GET /v1/liquidations/orders': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Side of the position. */
      side?: "long" | "short";
      /** Least value, US dollars. */
      min_usd?: number;
      /** Most events. */
      limit?: number;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "dydx" | "aster" | "lighter" | "deribit" | "bitfinex" | "kraken" | "htx";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: LiquidationsOrders;
    csv: true;
  };
  /** The newest liquidation orders of Binance. */
  'GET /v1/liquidations/feed': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Side of the position. */
      side?: "long" | "short";
      /** Least value, US dollars. */
      min_usd?: number;
      /** Most events. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: LiquidationsFeed;
    csv: true;
  };
  /** The newest liquidation orders of OKX. */
  'GET /v1/analytics/okx/liquidations': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Side of the position. */
      side?: "long" | "short";
      /** Least value, US dollars. */
      min_usd?: number;
      /** Most events. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: AnalyticsOkxLiquidations;
    csv: true;
  };
  /** Sums of liquidations of 1, 4, 12 and 24 hours by symbol. */
  'GET /v1/liquidations/coin-list': {
    params: {
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "dydx" | "aster" | "lighter" | "deribit" | "bitfinex" | "kraken" | "htx";
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Most symbols. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: LiquidationsCoinList;
    csv: true;
  };
  /** Sums of liquidations by exchange. */
  'GET /v1/liquidations/exchange-list': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All of them, and their sum, when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "dydx" | "aster" | "lighter" | "deribit" | "bitfinex" | "kraken" | "htx";
      /** Time before now. */
      range?: "1h" | "4h" | "12h" | "24h";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: LiquidationsExchangeList;
    csv: true;
  };
  /** Liquidations of an asset over time, of all exchanges and each. */
  'GET /v1/liquidations/aggregated-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "dydx" | "aster" | "lighter" | "deribit" | "bitfinex" | "kraken" | "htx";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LiquidationsAggregatedHistory;
    csv: true;
  };
  /** Where positions would be liquidated: an estimate. */
  'GET /v1/liquidations/map': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Time before now. */
      range?: "1d" | "7d" | "30d";
      /** Exchange id. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LiquidationsMap;
    csv: true;
  };
  /** The price at which most would be liquidated: an estimate. */
  'GET /v1/liquidations/max-pain': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Time before now. */
      range?: "1d" | "7d" | "30d";
      /** Exchange id. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LiquidationMaxPain | LiquidationMaxPainList;
    choices: [["symbol", LiquidationMaxPain], [null, LiquidationMaxPainList]];
    csv: true;
  };
  /** Where positions would have been liquidated by time and price: an estimate. */
  'GET /v1/liquidations/heatmap': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Time before now. */
      range?: "1d" | "7d" | "30d";
      /** Exchange ids, separated by commas. Of binance, okx, bybit, bitget, gate, hyperliquid, dydx, aster, backpack, whitebit, lighter, deribit, bitfinex, cryptocom, kraken, coinbase, bingx, phemex, woo, bitstamp, htx, kucoin, mexc; binance, bybit, okx, gate, bitget when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LiquidationsHeatmap;
  };
  /** Price, funding, open interest and turnover of one asset, or of those with the largest open interest. */
  'GET /v1/overview': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Without `symbol`: most assets. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: Overview;
    csv: true;
  };
  /** Assets with a spot market against dollars, and the exchanges that list them. */
  'GET /v1/spot/supported-coins': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: SpotSupportedCoins;
    csv: true;
  };
  /** Assets by spot turnover: price, change, range and turnover over all exchanges. */
  'GET /v1/spot/coins-markets': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Most rows. */
      limit?: number;
      /** Rows to leave out at the start. */
      offset?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: SpotCoinsMarkets;
    csv: true;
  };
  /** Spot markets of every exchange by turnover. */
  'GET /v1/spot/pairs-markets': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Most rows. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: SpotPairsMarkets;
    csv: true;
  };
  /** The spot markets with the largest turnover, and their shares of the total. */
  'GET /v1/spot/volume': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Most rows. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: SpotVolume;
    csv: true;
  };
  /** Assets by open interest: price, funding, open interest and turnover of their perpetuals. */
  'GET /v1/futures/coins-markets': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Most rows. */
      limit?: number;
      /** Rows to leave out at the start. */
      offset?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: FuturesCoinsMarkets;
    csv: true;
  };
  /** Perpetuals of every exchange by turnover. */
  'GET /v1/futures/pairs-markets': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Most rows. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: FuturesPairsMarkets;
    csv: true;
  };
  /** Exchanges by the open interest of their perpetuals. */
  'GET /v1/futures/exchange-rank': {
    params: {
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Most exchanges. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: FuturesExchangeRank;
    csv: true;
  };
  /** Assets that rose most in 24 hours, each with its most traded spot market. */
  'GET /v1/spot/gainers': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Least turnover of the market in 24 hours, USD. */
      min_volume?: number;
      /** Most assets. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: SpotGainers;
    csv: true;
  };
  /** Assets that fell most in 24 hours, each with its most traded spot market. */
  'GET /v1/spot/losers': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Least turnover of the market in 24 hours, USD. */
      min_volume?: number;
      /** Most assets. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: SpotGainers;
    csv: true;
  };
  /** Assets that rose most in 24 hours, each with its most traded perpetual. */
  'GET /v1/futures/gainers': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Least turnover of the market in 24 hours, USD. */
      min_volume?: number;
      /** Most assets. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: SpotGainers;
    csv: true;
  };
  /** Assets that fell most in 24 hours, each with its most traded perpetual. */
  'GET /v1/futures/losers': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Exchange id. All exchanges when absent. */
      exchange?: "binance" | "okx" | "bybit" | "bitget" | "gate" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "kraken" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "htx" | "kucoin" | "mexc";
      /** Least turnover of the market in 24 hours, USD. */
      min_volume?: number;
      /** Most assets. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: SpotGainers;
    csv: true;
  };
  /** Assets by the change of the price of their perpetuals, over seven windows. */
  'GET /v1/futures/coins-price-change': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Most assets. */
      limit?: number;
      /** The window to sort by; assets without that change are last. */
      sort?: "5m" | "15m" | "30m" | "1h" | "4h" | "12h" | "24h";
      /** Largest or smallest change first. */
      order?: "desc" | "asc";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: FuturesCoinsPriceChange;
    csv: true;
  };
  /** Turnover of exchanges over time. */
  'GET /v1/exchanges/volume-history': {
    params: {
      /** Kind of the markets. */
      kind?: "spot" | "perpetual";
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange ids, separated by commas. All that have such markets when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: ExchangesVolumeHistory;
    csv: true;
  };
  /** Mark, index and basis of every contract on an asset, perpetual and dated, by expiry. */
  'GET /v1/futures/term-structure': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: FuturesTermStructure;
    csv: true;
  };
  /** Mark, index and basis of a perpetual or a dated future over time. */
  'GET /v1/futures/basis/history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "12h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "bybit" | "gate" | "kraken" | "htx" | "bitget" | "hyperliquid" | "dydx" | "aster" | "backpack" | "whitebit" | "lighter" | "deribit" | "bitfinex" | "cryptocom" | "coinbase" | "bingx" | "phemex" | "woo" | "bitstamp" | "kucoin" | "mexc";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: FuturesBasisHistory;
    csv: true;
  };
  /** Bought and sold by takers, of spot markets. */
  'GET /v1/spot/taker-buysell/history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance" | "okx";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: SpotTakerBuysellHistory;
    csv: true;
  };
  /** Bought and sold by takers, of perpetuals. */
  'GET /v1/futures/taker-buysell': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "kraken";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: SpotTakerBuysellHistory;
    csv: true;
  };
  /** Bought and sold by takers on Binance USD-M. */
  'GET /v1/analytics/taker-volume': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "12h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsTakerVolume;
    csv: true;
  };
  /** Volume bought and sold by takers on OKX. */
  'GET /v1/analytics/okx/taker-volume': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** The perpetual in USDT, or all spot markets of the asset. */
      market?: "contracts" | "spot";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsOkxTakerVolume;
    csv: true;
  };
  /** Cumulative volume delta of spot markets: the level depends on the first point. */
  'GET /v1/spot/cvd/history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: CvdHistory;
    csv: true;
  };
  /** Cumulative volume delta of perpetuals: the level depends on the first point. */
  'GET /v1/futures/cvd/history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "kraken";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: CvdHistory;
    csv: true;
  };
  /** Share of the volume that takers bought, of perpetuals. */
  'GET /v1/long-short-ratio/taker-buysell-ratio': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "kraken";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LongShortRatioTakerBuysellRatio;
    csv: true;
  };
  /** Money flow of spot markets by trades of takers. */
  'GET /v1/spot/netflow': {
    params: {
      /** Base asset or a market of it, in any spelling. A ranking of the most traded assets when absent; then only `limit` counts. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Newest rows of a symbol; most rows of the ranking. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: NetflowOfSymbol | NetflowRanking;
    choices: [["symbol", NetflowOfSymbol], [null, NetflowRanking]];
    csv: true;
  };
  /** Money flow of perpetuals by trades of takers. */
  'GET /v1/futures/netflow': {
    params: {
      /** Base asset or a market of it, in any spelling. A ranking of the most traded assets when absent; then only `limit` counts. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Newest rows of a symbol; most rows of the ranking. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: NetflowOfSymbol | NetflowRanking;
    choices: [["symbol", NetflowOfSymbol], [null, NetflowRanking]];
    csv: true;
  };
  /** Cumulative volume delta of perpetuals on binance, okx, kraken together. */
  'GET /v1/futures/cvd/aggregated': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: FuturesCvdAggregated;
    csv: true;
  };
  /** Cumulative volume delta of spot markets on several exchanges together. */
  'GET /v1/spot/cvd/aggregated': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: SpotCvdAggregated;
    csv: true;
  };
  /** Bought and sold by takers at each price level of a bar, of a perpetual. */
  'GET /v1/futures/footprint': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "bybit" | "bitfinex" | "bitstamp";
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h";
      /** Newest bars. */
      limit?: number;
      /** Width of a level; about 0.05 % of the price when absent. */
      step?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Footprint;
    csv: true;
  };
  /** Bought and sold by takers at each price level of a bar, of a spot market. */
  'GET /v1/spot/footprint': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "bybit" | "bitfinex" | "kraken" | "coinbase" | "bitstamp";
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h";
      /** Newest bars. */
      limit?: number;
      /** Width of a level; about 0.05 % of the price when absent. */
      step?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Footprint;
    csv: true;
  };
  /** Premium of an asset on Coinbase over USDT markets, over time. */
  'GET /v1/spot/coinbase-premium/history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: SpotCoinbasePremiumHistory;
    csv: true;
  };
  /** Long and short by accounts, of each exchange and on average. */
  'GET /v1/long-short-ratio': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "1h" | "1d";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LongShortRatio;
    csv: true;
  };
  /** Long and short of the largest accounts on Binance USD-M, by accounts and by positions. */
  'GET /v1/analytics/top-traders': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "12h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsTopTraders;
    csv: true;
  };
  /** Long and short of the largest accounts on OKX, by accounts and by positions. */
  'GET /v1/analytics/okx/top-traders': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsOkxTopTraders;
    csv: true;
  };
  /** Long and short of the largest accounts, by accounts. */
  'GET /v1/long-short-ratio/top-accounts': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "htx" | "gate";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LongShortRatioTopAccounts;
    csv: true;
  };
  /** Long and short of the largest accounts, by positions. */
  'GET /v1/long-short-ratio/top-positions': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance" | "okx" | "htx" | "gate";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LongShortRatioTopAccounts;
    csv: true;
  };
  /** Accounts of OKX that are long and short, over all futures and swaps of a currency. */
  'GET /v1/analytics/okx/long-short': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "1h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsOkxLongShort;
    csv: true;
  };
  /** Accounts of Bybit that are long and short in a perpetual. */
  'GET /v1/analytics/bybit/long-short': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsBybitLongShort;
    csv: true;
  };
  /** The largest accounts of HTX that are long and short in a swap. */
  'GET /v1/analytics/htx/elite-account-ratio': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsHtxEliteAccountRatio;
    csv: true;
  };
  /** Long and short positions of the largest accounts of HTX in a swap. */
  'GET /v1/analytics/htx/elite-position-ratio': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsHtxEliteAccountRatio;
    csv: true;
  };
  /** Positions that takers opened and closed, from open interest and their volume. */
  'GET /v1/long-short-ratio/net-position': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange id. */
      exchange?: "binance";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: LongShortRatioNetPosition;
    csv: true;
  };
  /** Open interest of a perpetual of Bybit over time. */
  'GET /v1/analytics/bybit/oi-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol: string;
      /** Time between two points. */
      interval: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsBybitOiHistory;
    csv: true;
  };
  /** Margin positions on Bitfinex over time. */
  'GET /v1/analytics/bitfinex/margin-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "1h" | "2h" | "4h" | "6h" | "12h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsBitfinexMarginHistory;
    csv: true;
  };
  /** Open interest over time of perpetuals settled in dollars or a dollar stablecoin. */
  'GET /v1/open-interest/stablecoin-margin-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: MarginHistory;
    csv: true;
  };
  /** Open interest over time of perpetuals settled in the asset itself. */
  'GET /v1/open-interest/coin-margin-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: MarginHistory;
    csv: true;
  };
  /** Open interest of all perpetuals of an asset over time, with its changes. */
  'GET /v1/open-interest/aggregated-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: OpenInterestAggregatedHistory;
    csv: true;
  };
  /** Open interest of each exchange over time, in columns. */
  'GET /v1/open-interest/exchange-history-chart': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: OpenInterestExchangeHistoryChart;
    csv: true;
  };
  /** Open interest of all perpetuals of an asset over time, in bars. */
  'GET /v1/open-interest/ohlc': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Exchange ids, separated by commas. All that have such contracts when absent. */
      exchange?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: OpenInterestOhlc;
    csv: true;
  };
  /** Open interest of the perpetuals of Kraken Futures. */
  'GET /v1/analytics/kraken/open-interest': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: AnalyticsKrakenOpenInterest;
    csv: true;
  };
  /** Funding rates of the perpetuals of Kraken Futures. */
  'GET /v1/analytics/kraken/funding-rates': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: AnalyticsKrakenFundingRates;
    csv: true;
  };
  /** Mark, index and last prices of the perpetuals of Kraken Futures. */
  'GET /v1/analytics/kraken/mark-prices': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: AnalyticsKrakenMarkPrices;
    csv: true;
  };
  /** Settled funding of a perpetual of OKX. */
  'GET /v1/analytics/okx/funding-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsOkxFundingHistory;
    csv: true;
  };
  /** Settled funding of a perpetual of Bybit. */
  'GET /v1/analytics/bybit/funding-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol: string;
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsBybitFundingHistory;
    csv: true;
  };
  /** Settled funding of a perpetual of HTX. */
  'GET /v1/analytics/htx/funding-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsHtxFundingHistory;
    csv: true;
  };
  /** Settled hourly funding of a perpetual of Hyperliquid. */
  'GET /v1/analytics/hyperliquid/funding-history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Most rows: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsHyperliquidFundingHistory;
    csv: true;
  };
  /** Order book of a perpetual of Kraken Futures. */
  'GET /v1/analytics/kraken/depth': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Most levels a side. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsKrakenDepth;
  };
  /** All perpetuals of Hyperliquid with their margins, and the account of its own vault. */
  'GET /v1/analytics/hyperliquid/clearinghouse': {
    params: {
      /** Most assets. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsHyperliquidClearinghouse;
    csv: true;
  };
  /** A vault of Hyperliquid: value, profit and followers. */
  'GET /v1/analytics/hyperliquid/vault': {
    params: {
      /** Address of the vault; that of the protocol (HLP) when absent. */
      address?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: AnalyticsHyperliquidVault;
    csv: true;
  };
  /** Expiries, open interest and implied volatility of the options on an asset. */
  'GET /v1/options/info': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. All of them when absent. */
      exchange?: "okx" | "deribit";
      /** Adds every option that expires on this day, `YYYY-MM-DD`. */
      expiry?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: OptionsInfo;
    csv: true;
  };
  /** Max pain of each expiry: where the holders of all options get least. */
  'GET /v1/options/max-pain': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. All of them when absent. */
      exchange?: "okx" | "deribit";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: OptionsMaxPain;
    csv: true;
  };
  /** Open interest and turnover of options by exchange and asset, and of the last 30 days. */
  'GET /v1/options/exchange-oi': {
    params: {
      /** Base asset or a market of it, in any spelling. All symbols when absent. */
      symbol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: OptionsExchangeOi;
    csv: true;
  };
  /** Greeks of the options of one expiry, as published or computed by Black-76. */
  'GET /v1/options/greeks': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. All of them when absent. */
      exchange?: "okx" | "deribit";
      /** Day of expiry, `YYYY-MM-DD`. The nearest that is at least 24 hours away when absent. */
      expiry?: string;
      /** Only these. Both when absent. */
      type?: "call" | "put";
      /** Most options, lowest strike first. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: OptionsGreeks;
    csv: true;
  };
  /** Implied volatility by expiry and strike, 25-delta skew and term structure. */
  'GET /v1/options/surface': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. All of them when absent. */
      exchange?: "okx" | "deribit";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: OptionsSurface;
    csv: true;
  };
  /** Gamma exposure of the options on an asset by strike and by expiry. */
  'GET /v1/options/gamma-exposure': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Exchange id. All of them when absent. */
      exchange?: "okx" | "deribit";
      /** Only this day of expiry, `YYYY-MM-DD`. */
      expiry?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: OptionsGammaExposure;
    csv: true;
  };
  /** Implied volatility at the money, or 25-delta skew, at a constant tenor over time. */
  'GET /v1/options/history': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** At the money; or the put with a delta of -0.25 less the call with 0.25. */
      metric?: "atm_iv" | "skew_25d";
      /** Time until the expiry, between the expiries that there are. */
      tenor?: "7d" | "30d" | "90d" | "180d";
      /** Of the past: by hour up to 30, by day beyond. */
      days?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: OptionsHistory;
    csv: true;
  };
  /** Realised volatility with its history, and volatility that options imply by tenor. */
  'GET /v1/volatility': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Volatility;
  };
  /** RSI, MACD, Bollinger bands, ATR and averages of the last 500 closed candles. */
  'GET /v1/indicators': {
    params: {
      /** Spot market of Binance in any usual spelling (`BTCUSDT`, `BTC/USDT`, `btc-usdt`), or a base asset. */
      symbol: string;
      /** Candle length. */
      interval?: "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d" | "3d" | "1w" | "1M";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Indicators;
  };
  /** Indicators of your choice, of one to twenty markets, of your own candles or of a recorded series. */
  'POST /v1/indicators/compute': {
    params: {
    };
    body: PostIndicatorsComputeRequest;
    data: ComputedIndicators | ComputedMarkets;
  };
  /** Every indicator that can be computed: parameters, outputs, formula. */
  'GET /v1/indicators/catalogue': {
    params: {
    };
    data: IndicatorsCatalogue;
    csv: true;
  };
  /** Tracked assets by indicators of the last closed candles, filtered and sorted. */
  'GET /v1/screener': {
    params: {
      /** Indicators of the catalogue with commas between them, at most 20; parameters in its order after colons (`ema:200`, `macd:8:21:5`). */
      indicators: string;
      /** Candle length. */
      interval?: "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Conditions with commas between them, at most 10, of which all must be fulfilled: a value, `<`, `<=`, `>` or `>=`, and a number or another value (`rsi<30,price>ema_200`). A value has the name of its key in `values`; `price` is the close. */
      filter?: string;
      /** Value that the rows are sorted by, as in `filter`; null is last. */
      sort?: string;
      /** Smallest or largest value of `sort` first. */
      order?: "asc" | "desc";
      /** Most rows. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Screener;
    csv: true;
  };
  /** Fear and greed index, 0 to 100. */
  'GET /v1/indicators/fear-greed': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsFearGreed;
    csv: true;
  };
  /** Altcoin season index, 0 to 100. */
  'GET /v1/indicators/altcoin-season': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsAltcoinSeason;
    csv: true;
  };
  /** Bitcoin's share of all capitalisation. */
  'GET /v1/indicators/bitcoin-dominance': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsBitcoinDominance;
    csv: true;
  };
  /** Capitalisation of all stablecoins. */
  'GET /v1/indicators/stablecoin-mcap': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsStablecoinMcap;
    csv: true;
  };
  /** Correlation of Bitcoin with shares, gold, the dollar and treasuries. */
  'GET /v1/indicators/bitcoin-correlations': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsBitcoinCorrelations;
    csv: true;
  };
  /** Open interest of options against that of futures. */
  'GET /v1/indicators/options-futures-oi-ratio': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsOptionsFuturesOiRatio;
    csv: true;
  };
  /** 24 h turnover of futures against that of spot. */
  'GET /v1/indicators/futures-spot-volume-ratio': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsFuturesSpotVolumeRatio;
    csv: true;
  };
  /** Price of Bitcoin against its 200-day cost. */
  'GET /v1/indicators/ahr999': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsAhr999;
    csv: true;
  };
  /** Value of a day's issue of Bitcoin against its mean of 365 days. */
  'GET /v1/indicators/puell-multiple': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsPuellMultiple;
    csv: true;
  };
  /** Price of Bitcoin by its scarcity. */
  'GET /v1/indicators/stock-to-flow': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsStockToFlow;
    csv: true;
  };
  /** Crossings of the 111-day mean and twice the 350-day mean. */
  'GET /v1/indicators/pi-cycle': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsPiCycle;
    csv: true;
  };
  /** Bands around a logarithmic regression of the price of Bitcoin. */
  'GET /v1/indicators/rainbow-chart': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsRainbowChart;
    csv: true;
  };
  /** Price of Bitcoin against its two-year mean and five times that. */
  'GET /v1/indicators/two-year-ma': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsTwoYearMa;
    csv: true;
  };
  /** Price of Bitcoin against its mean of 200 weeks. */
  'GET /v1/indicators/200-week-ma': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: Indicators200WeekMa;
    csv: true;
  };
  /** Price of Bitcoin against multiples of its 350-day mean. */
  'GET /v1/indicators/golden-ratio': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsGoldenRatio;
    csv: true;
  };
  /** Days on which a purchase of Bitcoin would be in profit now. */
  'GET /v1/indicators/profitable-days': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsProfitableDays;
    csv: true;
  };
  /** How much exchanges show of their reserves, 0 to 100. */
  'GET /v1/indicators/exchange-transparency': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsExchangeTransparency;
    csv: true;
  };
  /** Mean price of loans over the exchanges. */
  'GET /v1/indicators/borrow-interest-rate': {
    params: {
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsBorrowInterestRate;
    csv: true;
  };
  /** Price of loans by exchange and asset. */
  'GET /v1/indicators/borrow-rates': {
    params: {
      /** One of okx, bybit, bitget, gate, bitfinex, in any case. All of them when absent. */
      exchange?: string;
      /** Asset that is lent, in any case. All assets when absent. */
      symbol?: string;
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsBorrowRates;
    csv: true;
  };
  /** Margin positions and their funding on Bitfinex. */
  'GET /v1/indicators/bitfinex-margin': {
    params: {
      /** Base asset, or its pair with USD (`BTCUSD`, `tBTCUSD`), in any case. */
      symbol?: string;
      /** Most rows of `history`, the newest. */
      limit?: number;
      /** 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: IndicatorsBitfinexMargin;
    csv: true;
  };
  /** Signals of a top of Bitcoin's cycle: value, threshold and state of each. */
  'GET /v1/indicators/bull-market-peak': {
    params: {
      /** 1 adds `inputs` to each row: the fields of its indicator that give the value. */
      explain?: "0" | "1";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: IndicatorsBullMarketPeak;
    csv: true;
  };
  /** Fear and greed index with the premium of Bitcoin on Coinbase. */
  'GET /v1/sentiment': {
    params: {
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: Sentiment;
  };
  /** Reference price that no single exchange can move far: weighted median of last trades. */
  'GET /v1/reference-rate': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again. */
      explain?: "0" | "1";
      /** The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin. */
      at?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: ReferenceRateAt | ReferenceRate;
    choices: [["at", ReferenceRateAt], [null, ReferenceRate]];
    csv: true;
  };
  /** Hourly fixing of an asset: mean of twelve volume-weighted medians of spot trades. */
  'GET /v1/reference-rate/fixings': {
    params: {
      /** Base asset or a market of it, in any spelling. */
      symbol?: string;
      /** Most hours: the oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: ReferenceRateFixings;
    csv: true;
  };
  /** One table of many columns: candles and recorded series of several markets, by time. */
  'GET /v1/rows': {
    params: {
      /** Columns with commas between them: open, high, low, close, volume, volume_usd, funding_rate, funding_hours, open_interest_usd, open_interest_base, long_liquidations_usd, short_liquidations_usd, taker_buy_usd, taker_sell_usd, long_short_ratio, spread_percent, bid_depth_usd, ask_depth_usd, slippage_buy, slippage_sell. `/v1/rows/columns` says what they are. */
      columns: string;
      /** Base assets with commas between them, at most 20. */
      symbols?: string;
      /** Exchange ids, separated by commas. Each symbol on each of them: 60 markets at most. */
      exchanges?: string;
      /** Of the markets: the most traded dollar market of each symbol on each exchange. */
      kind?: "spot" | "perpetual";
      /** Of a row. */
      interval?: "1m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d";
      /** Most rows of a page, which has whole intervals, each with a row a market, and 1000 of them at most. The oldest of a range with `from`, else the newest. */
      limit?: number;
      /** First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent. */
      from?: number;
      /** Last time, Unix ms or ISO 8601, included. Now when absent. */
      to?: number;
      /** `next` of the page before, with all other parameters as they were. */
      cursor?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Rows;
    csv: true;
  };
  /** The columns of `/v1/rows`: unit, origin, and the exchanges that have each. */
  'GET /v1/rows/columns': {
    params: {
    };
    data: RowsColumns;
    csv: true;
  };
  /** Gas prices of the seven EVM chains. */
  'GET /v1/onchain/gas': {
    params: {
      /** One chain. All when absent. */
      chain?: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: readonly (OnchainGasItem)[];
    csv: true;
  };
  /** Block heights of all nine chains. */
  'GET /v1/onchain/blocks': {
    params: {
      /** One chain. All when absent. */
      chain?: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche" | "bitcoin" | "solana";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: readonly (OnchainBlock)[];
    csv: true;
  };
  /** Supply of USDC and USDT on every EVM chain. */
  'GET /v1/onchain/supply': {
    params: {
      /** One stablecoin. All when absent. */
      token?: "USDC" | "USDT";
      /** One chain. All when absent. */
      chain?: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: readonly (OnchainSupplyItem)[];
    csv: true;
  };
  /** Balances of the known hot wallets of exchanges on ethereum. */
  'GET /v1/onchain/exchange-flows': {
    params: {
      /** One chain. All when absent. */
      chain?: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: readonly (OnchainExchangeFlow)[];
    csv: true;
  };
  /** The tokens of a wallet and their value. */
  'GET /v1/onchain/wallet': {
    params: {
      /** EVM, Solana or Bitcoin address. */
      address: string;
      /** Chain to look at. */
      chain?: "ethereum" | "base" | "arbitrum" | "polygon" | "bsc" | "optimism" | "avalanche" | "bitcoin" | "solana";
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: OnchainWallet;
    csv: true;
  };
  /** Pairs of every DEX on every chain by name, symbol or address of a token. */
  'GET /v2/dex/search': {
    params: {
      /** Token name, symbol or contract address: 1 to 100 characters, none of them a control character. */
      q: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: DexSearchV2;
    csv: true;
  };
  /** Every pair of a token, on any chain. */
  'GET /v2/dex/token/{address}': {
    params: {
      /** Contract of the token: 0x and 1 to 64 hexadecimal digits, where a chain has them followed by ::module::Name, or 3 to 128 letters, digits and . _ : -. */
      address: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: DexSearchV2;
    csv: true;
  };
  /** Uniswap v3 pools on ethereum, by TVL. */
  'GET /v2/dex/uniswap/pools': {
    params: {
      /** Most pools in the answer. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: DexUniswapPoolsV2;
    csv: true;
  };
  /** Raydium pools on solana, by 24 h volume. */
  'GET /v2/dex/raydium/pools': {
    params: {
      /** Most pools in the answer. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: DexRaydiumPoolsV2;
    csv: true;
  };
  /** Orca whirlpools on solana, by TVL. */
  'GET /v2/dex/orca/pools': {
    params: {
      /** Most pools in the answer. */
      limit?: number;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: DexOrcaPoolsV2;
    csv: true;
  };
  /** Stablecoins with what circulates of them, the largest first. */
  'GET /v2/defi/stablecoins': {
    params: {
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: DefiStablecoinsV2;
    csv: true;
  };
  /** Supply and borrow rates of every lending pool, the largest first. */
  'GET /v1/lending/rates': {
    params: {
      /** Symbol of the token. All when absent. */
      asset?: string;
      /** Protocol with its version. All when absent. */
      protocol?: string;
      /** Chain of the pool. All when absent. */
      chain?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: LendingRates;
    csv: true;
  };
  /** Value locked in each lending protocol, the largest first. */
  'GET /v1/lending/tvl': {
    params: {
      /** Protocol with its version. All when absent. */
      protocol?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: LendingTvl;
    csv: true;
  };
  /** Best and average rates of every asset over all pools. */
  'GET /v1/lending/overview': {
    params: {
      /** Symbol of the token. All when absent. */
      asset?: string;
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
      /** With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes. */
      wait?: number;
    };
    data: LendingOverview;
    csv: true;
  };
  /** Every source and topic: last success, age, latency, last error, breaker, next poll. */
  'GET /v1/status': {
    params: {
    };
    data: Status;
  };
  /** Each exchange and topic of 24 hours and 7 days: share of time up, age, faults. */
  'GET /v1/scorecard': {
    params: {
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: Scorecard;
    csv: true;
  };
  /** Each recorded series and step: since when, the newest rows, and how many are there. */
  'GET /v1/history/coverage': {
    params: {
      /** Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is. */
      max_age?: number;
    };
    data: HistoryCoverage;
    csv: true;
  };
  /** Up to 20 GET paths as of one moment, counted as so many requests. */
  'POST /v1/batch': {
    params: {
    };
    body: PostBatchRequest;
    data: PostBatch;
  };
  /** The account that the bearer token names, its plan and what the plan allows. */
  'GET /v1/auth/me': {
    params: {
    };
    data: AuthMe;
  };
  /** The keys of the account, the oldest first, with the latest 100 revoked ones; never a full key. */
  'GET /v1/auth/keys': {
    params: {
    };
    data: readonly (AuthKey)[];
  };
  /** Make a key: the full key is in this answer and never again. With an Idempotency-Key header a repeated request gives the key that was made, without its text, for 24 h. */
  'POST /v1/auth/keys': {
    params: {
    };
    body: PostAuthKeysRequest;
    data: PostAuthKeys;
  };
  /** Make a key in place of another one, with its name, kind and paths; the other works for the overlap longer and then ends. */
  'POST /v1/auth/keys/{id}/rotate': {
    params: {
      /** Id of the key, as the list gives it. */
      id: string;
    };
    body: PostAuthKeysByIdRotateRequest;
    data: PostAuthKeysByIdRotate;
  };
  /** Revoke a key of the account, for good. */
  'DELETE /v1/auth/keys/{id}': {
    params: {
      /** Id of the key, as the list gives it. */
      id: string;
    };
    data: DeleteAuthKeysById;
  };
  /** Sign this browser in with the code of the link that the service prints: a session in a cookie that scripts cannot read. */
  'POST /v1/auth/session': {
    params: {
    };
    body: PostAuthSessionRequest;
    data: PostAuthSession;
  };
  /** Whose session this browser has, and when it ends. */
  'GET /v1/auth/session': {
    params: {
    };
    data: AuthSession;
  };
  /** Sign this browser out: its session ends, and its streams. */
  'DELETE /v1/auth/session': {
    params: {
    };
    data: DeleteAuthSession;
  };
  /** Sign this browser in with a bearer token: a session in a cookie that scripts cannot read, which ends with the token. */
  'POST /v1/auth/session/token': {
    params: {
    };
    data: PostAuthSession;
  };
  /** Make a ticket that opens one stream (/v1/ws, /v1/stream) in place of the key, within a minute. */
  'POST /v1/auth/ticket': {
    params: {
    };
    data: PostAuthTicket;
  };
  /** The alerts of the account, the oldest first. */
  'GET /v1/alerts': {
    params: {
    };
    data: Alerts;
  };
  /** Make an alert. */
  'POST /v1/alerts': {
    params: {
    };
    body: PostAlertsRequest;
    data: AlertWithSecret;
  };
  /** One alert. */
  'GET /v1/alerts/{id}': {
    params: {
      /** Id of the alert, as the list gives it. */
      id: string;
    };
    data: Alert;
  };
  /** Change fields of an alert; with another path, pointer or condition it begins anew. */
  'PATCH /v1/alerts/{id}': {
    params: {
      /** Id of the alert, as the list gives it. */
      id: string;
    };
    body: PatchAlertsByIdRequest;
    data: AlertWithSecret;
  };
  /** Delete an alert. */
  'DELETE /v1/alerts/{id}': {
    params: {
      /** Id of the alert, as the list gives it. */
      id: string;
    };
    data: DeleteAlertsById;
  };
  /** Send a sample to the receivers of an alert. */
  'POST /v1/alerts/{id}/test': {
    params: {
      /** Id of the alert, as the list gives it. */
      id: string;
    };
    data: AlertEvent;
  };
  /** What the alerts of the account have fired; each event by a stream with mode=log. */
  'GET /v1/alerts/events': {
    params: {
      /** Of this alert alone; of all when absent. */
      alert_id?: string;
      /** Most events. */
      limit?: number;
    };
    data: AlertsEvents;
  };
  /** Events that could not be delivered, 1,000 at most, the newest first. */
  'GET /v1/alerts/dead-letters': {
    params: {
    };
    data: AlertsDeadLetters;
  };
  /** Deliver a dead letter again, for another 24 hours. */
  'POST /v1/alerts/dead-letters/{id}/resend': {
    params: {
      /** Id of the dead letter, as the list gives it. */
      id: string;
    };
    data: PostAlertsDeadLettersByIdResend;
  };
  /** Make another secret for the signatures of webhooks: the former one signs too for 24 hours. */
  'POST /v1/alerts/secret': {
    params: {
    };
    data: PostAlertsSecret;
  };
  /** Attempts to deliver what an alert has fired, of the last 30 days. */
  'GET /v1/alerts/{id}/deliveries': {
    params: {
      /** Id of the alert, as the list gives it. */
      id: string;
      /** Most attempts. */
      limit?: number;
    };
    data: AlertsByIdDeliveries;
  };
  /** The account's use of its quota in the current window, in all and per key. */
  'GET /v1/usage': {
    params: {
    };
    data: Usage;
  };
  /** Requests with each active key of the account by UTC day. */
  'GET /v1/usage/history': {
    params: {
      /** Number of days, the last of which is today. */
      days?: number;
    };
    data: UsageHistory;
  };
  /** Liveness: 200 while the process runs, whatever else is down. */
  'GET /healthz': {
    params: {
    };
    data: Healthz;
  };
  /** Readiness: 200 once every view has data, 503 before. */
  'GET /readyz': {
    params: {
    };
    data: Readyz;
  };
}
