/** Copies recorded series from one store to another, such as from the SQLite file to PostgreSQL. */
import { combinedName } from './combine.ts';
import type { Series } from './define.ts';
import { logPosition } from './liquidation-rows.ts';
import * as logs from './logs.ts';
import { begunName } from './recorder.ts';
import { rowsIn } from './rows.ts';
import type { Store } from './store.ts';

export interface CopyOptions {
  from: Store;
  to: Store;
  series: readonly Series[];
  /** Unix ms. */
  now: number;
  /** Called after each tier with the number of its rows. */
  onTier?(name: string, rows: number): void;
}

/** Steps that are copied at a time. */
const steps = 96;
/** Events of one page. */
const page = 5_000;

/** Copies the events, the newest first; events that the target has already stay. */
async function copyEvents({ from, to, now }: CopyOptions): Promise<number> {
  let copied = 0;
  for (let until = now; ; ) {
    const rows = await from.log(logs.events, { from: 0, to: until, limit: page });
    await to.write({ writes: [], events: { rows, sums: () => [] } });
    if (rows.length < page) return copied + rows.length;
    // A page may end among events of one millisecond, which the next one then has again.
    const next = Math.min(until - 1, rows.at(-1)?.timestamp ?? 0);
    copied += rows.filter(({ timestamp }) => timestamp > next).length;
    until = next;
  }
}

/** Rows that the target has already stay: an interrupted copy can be run again. Rejects with a StoreError. */
export async function copySeries(options: CopyOptions): Promise<void> {
  const { from, to, series, now, onTier } = options;
  const events = await copyEvents(options);
  onTier?.('liquidation events', events);
  for (const one of series) {
    for (const { step, keep, name } of one.tiers) {
      let rows = 0;
      const span = step * steps;
      for (
        let start = Math.floor(Math.max(0, now - keep) / span) * span;
        start <= now;
        start += span
      ) {
        const found = await from.scan(one, step, { from: start, to: start + span - 1 });
        const copied = [...rowsIn(found)];
        rows += copied.length;
        await to.write({ writes: [{ series: one, step, mode: 'fill', rows: copied }] });
      }
      onTier?.(`${one.name} ${name}`, rows);
    }
  }
  const combined = series.flatMap((one) => one.tiers.map((tier) => combinedName(one, tier)));
  for (const name of [...series.map(begunName), ...combined, logPosition]) {
    const place = await from.position(name);
    if (place !== null) await to.write({ writes: [], positions: [{ name, to: place }] });
  }
}
