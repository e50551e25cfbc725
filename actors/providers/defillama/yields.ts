/** DefiLlama's yields: lending markets, and Uniswap's pools. https://api-docs.defillama.com */
import { bulk, field, isRecord, required, text, type WireRow } from '../../read.ts';
import type { Poll, Reading } from '../../sources/define.ts';
import type { EvmPool, LendingPool } from '../../topics/defi.ts';
import { type FeeTier, feeTiers } from '../../topics/defi.ts';
import { isFollowed } from '../lending-protocols.ts';
import {
  allReadable,
  amount,
  amountOr,
  chainName,
  filled,
  id,
  label,
  uniqueRows,
} from '../read.ts';
import { evmAddress, largestPool, poolAddress } from '../uniswap.ts';
import type { Request } from './api.ts';

/** The two hosts with the same bodies. */
type Host = 'yields' | 'yields-origin';

/** Percent a year above which a rate that the source itself calls an outlier is an error in its data. */
const outlierRate = 1000;
/** Twice the length of the longest answer. */
const mostPools = 200;

const keyOf = (row: WireRow) => id(row.pool);

/** Base and reward; where the source gives neither, their sum as it states it. */
function supplyRate(row: WireRow, reward: number | null): number {
  const base = amountOr(row.apyBase, null);
  return base === null && reward === null ? amountOr(row.apy, 0) : (base ?? 0) + (reward ?? 0);
}

/** Borrowed over supplied; supplied is the sum of the rest and the borrowed amount, where it is not stated. */
function utilizationOf(borrow: WireRow, left: number): number {
  const borrowed = amountOr(borrow.totalBorrowUsd, 0);
  const supplied = amountOr(borrow.totalSupplyUsd, left + borrowed);
  return supplied === 0 ? 0 : Math.min(1, borrowed / supplied);
}

/** Protocols whose rows name the borrowed coin in `poolMeta` alone: `SOL/USDC`, `USDC borrow`. */
const borrowedInMeta: ReadonlyMap<string, RegExp> = new Map([
  ['jupiter-lend', /\/(.+)$/],
  ['silo-v2', /^(.+) borrow$/],
]);

/** The coin that is borrowed in a market of the asset: the asset itself where the source names none. */
function borrowedOf(row: WireRow, { mintedCoin }: WireRow, asset: string): string {
  const [, named] = borrowedInMeta.get(text(row.project))?.exec(text(row.poolMeta)) ?? [];
  return label(mintedCoin || named).toUpperCase() || asset;
}

/**
 * Supplied and borrowed of the row's asset. Where another coin is borrowed against it (a market of Morpho, a vault of Fluid or Sky), the
 * borrow row's rate and amount are that coin's: of the asset nothing is lent.
 */
function lendingOf(row: WireRow, borrow: WireRow) {
  const asset = label(row.symbol).toUpperCase();
  const tvl_usd = amount(row.tvlUsd);
  if (borrowedOf(row, borrow, asset) !== asset) {
    const held = amountOr(borrow.totalSupplyUsd, tvl_usd);
    return { asset, borrow_apy: 0, tvl_usd: held, utilization: 0, borrowable: false };
  }
  const borrowable = borrow.borrowable !== false;
  const borrow_apy = borrowable ? amountOr(borrow.apyBaseBorrow, 0) : 0;
  return { asset, borrow_apy, tvl_usd, utilization: utilizationOf(borrow, tvl_usd), borrowable };
}

/** A market is a row in both bodies: those in which nothing is borrowed are collateral alone. */
function market(row: WireRow, borrow: WireRow, received: number): Reading<LendingPool> {
  const stated = borrow.apyBaseBorrow ?? borrow.totalBorrowUsd ?? null;
  if (stated === null || (row.exposure !== 'single' && row.exposure !== undefined))
    return 'left_out';
  if (row.outlier === true && required(row.apy) > outlierRate) return 'left_out';
  const reward = amountOr(row.apyReward, null);
  const found: LendingPool = {
    protocol: text(row.project),
    chain: chainName(row.chain),
    pool_id: keyOf(row),
    supply_apy: supplyRate(row, reward),
    ...lendingOf(row, borrow),
    reward_apy: reward === 0 ? null : reward,
    updated_at: received,
  };
  // Its id is not empty: there is a borrow row of it.
  if (found.chain === '' || found.asset === '') return null;
  const { supply_apy, borrow_apy, tvl_usd, utilization, reward_apy } = found;
  return allReadable(supply_apy, borrow_apy, tvl_usd, utilization, reward_apy) ? found : null;
}

