/** What the feeds of exchanges state of themselves, minute by minute: the scorecard is made of it. */
import { minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import {
  type LatencyCounts,
  latencyQuantiles,
  sumOfCounts,
} from '../../indicators/market/latencies.ts';
import type { FeedReport, FeedTally, ProcessReport, RecordedColumns } from '../topics/index.ts';

/** A feed that reports so much too late, ms, is not up: a poll takes 20 s at most. */
const grace = 30_000;

type Values = Record<RecordedColumns['scorecard'], number | null>;

/** A minute of one feed. */
interface Minute {
  /** For how long of it the state was up, and for how long it was known whether it was, ms. */
  up: number;
  known: number;
  /** What has grown in it. */
  grown: Omit<FeedTally, 'since' | 'age_max' | 'events'>;
  age_max: number;
}

interface Feed {
  report: FeedReport;
  /** When it came, Unix ms. */
  came: number;
  /** Until when its minutes are made, Unix ms. */
  until: number;
  minutes: Map<number, Minute>;
}

const nothing = (): Minute => ({
  ...{ up: 0, known: 0, age_max: 0 },
  grown: { failed: 0, refused: 0, suspect: 0, differs: 0, age_area: 0, age_span: 0 },
});

const minuteOf = ({ minutes }: Feed, time: number): Minute => {
  const start = stepAt(time, minute);
  const found = minutes.get(start) ?? nothing();
  minutes.set(start, found);
  return found;
};

/** Until when it is up: its next report is overdue then; null while that is not to be asked. */
function upUntil({ report: { state, next_poll }, came }: Feed): number | null {
  if (state === 'waiting' || state === 'closed' || state === 'standby') return null;
  return state === 'up' ? Math.max(came, next_poll ?? 0) + grace : 0;
}

/** Topics that come by streams alone: a failure is the loss of a connection. */
const streams: ReadonlySet<string> = new Set([
  'priceChanges',
  'derivativeChanges',
  'openInterestChanges',
  'liquidations',
  'optionTrades',
  'books',
  'trades',
]);

/** Those that are quiet where nothing happens: what they brought last is not old. */
const ageless: ReadonlySet<string> = new Set(['liquidations', 'optionTrades', 'books', 'trades']);

const sumOf = (parts: readonly Minute[], of: keyof Minute['grown']): number =>
  parts.reduce((sum, { grown }) => sum + grown[of], 0);
const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;

export class FeedRecord {
  readonly #feeds = new Map<string, Feed>();
  /** What each process has said last of its deliveries, and when, Unix ms. */
  readonly #deliveries = new Map<string, { came: number; counts: ProcessReport['deliveries'] }>();
  readonly #exchanges: ReadonlySet<string>;
  readonly #began: number;

  /** Of these exchanges, from `now` (Unix ms) on. */
  constructor(exchanges: ReadonlySet<string>, now: number) {
    this.#exchanges = exchanges;
    this.#began = now;
  }

  /** Takes a report that has come at `now`, Unix ms. */
  accept(key: string, report: FeedReport, now: number): void {
    if (!this.#exchanges.has(report.source)) return;
    const feed = this.#feeds.get(key);
    if (feed === undefined) {
      const first = { report, came: now, until: now, minutes: new Map() };
      this.#feeds.set(key, first);
      this.#grow(first, undefined, now);
      return;
    }
    const before = feed.report.tally;
    this.#advance(feed, now);
    feed.report = report;
    feed.came = now;
    this.#grow(feed, before, now);
  }

  /** Takes a sign of life of a process that has come at `now`, Unix ms. */
  acceptProcess({ id, deliveries }: Pick<ProcessReport, 'id' | 'deliveries'>, now: number): void {
    if (deliveries) this.#deliveries.set(id, { came: now, counts: deliveries });
  }

  /** The row of each exchange and topic for the minute that has ended at `end`, Unix ms. */
  minute(end: number): { key: string; values: Values }[] {
    for (const feed of this.#feeds.values()) this.#advance(feed, end);
    for (const [id, { came }] of this.#deliveries)
      if (came < end - minute) this.#deliveries.delete(id);
    const parts = [...this.#feeds.values()].map((feed) => ({
      ...feed,
      minute: feed.minutes.get(end - minute) ?? nothing(),
    }));
    const named = Map.groupBy(parts, ({ report }) => `${report.source}/${report.topic}`);
    return [...named].flatMap(([key, all]) => {
      const known = all.filter(({ minute }) => minute.known > 0);
      const delivered = [...this.#deliveries.values()].map(({ counts }) => counts?.[key] ?? {});
      return known.length === 0 ? [] : [{ key, values: valuesOf(known, end, delivered) }];
    });
  }

  /** Adds what the tally has grown by since the one before; of a feed that began before this record its first is the start. */
  #grow(feed: Feed, before: FeedTally | undefined, now: number): void {
    const { tally } = feed.report;
    if (tally === undefined) return;
    const isSame = before?.since === tally.since;
    if (!isSame && tally.since < this.#began) return;
    const into = minuteOf(feed, now);
    let name: keyof Minute['grown'];
    for (name in into.grown) into.grown[name] += tally[name] - (isSame ? before[name] : 0);
    into.age_max = Math.max(into.age_max, tally.age_max);
  }

  /** Counts the state from where the minutes end until `now`; keeps the last two minutes. */
  #advance(feed: Feed, now: number): void {
    const limit = upUntil(feed);
    const kept = stepAt(now, minute) - 2 * minute;
    // Later than that only where the clock was set back.
    feed.until = feed.until > now + minute ? now : Math.max(feed.until, kept);
    for (const start of feed.minutes.keys()) if (start < kept) feed.minutes.delete(start);
    while (feed.until < now) {
      const to = Math.min(now, stepAt(feed.until, minute) + minute);
      if (limit !== null) {
        const one = minuteOf(feed, feed.until);
        one.known += to - feed.until;
        one.up += Math.max(0, Math.min(to, limit) - feed.until);
      }
      feed.until = to;
    }
  }
}

/** The values of a topic out of its parts: a part without newer data in the minute has the age that its last ones have. */
function valuesOf(
  parts: readonly (Feed & { minute: Minute })[],
  end: number,
  delivered: readonly LatencyCounts[],
): Values {
  const minutes = parts.map((part) => part.minute);
  const ages = parts.flatMap(({ report, minute: { grown, age_max } }) => {
    const { last_success: last } = report;
    if (ageless.has(report.topic)) return [];
    if (grown.age_span > 0) return [{ mean: grown.age_area / grown.age_span, max: age_max }];
    if (last === null) return [];
    const from = Math.min(end, Math.max(end - minute, last));
    return [{ mean: Math.max(0, (from + end) / 2 - last), max: Math.max(0, end - last) }];
  });
  const said = parts.filter(({ came }) => came >= end - minute);
  const events = said.map(({ report }) => report.tally?.events ?? {});
  const isStream = parts.some(({ report }) => streams.has(report.topic));
  return {
    up: meanOf(minutes.map(({ up, known }) => up / known)),
    age: meanOf(ages.map(({ mean }) => mean)),
    age_max: ages.length === 0 ? null : Math.max(...ages.map(({ max }) => max)),
    suspect: sumOf(minutes, 'suspect'),
    differs: sumOf(minutes, 'differs'),
    refused: sumOf(minutes, 'refused'),
    reconnects: isStream ? sumOf(minutes, 'failed') : 0,
    ...latenciesOf(events, delivered),
  };
}

/** The quantiles of all counts of a minute. */
function latenciesOf(events: readonly LatencyCounts[], delivered: readonly LatencyCounts[]) {
  const event = latencyQuantiles(sumOfCounts(events));
  const delivery = latencyQuantiles(sumOfCounts(delivered));
  return {
    event_latency_ms_p50: event?.p50 ?? null,
    event_latency_ms_p95: event?.p95 ?? null,
    event_latency_ms_p99: event?.p99 ?? null,
    delivery_ms_p50: delivery?.p50 ?? null,
    delivery_ms_p95: delivery?.p95 ?? null,
    delivery_ms_p99: delivery?.p99 ?? null,
  };
}
