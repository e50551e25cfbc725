/** The job that stores the daily closes of the assets that Bitcoin is compared with. */
import { hour, minute } from '../../../config/time.ts';
import { type DayValue, dayAt, dayLength } from '../../../indicators/market/days.ts';
import { firstRefusal, rules } from '../../../indicators/market/plausible.ts';
import { type Failure, failed } from '../../failure.ts';
import { type AssetDay, type AssetId, assetIds, assets } from '../../providers/assets.ts';
import { frankfurter } from '../../providers/frankfurter.ts';
import { fred } from '../../providers/fred.ts';
import { yahoo } from '../../providers/yahoo.ts';
import { required, text } from '../../read.ts';
import type { JobContext } from '../../sources/context.ts';
import type { Job, Round } from '../../sources/job.ts';
import { type Candidate, firstOf } from '../../sources/polling/ask.ts';
import { goldMarket } from '../../venues/daily-markets.ts';
import { mapped } from '../context.ts';
import { type Form, inRedis, StoredSeries } from '../stored-series.ts';
import { venueDays } from '../venue-days.ts';

/** A stored day. All days of an asset are of one source: two dollar indices are not one series. */
export interface AssetClose extends DayValue {
  source: string;
}

const assetForm = (asset: AssetId): Form<AssetClose> => ({
  key: `asset-${asset}`,
  columns: ['day', 'value', 'source'],
  read(row) {
    const [day, value, source] = [required(row.day), required(row.value), text(row.source)];
    if (!(day > 0 && Number.isFinite(value)) || source === '') return null;
    return { day, value, source };
  },
});

/** The stored days of an asset. */
export type StoredAssets = (asset: AssetId) => StoredSeries<AssetClose>;

export function storedAssets(context: Pick<JobContext, 'publish' | 'last'>): StoredAssets {
  const all = new Map<AssetId, StoredSeries<AssetClose>>();
  return (asset) => {
    const series = all.get(asset) ?? new StoredSeries(inRedis(context, assetForm(asset)));
    all.set(asset, series);
    return series;
  };
}

const every = 6 * hour;
/** After a failure, instead of at once: Yahoo refuses frequent requests. */
const retryDelayMs = 15 * minute;
/** While nothing is known at all, and so nothing can be answered. */
const soon = minute;
const deadline = minute;
/** Years of share indices that FRED publishes. */
const tenYears = 3_652 * dayLength;
const job = 'assets';

const gold = mapped(venueDays(goldMarket.venue, goldMarket.market), (rows) =>
  rows.map(({ day, close }): AssetDay => ({ asset: 'gold', day, value: close })),
);

/** A source of some of the assets, and its requests for the wanted ones. */
interface AssetSource {
  of: readonly AssetId[];
  candidate(wanted: readonly AssetId[], now: number): Candidate<AssetDay>;
}

/** Which source is asked first for an asset; the others where it has none, or one that cannot be true. */
const sources: readonly AssetSource[] = [
  {
    of: assetIds.filter((id) => assets[id].fred !== null),
    candidate: (wanted, now) => ({
      upstream: fred.id,
      poll: fred.polls.closes,
      plan: { items: wanted, from: dayAt(now) - tenYears },
    }),
  },
  {
    of: ['gold'],
    candidate: () => ({
      upstream: goldMarket.venue.id,
      poll: gold,
      plan: { from: goldMarket.since },
    }),
  },
  {
    of: assetIds.filter((id) => assets[id].yahoo !== null),
    candidate: (wanted) => ({
      upstream: yahoo.id,
      poll: yahoo.polls.closes,
      plan: { items: wanted },
    }),
  },
  {
    of: ['dxy'],
    candidate: (_wanted, now) => ({
      upstream: frankfurter.id,
      poll: frankfurter.polls.dollar,
      plan: { from: dayAt(now) - tenYears },
    }),
  },
];

/** All of them by id. */
export const assetSources = [fred.id, goldMarket.venue.id, yahoo.id, frankfurter.id];

