/** Answers what is recorded, series by series: looked up once a minute, if anybody asks. */
import { day, hour } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RecordedCoverage } from '../topics/index.ts';
import type { Series, TierMs } from './define.ts';
import { fileTypes } from './files.ts';
import { oncePerMinute } from './minute-answer.ts';
import { begunName } from './recorder.ts';
import type { Store, Stored } from './store.ts';

/** So many of the last steps are searched for the newest rows: a series that has none at all costs no more. */
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
  const { newest, keys } = await newestOf(store, { series, tier, now: end });
  const key = keys.find((one) => one.includes('BTC')) ?? keys[0] ?? null;
  const from = end - Math.min(spanOf(step), keep);
  const range = { from, to: end - 1 };
  const read = key === null ? null : await store.read(series, step, [key], range);
  return {
    step: name,
    kept_ms: Number.isFinite(keep) ? keep : null,
    ...{ newest, keys: keys.length, key },
    rows: read?.get(key ?? '')?.times.length ?? 0,
    steps: (end - from) / step,
    files: store.files?.(series, step) ?? null,
  };
}

/** The newest of the last steps that has rows, and its keys in their order. Each look goes back as far as all before it. */
async function newestOf(store: Store, { series, tier: { step }, now }: Place) {
  let to = now;
  for (let steps = 1; steps <= lookBack; steps *= 2) {
    const from = now - steps * step;
    const found = await store.scan(series, step, { from, to: to - 1 });
    const newest = Math.max(...[...found.values()].map(lastOf));
    if (found.size > 0) {
      const keys = [...found].flatMap(([key, rows]) => (lastOf(rows) === newest ? [key] : []));
      return { newest, keys: keys.sort() };
    }
    to = from;
  }
  return { newest: null, keys: [] };
}

const lastOf = ({ times }: Stored): number => times.at(-1) ?? 0;
