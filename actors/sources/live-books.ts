/** The order books that this process keeps up to date. */
import type { FollowedBook } from '../../indicators/order-book/followed-book.ts';
import type { Sides } from '../../indicators/order-book/live-book.ts';
import type { Instrument } from '../topics/index.ts';

/** A book that is right now. */
export interface LiveView {
  /** At most `depth` levels a side, in canonical units. */
  levels(depth: number): Sides;
  /** Number of the last change, where the exchange has any. */
  sequence: number | undefined;
  /** Time of the book as its exchange states it, Unix ms. */
  stated: number | null;
  /** When the last message about it came, Unix ms. */
  received: number;
}

/** A book with what it takes to read it. */
export interface KeptBook {
  instrument: Instrument;
  book: FollowedBook;
  received: number;
}

const keyOf = (source: string, part: string, market: string) => `${source}/${part}/${market}`;

export class LiveBooks {
  readonly #kept = new Map<string, KeptBook>();

  /** Offers a book to readers, for as long as it is live. */
  put(source: string, part: string, kept: KeptBook): void {
    this.#kept.set(keyOf(source, part, kept.instrument.market), kept);
  }

  /** Withdraws it, unless another has taken its place. */
  remove(source: string, part: string, kept: KeptBook): void {
    const key = keyOf(source, part, kept.instrument.market);
    if (this.#kept.get(key) === kept) this.#kept.delete(key);
  }

  /** The book of a market; null where there is none that is right. */
  read(source: string, part: string, market: string): LiveView | null {
    const kept = this.#kept.get(keyOf(source, part, market));
    if (!kept?.book.live) return null;
    const { book, instrument, received } = kept;
    return {
      levels: (depth) => book.book.levels(depth, instrument),
      ...{ sequence: book.sequence, stated: book.stated, received },
    };
  }
}
