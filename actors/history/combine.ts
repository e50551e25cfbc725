/** Combines the steps of a fine tier that have ended to those of the next coarser one. */
import { setImmediate } from 'node:timers/promises';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { Row, Series, TierMs } from './define.ts';
import { combineStored, partsOf, picked, placesOf, rowsIn, writeOf } from './rows.ts';
import type { SmallBatch, Store, Stored, Write } from './store.ts';

/** Most coarse steps that are combined at once. */
const mostAtOnce = 48;

/** The position that remembers up to when a coarse tier was combined. */
export const combinedName = ({ name }: Pick<Series, 'name'>, tier: Pick<TierMs, 'name'>): string =>
  `combined:${name}:${tier.name}`;

export interface Combining {
  store: Pick<Store, 'position' | 'scan'>;
  write(batch: SmallBatch): Promise<void>;
}

/**
 * Writes the steps of a coarse tier that have ended at `time` (Unix ms) since the last one that was combined. The first
 * time, and where that one is yet to come because the clock was set back, `before` steps are combined. Rejects with a StoreError.
 */
export async function combineTier(
  { store, write }: Combining,
  series: Series,
  { finer, tier }: { finer: TierMs; tier: TierMs },
  { time, before = 1 }: { time: number; before?: number },
): Promise<void> {
  const end = stepAt(time, tier.step);
  const name = combinedName(series, tier);
  const last = Number((await store.position(name)) ?? Number.POSITIVE_INFINITY);
  let from = last > end ? end - before * tier.step : last;
  while (from < end) {
    const to = Math.min(end, from + mostAtOnce * tier.step);
    const found = await store.scan(series, finer.step, { from, to: to - 1 });
    for (const part of partsOf(found)) {
      const combined = part.map(
        ([key, stored]) => [key, combineStored(series, stored, tier.step)] as const,
      );
      const rows = [...rowsIn(combined)];
      await write({ writes: [{ series, step: tier.step, mode: 'put', rows }] });
      await setImmediate();
    }
    await write({ writes: [], positions: [{ name, to: String(to) }] });
    from = to;
  }
}

/**
 * Writes rows of a tier that come late or beside the samples, and combines the coarser tiers of their keys over their time, each from
 * the one before it. `now` in Unix ms: steps of a sampled series are combined when they end, so that only those before it are built
 * again. Rejects with a StoreError.
 */
export async function writeLate(
  { store, write }: { store: Pick<Store, 'read'>; write: Combining['write'] },
  series: Series,
  rows: readonly Row[],
  { now, ...how }: Pick<Write, 'step' | 'mode'> & { now: number },
): Promise<void> {
  const { step } = how;
  await write({ writes: [writeOf(series, rows, how)] });
  const isSampled = series.tiers.some((tier) => tier.step === step && tier.isSampled);
  if (rows.length === 0 || (series.sample && !isSampled)) return;
  const { keys, range: late } = placesOf(rows);
  let finer = step;
  for (const tier of series.tiers.filter((one) => one.step > step)) {
    const from = stepAt(late.from, tier.step);
    const range = { from, to: stepAt(late.to, tier.step) + tier.step - 1 };
    const stored = await store.read(series, finer, keys, range);
    const combined = [...stored].map(([key, found]) => {
      const steps = { step: finer, tier: tier.step, ended: now };
      const whole = series.sample ? wholeSteps(found, steps) : found;
      return [key, combineStored(series, whole, tier.step)] as const;
    });
    const made = [...rowsIn(combined)];
    await write({ writes: [{ series, step: tier.step, mode: 'put', rows: made }] });
    finer = tier.step;
  }
}

/**
 * The rows of the coarse steps that have ended, lack no fine step and were sampled in part. A step that the upstream
 * filled alone keeps the value that the upstream states for it.
 */
function wholeSteps(
  stored: Stored,
  { step, tier, ended }: { step: number; tier: number; ended: number },
): Stored {
  const { times, backfilled } = stored;
  const steps = new Map<number, { rows: number; sampled: boolean }>();
  for (const [at, time] of times.entries()) {
    const start = stepAt(time, tier);
    const { rows, sampled } = steps.get(start) ?? { rows: 0, sampled: false };
    steps.set(start, { rows: rows + 1, sampled: sampled || !backfilled[at] });
  }
  const isWhole = (time: number): boolean => {
    const start = stepAt(time, tier);
    const found = steps.get(start);
    return start + tier <= ended && found?.rows === tier / step && found.sampled;
  };
  return picked(
    stored,
    times.flatMap((time, at) => (isWhole(time) ? [at] : [])),
  );
}
