/** What the aggregators of the whole market tell, in one form. */

/** The market as a whole. Null: the aggregator does not say. */
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
