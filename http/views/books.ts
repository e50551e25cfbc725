/** Samples of the order books of tracked assets, and the large orders in them, as their source publishes them. */
import {
  type BookSample,
  type LargeOrderRow,
  type Reading,
  topics,
} from '../../actors/topics/index.ts';
import { Readings } from './view.ts';

export type BookKind = 'spot' | 'perpetual';

/** Which assets, and of which exchange. */
export interface BooksOf {
  kind: BookKind;
  symbol: string;
  exchange?: string | undefined;
}

/** With its exchange. */
export type Sampled = BookSample & { exchange: string };
export type Order = LargeOrderRow & { exchange: string };

export class BooksView {
  readonly #samples = new Readings<BookSample>();
  readonly #orders = new Readings<LargeOrderRow>();
  /** Announces samples; its keys are the symbols. */
  readonly source = this.#samples.source;

  acceptSamples(key: string, reading: Reading<BookSample>): void {
    this.#samples.accept(reading, key);
  }

  acceptOrders(key: string, reading: Reading<LargeOrderRow>): void {
    this.#orders.accept(reading, key);
  }

  /** Lets samples become too old. Call it about every second. `now` is Unix ms. */
  expire(now: number): void {
    this.#samples.expire(now);
  }

  /** Whether nothing has been sampled yet. */
  isEmpty(): boolean {
    return this.#samples.isEmpty();
  }

  /** The newest samples that are not too old. `now` is Unix ms. */
  samples(wanted: BooksOf, now: number): Sampled[] {
    const { maxAge } = topics.orderBooks;
    const young = rowsOf(this.#samples, wanted).filter(({ row }) => row.received >= now - maxAge);
    for (const { row } of young) this.source.holdsUntil(row.received + maxAge);
    return young.map(({ row }) => row);
  }

  /**
   * Large orders of all states; none where the source has said nothing for too long, and no active one that no look has found for as
   * long: its book is lost, or its price out of reach, so nobody knows whether it rests there still.
   */
  orders(wanted: BooksOf, now: number): Order[] {
    const since = now - topics.largeOrders.maxAge;
    const found = new Map<string, Order>();
    // A book that is not live for a while is followed by samples as well: what was seen last counts.
    for (const { row, received } of rowsOf(this.#orders, wanted)) {
      if (received < since) continue;
      const { exchange, market, side, price, state, last_seen } = row;
      if (state === 'active' && last_seen < since) continue;
      const closed = state === 'active' ? '' : last_seen;
      const key = [exchange, market, side, price, closed].join(' ');
      const known = found.get(key);
      if (!known || known.last_seen <= last_seen) found.set(key, row);
    }
    return [...found.values()];
  }
}

/** The wanted rows with their exchange, and when their reading was received, Unix ms. */
const rowsOf = <Row extends { symbol: string }>(
  readings: Readings<Row>,
  { kind, symbol, exchange }: BooksOf,
): { row: Row & { exchange: string }; received: number }[] =>
  [...readings.of(symbol)].flatMap(([row, { source, part, received }]) =>
    part === kind && (exchange ?? source) === source
      ? [{ row: { ...row, exchange: source }, received }]
      : [],
  );
