/** The tokens of a wallet. */
import { askAgain } from '../ask.ts';
import { compact, fixed, price } from '../format.ts';
import type { Part } from '../part.ts';
import { at } from '../request.ts';
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

export const walletPart = (address: string, chain: ChainName): Part =>
  tablePart({
    title: 'Wallet',
    about: `${address} on ${chain}`,
    name: `wallet-${chain}`,
    path: at('/v1/onchain/wallet', { address, chain }),
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
