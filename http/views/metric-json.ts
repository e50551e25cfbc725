/** Metrics as plain JSON, in the form of prom-client's `getMetricsAsJSON`. */
import type { Durations } from '../../actors/topics/index.ts';

/** The metrics of one process. */
export type MetricsSnapshot = object[];

export interface Sample {
  value: number;
  labels: Readonly<Record<string, string | number>>;
  metricName?: string;
}

/** Of the values of several processes: their sum, the greatest, or that of any one, where all processes know the same. */
type Aggregator = 'sum' | 'max' | 'first';

const fullName = (name: string) => `tidemark_${name}`;

const metricOf =
  (type: 'counter' | 'gauge' | 'histogram') =>
  (name: string, help: string, values: readonly Sample[], aggregator: Aggregator = 'first') => ({
    name: fullName(name),
    help,
    type,
    aggregator,
    values,
  });

/** A metric; its name goes without the prefix of the service. */
export const gauge = metricOf('gauge');
export const counter = metricOf('counter');

function samplesOf(
  name: string,
  { bounds, counts, sum }: Readonly<Durations>,
  labels: Sample['labels'],
): Sample[] {
  let count = 0;
  const buckets = counts.map((counted, i) => {
    count += counted;
    const le = bounds[i] ?? '+Inf';
    return { value: count, labels: { ...labels, le }, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { value: sum, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ];
}

/** A histogram of durations, one series for each set of labels. */
export const histogram = (
  name: string,
  help: string,
  series: readonly { durations: Readonly<Durations>; labels: Sample['labels'] }[],
  aggregator?: Aggregator,
) => {
  const values = series.flatMap((one) => samplesOf(fullName(name), one.durations, one.labels));
  return metricOf('histogram')(name, help, values, aggregator);
};
