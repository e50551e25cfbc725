/** The simulated upstreams of the market indicators that are no exchange: one line each. */
import type { SimulatedVenue } from '../venue.ts';
import { coingecko } from './coingecko.ts';
import { coinlore, coinpaprika } from './coinpaprika.ts';
import { llamaExchanges } from './exchanges.ts';
import { alternativeMe } from './fear-greed.ts';
import { blockchainInfo, coinmetrics, mempool } from './network.ts';
import { frankfurter, fred, yahoo } from './traditional-sources.ts';

export const market: readonly SimulatedVenue[] = [
  alternativeMe,
  coingecko,
  coinpaprika,
  coinlore,
  mempool,
  blockchainInfo,
  coinmetrics,
  llamaExchanges,
  fred,
  yahoo,
  frankfurter,
];
