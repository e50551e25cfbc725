/** The simulated upstreams of the market indicators that are no exchange, each the stand-in of the upstream of that id. */
import type { SimulatedVenue } from '../venue.ts';
import { coingecko, coinlore, coinpaprika } from './aggregators.ts';
import { llamaExchanges } from './exchanges.ts';
import { alternativeMe } from './fear-greed.ts';
import { blockchainInfo, mempool } from './network.ts';
import { llamaStablecoinDays } from './stablecoins.ts';
import { frankfurter, fred, yahoo } from './traditional-sources.ts';

export const market: readonly SimulatedVenue[] = [
  alternativeMe,
  coingecko,
  coinpaprika,
  coinlore,
  mempool,
  blockchainInfo,
  llamaStablecoinDays,
  llamaExchanges,
  fred,
  yahoo,
  frankfurter,
];
