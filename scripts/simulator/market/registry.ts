/**
 * The simulated upstreams of the market indicators that are no exchange, each the stand-in of the upstream of that id:
 * one line each.
 */
import type { SimulatedVenue } from '../venue.ts';

export const market: readonly SimulatedVenue[] = [
  (await import('./fear-greed.ts')).alternativeMe,
  (await import('./aggregators.ts')).coingecko,
  (await import('./aggregators.ts')).coinpaprika,
  (await import('./aggregators.ts')).coinlore,
  (await import('./network.ts')).mempool,
  (await import('./network.ts')).blockchainInfo,
  (await import('./stablecoins.ts')).llamaStablecoinDays,
  (await import('./exchanges.ts')).llamaExchanges,
  (await import('./traditional-sources.ts')).fred,
  (await import('./traditional-sources.ts')).yahoo,
  (await import('./traditional-sources.ts')).frankfurter,
];
