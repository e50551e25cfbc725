import { lendingPool, protocolTvl } from '../../actors/topics/defi.ts';
import { lendingOverview, lendingTvl } from '../../indicators/defi/pools.ts';
import { apiError, kit, s } from './kit.ts';

const name = (description: string, example: string) =>
  ({ type: 'string', maxLength: 64, description, example }) as const satisfies kit.Param;
const asset = name('Symbol of the token. All when absent.', 'USDC');
const protocol = name('Protocol with its version. All when absent.', 'aave-v3');
const chain = name('Chain of the pool. All when absent.', 'ethereum');

/** The answer; an error where a client asks for what is in no row. */
const unlessEmpty = <A>(
  answer: A | null,
  rows: readonly object[] | undefined,
): A | kit.ApiError | null =>
  rows?.length === 0 ? apiError('unknown_symbol', 'no lending pool is of that kind') : answer;

const age = {
  updated_at: s.unixMs('When the newest of it was received.'),
  stale: s.optional(s.literal(true, 'Older than 15 minutes: no source has answered since.')),
};

const best = {
  best_supply: s.object(lendingPool.properties, 'The highest supply rate without pools of dust.'),
  best_borrow: s.object(lendingPool.properties, 'The lowest borrow rate above 0 without dust.'),
};

const assetRates = s.object({
  asset: s.string('Symbol of the token, upper case.'),
  ...best,
  avg_supply_apy: s.number(
    'Plain mean of the pools that count, percent a year; without collateral that is not lent and earns nothing.',
  ),
  avg_borrow_apy: s.number('Plain mean of the pools that count and lend, percent a year.'),
  total_tvl: s.number('Over all pools of the asset, USD.'),
});

/** Lending pools, their protocols and the best offers (specification 4.6). */
export const lendingRoutes = ({ defi }: kit.Needs<'defi'>) => [
  kit.document({
    path: '/v1/lending/rates',
    summary: 'Supply and borrow rates of every lending pool, the largest first',
    params: { asset, protocol, chain },
    answer: s.object({
      pools: s.list(lendingPool, 'One row per pool that can be supplied or borrowed.'),
      total: s.integer('How many pools there are.'),
      ...age,
    }),
    source: defi.lending.source,
    build(wanted) {
      const found = defi.lending.read((rows) => {
        const pools = kit.matching(rows, wanted);
        return { pools, total: pools.length };
      });
      return unlessEmpty(found, found?.pools);
    },
  }),
  kit.document({
    path: '/v1/lending/tvl',
    summary: 'Value locked in each lending protocol, the largest first',
    params: { protocol },
    answer: s.object({
      protocols: s.list(protocolTvl, 'The largest first.'),
      total_tvl_usd: s.number('Sum over the protocols.'),
      ...age,
    }),
    source: defi.lendingTvl.source,
    build(wanted) {
      const found = defi.lendingTvl.read((rows) => lendingTvl(kit.matching(rows, wanted)));
      return unlessEmpty(found, found?.protocols);
    },
  }),
  kit.document({
    path: '/v1/lending/overview',
    summary: 'Best and average rates of every asset over all pools',
    params: { asset },
    answer: s.object({
      assets: s.list(assetRates, 'The asset with most in its pools first.'),
      ...age,
    }),
    source: defi.lending.source,
    build(wanted) {
      const found = defi.lending.read((rows) =>
        lendingOverview(kit.matching(rows, wanted), defi.leastTvl),
      );
      return unlessEmpty(found, found?.assets);
    },
  }),
];
