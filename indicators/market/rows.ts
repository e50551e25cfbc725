/** Rows that the market formulas take: the numbers of data providers and exchanges, in one form for all. */

/** The market as a whole. Null: the aggregator does not state it. */
export interface GlobalRow {
  /** Percent of the total market capitalisation. */
  dominance_pct: number;
  eth_dominance_pct: number | null;
  total_market_cap_usd: number;
  total_volume_24h_usd: number | null;
  /** Unix ms; null where not stated. */
  stated: number | null;
}

/** A coin in a list by market capitalisation. */
export interface CoinRow {
  /** The aggregator's own id: symbols are not unique. */
  id: string;
  /** Upper case. */
  symbol: string;
  name: string;
  rank: number;
  price_usd: number;
  market_cap_usd: number;
}

/** A row of the market, or null where dominance or total are not possible. */
export function globalOf(row: GlobalRow): GlobalRow | null {
  const { dominance_pct: share, total_market_cap_usd: total } = row;
  return share > 0 && share < 100 && total > 0 && total < Infinity ? row : null;
}

/** A coin, or null where a fact is missing. */
export function coinOf(row: CoinRow): CoinRow | null {
  const named = row.id !== '' && row.symbol !== '' && row.rank > 0;
  return named && row.price_usd > 0 && row.market_cap_usd > 0 ? row : null;
}

/** A stablecoin as it is now. */
export interface StablecoinRow {
  /** DefiLlama's id: symbols are not unique. */
  id: string;
  symbol: string;
  name: string;
  /** `peggedUSD`, `peggedEUR`. */
  peg: string;
  /** Null when unknown. */
  price_usd: number | null;
  market_cap_usd: number;
  /** A month ago; null when unknown. */
  market_cap_30d_ago_usd: number | null;
}

/** All stablecoins on one UTC day. */
export interface StablecoinDay {
  day: number;
  total_market_cap_usd: number;
  /** Those pegged to the dollar. */
  usd_pegged_usd: number;
}

/** What an exchange shows of itself, US dollars. Null: it publishes nothing of the kind, which is not 0. */
export interface ExchangeReserves {
  /** DefiLlama's slug in lower case, or the name so where it has none. */
  exchange: string;
  name: string;
  own_token: string | null;
  reserves_usd: number | null;
  /** Reserves without the exchange's own token. */
  clean_reserves_usd: number | null;
  /** Positive is towards the exchange. */
  inflow_24h_usd: number | null;
  inflow_7d_usd: number | null;
  inflow_30d_usd: number | null;
  spot_volume_24h_usd: number | null;
  derivatives_volume_24h_usd: number | null;
  open_interest_usd: number | null;
  auditor: string | null;
  /** Unix ms. */
  last_audit_at: number | null;
  audit_url: string | null;
  wallets_url: string | null;
}

/** An exchange's own grade and its volume. */
export interface ExchangeTrust {
  exchange: string;
  name: string;
  /** 1 to 10. Null: not graded. */
  trust_score: number | null;
  volume_24h_btc: number | null;
}

/** The state of the funding market of one currency. */
export interface FundingStats {
  /** Unix ms. */
  time: number;
  /** Fraction a day. */
  frr_daily: number;
  /** Days for which funding is lent on average. */
  average_period_days: number | null;
  /** In the currency. */
  provided: number;
  used: number;
  /** What is offered below the threshold of 0.75 %; null where it is not stated. */
  below_threshold: number | null;
}

/** The price of borrowing one asset at the lowest tier of users. */
export interface BorrowRow {
  /** Upper case, in the field's usual ticker. */
  asset: string;
  /** Fraction of the loan an hour. */
  hourly_rate: number;
  /** Most that one user may borrow, in the asset; null where it is not stated. */
  borrow_limit: number | null;
  /** The time that the exchange states for the rate, Unix ms; null where it states none. */
  stated: number | null;
}

/** Assets asked of exchanges that answer for one asset a call. */
export const borrowAssets = ['USDT', 'USDC', 'BTC', 'ETH', 'SOL', 'XRP'];

/** A row, or null without an asset or with a rate that is negative or not finite. */
export function borrowOf(row: BorrowRow): BorrowRow | null {
  const isValid = row.asset !== '' && row.hourly_rate >= 0 && row.hourly_rate < Infinity;
  const limit = row.borrow_limit;
  return isValid ? { ...row, borrow_limit: limit !== null && limit >= 0 ? limit : null } : null;
}
