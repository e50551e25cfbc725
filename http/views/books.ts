/** Samples of the order books of tracked assets, and the large orders in them, as their source publishes them. */
import {
  type BookSample,
  type LargeOrderRow,
  type Reading,
  topics,
} from '../../actors/topics/index.ts';
import { Source } from '../answers/source.ts';

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
  /** Announces samples; its keys are the symbols. */
  readonly source = new Source();
  /** When the oldest sample in use becomes too old, Unix ms. */
  #until = Infinity;
  /** By exchange and kind. */
  readonly #samples = new Map<string, Reading<BookSample>>();
  readonly #orders = new Map<string, Reading<LargeOrderRow>>();

  acceptSamples(key: string, reading: Reading<BookSample>): void {
    const before = this.#samples.get(key)?.rows ?? [];
    this.#samples.set(key, reading);
    this.#until = this.#oldest();
    this.source.change(new Set([...before, ...reading.rows].map(({ symbol }) => symbol)));
  }

  /** Lets samples become too old. Call it about every second. `now` is Unix ms. */
  expire(now: number): void {
    if (now <= this.#until) return;
    this.#until = this.#oldest(now);
    this.source.change();
  }

  /** Whether nothing has been sampled yet. */
  isEmpty(): boolean {
    return this.#samples.size === 0;
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

  /** When the first of the samples that are not too old at `now` becomes so. */
  #oldest(now = 0): number {
    const ends = [...this.#samples.values()]
      .flatMap(({ rows }) => rows)
      .map(({ received }) => received + topics.orderBooks.maxAge);
    return Math.min(Infinity, ...ends.filter((end) => end >= now));
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
