/** What is made of the metrics of a network by day. Pure. */
import { quotientOf } from './assets.ts';

/** What a network was worth and did on a UTC day; null where it is not stated. */
export interface NetworkDay {
  day: number;
  /** US dollars. */
  price: number | null;
  marketCap: number | null;
  /** Coins in circulation. */
  supply: number | null;
  /** Market capitalisation over the value of all coins at the prices at which they last moved. */
  mvrv: number | null;
  activeAddresses: number | null;
  /** US dollars that moved to and from the known addresses of exchanges, and coins that are there. */
  inflow: number | null;
  outflow: number | null;
  onExchanges: number | null;
}

/** The realised capitalisation is the market capitalisation over the MVRV, the realised price that over the supply. */
function realised({ marketCap, mvrv, supply }: NetworkDay) {
  const cap = quotientOf(marketCap, mvrv);
  return { cap, price: quotientOf(cap, supply) };
}

/** A point of the chart. */
export const metricsPoint = (row: NetworkDay) => ({
  timestamp: row.day,
  price_usd: row.price,
  mvrv: row.mvrv,
  realised_price_usd: realised(row).price,
  active_addresses: row.activeAddresses,
  exchange_inflow_usd: row.inflow,
  exchange_outflow_usd: row.outflow,
});

/** The newest day with an MVRV, and the metrics of that; null without any. */
export function networkMetrics(days: readonly NetworkDay[]) {
  const row = days.findLast(({ mvrv }) => mvrv !== null);
  if (row === undefined) return null;
  const { inflow, outflow } = row;
  const { timestamp: day, ...point } = metricsPoint(row);
  return {
    day,
    fields: {
      ...point,
      market_cap_usd: row.marketCap,
      realised_cap_usd: realised(row).cap,
      exchange_netflow_usd: inflow !== null && outflow !== null ? inflow - outflow : null,
      exchange_supply_base: row.onExchanges,
    },
  };
}
