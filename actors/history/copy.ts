/** Copies recorded series from one store to another, such as from the SQLite file to PostgreSQL. */
import { blockRows } from './blocks.ts';
import type { Series } from './define.ts';
import { begunName } from './recorder.ts';
import { rowsOf } from './rows.ts';
import type { Store, Stored, Write } from './store.ts';

export interface CopyOptions {
  from: Store;
  to: Store;
  series: readonly Series[];
  /** Unix ms. */
  now: number;
  /** Called after each tier with the number of its rows. */
  onTier?(name: string, rows: number): void;
}

/** The rows of all keys that were back-filled, or those that were not. */
const partOf = (found: ReadonlyMap<string, Stored>, backfilled: boolean) =>
  new Map(
    [...found].map(([key, stored]) => {
      const at = stored.times.flatMap((_, i) => (stored.backfilled[i] === backfilled ? [i] : []));
      const part: Stored = {
        times: at.map((i) => stored.times[i] ?? 0),
        columns: stored.columns.map((column) => at.map((i) => column[i] ?? null)),
        backfilled: at.map(() => backfilled),
      };
      return [key, part] as const;
    }),
  );

/** Rows that are there already stay: a copy that was cut short can be run again. Rejects with a StoreError. */
export async function copySeries({ from, to, series, now, onTier }: CopyOptions): Promise<void> {
  for (const one of series) {
    for (const { step, keep, name } of one.tiers) {
      let rows = 0;
      const span = step * blockRows;
      for (let start = Math.floor((now - keep) / span) * span; start <= now; start += span) {
        const found = await from.scan(one, step, { from: start, to: start + span - 1 });
        const writes = [true, false].map(
          (backfilled): Write => ({
            ...{ series: one, step, mode: 'fill', backfilled },
            rows: rowsOf(partOf(found, backfilled), one.columns.length),
          }),
        );
        rows += writes.reduce((sum, write) => sum + write.rows.keys.length, 0);
        await to.write({ writes: writes.filter((write) => write.rows.keys.length > 0) });
      }
      onTier?.(`${one.name} ${name}`, rows);
    }
    const begun = await from.position(begunName(one));
    if (begun !== null) {
      await to.write({ writes: [], positions: [{ name: begunName(one), to: begun }] });
    }
  }
}