/** The borrow rows by pool, the first of each. */
function borrowsOf(body: unknown): Map<string, WireRow> {
  const found = new Map<string, WireRow>();
  for (const value of bulk(body, 'lendBorrow')) {
    if (!isRecord(value)) continue;
    const pool = keyOf(value);
    if (pool !== '' && !found.has(pool)) found.set(pool, value);
  }
  return found;
}

const rowsOf = (body: unknown) => bulk(field(body, 'data'), 'data');

export const lending = (api: Host, prefix: string): Poll<LendingPool, Request> => ({
  requests: () => [
    { api, path: `${prefix}/pools` },
    { api, path: `${prefix}/lendBorrow` },
  ],
  parse: ([pools, lendBorrow], { received }) => {
    const borrows = borrowsOf(lendBorrow);
    const parsed = uniqueRows(rowsOf(pools), keyOf, (row) => {
      const borrow = borrows.get(keyOf(row));
      return borrow && isFollowed(text(row.project)) ? market(row, borrow, received) : 'left_out';
    });
    return filled(parsed, 'lending pools');
  },
});

/** `0.05%` as a fee tier; undefined for one that the exchange does not have. */
function tierOf(meta: unknown): FeeTier | undefined {
  const [, percent] = /^(\d{1,2}(?:\.\d{1,4})?)%$/.exec(text(meta)) ?? [];
  const tier = Math.round(required(percent) * 10_000);
  return feeTiers.find((one) => one === tier);
}

const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** Symbols of two tokens; short addresses where a symbol contains a dash itself, which makes the text ambiguous. */
function symbolsOf(symbol: unknown, tokens: readonly [string, string]): readonly [string, string] {
  const [first = '', second = '', ...more] = text(symbol).split('-').map(label);
  if (first !== '' && second !== '' && more.length === 0) return [first, second];
  return [short(tokens[0]), short(tokens[1])];
}

function evmPool(row: WireRow): Reading<EvmPool> {
  if (row.project !== 'uniswap-v3' || row.chain !== 'Ethereum') return 'left_out';
  const fee_tier = tierOf(row.poolMeta);
  const tvl_usd = amount(row.tvlUsd);
  if (!fee_tier || row.outlier === true || tvl_usd > largestPool) return 'left_out';
  const volume_usd = amountOr(row.volumeUsd1d, 0);
  const [a, b] = Array.isArray(row.underlyingTokens) ? row.underlyingTokens.map(evmAddress) : [];
  if (!a || !b || a === b || !allReadable(tvl_usd, volume_usd)) return null;
  const [first, second] = symbolsOf(row.symbol, [a, b]);
  const [token0, token1] = a < b ? [first, second] : [second, first];
  // The address takes three hashes: it is computed for published pools only.
  const pool_id = `${a} ${b}`;
  return { pool_id, token0, token1, fee_tier, tvl_usd, volume_usd };
}

function located(pool: EvmPool): EvmPool {
  const [a, b] = pool.pool_id.split(' ').map(evmAddress);
  return a && b ? { ...pool, pool_id: poolAddress({ tokens: [a, b], fee: pool.fee_tier }) } : pool;
}

/** The pools of the largest TVL, at most 200. Reads a body that `lending` reads as well. */
export const uniswapPools = (api: Host, prefix: string): Poll<EvmPool, Request> => ({
  requests: () => [{ api, path: `${prefix}/pools` }],
  parse: ([body]) => {
    const parsed = uniqueRows(rowsOf(body), keyOf, evmPool);
    const { rows, dropped } = filled(parsed, 'Uniswap pools');
    const largest = rows
      .sort((a, b) => b.tvl_usd - a.tvl_usd)
      .slice(0, mostPools)
      .map(located);
    return { rows: [...new Map(largest.map((row) => [row.pool_id, row])).values()], dropped };
  },
});
