/** The book of one market as a stream of messages leaves it: right, or none. Pure. */
import { type BookChanges, LiveBook, type LiveBookOptions } from './live-book.ts';
import { type Count, follows, type Rule, type Sequence } from './sequence.ts';

/** A message about one book. */
export interface BookUpdate extends BookChanges, Sequence {
  /** A snapshot is the whole book and replaces what there was. */
  kind: 'snapshot' | 'update';
  /** Time of the book as its exchange states it, Unix ms; null where it does not. */
  stated: number | null;
  /** Whether the checksum in the message is that of the book after it; true when absent. */
  verify?(book: LiveBook): boolean;
  /** Of a snapshot: the exchange has more levels than these. */
  limited?: boolean;
  /** Of a snapshot: the prices of bids and asks beyond which nothing is known; those of its last levels where it is `limited`. */
  edges?: LiveBook['edges'];
}

/** A whole book that was asked for beside the stream. */
export interface BookSnapshot extends BookChanges {
  /** Its last change. */
  last: Count;
  stated: number | null;
  limited: boolean;
}

/**
 * Why a book was dropped. `gap`: a message is missing; `empty`: a side has no level; `thin`: most of the levels that a
 * snapshot brought are used up; `overflow`: no snapshot came in time.
 */
export type Break = 'gap' | 'bad_checksum' | 'crossed' | 'empty' | 'thin' | 'overflow';

export interface FollowedOptions extends LiveBookOptions {
  rule: Rule;
  /** Snapshots have to be asked for: updates wait for them. Otherwise the stream brings them first. */
  asked: boolean;
}

/** The lowest and the highest mid price of a time. */
export interface Reached {
  low: number;
  high: number;
}

/** So many old messages one after another show that the exchange counts from below again. */
const mostOld = 3;
/** Most messages that wait for a snapshot. */
const mostWaiting = 2_000;
/** A book that ends somewhere is asked for again when less than this share of its levels is left. */
const leastShare = 0.25;

export class FollowedBook {
  readonly book: LiveBook;
  /** A message is missing that may come yet. */
  isInDoubt = false;
  readonly #options: FollowedOptions;
  /** Messages since the last break, while there is no snapshot. */
  #waiting: BookUpdate[] = [];
  #live = false;
  #seeded = false;
  /** Old messages one after another since the last one that was not; null until there is one after a snapshot. */
  #old: number | null = null;
  /** Levels below which the book is thin. */
  #least = 0;
  #applied = 0;
  #last: Count | undefined;
  #stated: number | null = null;
  /** Since `takeReached` was called last. */
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;

  constructor(options: FollowedOptions) {
    this.#options = options;
    this.book = new LiveBook(options);
  }

  /** Whether the book is right, as far as its messages show. */
  get live(): boolean {
    return this.#live && !this.isInDoubt;
  }

  /** Number of the last change; undefined where the exchange has none, or one above 2^53, which JSON readers would round. */
  get sequence(): number | undefined {
    return typeof this.#last === 'number' ? this.#last : undefined;
  }

  /** Time of the book as its exchange states it, Unix ms. */
  get stated(): number | null {
    return this.#stated;
  }

  /** The whole book in the numbers of its exchange, with its edges and its last change: digits where a double does not hold it. */
  whole() {
    const last = typeof this.#last === 'bigint' ? `${this.#last}` : (this.#last ?? null);
    const { edges } = this.book;
    return { ...this.book.native(Number.POSITIVE_INFINITY), edges, last, stated: this.#stated };
  }

  /** How many messages have changed the book. */
  get applied(): number {
    return this.#applied;
  }

  /** Whether messages wait for a snapshot. */
  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** The native mid prices since the last call; from infinity down to minus infinity where there was none. */
  takeReached(): Reached {
    const reached = { low: this.#low, high: this.#high };
    this.#low = Number.POSITIVE_INFINITY;
    this.#high = Number.NEGATIVE_INFINITY;
    return reached;
  }

  /** Takes the next message; the reason where the book is none after it. An update before any snapshot waits, or is of no use. */
  take(update: BookUpdate): Break | null {
    if (update.kind === 'snapshot') return this.#snapshot(update);
    if (this.#live) return this.#follow(update);
    if (!this.#options.asked) return null;
    this.#waiting.push(update);
    if (this.#waiting.length <= mostWaiting) return null;
    return this.#break('overflow');
  }

  /** Takes a snapshot that was asked for beside the stream, then the messages that have waited for it. */
  seed(snapshot: BookSnapshot): Break | null {
    return this.#seed({ ...snapshot, kind: 'snapshot' });
  }

  /** An answer to a question that was repeated, and an old book, are of no use. */
  #snapshot(update: BookUpdate): Break | null {
    const { asked, rule } = this.#options;
    if (asked) return this.#live ? null : this.#seed(update);
    const [now, last] = [update.last ?? update.stated, this.#last ?? this.#stated];
    const isOld = this.#live && rule === 'whole' && now !== null && last !== null && now < last;
    return isOld ? null : this.#replace(update);
  }

  #seed(snapshot: BookUpdate): Break | null {
    const waiting = this.#waiting;
    const failure = this.#replace(snapshot);
    if (failure) return failure;
    this.#seeded = true;
    for (const update of waiting) {
      const later = this.#follow(update);
      if (later) return later;
    }
    return null;
  }

  /** There is no book any more: its connection was lost, or it was replaced. */
  drop(): void {
    this.#waiting = [];
    this.#live = false;
    this.isInDoubt = false;
    this.book.clear();
  }

  #replace(update: BookUpdate): Break | null {
    this.drop();
    this.#live = true;
    this.#seeded = false;
    this.#old = null;
    this.book.replace(update, update.limited);
    if (update.edges) this.book.edges = update.edges;
    this.#least = update.limited ? this.book.depth * leastShare : 0;
    return this.#settle(update);
  }

  #follow(update: BookUpdate): Break | null {
    const verdict = follows(this.#options.rule, this.#last, update, this.#seeded);
    if (verdict === 'skip' && !this.#isRenumbered(update)) return null;
    if (verdict !== 'apply') return this.#break('gap');
    this.#seeded = false;
    this.#old = 0;
    this.book.apply(update);
    return this.#settle(update);
  }

  /** Whether the exchange numbers anew from below: messages older than the book come behind a snapshot alone, or are repeated once. */
  #isRenumbered({ last }: BookUpdate): boolean {
    if (this.#old === null || last === this.#last) return false;
    this.#old += 1;
    return this.#old >= mostOld;
  }

  #settle(update: BookUpdate): Break | null {
    this.#applied += 1;
    this.#last = update.last;
    this.#stated = update.stated ?? this.#stated;
    if (this.book.depth === 0) return this.#break('empty');
    if (this.book.crossed) return this.#break('crossed');
    if (this.book.depth < this.#least) return this.#break('thin');
    if (update.verify?.(this.book) === false) return this.#break('bad_checksum');
    const { mid } = this.book;
    if (mid < this.#low) this.#low = mid;
    if (mid > this.#high) this.#high = mid;
    return null;
  }

  #break(why: Break): Break {
    this.drop();
    return why;
  }
}
