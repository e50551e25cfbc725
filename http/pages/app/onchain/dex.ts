/** Pools of decentralised exchanges, and a search over all of them. */
import { askAgain } from '../ask.ts';
import { compact, fixed, percent, price } from '../format.ts';
import type { Part } from '../part.ts';
import { type Column, tablePart } from '../table-part.ts';

export const exchanges = [
  ['uniswap', 'Uniswap v3'],
  ['raydium', 'Raydium'],
  ['orca', 'Orca'],
] as const;
export type Dex = (typeof exchanges)[number][0];

/** What the pools of the three have in common, under the names of each. */
interface Pool {
  pool_id?: string;
  address?: string;
  token0?: string;
  token1?: string;
  symbol_a?: string | null;
  symbol_b?: string | null;
  /** Millionths. */
  fee_tier?: number | null;
  fee_rate?: number | null;
  apr_24h?: number | null;
  tvl_usd?: number | null;
  tvl?: number | null;
  volume_usd?: number | null;
  volume_24h?: number | null;
}

const feeOf = ({ fee_tier: tier, fee_rate: rate }: Pool): number | null =>
  tier === undefined || tier === null ? (rate ?? null) : tier / 1e6;
const pairOf = (pool: Pool) =>
  `${pool.token0 ?? pool.symbol_a ?? '?'}/${pool.token1 ?? pool.symbol_b ?? '?'}`;

export const poolsPart = (dex: Dex, controls: readonly Node[]): Part => {
  const [, shown] = exchanges.find(([id]) => id === dex) ?? exchanges[0];
  const columns: Column<Pool>[] = [
    { head: 'Pair', of: pairOf },
    { head: 'Pool', of: (one) => shortOf(one.pool_id ?? one.address ?? ''), tone: () => 'soft' },
    { head: 'Locked, USD', of: (one) => one.tvl_usd ?? one.tvl ?? null, as: compact },
    { head: 'Volume, USD', of: (one) => one.volume_usd ?? one.volume_24h ?? null, as: compact },
    { head: 'Fee', of: feeOf, as: (part) => `${fixed(part * 100, 2)} %` },
  ];
  if (dex === 'raydium') {
    columns.pop();
    columns.push({
      head: 'A year',
      of: (one) => one.apr_24h ?? null,
      as: (value) => `${fixed(value, 1)} %`,
    });
  }
  return tablePart<{ pools: readonly Pool[] }, Pool>({
    title: `Pools of ${shown}`,
    about:
      dex === 'raydium'
        ? 'The largest by volume of 24 hours'
        : 'The largest by what is locked; volume of 24 hours',
    name: `pools-${dex}`,
    path: `/v2/dex/${dex}/pools?limit=50`,
    every: 10_000,
    controls,
    rows: ({ pools }) => pools,
    columns,
    none: 'No pool has been read yet.',
  });
};

const shortOf = (address: string) =>
  address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;

interface Pair {
  chain: string;
  dex: string;
  base_token: string;
  quote_token: string;
  price_usd: number | null;
  price_change_24h: number | null;
  volume_24h: number | null;
  liquidity_usd: number | null;
}

export const searchPart = (words: string): Part =>
  tablePart<{ pairs: readonly Pair[] }, Pair>({
    title: `Pairs with ${words}`,
    about: 'On every chain, US dollars; DEX Screener',
    name: 'dex-pairs',
    path: `/v2/dex/search?q=${encodeURIComponent(words)}`,
    every: Infinity,
    source: askAgain,
    rows: ({ pairs }) => pairs,
    columns: [
      { head: 'Pair', of: (one) => `${one.base_token}/${one.quote_token}` },
      { head: 'On', of: (one) => `${one.dex}, ${one.chain}`, tone: () => 'soft' },
      { head: 'Price', of: (one) => one.price_usd, as: price },
      { head: '24 h', of: (one) => one.price_change_24h, as: percent },
      { head: 'Volume', of: (one) => one.volume_24h, as: compact },
      { head: 'Liquidity', of: (one) => one.liquidity_usd, as: compact },
    ],
    none: 'No pair has this in its name.',
  });
