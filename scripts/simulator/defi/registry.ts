/** The simulated sources of DeFi data: one line each. */
import type { SimulatedVenue } from '../venue.ts';
import { dexscreener } from './dexscreener.ts';
import { geckoterminal } from './geckoterminal.ts';
import { llamaProtocols, llamaStablecoins, llamaYields } from './llama.ts';
import { orca, raydium } from './solana.ts';

export const defi: readonly SimulatedVenue[] = [
  dexscreener,
  geckoterminal,
  raydium,
  orca,
  llamaYields,
  llamaProtocols,
  llamaStablecoins,
];
