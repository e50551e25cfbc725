/** Lending: rates of every pool, and the total value locked in each protocol. */
import type { Known } from '../../indicators/defi/plausible.ts';
import {
  firstSourceAge,
  isOnChain,
  lendingRates,
  lendingTvl,
  needsSecondSource,
  tvlOfPools,
  withSecondSource,
} from '../../indicators/defi/pools.ts';
import type { Failure } from '../failure.ts';
import { missingProtocols } from '../providers/lending-protocols.ts';
import type { JobContext } from '../sources/context.ts';
import type { Job, Round } from '../sources/job.ts';
import type { Candidate } from '../sources/polling/ask.ts';
import type { DefiReading, LendingPool, ProtocolTvl } from '../topics/defi.ts';
import { type AaveReaders, readAave } from './aave-reading.ts';
import { find, lastOf, type Publication, publish, waitFor } from './publication.ts';

/** The specification's cadence of lending, ms. */
export const lendingEvery = 300_000;

const rates: Publication<'lending'> = {
  figure: 'lending',
  served: (rows) => lendingRates(rows).pools,
  weight: (row) => row.tvl_usd,
};

const tvl: Publication<'lendingTvl'> = {
  figure: 'lendingTvl',
  served: (rows) => lendingTvl(rows).protocols,
  weight: (row) => row.tvl_usd,
};

/** The part of `/v1/status` that shows the contracts. */
const onChain = 'aave-v3';
/** For each chain, ms. */
const chainDeadline = 20_000;

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

/** The last rows of the sources themselves, without those read from contracts in their place. */
function statedIn(known: DefiReading<'lending'> | undefined): Known<LendingPool> | undefined {
  if (known === undefined) return undefined;
  const rows = known.rows.filter((row) => !isOnChain(row));
  return { rows, received: Math.max(0, ...rows.map((row) => row.updated_at)) };
}

/** Reads Aave's contracts in place of its pools, when the first source has failed for too long. */
async function readSecond(
  context: JobContext,
  readers: AaveReaders,
  known: DefiReading<'lending'> | undefined,
  { now, signal }: Round,
): Promise<Failure | null> {
  const { status, clock } = context;
  const options = { deadline: chainDeadline, signal };
  const { rows: second, dropped, lost, failure } = await readAave(readers, clock, options);
  const received = second.reduce((time, row) => Math.max(time, row.updated_at), 0);
  if (second.length === 0) {
    if (failure && !signal.aborted) status.failure('lending', onChain, failure);
    return failure;
  }
  status.success('lending', onChain, {
    asked: now,
    received,
    rows: second.length,
    dropped: {
      ...(dropped.length > 0 && { bad_row: dropped.length }),
      ...(lost > 0 && { request_failed: lost }),
    },
  });
  const first = known?.rows ?? [];
  const sources = [...new Set([...(known?.sources ?? []), onChain])];
  const rows = rates.served(withSecondSource(first, second, clock.now()));
  return context.publish('defi', 'lending', { figure: 'lending', sources, rows, received });
}

/**
 * Rates of every pool. After three hours without a source, Aave is read on its contracts; rows that only the sources
 * have stay, with their age.
 */
export function ratesJob(
  context: JobContext,
  sources: readonly Candidate<LendingPool>[],
  readers: AaveReaders | null,
): Job {
  const watch = watchSlugs(context.log);
  return {
    name: 'lending',
    every: lendingEvery,
    wait: (now) => waitFor(context, 'lending', { every: lendingEvery, now }),
    async run(round) {
      const known = await lastOf(context, 'lending');
      const found = await find(context, rates, { known: statedIn(known), sources }, round);
      if (found.ok) {
        watch(found.value.rows);
        context.status.standby('lending', [onChain]);
        return publish(context, rates, found.value, known);
      }
      const silent = needsSecondSource(known?.rows ?? [], round.now);
      if (readers === null || !silent || round.signal.aborted) return found.failure;
      return readSecond(context, readers, known, round);
    },
  };
}

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
      if (stated && round.now - stated.received <= firstSourceAge) return found.failure;
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
