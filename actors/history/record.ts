/** Stores rows that sources sample themselves. */
import { stepAt } from '../../indicators/market/buckets.ts';
import { failed, type Result } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RecordParams, RecordReply, Reply } from '../topics/index.ts';
import { writeLate } from './combine.ts';
import type { Series } from './define.ts';
import { replyOf } from './reply.ts';
import type { Store } from './store.ts';

/** Rows of one question. */
const maxRows = 10_000;

export interface RecordOptions {
  series: readonly Series[];
  store: Store;
  clock: Clock;
}

/** Answers `record` when the rows are committed, so that the sender may drop them. */
export function recordRows({ series: all, store, clock }: RecordOptions) {
  return async ({ series: name, rows }: RecordParams): Promise<Result<Reply<RecordReply>>> => {
    const series = all.find((one) => one.name === name);
    if (!series) return failed('refused', `there is no series ${name}`);
    if (rows.length < 1 || rows.length > maxRows) {
      return failed('refused', `1 to ${maxRows} rows are stored at once`);
    }
    const [{ step }] = series.tiers;
    const timed = rows.map((row) => ({ ...row, time: stepAt(row.time, step) }));
    const now = clock.now();
    return replyOf({ received: now }, async () => {
      await writeLate({ store, write: store.write.bind(store) }, series, timed, {
        step,
        mode: 'fill',
        now,
      });
      return { rows: rows.length };
    });
  };
}
