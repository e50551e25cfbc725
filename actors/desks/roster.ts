/** Every desk by id, with the names of its duties: known without loading what the desks need. */
import { chainIds } from '../../config/chains.ts';

export const roster: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...chainIds.map((id): [string, string[]] => [id, ['state']]),
  ['yields', ['lending', 'lendingTvl', 'uniswap']],
  ['raydium', ['raydium']],
  ['orca', ['orca']],
  ['stablecoins', ['stablecoins']],
  ['bitcoin-models', ['days', 'issuance', 'assets', 'models']],
  [
    'market-wide',
    [
      'fear-greed',
      'bitcoin-dominance',
      'altcoin-season',
      'stablecoin-mcap',
      'exchange-transparency',
      'options-futures-oi-ratio',
      'futures-spot-volume-ratio',
      'borrow-rates',
      'bitfinex-margin-btc',
      'bitfinex-margin-eth',
    ],
  ],
]);

/** What is asked on demand and belongs to no venue: wallets, and pairs of decentralized exchanges. */
export const onDemand = ['wallets', 'dex'] as const;
