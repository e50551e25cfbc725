/** The market of stablecoins. */

import { less } from '../digits.ts';
import { dayLength } from './days.ts';
import type { CoinRow, StablecoinDay, StablecoinRow } from './rows.ts';
import { changePct } from './statistics.ts';

/** Whether stablecoins grow: by more than 1 % within 30 days. */
export type StablecoinSignal = 'expanding' | 'contracting' | 'stable';

/** The market now; changes against the days of `history`, which ascends. `bitcoin` is its capitalisation, US dollars. */
export function stablecoinMarket(
  rows: readonly StablecoinRow[],
  history: readonly StablecoinDay[],
  bitcoin: number | null,
  today: number,
) {
  const sum = (some: readonly StablecoinRow[]) =>
    some.reduce((total, { market_cap_usd: value }) => total + value, 0);
  const total = sum(rows);
  const before = (days: number) =>
    changePct(
      history.findLast(({ day }) => day === today - days * dayLength)?.total_market_cap_usd,
      total,
    );
  const month = before(30);
  const top = [...rows].sort((a, b) => b.market_cap_usd - a.market_cap_usd).slice(0, 10);
  return {
    total_market_cap_usd: total,
    change_24h_pct: before(1),
    change_7d_pct: before(7),
    change_30d_pct: month,
    usd_pegged_usd: sum(rows.filter(({ peg }) => peg === 'peggedUSD')),
    stablecoin_supply_ratio: bitcoin !== null && total > 0 ? bitcoin / total : null,
    top: top.map((row) => ({
      symbol: row.symbol,
      name: row.name,
      market_cap_usd: row.market_cap_usd,
      share_pct: (row.market_cap_usd / total) * 100,
      change_30d_pct: changePct(row.market_cap_30d_ago_usd, row.market_cap_usd),
    })),
    signal: month === null ? null : stablecoinSignalOf(month),
  };
}

/** The word for a change of 30 days in percent. */
export function stablecoinSignalOf(change: number): StablecoinSignal {
  if (less(Math.abs(change), 1) <= 0) return 'stable';
  return change > 0 ? 'expanding' : 'contracting';
}

const large = new Set('USDT USDC DAI USDE USDS FDUSD PYUSD TUSD USD1'.split(' '));

/** The large stablecoins of a list of all coins: a part of the market, to be marked as one. */
export const largeStablecoins = (coins: readonly CoinRow[]): StablecoinRow[] =>
  coins
    .filter(({ symbol }) => large.has(symbol))
    .map(({ id, symbol, name, price_usd, market_cap_usd }) => ({
      id,
      symbol,
      name,
      peg: 'peggedUSD',
      price_usd,
      market_cap_usd,
      market_cap_30d_ago_usd: null,
    }));
