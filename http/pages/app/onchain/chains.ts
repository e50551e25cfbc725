/** Chains, and what of the stablecoins is on them. */
import { compact, duration, fixed } from '../format.ts';
import type { Part } from '../part.ts';
import { at } from '../request.ts';
import { tablePart } from '../table-part.ts';

/** Chains are read so often, ms. */
const minute = 60_000;

const ageOf = (seconds: number) => duration(Date.now() - seconds * 1000);

export const chainsPart = (): Part =>
  tablePart({
    title: 'Chains',
    about: 'Newest block, and the price of gas on EVM chains',
    name: 'chains',
    path: at('/v1/onchain/blocks', {}),
    every: 2_000,
    cadence: minute,
    rows: (chains) => chains,
    columns: [
      { head: 'Chain', of: ({ chain }) => chain },
      { head: 'Height', of: (one) => one.block_number, as: (value) => fixed(value, 0) },
      {
        head: 'Gas, gwei',
        of: (one) => one.gas_gwei,
        as: (value) => fixed(value, value < 1 ? 4 : 2),
      },
      { head: 'Last read', of: (one) => one.updated_at, as: (value) => `${ageOf(value)} ago` },
    ],
    none: 'No chain has answered yet.',
  });

export const supplyPart = (): Part =>
  tablePart({
    title: 'USDC and USDT',
    about: 'Supply on each EVM chain, tokens',
    name: 'stablecoin-supply',
    path: at('/v1/onchain/supply', {}),
    cadence: minute,
    rows: (all) => all.toSorted((a, b) => b.total_supply - a.total_supply),
    columns: [
      { head: 'Chain', of: ({ chain }) => chain },
      { head: 'Token', of: ({ token }) => token },
      { head: 'Supply', of: (one) => one.total_supply, as: compact },
    ],
    none: 'No chain has answered yet.',
  });

export const hotPart = (): Part =>
  tablePart({
    title: 'Wallets of exchanges',
    about: 'Known hot wallets on Ethereum, tokens',
    name: 'exchange-wallets',
    path: at('/v1/onchain/exchange-flows', {}),
    cadence: minute,
    rows: (all) => all,
    columns: [
      { head: 'Wallet', of: ({ label }) => label.replaceAll('_', ' ') },
      { head: 'ETH', of: (one) => one.eth_balance, as: compact },
      { head: 'USDC', of: (one) => one.usdc_balance, as: compact },
      { head: 'USDT', of: (one) => one.usdt_balance, as: compact },
    ],
    none: 'No wallet has been read yet.',
  });

export const stablecoinsPart = (): Part =>
  tablePart({
    title: 'Stablecoins',
    about: 'What circulates, in the currency of the peg',
    name: 'stablecoins',
    path: at('/v2/defi/stablecoins', {}),
    every: 30_000,
    cadence: 5 * minute,
    rows: ({ stablecoins }) => stablecoins,
    search: ({ name, symbol, peg_type: peg }) => `${name} ${symbol} ${peg}`,
    columns: [
      { head: 'Name', of: ({ name }) => name },
      { head: 'Symbol', of: ({ symbol }) => symbol },
      { head: 'Peg', of: ({ peg_type: peg }) => peg.replace('pegged', '') },
      { head: 'Circulating', of: (one) => one.circulating, as: compact },
      { head: 'Chains', of: ({ chains }) => chains.length, as: (value) => fixed(value, 0) },
    ],
    none: 'No stablecoin is known yet.',
  });
