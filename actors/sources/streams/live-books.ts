/** The order books that this process keeps up to date. */
import type { FollowedBook } from '../../../indicators/order-book/followed-book.ts';
import type { Sides } from '../../../indicators/order-book/live-book.ts';
import type { Instrument } from '../../topics/index.ts';

/** A live book. */
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

/** A book with the data that reading it needs. */
export interface ReadableBook {
  instrument: Instrument;
  book: FollowedBook;
  received: number;
}

/**
 * Mean time between two questions, ms: a whole book is up to thousands of levels; a few may follow each other at once, since
 * streams that look at the same moment shall not wait for each other. A process that runs behind asks more slowly for a while,
 * or what comes in answer would put it farther behind, break more books, and so on.
 */
const pace = { usual: 50, behind: 500, atOnce: 200, behindFor: 10_000 };

/** How fast broken order books are asked for again, over all streams of one process. */
export class Resyncs {
  #next = Number.NEGATIVE_INFINITY;
  #behindUntil = Number.NEGATIVE_INFINITY;

  /** Whether one book may be asked for now. */
  take(now: number): boolean {
    if (now < this.#next) return false;
    const apart = now < this.#behindUntil ? pace.behind : pace.usual;
    this.#next = Math.max(this.#next, now - pace.atOnce) + apart;
    return true;
  }

  /** The process runs behind. */
  late(now: number): void {
    this.#behindUntil = now + pace.behindFor;
  }
}

const keyOf = (source: string, part: string, market: string) => `${source}/${part}/${market}`;

export class LiveBooks {
  readonly resyncs = new Resyncs();
  readonly #books = new Map<string, ReadableBook>();

  /** Offers a book to readers, for as long as it is live. */
  put(source: string, part: string, offered: ReadableBook): void {
    this.#books.set(keyOf(source, part, offered.instrument.market), offered);
  }

  /** Withdraws it, unless another one has replaced it. */
  remove(source: string, part: string, offered: ReadableBook): void {
    const key = keyOf(source, part, offered.instrument.market);
    if (this.#books.get(key) === offered) this.#books.delete(key);
  }

  /** The book of a market; null where it is not live. */
  read(source: string, part: string, market: string): LiveView | null {
    const found = this.#books.get(keyOf(source, part, market));
    if (!found?.book.live) return null;
    const { book, instrument, received } = found;
    return {
      levels: (depth) => book.book.levels(depth, instrument),
      ...{ sequence: book.sequence, stated: book.stated, received },
    };
  }
}
