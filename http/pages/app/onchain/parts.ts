/** Tables of chains, stablecoins and lending. Rates are percent a year. */
import { exchangeName } from '../exchange-names.ts';
import { compact, count, duration, fixed, share } from '../format.ts';
import { minute, type Part } from '../part.ts';
import { at, type LendingRatesPool } from '../request.ts';
import { tablePart } from '../table-part.ts';

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
      { head: 'Chain', of: 'chain' },
      { head: 'Height', of: 'block_number', as: count },
      { head: 'Gas, gwei', of: 'gas_gwei', as: (gwei) => fixed(gwei, gwei < 1 ? 4 : 2) },
      {
        head: 'Last read',
        of: 'updated_at',
        as: (seconds) => `${duration(Date.now() - seconds * 1000)} ago`,
      },
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
      { head: 'Chain', of: 'chain' },
      { head: 'Token', of: 'token' },
      { head: 'Supply', of: 'total_supply', as: compact },
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
      {
        head: 'Wallet',
        of: ({ label }) => label.replace(/^[^_]+/, exchangeName).replaceAll('_', ' '),
      },
      { head: 'ETH', of: 'eth_balance', as: compact },
      { head: 'USDC', of: 'usdc_balance', as: compact },
      { head: 'USDT', of: 'usdt_balance', as: compact },
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
      { head: 'Name', of: 'name' },
      { head: 'Symbol', of: 'symbol' },
      { head: 'Peg', of: ({ peg_type: peg }) => peg.replace('pegged', '') },
      { head: 'Circulating', of: 'circulating', as: compact },
      { head: 'Chains', of: ({ chains }) => chains.length, as: count },
    ],
    none: 'No stablecoin is known yet.',
  });

const apy = (percent: number) => `${fixed(percent, 2)} %`;
/** The service reads the pools each five minutes. */
const ofPools = { every: 30_000, cadence: 5 * minute };
const placeOf = ({ protocol, chain }: LendingRatesPool) => `${protocol}, ${chain}`;
const borrowOf = (pool: LendingRatesPool) => (pool.borrowable ? pool.borrow_apy : null);

export const assetsPart = (): Part =>
  tablePart({
    title: 'Lending by asset',
    about: 'The best and the mean rate over all pools, percent a year',
    name: 'lending-assets',
    path: at('/v1/lending/overview', {}),
    ...ofPools,
    isWide: true,
    rows: ({ assets }) => assets,
    columns: [
      { head: 'Asset', of: 'asset' },
      { head: 'Best supply on', of: (one) => placeOf(one.best_supply) },
      { head: 'Best borrow on', of: (one) => placeOf(one.best_borrow) },
      { head: 'Supply APY', of: (one) => one.best_supply.supply_apy, as: apy, tone: 'up' },
      { head: 'Mean supply', of: 'avg_supply_apy', as: apy },
      { head: 'Borrow APY', of: (one) => borrowOf(one.best_borrow), as: apy, tone: 'down' },
      { head: 'Mean borrow', of: 'avg_borrow_apy', as: apy },
      { head: 'TVL, USD', of: 'total_tvl', as: compact },
    ],
    none: 'No pool has been read yet.',
  });

export const ratesPart = (): Part =>
  tablePart({
    title: 'Lending pools',
    about: 'Percent a year; TVL: US dollars',
    name: 'lending-pools',
    path: at('/v1/lending/rates', {}),
    ...ofPools,
    rows: ({ pools }) => pools,
    search: ({ protocol, chain, asset }) => `${protocol} ${chain} ${asset}`,
    columns: [
      { head: 'Asset', of: 'asset' },
      { head: 'Protocol', of: 'protocol' },
      { head: 'Chain', of: 'chain' },
      { head: 'Supply APY', of: 'supply_apy', as: apy },
      { head: 'Borrow APY', of: borrowOf, as: apy },
      { head: 'Utilisation', of: 'utilization', as: (part) => share(part, 0) },
      { head: 'TVL', of: 'tvl_usd', as: compact },
    ],
    none: 'No pool has been read yet.',
  });

export const protocolsPart = (): Part =>
  tablePart({
    title: 'Lending protocols',
    about: 'Total value locked (TVL), US dollars',
    name: 'lending-protocols',
    path: at('/v1/lending/tvl', {}),
    ...ofPools,
    rows: ({ protocols }) => protocols,
    columns: [
      { head: 'Protocol', of: 'protocol' },
      { head: 'TVL', of: 'tvl_usd', as: compact },
      { head: 'Chains', of: ({ chains }) => chains.length, as: count },
    ],
    none: 'No protocol has been read yet.',
    note: ({ total_tvl_usd: total }) => `In all ${compact(total)} US dollars.`,
  });
