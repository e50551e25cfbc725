/** Lending: rates of every pool, and the total value locked in each protocol. */
import { hour } from '../../config/time.ts';
import { descending, tvlOfPools } from '../../indicators/defi/pools.ts';
import { missingProtocols } from '../providers/lending-protocols.ts';
import type { JobContext } from '../sources/context.ts';
import type { Job } from '../sources/job.ts';
import type { Candidate } from '../sources/polling/ask.ts';
import type { LendingPool, ProtocolTvl } from '../topics/defi.ts';
import { find, lastOf, listJob, type Publication, publish, waitFor } from './publication.ts';

/** The specification's cadence of lending, ms. */
export const lendingEvery = 300_000;

const rates: Publication<'lending'> = {
  figure: 'lending',
  served: (rows) => descending(rows, 'tvl_usd', 'pool_id'),
  weight: (row) => row.tvl_usd,
};

const tvl: Publication<'lendingTvl'> = {
  figure: 'lendingTvl',
  served: (rows) => descending(rows, 'tvl_usd', 'protocol'),
  weight: (row) => row.tvl_usd,
};

/** Slugs are renamed from time to time: a change of the list of those without pools is logged. */
function watchSlugs(log: JobContext['log']): (rows: readonly LendingPool[]) => void {
  let before = '';
  return (rows) => {
    const missing = missingProtocols(rows);
    const now = missing.join();
    if (now !== before && now !== '') log.warn({ missing }, 'lending protocols without a pool');
    before = now;
  };
}

/** Rates of every pool. */
export function ratesJob(context: JobContext, sources: readonly Candidate<LendingPool>[]): Job {
  const watch = watchSlugs(context.log);
  return listJob(context, rates, { every: lendingEvery, sources, onRows: watch });
}

/** Age of the protocols' own sums, ms, above which the sums of the pools are published. */
const longestOutage = 3 * hour;

/**
 * The total value locked in each protocol. After three hours without a source the sums of the pools are used: they are
 * lower, so a short outage is no reason to change to them.
 */
export function tvlJob(context: JobContext, sources: readonly Candidate<ProtocolTvl>[]): Job {
  const own = new Set(sources.map(({ upstream }) => upstream));
  return {
    name: 'lendingTvl',
    every: lendingEvery,
    wait: (now) => waitFor(context, 'lendingTvl', { every: lendingEvery, now }),
    async run(round) {
      const known = await lastOf(context, 'lendingTvl');
      const stated = known?.sources.some((source) => own.has(source)) ? known : undefined;
      const found = await find(context, tvl, { known: stated, sources }, round);
      if (found.ok) return publish(context, tvl, found.value, known);
      if (stated && round.now - stated.received <= longestOutage) return found.failure;
      const pools = await lastOf(context, 'lending');
      if (!pools || round.signal.aborted || pools.received === known?.received)
        return found.failure;
      const rows = tvl.served(tvlOfPools(pools.rows));
      const { sources: from, received } = pools;
      const reading = { figure: 'lendingTvl', sources: from, rows, received } as const;
      return (await context.publish('defi', 'lendingTvl', reading)) ?? found.failure;
    },
  };
}
