/** The process that computes indicators: takes questions from the bus, candles from the feed, threads from its pool. */
import { computeAnswers } from '../../actors/compute/answers.ts';
import { CandleStore } from '../../actors/compute/candles.ts';
import { reportPool } from '../../actors/compute/status.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { IndicatorPool } from '../../indicators/pool.ts';
import { startHeartbeat } from './heartbeat.ts';
import { type ProcessContext, processId, redisChecks } from './process.ts';
import { openRedis } from './redis-servers.ts';
import { runRole } from './role.ts';

/** Queries in progress at once; most of them wait for candles. */
const concurrency = 1_024;

async function compute({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const id = processId('compute');
  const redis = openRedis(config, { process: id, clock, log });
  const { bus } = redis;
  const pool = new IndicatorPool({ threads: config.computeThreads, clock, log });
  const store = new CandleStore({ bus, clock });
  const serving = bus.serve('compute', computeAnswers({ store, pool }), { concurrency });
  const reporting = reportPool(pool, { bus, clock, id });
  const heartbeat = startHeartbeat(bus, { id, role: 'compute' }, () => ({
    caches: { candles: store.counts() },
  }));
  return async () => {
    reporting.stop();
    heartbeat.stop();
    await serving.stop();
    await pool.stop();
    await redis.close();
  };
}

await runRole('compute', compute, redisChecks);
