/** Samples of the order books of tracked assets, and the large orders in them, as their source publishes them. */
import {
  type BookSample,
  type LargeOrderRow,
  type Reading,
  topics,
} from '../../actors/topics/index.ts';

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
  /** By exchange and kind. */
  readonly #samples = new Map<string, Reading<BookSample>>();
  readonly #orders = new Map<string, Reading<LargeOrderRow>>();

  acceptSamples(key: string, reading: Reading<BookSample>): void {
    this.#samples.set(key, reading);
  }

  acceptOrders(key: string, reading: Reading<LargeOrderRow>): void {
    this.#orders.set(key, reading);
  }

  /** The newest samples that are not too old. `now` is Unix ms. */
  samples(wanted: BooksOf, now: number): Sampled[] {
    const since = now - topics.orderBooks.maxAge;
    return this.#rows(this.#samples, wanted).filter(({ received }) => received >= since);
  }

  /** Large orders of all states; none where the source has said nothing for too long. */
  orders(wanted: BooksOf, now: number): Order[] {
    const since = now - topics.largeOrders.maxAge;
    const young = [...this.#orders].filter(([, { received }]) => received >= since);
    const found = new Map<string, Order>();
    // A book that is not live for a while is followed by samples as well: what was seen last counts.
    for (const order of this.#rows(new Map(young), wanted)) {
      const { exchange, market, side, price, state, last_seen } = order;
      const closed = state === 'active' ? '' : last_seen;
      const key = [exchange, market, side, price, closed].join(' ');
      const known = found.get(key);
      if (!known || known.last_seen <= order.last_seen) found.set(key, order);
    }
    return [...found.values()];
  }

  #rows<Row extends { symbol: string }>(
    readings: ReadonlyMap<string, Reading<Row>>,
    { kind, symbol, exchange }: BooksOf,
  ): (Row & { exchange: string })[] {
    return [...readings.values()]
      .filter(({ source, part }) => part === kind && (exchange ?? source) === source)
      .flatMap(({ source, rows }) =>
        rows.flatMap((row) => (row.symbol === symbol ? [{ ...row, exchange: source }] : [])),
      );
  }
}
