/** How well a topic of an exchange was received, out of its recorded minutes and hours. */
import { mean, quantile } from './statistics.ts';

/** Quantiles of latencies, ms: of a stream from the time that the exchange states to the receipt, and from there to clients. */
export type LatencyColumn = `${'event_latency' | 'delivery'}_ms_${'p50' | 'p95' | 'p99'}`;

/** A value for each of these columns. */
export const byLatency = <V>(of: (name: LatencyColumn) => V): Record<LatencyColumn, V> => ({
  event_latency_ms_p50: of('event_latency_ms_p50'),
  event_latency_ms_p95: of('event_latency_ms_p95'),
  event_latency_ms_p99: of('event_latency_ms_p99'),
  delivery_ms_p50: of('delivery_ms_p50'),
  delivery_ms_p95: of('delivery_ms_p95'),
  delivery_ms_p99: of('delivery_ms_p99'),
});

/** What is recorded of a minute; ages and latencies in ms, null where there are no data. */
export interface ScoredMinute extends Readonly<Record<LatencyColumn, number | null>> {
  /** Share of it. */
  up: number;
  /** Mean and greatest age of the newest data. */
  age: number | null;
  age_max: number | null;
  suspect: number;
  differs: number;
  refused: number;
  reconnects: number;
}

export interface Score extends Readonly<Record<LatencyColumn, number | null>> {
  up_24h: number;
  /** Null until half of the week is recorded. */
  up_7d: number | null;
  age_ms_p50: number | null;
  age_ms_p99: number | null;
  suspect_24h: number;
  differs_24h: number;
  refused_24h: number;
  reconnects_24h: number;
  minutes_24h: number;
  hours_7d: number;
}

/** Hours of a week that must be recorded for its share. */
const leastHours = 84;

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/**
 * The score of the minutes of 24 hours and of the hours of 7 days, those that are recorded; null without a minute.
 *
 * `age_ms_p50` is the median over the minutes of their mean age, `age_ms_p99` the 99th percentile over the minutes of their greatest age
 * (Hyndman and Fan, type 7), so that it is never below. The quantiles of latencies are made in the same way: `…_p95` is the 95th percentile
 * over the minutes of their 95th percentile.
 */
export function scoreOf(minutes: readonly ScoredMinute[], hours: readonly number[]): Score | null {
  if (minutes.length === 0) return null;
  const aged = minutes.flatMap(({ age, age_max }) =>
    age === null || age_max === null ? [] : [{ age, max: age_max }],
  );
  const ageAt = (share: number, of: 'age' | 'max') => {
    const sorted = aged.map((one) => one[of]).sort((a, b) => a - b);
    return sorted.length === 0 ? null : Math.round(quantile(sorted, share));
  };
  const latency = (name: LatencyColumn) => {
    const known = minutes.flatMap((one) => one[name] ?? []).sort((a, b) => a - b);
    return known.length === 0 ? null : Math.round(quantile(known, Number(name.slice(-2)) / 100));
  };
  const countOf = (of: 'suspect' | 'differs' | 'refused' | 'reconnects') =>
    Math.round(sum(minutes.map((one) => one[of])));
  return {
    up_24h: Math.min(1, mean(minutes.map(({ up }) => up))),
    up_7d: hours.length < leastHours ? null : Math.min(1, mean(hours)),
    age_ms_p50: ageAt(0.5, 'age'),
    age_ms_p99: ageAt(0.99, 'max'),
    ...byLatency(latency),
    suspect_24h: countOf('suspect'),
    differs_24h: countOf('differs'),
    refused_24h: countOf('refused'),
    reconnects_24h: countOf('reconnects'),
    minutes_24h: minutes.length,
    hours_7d: hours.length,
  };
}
