/** The tokens of a wallet. */
import { askAgain } from '../ask.ts';
import { compact, fixed, price } from '../format.ts';
import type { Part } from '../part.ts';
import { tablePart } from '../table-part.ts';

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
export type ChainName = (typeof chains)[number];

interface Token {
  token: string;
  balance: number;
  price_usd: number | null;
  value_usd: number | null;
}

export const walletPart = (address: string, chain: ChainName): Part =>
  tablePart<{ total_value_usd: number | null; tokens: readonly Token[] }, Token>({
    title: 'Wallet',
    about: `${address} on ${chain}`,
    name: `wallet-${chain}`,
    path: `/v1/onchain/wallet?${new URLSearchParams({ address, chain })}`,
    every: Infinity,
    source: askAgain,
    rows: ({ tokens }) => tokens,
    columns: [
      { head: 'Token', of: ({ token }) => token },
      { head: 'Balance', of: (one) => one.balance, as: (value) => fixed(value, value < 1 ? 6 : 2) },
      { head: 'Price, USD', of: (one) => one.price_usd, as: price },
      { head: 'Value, USD', of: (one) => one.value_usd, as: compact },
    ],
    none: 'The wallet holds no known token on this chain.',
    note: ({ total_value_usd: total }) =>
      `In all ${compact(total)} US dollars, of what has a price.`,
  });
