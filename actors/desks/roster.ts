/** Every desk by id, with the names of its duties: known without loading what the desks need. */
import { chainIds } from '../../config/chains.ts';

export const roster: ReadonlyMap<string, readonly string[]> = new Map([
  ...chainIds.map((id) => [id, ['state']] as const),
  ['yields', ['lending', 'lendingTvl', 'uniswap']],
  ['raydium', ['raydium']],
  ['orca', ['orca']],
  ['stablecoins', ['stablecoins']],
  ['bitcoin-models', ['days', 'issuance', 'assets', 'models']],
  ['market-wide', []],
]);

/** What is asked on demand and belongs to no venue: wallets, and pairs of decentralized exchanges. */
export const onDemand = ['wallets', 'dex'] as const;