/** The days of one asset, ascending, each once. */
const daysOf = (rows: readonly AssetDay[], asset: AssetId): DayValue[] => {
  const own = rows.filter((row) => row.asset === asset);
  const byDay = new Map(own.map(({ day, value }) => [day, { day, value }]));
  return [...byDay.values()].sort((a, b) => a.day - b.day);
};

/** The reason to reject the days of an asset, or null; `known` is its newest recent value, null without one. */
function doubt(asset: AssetId, days: readonly DayValue[], known: number | null): string | null {
  const rule = rules[assets[asset].rule];
  const values = days.map(({ value }) => value);
  const refused =
    firstRefusal(values, null, rule) ?? firstRefusal([values.at(-1) ?? Number.NaN], known, rule);
  return refused && `${asset}: one of ${values.length} values is refused: ${refused.why}`;
}

class AssetDays {
  readonly #context: JobContext;
  readonly #stored: StoredAssets;

  constructor(context: JobContext, stored: StoredAssets) {
    this.#context = context;
    this.#stored = stored;
  }

  /** Until the asset that was asked longest ago is due. */
  wait(now: number): number {
    return Math.min(...assetIds.map((asset) => this.#stored(asset).at)) + every - now;
  }

  async run(round: Round): Promise<Failure | null> {
    let wanted = await this.#due(round.now);
    const { status } = this.#context;
    for (const source of sources) {
      const asked = source.of.filter((asset) => wanted.includes(asset));
      const candidate = { ...source.candidate(asked, round.now), deadline };
      if (asked.length === 0) {
        status.standby(job, [candidate.upstream]);
        continue;
      }
      const found = await firstOf(this.#context, job, [candidate], round);
      if (round.signal.aborted) return failed('stopped', `${job}: stopped`).failure;
      if (!found.ok) continue;
      const got = await this.#take(asked, candidate.upstream, found.value.rows);
      wanted = wanted.filter((asset) => !got.includes(asset));
    }
    if (wanted.length === 0) return null;
    const isEmpty = assetIds.every((asset) => this.#stored(asset).rows.length === 0);
    return failed('unavailable', `${job}: no source has ${wanted.join(', ')}`, {
      retryAfter: isEmpty ? soon : retryDelayMs,
    }).failure;
  }

  /** Those that were not renewed in this round of six hours. */
  async #due(now: number): Promise<AssetId[]> {
    const series = assetIds.map((asset) => this.#stored(asset));
    await Promise.all(series.map((one) => one.settle()));
    return assetIds.filter((asset) => now - this.#stored(asset).at >= every / 2);
  }

  /** Counts for some days only, so that a source that lied from the beginning does not shut out the truth. */
  #known(asset: AssetId): number | null {
    const { rows, at } = this.#stored(asset);
    const recent = this.#context.clock.now() - at < 3 * dayLength;
    return recent ? (rows.at(-1)?.value ?? null) : null;
  }

  /** Stores the assets whose days are plausible, and returns their ids. */
  async #take(
    asked: readonly AssetId[],
    upstream: string,
    rows: readonly AssetDay[],
  ): Promise<readonly AssetId[]> {
    const taken: AssetId[] = [];
    const doubts: string[] = [];
    for (const asset of asked) {
      const days = daysOf(rows, asset);
      if (days.length === 0) continue;
      const why = doubt(asset, days, this.#known(asset));
      if (why) doubts.push(why);
      else {
        const closes = days.map((row) => ({ ...row, source: upstream }));
        await this.#stored(asset).save(closes, this.#context.clock.now());
        taken.push(asset);
      }
    }
    const [first] = doubts;
    if (first) this.#context.status.failure(job, upstream, failed('shape', first).failure);
    return taken;
  }
}

/** Keeps the daily closes of every asset. */
export function assetsJob(context: JobContext, stored: StoredAssets): Job {
  const days = new AssetDays(context, stored);
  return {
    name: job,
    every,
    wait: (now) => days.wait(now),
    run: (round) => days.run(round),
  };
}
