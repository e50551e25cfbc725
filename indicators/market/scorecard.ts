/** How well a topic of an exchange was received, out of its recorded minutes and hours. */
import { quantile } from './statistics.ts';

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

/** What is recorded: the share of time up, mean and greatest age of the newest data and latencies in ms, and how often something happened. */
export type ScoreColumn =
  | 'up'
  | 'age'
  | 'age_max'
  | 'suspect'
  | 'differs'
  | 'refused'
  | 'reconnects'
  | LatencyColumn;

/** Hours of a week that must be recorded for its share. */
const leastHours = 84;

/** The values that are known, in ascending order. */
const sorted = (values: readonly (number | null)[]): Float64Array =>
  Float64Array.from(values.filter((one) => one !== null)).sort();

const sum = (values: Float64Array): number => values.reduce((all, one) => all + one, 0);

const shareOf = (values: Float64Array): number => Math.min(1, sum(values) / values.length);

/**
 * The score of the minutes of 24 hours, whose columns `of` gives, and of the shares of the hours of 7 days, those that are recorded; null
 * without a minute. A value is null where there are no data.
 *
 * `age_ms_p50` is the median over the minutes of their mean age, `age_ms_p99` the 99th percentile over the minutes of their greatest age
 * (Hyndman and Fan, type 7), so that it is never below. The quantiles of latencies are made in the same way: `…_p95` is the 95th percentile
 * over the minutes of their 95th percentile.
 */
export function scoreOf(
  of: (name: ScoreColumn) => readonly (number | null)[],
  shares: readonly (number | null)[],
) {
  const [minutes, hours] = [sorted(of('up')), sorted(shares)];
  if (minutes.length === 0) return null;
  const at = (name: ScoreColumn, share: number) => {
    const values = sorted(of(name));
    return values.length === 0 ? null : Math.round(quantile(values, share));
  };
  const countOf = (name: ScoreColumn) => Math.round(sum(sorted(of(name))));
  return {
    up_24h: shareOf(minutes),
    up_7d: hours.length < leastHours ? null : shareOf(hours),
    age_ms_p50: at('age', 0.5),
    age_ms_p99: at('age_max', 0.99),
    ...byLatency((name) => at(name, Number(name.slice(-2)) / 100)),
    suspect_24h: countOf('suspect'),
    differs_24h: countOf('differs'),
    refused_24h: countOf('refused'),
    reconnects_24h: countOf('reconnects'),
    minutes_24h: minutes.length,
    hours_7d: hours.length,
  };
}

export type Score = NonNullable<ReturnType<typeof scoreOf>>;
