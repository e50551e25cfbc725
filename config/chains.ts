/** The chains that are followed, and where each is asked: public endpoints, the preferred one first. */

import { type Row, row } from './row.ts';

/** How a chain is asked: Ethereum JSON-RPC, Solana JSON-RPC, or the REST API of Esplora. */
export type ChainKind = 'evm' | 'solana' | 'esplora';

export interface Chain {
  /** As people write it. */
  name: string;
  kind: ChainKind;
  /** The identity that the chain states: EIP-155 id, hash of Solana's first block; null where it is not checked. */
  identity: number | string | null;
  /** Symbol of the native coin. */
  native: string;
  /** Usual time between two blocks, ms. */
  blockTime: number;
  /** Base URLs, in the order in which they are tried. */
  urls: readonly string[];
}

export const chains = {
  ethereum: {
    name: 'Ethereum',
    kind: 'evm',
    identity: 1,
    native: 'ETH',
    blockTime: 12_000,
    urls: [
      'https://ethereum-rpc.publicnode.com',
      'https://eth.drpc.org',
      'https://public.1rpc.io/eth',
      'https://gateway.tenderly.co/public/mainnet',
      'https://ethereum.reth.rs/rpc',
      'https://eth.merkle.io',
    ],
  },
  base: {
    name: 'Base',
    kind: 'evm',
    identity: 8453,
    native: 'ETH',
    blockTime: 200,
    urls: [
      'https://base-rpc.publicnode.com',
      'https://mainnet.base.org',
      'https://base.drpc.org',
      'https://public.1rpc.io/base',
      'https://gateway.tenderly.co/public/base',
      'https://developer-access-mainnet.base.org',
    ],
  },
  arbitrum: {
    name: 'Arbitrum One',
    kind: 'evm',
    identity: 42161,
    native: 'ETH',
    blockTime: 250,
    urls: [
      'https://arb1.arbitrum.io/rpc',
      'https://arbitrum-one-rpc.publicnode.com',
      'https://arbitrum.drpc.org',
      'https://public.1rpc.io/arb',
      'https://arbitrum.gateway.tenderly.co',
      'https://arb-one.api.pocket.network',
    ],
  },
  polygon: {
    name: 'Polygon PoS',
    kind: 'evm',
    identity: 137,
    native: 'POL',
    blockTime: 1_500,
    urls: [
      'https://polygon-bor-rpc.publicnode.com',
      'https://polygon.drpc.org',
      'https://public.1rpc.io/matic',
      'https://gateway.tenderly.co/public/polygon',
      'https://polygon.api.onfinality.io/public',
      'https://poly.api.pocket.network',
    ],
  },
  bsc: {
    name: 'BNB Smart Chain',
    kind: 'evm',
    identity: 56,
    native: 'BNB',
    blockTime: 450,
    urls: [
      'https://bsc-dataseed.bnbchain.org',
      'https://bsc-rpc.publicnode.com',
      'https://bsc-dataseed1.defibit.io',
      'https://bsc-dataseed1.ninicoin.io',
      'https://bsc.drpc.org',
      'https://public.1rpc.io/bnb',
    ],
  },
  optimism: {
    name: 'OP Mainnet',
    kind: 'evm',
    identity: 10,
    native: 'ETH',
    blockTime: 2_000,
    urls: [
      'https://optimism-rpc.publicnode.com',
      'https://mainnet.optimism.io',
      'https://optimism.drpc.org',
      'https://public.1rpc.io/op',
      'https://gateway.tenderly.co/public/optimism',
      'https://op.api.pocket.network',
    ],
  },
  avalanche: {
    name: 'Avalanche C-Chain',
    kind: 'evm',
    identity: 43114,
    native: 'AVAX',
    blockTime: 1_050,
    urls: [
      'https://api.avax.network/ext/bc/C/rpc',
      'https://avalanche-c-chain-rpc.publicnode.com',
      'https://avalanche.drpc.org',
      'https://public.1rpc.io/avax/c',
      'https://avalanche-mainnet.gateway.tenderly.co',
      'https://avax.api.pocket.network',
    ],
  },
  bitcoin: {
    name: 'Bitcoin',
    kind: 'esplora',
    identity: null,
    native: 'BTC',
    blockTime: 600_000,
    urls: ['https://mempool.space/api', 'https://blockstream.info/api'],
  },
  solana: {
    name: 'Solana',
    kind: 'solana',
    identity: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    native: 'SOL',
    blockTime: 200,
    urls: [
      'https://api.mainnet-beta.solana.com',
      'https://solana-rpc.publicnode.com',
      'https://solana.drpc.org',
      'https://solana.api.pocket.network',
    ],
  },
} as const satisfies Readonly<Record<string, Chain>>;

export type ChainId = keyof typeof chains;
/** Chains of one kind. */
export type ChainOf<K extends ChainKind> = {
  [Id in ChainId]: (typeof chains)[Id]['kind'] extends K ? Id : never;
}[ChainId];
/** The seven chains that speak Ethereum JSON-RPC. */
export type EvmChainId = ChainOf<'evm'>;

export const isChainId = (text: string): text is ChainId => Object.hasOwn(chains, text);
export const isEvmChainId = (text: string): text is EvmChainId =>
  isChainId(text) && chains[text].kind === 'evm';

export const chainIds: readonly ChainId[] = Object.keys(chains).filter(isChainId);
export const evmChainIds: readonly EvmChainId[] = chainIds.filter(isEvmChainId);

const isEndpoint = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hash } = new URL(url);
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === '';
};

/**
 * Reads the endpoints of one chain from a setting: URLs separated by commas, in order. A key may be part of the path
 * or of the query. Throws an Error that names the allowed form and shows nothing of the value.
 */
export function endpointUrls(text: string): string[] {
  const urls = text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
  if (urls.length === 0 || urls.length > 16 || !urls.every(isEndpoint)) {
    throw new Error('from 1 to 16 URLs that begin with https:// or http://, without user and #');
  }
  return [...new Set(urls)];
}

/** Endpoints of each chain, in place of the known ones. */
export const rpcRows = Object.fromEntries(
  chainIds.map((chain) => [
    `rpc_${chain}`,
    row<string[] | null>({
      env: `RPC_${chain.toUpperCase()}`,
      read: endpointUrls,
      fallback: null,
      shown: 'public endpoints (config/chains.ts)',
      doc: `Endpoints of ${chain}, comma-separated, first to last; they may hold keys.`,
      secret: true,
    }),
  ]),
) as Readonly<Record<`rpc_${ChainId}`, Row<string[] | null>>>;
