/** Pools of decentralised exchanges, a search over all of them, and what a wallet holds. */
import { askAgain } from '../ask.ts';
import type { Column } from '../columns.ts';
import { compact, fixed, percent, price, share } from '../format.ts';
import { minute, type Part } from '../part.ts';
import {
  at,
  type DexOrcaPoolsV2Pool,
  type DexRaydiumPoolsV2Pool,
  type DexUniswapPoolsV2Pool,
} from '../request.ts';
import { tablePart } from '../table-part.ts';

export const exchanges = [
  ['uniswap', 'Uniswap v3'],
  ['raydium', 'Raydium'],
  ['orca', 'Orca'],
] as const;
export type Dex = (typeof exchanges)[number][0];

type Pool = DexUniswapPoolsV2Pool | DexRaydiumPoolsV2Pool | DexOrcaPoolsV2Pool;

/** What only some of them state: the fee, or what a year yields. */
const yieldOf: Readonly<Record<Dex, Column<Pool>>> = {
  uniswap: {
    head: 'Fee',
    // Stated in millionths.
    of: (pool) => ('fee_tier' in pool ? pool.fee_tier / 1e6 : null),
    as: (part) => share(part, 2),
  },
  orca: {
    head: 'Fee',
    of: (pool) => ('fee_rate' in pool ? pool.fee_rate : null),
    as: (part) => share(part, 2),
  },
  raydium: {
    head: 'APR',
    of: (pool) => ('apr_24h' in pool ? pool.apr_24h : null),
    as: (value) => `${fixed(value, 1)} %`,
  },
};

const pairOf = (pool: Pool) =>
  'token0' in pool
    ? `${pool.token0}/${pool.token1}`
    : `${pool.symbol_a ?? '?'}/${pool.symbol_b ?? '?'}`;

const shortOf = (address: string) =>
  address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;

const columns: readonly Column<Pool>[] = [
  { head: 'Pair', of: pairOf },
  {
    head: 'Pool',
    of: (one) => shortOf('address' in one ? one.address : one.pool_id),
    tone: 'soft',
  },
  { head: 'TVL, USD', of: (one) => ('tvl_usd' in one ? one.tvl_usd : one.tvl), as: compact },
  {
    head: 'Volume, USD',
    of: (one) => ('volume_usd' in one ? one.volume_usd : one.volume_24h),
    as: compact,
  },
];

export const poolsPart = (dex: Dex, control: Node): Part =>
  tablePart({
    title: `Pools of ${new Map(exchanges).get(dex)}`,
    about:
      dex === 'raydium'
        ? 'The largest by volume of 24 hours'
        : 'The largest by TVL; volume of 24 hours',
    name: `pools-${dex}`,
    path: at(`/v2/dex/${dex}/pools`, { limit: 50 }),
    every: 10_000,
    cadence: minute,
    controls: [control],
    rows: ({ pools }): readonly Pool[] => pools,
    columns: [...columns, yieldOf[dex]],
    none: 'No pool has been read yet.',
  });

export const searchPart = (words: string): Part =>
  tablePart({
    title: `Pairs with ${words}`,
    about: 'On every chain, US dollars; DEX Screener',
    name: 'dex-pairs',
    path: at('/v2/dex/search', { q: words }),
    every: Infinity,
    source: askAgain,
    rows: ({ pairs }) => pairs,
    columns: [
      { head: 'Pair', of: (one) => `${one.base_token}/${one.quote_token}` },
      { head: 'On', of: (one) => `${one.dex}, ${one.chain}`, tone: 'soft' },
      { head: 'Price', of: 'price_usd', as: price },
      { head: '24 h', of: 'price_change_24h', as: percent },
      { head: 'Volume', of: 'volume_24h', as: compact },
      { head: 'Liquidity', of: 'liquidity_usd', as: compact },
    ],
    none: 'No pair has this in its name.',
  });

export const chains = [
  'ethereum',
  'base',
  'arbitrum',
  'polygon',
  'bsc',
  'optimism',
  'avalanche',
  'bitcoin',
  'solana',
] as const;

export const walletPart = (address: string, chain: (typeof chains)[number]): Part =>
  tablePart({
    title: 'Wallet',
    about: `${address} on ${chain}`,
    name: `wallet-${chain}`,
    path: at('/v1/onchain/wallet', { address, chain }),
    every: Infinity,
    source: askAgain,
    rows: ({ tokens }) => tokens,
    columns: [
      { head: 'Token', of: 'token' },
      { head: 'Balance', of: 'balance', as: (value) => fixed(value, value < 1 ? 6 : 2) },
      { head: 'Price, USD', of: 'price_usd', as: price },
      { head: 'Value, USD', of: 'value_usd', as: compact },
    ],
    none: 'The wallet holds no known token on this chain.',
    note: ({ total_value_usd: total }) =>
      `In all ${compact(total)} US dollars, of what has a price.`,
  });
