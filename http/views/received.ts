import type { Reading } from '../../actors/topics/index.ts';
import { Latencies, type LatencyCounts } from '../../indicators/market/latencies.ts';
import type { Cause, Deliveries } from '../answers/deliveries.ts';
import { counter, type MetricsSnapshot } from './metric-json.ts';

type AnyReading = Pick<Reading<object>, 'source' | 'received' | 'rows'>;

/** A cause of each symbol, with the receive time of its newest row: changes of some time are published together. */
function causesBySymbol(name: string, { received: whole, rows }: AnyReading): Map<unknown, Cause> {
  const found = new Map<unknown, Cause>();
  for (const row of rows) {
    if (!('symbol' in row)) continue;
    const received = 'received' in row && typeof row.received === 'number' ? row.received : whole;
    if (received >= (found.get(row.symbol)?.received ?? 0)) {
      found.set(row.symbol, { name, received });
    }
  }
  return found;
}

/** What has been received of one topic of a source. */
interface Counts {
  /** `source/topic`. */
  name: string;
  topic: string;
  source: string;
  readings: number;
  rows: number;
}

/** Counts the readings that a web worker receives, and how long after their receipt by the feed their values are written to clients. */
export class Received implements Deliveries {
  readonly #counts: Counts[] = [];
  readonly #latencies = new Map<string, Latencies>();
  /** The reading that the views take now. */
  #taken: { reading: AnyReading; cause: Cause; bySymbol: Map<unknown, Cause> | null } | null = null;

  /** A handler of the readings of a topic. What the views announce while `take` gives them one has that cause. */
  taking<R extends AnyReading>(topic: string, take: (reading: R) => void) {
    const bySource = new Map<string, Counts>();
    return (_key: string, reading: R): void => {
      const counts = bySource.get(reading.source) ?? this.#add(topic, reading.source);
      bySource.set(reading.source, counts);
      counts.readings++;
      counts.rows += reading.rows.length;
      const cause = { name: counts.name, received: reading.received };
      this.#taken = { reading, cause, bySymbol: null };
      try {
        take(reading);
      } finally {
        this.#taken = null;
      }
    };
  }

  /** The reading whose views announce a change just now: its source and topic (`okx/prices`), of a symbol where `key` is one; null without one. */
  cause(key?: string): Cause | null {
    const taken = this.#taken;
    if (taken === null) return null;
    const { reading, cause } = taken;
    // Rows of a whole reading may be older ones that have not changed.
    if (!cause.name.endsWith('Changes')) return cause;
    taken.bySymbol ??= causesBySymbol(cause.name, reading);
    return taken.bySymbol.get(key) ?? cause;
  }

  delivered({ name, received }: Cause, now: number): void {
    const latencies = this.#latencies.get(name) ?? new Latencies();
    this.#latencies.set(name, latencies);
    latencies.add(now - received, now);
  }

  /** How long that took in the last minute or two, by source and topic. `now` is Unix ms. */
  deliveries(now: number): Record<string, LatencyCounts> {
    const found: Record<string, LatencyCounts> = {};
    for (const [name, latencies] of this.#latencies) {
      const counts = latencies.read(now);
      if (counts !== null) found[name] = counts;
    }
    return found;
  }

  #add(topic: string, source: string): Counts {
    const counts = { name: `${source}/${topic}`, topic, source, readings: 0, rows: 0 };
    this.#counts.push(counts);
    return counts;
  }

  /** All workers receive all: the greatest counts are those of the worker that has run longest. */
  metrics(): MetricsSnapshot {
    const each = (name: 'readings' | 'rows') =>
      this.#counts.map(({ topic, source, [name]: value }) => ({
        value,
        labels: { topic, source },
      }));
    const help = 'Readings of sources that the web workers have received.';
    return [
      counter('received_readings_total', help, each('readings'), 'max'),
      counter('received_rows_total', 'Rows of these readings.', each('rows'), 'max'),
    ];
  }
}
