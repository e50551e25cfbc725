/** What is made of the metrics of a network by day. Pure. */

/** A day as its source states it; null where it does not. Amounts in US dollars, coins where not said otherwise. */
export interface MetricsDay {
  day: number;
  price: number | null;
  marketCap: number | null;
  supply: number | null;
  mvrv: number | null;
  activeAddresses: number | null;
  inflow: number | null;
  outflow: number | null;
  onExchanges: number | null;
}

const ratio = (above: number | null, below: number | null): number | null =>
  above !== null && below !== null && below > 0 ? above / below : null;

/** The realised capitalisation is the market capitalisation over the MVRV, the realised price that over the supply. */
function realised({ marketCap, mvrv, supply }: MetricsDay) {
  const cap = ratio(marketCap, mvrv);
  return { cap, price: ratio(cap, supply) };
}

/** A point of the chart. */
export const metricsPoint = (row: MetricsDay) => ({
  timestamp: row.day,
  price_usd: row.price,
  mvrv: row.mvrv,
  realised_price_usd: realised(row).price,
  active_addresses: row.activeAddresses,
  exchange_inflow_usd: row.inflow,
  exchange_outflow_usd: row.outflow,
});

/** The newest day with an MVRV, and the metrics of that; null without any. */
export function networkMetrics(days: readonly MetricsDay[]) {
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
