/** Answers what is recorded, series by series: looked up once a minute, if anybody asks. */
import { setImmediate } from 'node:timers/promises';
import { day, hour } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RecordedCoverage } from '../topics/index.ts';
import type { Series, TierMs } from './define.ts';
import { fileTypes } from './files.ts';
import { oncePerMinute } from './minute-answer.ts';
import { begunName } from './recorder.ts';
import type { Range, Store } from './store.ts';

/** So many of the last steps are searched for the newest rows. */
const lookBack = 16;

interface AnswersOptions {
  series: readonly Series[];
  store: Store;
  clock: Clock;
}

/** The handler of the bus, by the name of the query. */
export function coverageAnswers({ series, store, clock }: AnswersOptions) {
  return { coverage: oncePerMinute(clock, (end) => coverageAt(store, series, end)) };
}

/** One after the other, so that other questions have their turns. */
async function coverageAt(
  store: Store,
  all: readonly Series[],
  now: number,
): Promise<RecordedCoverage> {
  const rows: RecordedCoverage['rows'][number][] = [];
  for (const series of all) {
    const begun = await store.position(begunName(series));
    const recorded_from = begun === null ? null : Number(begun);
    for (const tier of series.tiers) {
      const found = await tierAt(store, { series, tier, now });
      rows.push({ series: series.name, recorded_from, ...found });
      await setImmediate();
    }
  }
  const schemas = all.map(({ name, key, columns }) => ({
    series: name,
    key,
    columns: columns.map(({ name, unit, digits }) => ({ name, unit, type: fileTypes[digits] })),
  }));
  return { series: schemas, rows };
}

/** The time in which rows of one key are counted: a day of minutes, a week of hours, and a month of days. */
const spanOf = (step: number): number => (step < hour ? day : step < day ? 7 * day : 30 * day);

interface Place {
  series: Series;
  tier: TierMs;
  /** Unix ms. */
  now: number;
}

async function tierAt(store: Store, { series, tier, now }: Place) {
  const { name, step, keep } = tier;
  const end = stepAt(now, step);
  const newest = await store.newest(series, step, { from: end - lookBack * step, to: end - 1 });
  const from = end - Math.min(spanOf(step), keep);
  const { time = null, keys = 0, key = null } = newest ?? {};
  return {
    step: name,
    kept_ms: Number.isFinite(keep) ? keep : null,
    ...{ newest: time, keys, key },
    rows: key === null ? 0 : await rowsOf(store, series, step, { key, from, to: end - 1 }),
    steps: (end - from) / step,
    files: store.files?.(series, step) ?? null,
  };
}

/** The number of rows of a key: of rows without values, of which some series have hundreds. */
async function rowsOf(
  store: Store,
  series: Series,
  step: number,
  { key, ...range }: Range & { key: string },
) {
  const found = await store.read({ ...series, columns: [] }, step, [key], range);
  return found.get(key)?.times.length ?? 0;
}
