/** The upstreams of DeFi data; each needs one HTTP client under its id. */
import type { MarketUpstream } from '../market/upstream.ts';
import { dexscreener } from './upstreams/dexscreener.ts';
import { geckoterminal } from './upstreams/geckoterminal.ts';
import { llamaProtocols } from './upstreams/llama-protocols.ts';
import { llamaStablecoins } from './upstreams/llama-stablecoins.ts';
import { llamaYields, llamaYieldsOrigin } from './upstreams/llama-yields.ts';
import { orca } from './upstreams/orca.ts';
import { raydium } from './upstreams/raydium.ts';

export const defiUpstreams: readonly Pick<MarketUpstream, 'id' | 'name' | 'apis'>[] = [
  llamaYields,
  llamaYieldsOrigin,
  llamaProtocols,
  llamaStablecoins,
  raydium,
  orca,
  geckoterminal,
  dexscreener,
];
