/** Fields and chart of the metrics of a network. */
import * as s from '../schema.ts';
import { point, usdOrNull } from './units.ts';

const cells = {
  price_usd: usdOrNull,
  mvrv: s.numberOrNull(
    'Market capitalisation over realised capitalisation, a ratio; null where it is not known.',
  ),
  realised_price_usd: s.numberOrNull(
    'Realised capitalisation over the coins in circulation, US dollars; null where one of them is not known.',
  ),
  active_addresses: s.integerOrNull(
    'Addresses that sent or received on that day; null where it is not known.',
  ),
  exchange_inflow_usd: s.numberOrNull(
    'Moved to the known addresses of exchanges on that day, US dollars; null where it is not known.',
  ),
  exchange_outflow_usd: s.numberOrNull('Moved from them, US dollars; null where it is not known.'),
} as const;

/** Whose data they are, and under which licence. */
export const licence = {
  attribution: 'Coin Metrics',
  licence: 'CC BY-NC 4.0',
  licence_url: 'https://creativecommons.org/licenses/by-nc/4.0/',
} as const;

export const networkMetrics = {
  fields: s.object({
    symbol: s.oneOf(['BTC', 'ETH'], 'Coin of the network.'),
    ...cells,
    market_cap_usd: usdOrNull,
    realised_cap_usd: s.numberOrNull(
      'Each coin at the price at which it last moved, US dollars: `market_cap_usd` / `mvrv`.',
    ),
    exchange_netflow_usd: s.numberOrNull('Inflow less outflow; null as those.'),
    exchange_supply_base: s.numberOrNull(
      'Coins at the known addresses of exchanges; null as the flows.',
    ),
    attribution: s.literal(
      licence.attribution,
      'Whose data they are, which the licence wants named.',
    ),
    licence: s.literal(licence.licence, 'Without commercial use.'),
    licence_url: s.literal(licence.licence_url, 'Its text.'),
  }),
  row: point(cells),
};
