/** The simulated sources of DeFi data, each the stand-in of the upstream of that id. */
import type { SimulatedVenue } from '../venue.ts';
import { dexscreener } from './dexscreener.ts';
import { geckoterminal } from './geckoterminal.ts';
import { llamaProtocols, llamaStablecoins, llamaYields } from './llama.ts';
import { orca } from './orca.ts';
import { raydium } from './raydium.ts';

export const defi: readonly SimulatedVenue[] = [
  dexscreener,
  geckoterminal,
  raydium,
  orca,
  llamaYields,
  llamaProtocols,
  llamaStablecoins,
];
