/** Merges polled and streamed rows of the same markets into one reading. */
import type { Failure } from '../failure.ts';
import type { Reading } from '../topics/index.ts';
import type { AnyRow } from './define.ts';

/** Where a row comes from. */
export type Origin = 'polled' | 'streamed';

export interface MergeOptions<Row extends AnyRow> {
  part: string;
  merge(polled: Row, streamed: Row): Row;
  /** Age at which a row is no longer merged, ms. */
  maxAge: number;
  /** The last published reading: it is used for each origin until that has one of its own. */
  previous(): Promise<Reading<Row> | undefined>;
  /** Null when it was published, else the reason why it was not. */
  publish(reading: Reading<Row>): Promise<Failure | null>;
}

interface Dated<Row> {
  row: Row;
  received: number;
}

/** Publishes whenever one of the origins has a reading, with the last one of the other. */
export class Merge<Row extends AnyRow> {
  readonly #options: MergeOptions<Row>;
  readonly #readings: Partial<Record<Origin, Reading<Row>>> = {};
  #seeded: Promise<void> | null = null;

  constructor(options: MergeOptions<Row>) {
    this.#options = options;
  }

  /** Takes a new reading, and publishes it merged; null when it was published, else the reason why it was not. */
  async publish(origin: Origin, reading: Reading<Row>): Promise<Failure | null> {
    this.#seeded ??= this.#seed();
    await this.#seeded;
    this.#readings[origin] = reading;
    return this.#options.publish(this.#merged(reading));
  }

  async #seed(): Promise<void> {
    const previous = await this.#options.previous();
    if (previous) Object.assign(this.#readings, { polled: previous, streamed: previous });
  }

  /** A merged row is as old as the older of its two halves. */
  #merged(newest: Reading<Row>): Reading<Row> {
    const { part, merge } = this.#options;
    const received = Math.max(
      newest.received,
      ...Object.values(this.#readings).map((reading) => reading.received),
    );
    const [polled, streamed] = [this.#rows('polled', received), this.#rows('streamed', received)];
    const rows = new Map([...streamed, ...polled]);
    for (const [market, { row, received }] of polled) {
      const other = streamed.get(market);
      if (!other) continue;
      const age = Math.min(received, other.received);
      rows.set(market, { row: merge(row, other.row), received: age });
    }
    return {
      ...newest,
      part,
      received,
      rows: [...rows.values()].map(({ row, received }) => ({ ...row, received })),
    };
  }

  /** The rows of an origin that are young enough, by market. */
  #rows(origin: Origin, now: number): Map<string, Dated<Row>> {
    const reading = this.#readings[origin];
    if (!reading) return new Map();
    return new Map(
      reading.rows
        .map((row) => ({ row, received: row.received ?? reading.received }))
        .filter(({ received }) => now - received <= this.#options.maxAge)
        .map((dated) => [dated.row.market, dated]),
    );
  }
}
