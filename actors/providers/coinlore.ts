/** CoinLore. https://www.coinlore.com/cryptocurrency-data-api */
import { type GlobalRow, globalOf } from '../../indicators/market/rows.ts';
import { bulk, optional, positive } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  perMinute,
  type RequestOf,
  record,
  singleRow,
} from '../sources/define.ts';

/** A list of one; the shares are strings in percent. No time. */
const global: Poll<GlobalRow, Request> = {
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
    return singleRow(row, 'global');
  },
};

const apis = {
  rest: { hosts: ['https://api.coinlore.net'], budgets: perMinute(10) },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const coinlore = defineSource({
  id: 'coinlore',
  name: 'CoinLore',
  apis,
  polls: { global },
});
