/** One reading out of two: what a part's requests and what its stream say of the same markets. */
import type { Failure } from '../failure.ts';
import type { Reading } from '../topics.ts';
import type { AnyRow } from './outlet.ts';

/** The two ways to a row. */
export type Leg = 'polled' | 'streamed';

export interface JointOptions<Row extends AnyRow> {
  part: string;
  join(polled: Row, streamed: Row): Row;
  /** Age at which a leg's row is no longer joined, ms. */
  maxAge: number;
  /** The last published reading: it stands for each leg until that has one of its own. */
  previous(): Promise<Reading<Row> | undefined>;
  /** Null when it is out, else why it is not. */
  publish(reading: Reading<Row>): Promise<Failure | null>;
}

interface Dated<Row> {
  row: Row;
  received: number;
}

/** Publishes whenever one of the legs has a reading, with the last one of the other. */
export class Joint<Row extends AnyRow> {
  readonly #options: JointOptions<Row>;
  readonly #legs: Partial<Record<Leg, Reading<Row>>> = {};
  #seeded: Promise<void> | null = null;

  constructor(options: JointOptions<Row>) {
    this.#options = options;
  }

  /** Takes a leg's new reading, and publishes it joined; null when that is out, else why it is not. */
  async publish(leg: Leg, reading: Reading<Row>): Promise<Failure | null> {
    this.#seeded ??= this.#seed();
    await this.#seeded;
    this.#legs[leg] = reading;
    return this.#options.publish(this.#joined(reading));
  }

  async #seed(): Promise<void> {
    const previous = await this.#options.previous();
    if (previous) Object.assign(this.#legs, { polled: previous, streamed: previous });
  }

  /** A joined row is as old as the older of its two. */
  #joined(newest: Reading<Row>): Reading<Row> {
    const { part, join } = this.#options;
    const received = Math.max(newest.received, ...this.#readings().map((leg) => leg.received));
    const [polled, streamed] = [this.#rows('polled', received), this.#rows('streamed', received)];
    const rows = new Map([...streamed, ...polled]);
    for (const [market, { row, received }] of polled) {
      const other = streamed.get(market);
      if (!other) continue;
      const age = Math.min(received, other.received);
      rows.set(market, { row: join(row, other.row), received: age });
    }
    return {
      ...newest,
      part,
      received,
      rows: [...rows.values()].map(({ row, received }) => ({ ...row, received })),
    };
  }

  #readings(): Reading<Row>[] {
    return Object.values(this.#legs);
  }

  /** The rows of a leg that are young enough, by market. */
  #rows(leg: Leg, now: number): Map<string, Dated<Row>> {
    const reading = this.#legs[leg];
    if (!reading) return new Map();
    return new Map(
      reading.rows
        .map((row) => ({ row, received: row.received ?? reading.received }))
        .filter(({ received }) => now - received <= this.#options.maxAge)
        .map((dated) => [dated.row.market, dated]),
    );
  }
}
