import { apiError } from '../errors.ts';
import type { Snapshot } from '../snapshots.ts';
import type { DefiView } from '../views/defi.ts';
import { type Route, route, type Schema } from './route.ts';
import * as s from './schemas.ts';

/** What the rows of this group answer from. */
export interface LendingContext {
  defi: DefiView;
}

const group = 'Lending';
const warming = apiError('warming_up', undefined, { retryAfter: 5 });

const pool = s.object({
  protocol: s.of(s.string, 'Protocol with its version, lower case: `aave-v3`.'),
  chain: s.of(s.string, 'Lower case: `ethereum`, `optimism`.'),
  asset: s.of(s.string, 'Symbol of the token lent or borrowed, upper case.'),
  pool_id: s.of(s.string, 'Unique. `aave-v3:<chain>:<token>` for a pool read on its contracts.'),
  supply_apy: s.of(s.number, 'Percent a year, base and reward together.'),
  borrow_apy: s.of(s.number, 'Percent a year, before rewards; 0 where nothing can be borrowed.'),
  tvl_usd: s.of(s.number, 'What is supplied and not borrowed, USD.'),
  utilization: s.of({ type: 'number', minimum: 0, maximum: 1 }, 'Borrowed over supplied.'),
  reward_apy: s.of(s.numberOrNull, 'Part of `supply_apy` that is rewards, percent a year.'),
  borrowable: s.of({ type: 'boolean' }, 'False where the protocol does not lend the asset out.'),
  updated_at: s.of(s.integer, 'When the row was received, Unix milliseconds.'),
});

const age = {
  updated_at: s.of(s.integer, 'When the newest of it was received, Unix milliseconds.'),
  stale: s.of({ const: true }, 'Older than 15 minutes: no source has answered since.'),
};
const data = (properties: Record<string, Schema>) => s.object({ ...properties, ...age }, ['stale']);

interface Page {
  path: string;
  summary: string;
  answer: Schema;
  read(): Snapshot | null;
}

const pageRoute = ({ read, ...page }: Page): Route =>
  route({
    method: 'GET',
    group,
    params: {},
    access: 'key',
    from: { view: () => read() ?? warming },
    ...page,
  });

/** Lending pools, their protocols and the best offers (specification 4.6). */
export const lendingRoutes = ({ defi }: LendingContext): Route[] => [
  pageRoute({
    path: '/v1/lending/rates',
    summary: 'Supply and borrow rates of every lending pool, the largest first',
    answer: data({
      pools: s.of(s.array(pool), 'One row per pool that can be supplied or borrowed.'),
      total: s.of(s.integer, 'How many pools there are.'),
    }),
    read: () => defi.rates(),
  }),
  pageRoute({
    path: '/v1/lending/tvl',
    summary: 'What lies in each lending protocol, the largest first',
    answer: data({
      protocols: s.array(
        s.object({
          protocol: s.string,
          tvl_usd: s.of(s.number, 'Without what is borrowed, USD.'),
          chains: s.array(s.string),
        }),
      ),
      total_tvl_usd: s.of(s.number, 'Sum over the protocols, USD.'),
    }),
    read: () => defi.tvl(),
  }),
  pageRoute({
    path: '/v1/lending/overview',
    summary: 'Best and average rates of every asset over all pools',
    answer: data({
      assets: s.of(
        s.array(
          s.object({
            asset: s.string,
            best_supply: s.of(pool, 'Pool of the highest supply rate; pools of dust do not count.'),
            best_borrow: s.of(
              pool,
              'Pool of the lowest borrow rate above zero; pools of dust do not count.',
            ),
            avg_supply_apy: s.of(s.number, 'Plain mean over the pools that count, percent a year.'),
            avg_borrow_apy: s.of(
              s.number,
              'Plain mean over the pools that count and lend, percent a year.',
            ),
            total_tvl: s.of(s.number, 'Over all pools of the asset, USD.'),
          }),
        ),
        'The asset with most in its pools first.',
      ),
    }),
    read: () => defi.overview(),
  }),
];
