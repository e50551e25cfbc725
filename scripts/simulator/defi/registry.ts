/** The simulated sources of DeFi data, each the stand-in of the upstream of that id: one line each. */
import type { SimulatedVenue } from '../venue.ts';

export const defi: readonly SimulatedVenue[] = [
  (await import('./dexscreener.ts')).dexscreener,
  (await import('./geckoterminal.ts')).geckoterminal,
  (await import('./raydium.ts')).raydium,
  (await import('./orca.ts')).orca,
  (await import('./llama.ts')).llamaYields,
  (await import('./llama.ts')).llamaProtocols,
  (await import('./llama.ts')).llamaStablecoins,
];
