/** The Fear and Greed Index: the vendor's, and our own while the vendor publishes none. */
import { hour } from '../../config/time.ts';
import { type DayClose, dayAt, dayLength } from '../../indicators/market/days.ts';
import type { DominancePoint } from '../../indicators/market/dominance.ts';
import {
  classOf,
  type FearGreedPoint,
  fearGreed,
  fearGreedClasses,
  houseIndex,
} from '../../indicators/market/fear-greed.ts';
import { alternativeMe, type FearGreedDay } from '../providers/alternative-me.ts';
import { optional } from '../read.ts';
import type { Job } from '../sources/job.ts';
import { type Candidate, type Found, firstOf } from '../sources/polling/ask.ts';
import { readCloses } from './bitcoin/stored-closes.ts';
import { type IndicatorUpdate, type Market, remaining } from './context.ts';

const name = 'fear-greed';
const every = hour;
/** Age of the vendor's newest day beyond which our own index is used, ms: two days. */
const silence = 2 * dayLength;

/** The newest day of the rows; 0 without any. */
const newestOf = (rows: readonly { day: number }[]) =>
  rows.reduce((newest, { day }) => Math.max(newest, day), 0);

/** A day counts from its beginning to its end. */
const isSilent = (day: number, now: number) => now - day > silence;

function doubtOf(rows: readonly FearGreedDay[], now: number): string | null {
  const newest = newestOf(rows);
  if (newest > now) return 'the newest day is yet to come';
  if (isSilent(newest, now)) return 'the newest day is older than 48 hours';
  return null;
}

/** Ascending, one a day. */
function pointsOf(rows: readonly FearGreedDay[]): FearGreedPoint[] {
  const days = new Map(rows.map((row) => [row.day, row]));
  return [...days.values()]
    .sort((a, b) => a.day - b.day)
    .map(({ day, value, label }) => ({
      timestamp: day,
      value,
      classification: classOf(value, label),
    }));
}

/** The daily closes of Bitcoin that another source records; none while it has none. */
async function bitcoinCloses({ recorded }: Market): Promise<DayClose[]> {
  return (await readCloses(recorded))?.rows ?? [];
}

/** The last share of each day. */
const daily = (rows: readonly DominancePoint[]): number[] => [
  ...new Map(rows.map((row) => [dayAt(row.timestamp), row.dominance_pct])).values(),
];

/** The points of the vendor that were published last. */
async function knownPoints({ context }: Market): Promise<FearGreedPoint[]> {
  const chart = await context.last('indicatorHistories', name);
  return (chart?.rows ?? []).flatMap((row) => {
    const value = optional(row.value);
    const found = fearGreedClasses.find((each) => each.classification === row.classification);
    if (value === null || !found) return [];
    return [{ timestamp: row.timestamp, value, classification: found.classification }];
  });
}

/** The index without its time; null without points. */
function fieldsOf(points: readonly FearGreedPoint[], next: number | null) {
  const found = fearGreed(points);
  if (!found) return null;
  const { timestamp: _, ...fields } = found;
  return { ...fields, next_update_in_s: next };
}

const chartOf = (points: readonly FearGreedPoint[]) => ({
  every,
  rows: points.map((point) => ({ ...point })),
  recordedFrom: null,
});

function vendorUpdate({
  rows,
  received,
  source,
}: Omit<Found<FearGreedDay>, 'dropped'>): IndicatorUpdate<typeof name> {
  const points = pointsOf(rows);
  const newest = rows.find(({ day }) => day === newestOf(rows));
  const reading = {
    name,
    fields: fieldsOf(points, newest?.next_update_in_s ?? null),
    source,
    updated_at: newest?.day ?? received,
    received_at: received,
    live: null,
  } as const;
  return { reading, ...chartOf(points) };
}

/** Gives the recorded shares of Bitcoin of one source, ascending. */
type Shares = () => Promise<readonly DominancePoint[]>;

/** Our own index; null while the vendor's is recent, and where the closes are too few or too old. */
async function ownIndexUpdate(
  at: Market,
  shares: Shares,
  now: number,
): Promise<IndicatorUpdate<typeof name> | null> {
  const points = await knownPoints(at);
  const vendor = points.at(-1);
  if (vendor && !isSilent(vendor.timestamp, now)) return null;
  const closes = await bitcoinCloses(at);
  const last = closes.at(-1);
  const index = houseIndex({ closes, volumes: [], dominance: daily(await shares()) });
  if (!index || !last || isSilent(last.day, now)) return null;
  const { value, classification, weight, ranks } = index;
  const point = { timestamp: dayAt(now), value, classification };
  const shown = fieldsOf([...points, point], null);
  const fields = shown && { ...shown, computed_from: { weight, ranks } };
  const reading = {
    name,
    fields,
    source: 'computed',
    updated_at: last.day + dayLength,
    received_at: now,
    live: { ...point, provisional: true },
  } as const;
  return { reading, ...chartOf(points) };
}

/** The job. */
export function fearGreedJob(at: Market, shares: Shares): Job {
  const { context, charts } = at;
  return {
    name,
    every,
    wait: (now) => remaining(context, { job: name, every }, now),
    async run({ now, signal }) {
      let silent: FearGreedDay[] = [];
      const candidate: Candidate<FearGreedDay> = {
        upstream: alternativeMe.id,
        poll: alternativeMe.polls.fearGreed,
        doubt(rows) {
          if (isSilent(newestOf(rows), now)) silent = [...rows];
          return doubtOf(rows, now);
        },
      };
      const found = await firstOf(context, name, [candidate], { signal });
      if (found.ok) return charts.publish(vendorUpdate(found.value));
      const house = signal.aborted ? null : await ownIndexUpdate(at, shares, now);
      if (house) return charts.publish(house);
      if (silent.length > 0 && (await knownPoints(at)).length === 0) {
        // An old value, marked as stale, is better than none.
        const old = { rows: silent, received: now, asked: now, source: alternativeMe.id };
        await charts.publish({ ...vendorUpdate(old), every: 0 });
      }
      return found.failure;
    },
  };
}
