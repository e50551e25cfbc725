/** Readings whose rows a stream changes one by one. */
import type { ReadingOf } from '../../indicators/market/fold.ts';
import type { Reading } from './market-rows.ts';

/** A row with the market's id, by which a newer one replaces it. */
export interface ListedRow {
  market: string;
  symbol: string;
  received?: number;
}

const receivedOf = (row: ListedRow, reading: Reading<unknown>): number =>
  row.received ?? reading.received;

/** Where the rows of a reading are, by market and by symbol. */
interface Places {
  market: ReadonlyMap<string, number>;
  symbol: ReadonlyMap<string, number[]>;
}

function placesOf(rows: readonly ListedRow[]): Places {
  const market = new Map<string, number>();
  const symbol = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    market.set(row.market, at);
    const known = symbol.get(row.symbol);
    if (known) known.push(at);
    else symbol.set(row.symbol, [at]);
  }
  return { market, symbol };
}

/**
 * A reading in which the newest row of each market stands. A change costs its own rows, however many others there are: a stream
 * without an interval brings thousands a second.
 */
export class ChangingReading<Row extends ListedRow> implements Reading<Row> {
  readonly source: string;
  readonly part: string;
  readonly asked: number;
  readonly received: number;
  readonly rows: Row[];
  readonly frozen?: true;
  readonly suspect?: NonNullable<Reading<Row>['suspect']>;
  readonly maxAge?: number;
  /** Made at the first change. */
  #places: Places | null = null;

  /** Rows of `before` replace those of the same markets where they are newer. */
  constructor(reading: Reading<Row>, before?: Reading<Row>) {
    this.source = reading.source;
    this.part = reading.part;
    this.asked = reading.asked;
    this.received = reading.received;
    // Others hold the reading too.
    this.rows = [...reading.rows];
    if (reading.frozen) this.frozen = reading.frozen;
    if (reading.suspect) this.suspect = reading.suspect;
    if (reading.maxAge) this.maxAge = reading.maxAge;
    if (before) this.#take(before, (known, other) => other > known);
  }

  /** Takes rows that a stream has changed; of two that were received in one millisecond the later counts. */
  change(changes: Reading<Row>): void {
    this.#take(changes, (known, other) => other >= known);
  }

  /** Whether there are rows of a symbol. */
  has(symbol: string): boolean {
    return this.#index().symbol.has(symbol);
  }

  /** The rows of a symbol. */
  of(symbol: string): Row[] {
    const places = this.#index().symbol.get(symbol) ?? [];
    return places.flatMap((at) => this.rows[at] ?? []);
  }

  /** The same reading with the rows of a symbol alone. */
  with(symbol: string): ReadingOf<Row> {
    const { received, frozen, maxAge } = this;
    return {
      received,
      rows: this.of(symbol),
      ...(frozen && { frozen }),
      ...(maxAge && { maxAge }),
    };
  }

  /** The row of a market. */
  at(market: string): Row | undefined {
    const at = this.#index().market.get(market);
    return at === undefined ? undefined : this.rows[at];
  }

  #index(): Places {
    this.#places ??= placesOf(this.rows);
    return this.#places;
  }

  #take(other: Reading<Row>, isNewer: (known: number, other: number) => boolean): void {
    const { market } = this.#index();
    for (const row of other.rows) {
      const at = market.get(row.market);
      const known = at === undefined ? undefined : this.rows[at];
      if (at === undefined || known === undefined) continue;
      const received = receivedOf(row, other);
      if (!isNewer(receivedOf(known, this), received)) continue;
      this.rows[at] = row.received === undefined ? { ...row, received } : row;
    }
  }
}
