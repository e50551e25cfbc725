/** CoinLore. https://www.coinlore.com/cryptocurrency-data-api */
import { optional, positive } from '../../read.ts';
import { bulk } from '../../venues/rows.ts';
import { type GlobalRow, globalOf } from '../market-wide.ts';
import { defineUpstream, type Figure, noFaults, only, perMinute, record } from '../upstream.ts';

/** A list of one; the shares are strings in percent. No time. */
const global: Figure<GlobalRow> = {
  requests: () => [{ api: 'rest', path: '/api/global/' }],
  parse([body]) {
    const data = record(bulk(body, 'global')[0], 'global');
    const row = globalOf({
      dominance_pct: positive(data.btc_d),
      eth_dominance_pct: optional(data.eth_d),
      total_market_cap_usd: positive(data.total_mcap),
      total_volume_24h_usd: optional(data.total_volume),
      stated: null,
    });
    return only(row, 'global');
  },
};

export const coinlore = defineUpstream({
  id: 'coinlore',
  name: 'CoinLore',
  apis: {
    rest: { hosts: ['https://api.coinlore.net'], budgets: perMinute(10), fault: noFaults },
  },
  figures: { global },
});
