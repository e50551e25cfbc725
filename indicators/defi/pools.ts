/** Orders, sums and averages of the pools of decentralized finance. Rows are never changed. */
import { mean } from '../market/statistics.ts';

/** A pool of a lending protocol. */
interface LendingFacts {
  /** `aave-v3`. */
  protocol: string;
  chain: string;
  /** Symbol in upper case. */
  asset: string;
  pool_id: string;
  /** Percent a year. */
  supply_apy: number;
  /** Percent a year. */
  borrow_apy: number;
  /** Supplied and not borrowed, US dollars. */
  tvl_usd: number;
  /** False where the protocol does not lend this asset out. */
  borrowable: boolean;
  /** Unix ms of the answer that it is from. */
  updated_at: number;
}

/** What a protocol holds. */
interface ProtocolFacts {
  protocol: string;
  /** US dollars. */
  tvl_usd: number;
  chains: readonly string[];
}

/** Rows by a number of theirs, the largest first; those of one number by id, so that equal readings give equal bytes. */
export function descending<
  N extends string,
  I extends string,
  Row extends Readonly<Record<N, number> & Record<I, string>>,
>(rows: readonly Row[], number: N, id: I): Row[] {
  const byId = (a: Row, b: Row) => (a[id] < b[id] ? -1 : Number(a[id] > b[id]));
  return [...rows].sort((a, b) => b[number] - a[number] || byId(a, b));
}

/** Protocols with the sum of what they hold. */
export const lendingTvl = <Row extends ProtocolFacts>(protocols: readonly Row[]) => ({
  protocols,
  total_tvl_usd: sumOf(protocols.map((row) => row.tvl_usd)),
});

/**
 * Protocols out of their pools, for when their own source is down. Lower than that: pools under the source's
 * threshold and pure collateral are not in it.
 */
export function tvlOfPools(pools: readonly LendingFacts[]): ProtocolFacts[] {
  return [...Map.groupBy(pools, (pool) => pool.protocol)].map(([protocol, rows]) => ({
    protocol,
    tvl_usd: sumOf(rows.map((row) => row.tvl_usd)),
    chains: [...new Set(rows.map((row) => row.chain))],
  }));
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** US dollars below which a pool is dust. */
export const defaultLeastTvl = 100_000;

/** The pool of the smallest key; of several, the largest pool. */
function leastBy<Pool extends LendingFacts>(pools: readonly Pool[], key: (pool: Pool) => number) {
  const [best] = [...pools].sort((a, b) => key(a) - key(b) || b.tvl_usd - a.tvl_usd);
  return best;
}

function assetOf<Pool extends LendingFacts>(asset: string, all: readonly Pool[], leastTvl: number) {
  const pools = all.filter((pool) => pool.tvl_usd >= leastTvl);
  const lent = pools.filter((pool) => pool.borrowable);
  const paying = pools.filter((pool) => pool.borrowable || pool.supply_apy > 0);
  const charging = lent.filter((pool) => pool.borrow_apy > 0);
  const best_supply = leastBy(pools, (pool) => -pool.supply_apy);
  const best_borrow = leastBy(charging.length > 0 ? charging : lent, (pool) => pool.borrow_apy);
  if (!best_supply || !best_borrow) return [];
  return [
    {
      asset,
      best_supply,
      best_borrow,
      avg_supply_apy: mean(paying.map((pool) => pool.supply_apy)),
      avg_borrow_apy: mean(lent.map((pool) => pool.borrow_apy)),
      total_tvl: sumOf(all.map((pool) => pool.tvl_usd)),
    },
  ];
}

/**
 * The answer of the lending overview, the asset with most in it first. Pools under `leastTvl` (US dollars) count in
 * `total_tvl` alone: their rates are no offer that can be taken. Averages are plain means over the pools that
 * count, the supply rate's without collateral that is not lent and earns nothing, the borrow rate's over those that lend: weighted by TVL, which is what is *not* borrowed, the pools that are
 * used most would count least. An asset without a pool of that size, or that is not
 * lent, is left out: it has no best rate.
 */
export function lendingOverview<Pool extends LendingFacts>(
  rows: readonly Pool[],
  leastTvl = defaultLeastTvl,
) {
  const assets = [...Map.groupBy(rows, (row) => row.asset)].flatMap(([asset, pools]) =>
    assetOf(asset, pools, leastTvl),
  );
  return {
    assets: descending(assets, 'total_tvl', 'asset'),
  };
}
