import type { Reading } from '../../actors/topics/index.ts';
import { type MetricsSnapshot, metric } from './metric-json.ts';

/** Counts the readings that a web worker receives. */
export class Received {
  readonly #counts = new Map<
    string,
    { topic: string; source: string; readings: number; rows: number }
  >();

  /** A reading of a topic. */
  add(topic: string, { source, rows }: Pick<Reading<unknown>, 'source' | 'rows'>): void {
    const key = `${topic}/${source}`;
    const counts = this.#counts.get(key) ?? { topic, source, readings: 0, rows: 0 };
    counts.readings++;
    counts.rows += rows.length;
    this.#counts.set(key, counts);
  }

  /** All workers receive all: the greatest counts are those of the worker that has run longest. */
  metrics(): MetricsSnapshot {
    const counts = [...this.#counts.values()];
    const counter = (name: 'readings' | 'rows', help: string) =>
      metric(
        ['counter', `received_${name}_total`, help],
        counts.map(({ topic, source, [name]: value }) => ({ value, labels: { topic, source } })),
        'max',
      );
    return [
      counter('readings', 'Readings of sources that the web workers have received.'),
      counter('rows', 'Rows of these readings.'),
    ];
  }
}
