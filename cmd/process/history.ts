/** The process that records series and answers questions about them: SQLite in the data folder, or PostgreSQL. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { archiveApis, archiveSource } from '../../actors/history/archives.ts';
import { keptFor, type Series } from '../../actors/history/define.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { startHistory } from '../../actors/history/service.ts';
import type { Store } from '../../actors/history/store.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { failedStarts } from '../../actors/kernel/lease.ts';
import { FeedRecord } from '../../actors/state/feed-record.ts';
import { type Backfilled, MarketState } from '../../actors/state/market-state.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { createHttpClient, requestOutcomes } from '../../actors/upstream/client.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../config/log.ts';
import { checksOf } from './checks.ts';
import { diskOf, historyFolder, makeFolder, oldHistoryFile } from './folder.ts';
import { startHeartbeat } from './heartbeat.ts';
import { type ProcessContext, processId } from './process.ts';
import { openRedis } from './redis-servers.ts';
import { runRole } from './role.ts';
import { chosenSources } from './sources.ts';

const oldFileNotice =
  'this file of an earlier version is not read: the history begins anew beside it (docs/history.md, Upgrading)';

/** How the store of the configuration is opened. Only the driver that is needed is loaded. */
async function openerOf(
  { historyUrl: url, dataDir }: Config,
  series: readonly Series[],
  log: Logger,
): Promise<() => Store> {
  if (url !== null) {
    const { PostgresStore } = await import('../../actors/history/postgres.ts');
    return () => new PostgresStore(url, series, log);
  }
  const old = join(dataDir, oldHistoryFile);
  if (existsSync(old)) log.warn({ file: old }, oldFileNotice);
  const folder = makeFolder(dataDir, historyFolder);
  const { SqliteStore } = await import('../../actors/history/sqlite.ts');
  return () => new SqliteStore(folder, series, { log });
}

async function history({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const id = processId('history');
  const redis = openRedis(config, { process: id, clock, log, reads: true });
  const { bus } = redis;
  const { venues } = chosenSources(config.sources);
  const supported = (query: Backfilled) =>
    [...venues.values()].filter(({ queries }) => queries[query]).map((venue) => venue.id);
  const newest = new NewestRows();
  const feeds = new FeedRecord(new Set(venues.keys()), clock.now());
  const market = new MarketState(newest, supported, feeds);
  const following = bus.follow({
    ...newest.handlers,
    chains: (id, state) => void market.onChain.chains.set(id, state),
    defi: (_key, reading) => market.onChain.acceptDefi(reading),
    status: (key, report) => feeds.accept(key, report, clock.now()),
    processes: (_key, report) => feeds.acceptProcess(report, clock.now()),
  });
  await following.ready;
  const series = allSeries.map((one) => keptFor(one, config.historyDays));
  const openStore = await openerOf(config, series, log);
  let store: Store | null = null;
  const open = () => {
    store = openStore();
    return store;
  };
  const around = { source: archiveSource, apis: archiveApis, gateway: config.gateway, clock, log };
  const archive = config.backfillArchives ? createHttpClient(around) : null;
  const running = startHistory({
    ...{ bus, clock, random: Math.random, log, process: id, series, market, archive, open },
    shared: config.historyUrl !== null,
  });
  const heartbeat = startHeartbeat(bus, { id, role: 'history' }, () => {
    const disk = config.historyUrl === null ? diskOf(config.dataDir) : null;
    const damage = store?.damage?.();
    return {
      failed_starts: Object.fromEntries(failedStarts),
      upstreams: requestOutcomes(),
      ...(disk && { disk }),
      ...(damage && { damaged: { file: damage.files } }),
    };
  });
  return async () => {
    heartbeat.stop();
    await running.stop();
    await archive?.close();
    await following.stop();
    await redis.close();
  };
}

await runRole('history', history, checksOf.history);
