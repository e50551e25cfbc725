/** Lending protocols: rates of pools and assets, and their TVL. Rates are percent a year. */
import { compact, fixed } from '../format.ts';
import type { Part } from '../part.ts';
import { at, type LendingRatesPool } from '../request.ts';
import { tablePart } from '../table-part.ts';

const rate = (value: number) => `${fixed(value, 2)} %`;
const halfMinute = 30_000;
/** The pools are read so often, ms. */
const cadence = 300_000;

const placeOf = ({ protocol, chain }: LendingRatesPool) => `${protocol}, ${chain}`;

export const assetsPart = (): Part =>
  tablePart({
    title: 'Lending by asset',
    about: 'The best and the mean rate over all pools, percent a year',
    name: 'lending-assets',
    path: at('/v1/lending/overview', {}),
    every: halfMinute,
    cadence,
    isWide: true,
    rows: ({ assets }) => assets,
    columns: [
      { head: 'Asset', of: ({ asset }) => asset },
      { head: 'Best supply on', of: (one) => placeOf(one.best_supply) },
      { head: 'Best borrow on', of: (one) => placeOf(one.best_borrow) },
      {
        head: 'Supply APY',
        of: (one) => one.best_supply.supply_apy,
        as: rate,
        tone: () => 'up',
      },
      { head: 'Mean supply', of: (one) => one.avg_supply_apy, as: rate },
      {
        head: 'Borrow APY',
        of: ({ best_borrow: best }) => (best.borrowable ? best.borrow_apy : null),
        as: rate,
        tone: () => 'down',
      },
      { head: 'Mean borrow', of: (one) => one.avg_borrow_apy, as: rate },
      { head: 'TVL, USD', of: (one) => one.total_tvl, as: compact },
    ],
    none: 'No pool has been read yet.',
  });

export const ratesPart = (): Part =>
  tablePart({
    title: 'Lending pools',
    about: 'Percent a year; TVL: US dollars',
    name: 'lending-pools',
    path: at('/v1/lending/rates', {}),
    every: halfMinute,
    cadence,
    rows: ({ pools }) => pools,
    search: ({ protocol, chain, asset }) => `${protocol} ${chain} ${asset}`,
    columns: [
      { head: 'Asset', of: ({ asset }) => asset },
      { head: 'Protocol', of: ({ protocol }) => protocol },
      { head: 'Chain', of: ({ chain }) => chain },
      { head: 'Supply APY', of: (one) => one.supply_apy, as: rate },
      { head: 'Borrow APY', of: (one) => (one.borrowable ? one.borrow_apy : null), as: rate },
      {
        head: 'Utilisation',
        of: (one) => one.utilization,
        as: (part) => `${fixed(part * 100, 0)} %`,
      },
      { head: 'TVL', of: (one) => one.tvl_usd, as: compact },
    ],
    none: 'No pool has been read yet.',
  });

export const protocolsPart = (): Part =>
  tablePart({
    title: 'Lending protocols',
    about: 'Total value locked (TVL), US dollars',
    name: 'lending-protocols',
    path: at('/v1/lending/tvl', {}),
    every: halfMinute,
    cadence,
    rows: ({ protocols }) => protocols,
    columns: [
      { head: 'Protocol', of: ({ protocol }) => protocol },
      { head: 'TVL', of: (one) => one.tvl_usd, as: compact },
      { head: 'Chains', of: ({ chains }) => chains.length, as: (value) => fixed(value, 0) },
    ],
    none: 'No protocol has been read yet.',
    note: ({ total_tvl_usd: total }) => `In all ${compact(total)} US dollars.`,
  });
