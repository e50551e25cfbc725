/**
 * The source of Bitcoin's price models and correlations: it stores the daily series that they need, and publishes
 * ahr999, Puell multiple, stock-to-flow, Pi Cycle, rainbow chart and correlations.
 */
import { assetIds } from '../../providers/assets.ts';
import type { JobContext, JobSource } from '../../sources/context.ts';
import type { SourceStatus } from '../../sources/status/status.ts';
import { RecordedStore } from '../recorded.ts';
import { inRedis, StoredSeries } from '../stored-series.ts';
import { assetSources, assetsJob, storedAssets } from './asset-days.ts';
import { issuanceForm, issuanceJob, issuanceSources } from './chain-days.ts';
import { closesJob } from './closes.ts';
import type { Book, Live } from './model.ts';
import { modelsJob } from './models.ts';
import { closeSources, closesInHistory } from './stored-closes.ts';

export type { Live } from './model.ts';

export interface BitcoinOptions {
  /** The median of the exchanges' dollar prices of Bitcoin; null when none of them is fresh. */
  live(now: number): Live | null;
}

/** The result of the first call of `work`. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | null = null;
  return () => {
    begun ??= work();
    return begun;
  };
}

/** Reads the stored series. Sources that need not be asked because of them are in `/v1/status` too. */
async function load({ status }: JobContext, { closes, issuance, assets }: Book): Promise<void> {
  const days = assetIds.map(assets);
  await Promise.all([closes, issuance, ...days].map((series) => series.settle()));
  status.standby('days', closeSources);
  status.standby('issuance', issuanceSources);
  status.standby('assets', assetSources);
  resume(status, 'days', [closes]);
  resume(status, 'issuance', [issuance]);
  resume(status, 'assets', days);
}

/** Sets the status of the sources of the newest rows of some series, with their numbers of rows. */
function resume(
  status: SourceStatus,
  job: string,
  series: readonly { rows: readonly { source: string }[]; at: number }[],
): void {
  const found = new Map<string, { received: number; rows: number }>();
  for (const { rows, at } of series) {
    const source = rows.at(-1)?.source;
    if (source === undefined) continue;
    const before = found.get(source) ?? { received: 0, rows: 0 };
    const received = Math.max(before.received, at);
    found.set(source, { received, rows: before.rows + rows.length });
  }
  for (const [source, sum] of found) status.resume(job, source, sum);
}

/** The source. Its jobs share the stored series: all are read before the first job begins, each has one writer. */
export const bitcoinSource = ({ live }: BitcoinOptions): JobSource => ({
  id: 'bitcoin-models',
  jobs(context) {
    const book: Book = {
      closes: new StoredSeries(closesInHistory(new RecordedStore(context))),
      issuance: new StoredSeries(inRedis(context, issuanceForm)),
      assets: storedAssets(context),
    };
    const loaded = once(() => load(context, book));
    const jobs = [
      closesJob({ context, stored: book.closes, price: (now) => live(now)?.price ?? null }),
      issuanceJob(context, book.issuance),
      assetsJob(context, book.assets),
      modelsJob({ context, book, live }),
    ];
    return jobs.map((job) => ({
      ...job,
      async wait(now, signal) {
        await loaded();
        return (await job.wait?.(now, signal)) ?? 0;
      },
    }));
  },
});
