/** The books of a recording, by the rules by which the service keeps them. */
import type { BookSnapshot } from '../../indicators/order-book/followed-book.ts';
import { BookSet } from '../sources/books/book-set.ts';
import { LiveBooks, type ReadableBook } from '../sources/books/live-books.ts';
import type { InstrumentMap } from '../sources/define.ts';
import { type BookLine, type NoteLine, restoredBook } from '../sources/recording/format.ts';
import type { BookMessage, BookStream, MarketUpdate } from '../sources/streams/stream.ts';
import type { Instrument } from '../topics/index.ts';
import type { BookEvent } from './events.ts';
import type { Peer } from './streams.ts';

interface Part {
  set: BookSet;
  markets: Map<string, Instrument>;
}

/** What was told of a book, by market. */
interface Told {
  /** The next change is told as the whole book. */
  isNew: boolean;
  /** The last change was a whole book: another one is told by what differs. */
  wasWhole: boolean;
  /** When the book was dropped last, Unix microseconds. */
  dropped: number;
}

const all = Number.POSITIVE_INFINITY;

export class ReplayedBooks {
  readonly #source: string;
  readonly #emit: (event: BookEvent) => void;
  readonly #live = new LiveBooks();
  readonly #parts = new Map<string, Part>();
  readonly #told = new Map<ReadableBook, Told>();
  /** Messages of some markets alone were recorded: their numbers by connection have holes, so that nothing follows from these. */
  isPart = false;

  constructor(source: string, emit: (event: BookEvent) => void) {
    this.#source = source;
    this.#emit = emit;
  }

  add(part: string, stream: BookStream): void {
    if (this.#parts.has(part)) return;
    const set = new BookSet({
      source: this.#source,
      part,
      stream,
      live: this.#live,
      counter: { add: () => {} },
      ask: async () => null,
    });
    this.#parts.set(part, { set, markets: new Map() });
  }

  take(
    { updates, count }: BookMessage,
    peer: Peer,
    { local, list }: { local: number; list: InstrumentMap },
  ): void {
    const part = this.#parts.get(peer.part);
    if (part === undefined) return;
    for (const { market } of updates) {
      const instrument = list.get(market);
      if (instrument) this.#want(part, instrument, local);
    }
    const counted = this.isPart || count === undefined ? {} : { count };
    if (updates.length === 0) part.set.take({ updates, ...counted }, peer, local);
    // One by one, so that each is told as it is; the number of the message counts once.
    for (const [at, update] of updates.entries())
      this.#take(part, peer, { updates: [update], ...(at === 0 && counted) }, { update, local });
  }

  #want({ set, markets }: Part, instrument: Instrument, now: number): void {
    if (markets.get(instrument.market) === instrument) return;
    markets.set(instrument.market, instrument);
    set.want(markets, now);
  }

  #take(
    { set }: Part,
    peer: Peer,
    message: BookMessage,
    { update, local }: { update: MarketUpdate; local: number },
  ): void {
    const entry = this.#live.find(this.#source, peer.part, update.market);
    if (entry === undefined) {
      // The number of a message about another market counts.
      set.take(message, peer, local);
      return;
    }
    const told = this.#toldOf(entry);
    const { book } = entry;
    const isWhole = update.kind === 'snapshot';
    const before = isWhole && told.wasWhole && book.live ? book.book.native(all) : null;
    const changes = book.applied;
    set.take(message, peer, local);
    if (!book.live) this.#lose(told, local);
    else if (book.applied !== changes) {
      const levels = before ? differences(before, book.book.native(all)) : update;
      this.#tell(entry, peer.part, {
        local,
        stated: update.stated,
        levels,
        isWhole: isWhole && !before,
      });
    }
  }

  #tell(
    entry: ReadableBook,
    part: string,
    {
      local,
      stated,
      levels,
      isWhole,
    }: {
      local: number;
      stated: number | null;
      levels: Pick<BookEvent, 'bids' | 'asks'>;
      isWhole: boolean;
    },
  ): void {
    const told = this.#toldOf(entry);
    const { instrument, book } = entry;
    const isSnapshot = isWhole || told.isNew;
    const { bids, asks } = told.isNew ? book.book.native(all) : levels;
    told.isNew = false;
    told.wasWhole = isSnapshot || (told.wasWhole && bids.length + asks.length === 0);
    const timestamp = stated === null ? local : stated * 1_000;
    const about = { type: 'book_change' as const, part, instrument, local, timestamp };
    this.#emit({ ...about, isSnapshot, bids, asks, book: book.book });
  }

  /** A whole book that was asked for has come; one that was asked for before the last break is of no use. */
  seed(
    { part, market, asked, local }: { part: string; market: string; asked: number; local: number },
    snapshot: BookSnapshot,
  ): void {
    const entry = this.#live.find(this.#source, part, market);
    if (entry === undefined || entry.book.live) return;
    const told = this.#toldOf(entry);
    if (asked < told.dropped || entry.book.seed(snapshot)) return;
    told.isNew = true;
    this.#tell(entry, part, { local, stated: entry.book.stated, levels: snapshot, isWhole: true });
  }

  /** A book as it was when its file began; one that is known goes on from the file before. */
  restore(line: BookLine, peer: Peer | undefined, list: InstrumentMap | undefined): void {
    const { part, market, t } = line;
    const known = this.#parts.get(part);
    const instrument = list?.get(market);
    if (!known || !instrument || !peer) return;
    this.#want(known, instrument, t);
    const entry = this.#live.find(this.#source, part, market);
    if (!entry?.book.live) known.set.take({ updates: [restoredBook(line)] }, peer, t);
  }

  /** The service has dropped a book. */
  resync({ part, market, t }: Extract<NoteLine, { kind: 'resync' }>): void {
    const entry = this.#live.find(this.#source, part, market);
    if (entry === undefined) return;
    entry.book.drop();
    this.#lose(this.#toldOf(entry), t);
  }

  ended(peer: Peer, now: number): void {
    this.#parts.get(peer.part)?.set.ended(peer, now);
    for (const [entry, told] of this.#told) if (!entry.book.live) this.#lose(told, now);
  }

  drop(local: number): void {
    for (const [entry, told] of this.#told) {
      entry.book.drop();
      this.#lose(told, local);
    }
  }

  /** The next change of each book is told as the whole book. */
  renew(): void {
    for (const told of this.#told.values()) told.isNew = true;
  }

  #lose(told: Told, local: number): void {
    if (told.isNew) return;
    told.isNew = true;
    told.wasWhole = false;
    told.dropped = local;
  }

  #toldOf(entry: ReadableBook): Told {
    const told = this.#told.get(entry) ?? { isNew: true, wasWhole: false, dropped: 0 };
    this.#told.set(entry, told);
    return told;
  }
}

type Levels = Pick<BookEvent, 'bids' | 'asks'>;

/** The levels of a side that differ, those that are gone with an amount of 0. */
function changed(before: readonly number[], after: readonly number[]): number[] {
  const left = new Map<number, number>();
  for (let i = 0; i + 1 < before.length; i += 2) left.set(before[i] ?? 0, before[i + 1] ?? 0);
  const found: number[] = [];
  for (let i = 0; i + 1 < after.length; i += 2) {
    const [price = 0, amount = 0] = [after[i], after[i + 1]];
    if (left.get(price) !== amount) found.push(price, amount);
    left.delete(price);
  }
  for (const price of left.keys()) found.push(price, 0);
  return found;
}

const differences = (before: Levels, after: Levels): Levels => ({
  bids: changed(before.bids, after.bids),
  asks: changed(before.asks, after.asks),
});
