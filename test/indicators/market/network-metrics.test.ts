/** What follows from the metrics of a network, by hand. */
import t from 'tap';
import { metricsPoint, networkMetrics } from '../../../indicators/market/network-metrics.ts';

const row = {
  day: 86_400_000,
  price: 60_000,
  marketCap: 1.2e12,
  supply: 2e7,
  mvrv: 2.5,
  activeAddresses: 700_000,
  inflow: 5e8,
  outflow: 7e8,
  onExchanges: 2e6,
};

t.test('the realised price is the capitalisation over MVRV and supply', async (t) => {
  t.strictSame(networkMetrics([row, { ...row, day: 2 * row.day, mvrv: null }]), {
    day: row.day,
    fields: {
      price_usd: 60_000,
      mvrv: 2.5,
      // 1.2e12 / 2.5 / 2e7
      realised_price_usd: 24_000,
      active_addresses: 700_000,
      exchange_inflow_usd: 5e8,
      exchange_outflow_usd: 7e8,
      market_cap_usd: 1.2e12,
      realised_cap_usd: 4.8e11,
      exchange_netflow_usd: -2e8,
      exchange_supply_base: 2e6,
    },
  });
  t.equal(networkMetrics([{ ...row, mvrv: null }]), null);
});

t.test('what is not known makes nothing', async (t) => {
  t.match(networkMetrics([{ ...row, inflow: null, supply: null }]), {
    fields: { exchange_netflow_usd: null, realised_price_usd: null, realised_cap_usd: 4.8e11 },
  });
  t.match(metricsPoint({ ...row, marketCap: null }), {
    timestamp: row.day,
    realised_price_usd: null,
    mvrv: 2.5,
  });
});
