/** What wallet portfolios are read from, beside the chains' own endpoints and DexScreener. */
import type { SimulatedVenue } from '../venue.ts';
import { blockscout } from './blockscout.ts';
import { llamaCoins } from './llama-coins.ts';

export const walletVenues: readonly SimulatedVenue[] = [...blockscout, llamaCoins];
