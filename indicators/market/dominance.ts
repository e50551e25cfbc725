/** Bitcoin's share of the market's capitalisation. */

import { less } from '../digits.ts';
import { dayLength } from './days.ts';
import type { GlobalRow } from './rows.ts';

/** Bitcoin's share at one time, percent. A series is of one source: two differ by 1 to 3 points. */
export interface DominancePoint {
  /** Unix ms. */
  timestamp: number;
  dominance_pct: number;
}

/** Whether a share rises, within 7 days and by 0.1 points at least. */
export type Trend = 'rising' | 'falling' | 'flat';

/** The newest point at or before a time, at most an eighth of a day older than it, so that a gap is not a change. */
const near = (history: readonly DominancePoint[], time: number) =>
  history.findLast(({ timestamp }) => timestamp <= time && timestamp > time - dayLength / 8)
    ?.dominance_pct ?? null;

const trendOf = (change: number): Trend =>
  less(Math.abs(change), 0.1) <= 0 ? 'flat' : change > 0 ? 'rising' : 'falling';

/** The shares now; changes from the recorded points of the same source, ascending. */
export function dominance(row: GlobalRow, history: readonly DominancePoint[], now: number) {
  const { dominance_pct: share, eth_dominance_pct: eth, total_market_cap_usd: total } = row;
  const yesterday = near(history, now - dayLength);
  const weekAgo = near(history, now - 7 * dayLength);
  return {
    dominance_pct: share,
    eth_dominance_pct: eth,
    others_pct: eth === null ? null : 100 - share - eth,
    total_market_cap_usd: total,
    btc_market_cap_usd: (total * share) / 100,
    total_volume_24h_usd: row.total_volume_24h_usd,
    change_24h_pct_points: yesterday === null ? null : share - yesterday,
    trend: weekAgo === null ? null : trendOf(share - weekAgo),
  };
}

/** Bitcoins in circulation, roughly, and most times that what a source implies may differ from it. */
const supply = { about: 20e6, factor: 1.5 };

/**
 * Why the market cannot be so, or null: its total, Bitcoin's share of it and Bitcoin's price (US dollars; null where
 * it is not known) have to give the number of coins that there are. Catches what is off by a digit even in the first
 * answer of all.
 */
export function impliedSupplyDoubt(row: GlobalRow, price: number | null): string | null {
  if (price === null) return null;
  const implied = (row.total_market_cap_usd * row.dominance_pct) / 100 / price;
  const factor = Math.max(implied / supply.about, supply.about / implied);
  return factor <= supply.factor ? null : `${Math.round(implied)} bitcoins are implied`;
}
