/** The books of one stream: each is right or none, and one that broke is asked for again. */
import {
  type BookSnapshot,
  type Break,
  FollowedBook,
} from '../../../indicators/order-book/followed-book.ts';
import type { Instrument } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import type { Counter } from '../status/status.ts';
import type { Connection } from '../streams/connection.ts';
import type { BookStream, MarketUpdate } from '../streams/stream.ts';
import type { IsSuspectBook } from './book-guard.ts';
import type { LiveBooks, ReadableBook } from './live-books.ts';

/**
 * Why a book was dropped: `silent`: no message about it came for too long; `lost`: its connection ended; `suspect`: it is far
 * from all prices of its asset. No book is dropped
 * because this process was `late`.
 */
type Why = Break | 'silent' | 'lost' | 'no_snapshot' | 'bad_message' | 'late' | 'suspect';

export interface BookSetOptions {
  source: string;
  part: string;
  stream: BookStream;
  live: LiveBooks;
  isSuspect?: IsSuspectBook | undefined;
  /** Takes the books that were dropped, and the messages that could not be used, by reason. */
  counter: Pick<Counter, 'add'>;
  /** Asks for the whole book of a market; null where there is no answer. */
  ask(market: string): Promise<BookSnapshot | null>;
}

/** A connection as its books see it. */
type Peer = Pick<Connection, 'send'>;

interface Entry extends ReadableBook {
  /** The connection that brought its last message; null without one. */
  by: Peer | null;
  /** When it may be asked for again, and when it was asked for last, Unix ms. */
  due: number;
  resynced: number;
  /** Breaks of the last minute, Unix ms. */
  breaks: number[];
  /** The request in progress. */
  asking: object | null;
}

/**
 * Two questions for one book are at least `least` apart, or `rest` after the third break within a minute. One that has
 * not come after `timeout` is asked for again. A live book without a message for `silence` is uncertain: the tracked markets
 * are the busiest ones. A process that looks again only after `late` has not read yet what came meanwhile. All in ms.
 */
const pace = { least: 5_000, rest: 60_000, timeout: 15_000, silence: 60_000, late: 2_000 };
const restAfter = 3;

/** Whether the whole book has to be asked for. */
const isAsked = ({ snapshot, ask }: BookStream): boolean =>
  snapshot !== undefined || ask !== undefined;

export class BookSet {
  readonly #options: BookSetOptions;
  readonly #entries = new Map<string, Entry>();
  /** Number of the last message of a connection. */
  readonly #numbers = new WeakMap<Peer, number>();
  #wanted: InstrumentMap = new Map();
  #lookedAt = Number.POSITIVE_INFINITY;
  /** What was due before is not: this process ran behind. */
  #readFrom = Number.NEGATIVE_INFINITY;

  constructor(options: BookSetOptions) {
    this.#options = options;
  }

  /** Markets that are followed. */
  get size(): number {
    return this.#entries.size;
  }

  /** Every book, whether it is right or not. */
  get books(): Iterable<ReadableBook> {
    return this.#entries.values();
  }

  /** Books that are right. */
  get live(): number {
    let count = 0;
    for (const { book } of this.#entries.values()) if (book.live) count += 1;
    return count;
  }

  /** Follows these markets and no others. */
  want(wanted: InstrumentMap, now: number): void {
    this.#wanted = wanted;
    const { source, part, live } = this.#options;
    for (const [market, entry] of this.#entries) {
      if (wanted.has(market)) continue;
      live.remove(source, part, market, entry);
      this.#entries.delete(market);
    }
    for (const [market, instrument] of wanted) {
      const known = this.#entries.get(market);
      if (known) known.instrument = instrument;
      else this.#add(instrument, now);
    }
  }

  /** Takes a message that came by a connection: the updates in it. */
  take(message: unknown, by: Peer, now: number): readonly MarketUpdate[] {
    const found = this.#read(message, by);
    if (found === null) return [];
    const { updates, count } = found;
    if (count !== undefined && !this.#isNew(count, by, now)) return [];
    for (const update of updates) {
      const entry = this.#entries.get(update.market);
      if (entry) this.#update(entry, update, { by, now });
    }
    return updates;
  }

  /** A message is missing that may have been about this book: what waits for a whole book is of no use either. */
  #torn(entry: Entry, now: number): void {
    if (entry.book.live) this.#break(entry, 'gap', now);
    else this.#drop(entry);
  }

  /** A connection has ended: its books are unknown from now on. */
  ended(by: Peer, now: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.by !== by) continue;
      if (entry.book.live) this.#options.counter.add('lost');
      this.#drop(entry);
      entry.by = null;
      entry.due = now + pace.timeout;
    }
  }

  /** Asks for one book again, where that is due. */
  tick(now: number): void {
    if (now - this.#lookedAt > pace.late) this.#late(now);
    this.#lookedAt = now;
    const oldest = now - pace.silence;
    for (const entry of this.#entries.values()) {
      if (entry.book.live && entry.received <= oldest && this.#readFrom <= oldest)
        this.#break(entry, 'silent', now);
      if (entry.book.live && this.#isSuspect(entry)) this.#break(entry, 'suspect', now);
    }
    const due = [...this.#entries.values()].find((entry) => this.#isDue(entry, now));
    if (due) this.#resync(due, now);
  }

  #isSuspect({ book, instrument }: Entry): boolean {
    const { source, isSuspect } = this.#options;
    return isSuspect?.(source, instrument, book.book.levels(1, instrument)) ?? false;
  }

  /** What came meanwhile is read first: a book that was asked for may be among it. */
  #late(now: number): void {
    this.#options.counter.add('late');
    this.#readFrom = now;
    for (const entry of this.#entries.values())
      if (!entry.book.live) entry.due = Math.max(entry.due, now + pace.least);
  }

  /** Withdraws all books. */
  close(): void {
    this.want(new Map(), 0);
  }

  #add(instrument: Instrument, now: number): void {
    const { source, part, stream, live } = this.#options;
    const asked = isAsked(stream);
    const entry: Entry = {
      instrument,
      book: new FollowedBook({ ...stream, asked }),
      received: now,
      by: null,
      resynced: 0,
      breaks: [],
      asking: null,
      due: asked ? now : now + pace.timeout,
    };
    this.#entries.set(instrument.market, entry);
    live.put(source, part, instrument.market, entry);
  }

  #read(message: unknown, by: Peer) {
    try {
      return this.#options.stream.parse(message, this.#wanted, by);
    } catch {
      this.#options.counter.add('bad_message');
      return null;
    }
  }

  /** Whether a counted message is new; where one before it is missing, all books of the connection break. */
  #isNew(count: number, by: Peer, now: number): boolean {
    const last = this.#numbers.get(by);
    if (last !== undefined && count <= last) return false;
    this.#numbers.set(by, count);
    if (last === undefined || count === last + 1) return true;
    for (const entry of this.#entries.values()) if (entry.by === by) this.#torn(entry, now);
    return true;
  }

  #update(entry: Entry, update: MarketUpdate, { by, now }: { by: Peer; now: number }): void {
    if (entry.by !== by && update.kind === 'update') this.#drop(entry);
    entry.by = by;
    entry.received = now;
    const why = entry.book.take(update);
    if (why) this.#break(entry, why, now);
  }

  #break(entry: Entry, why: Why, now: number): void {
    this.#options.counter.add(why);
    this.#drop(entry);
    entry.breaks = [...entry.breaks.filter((at) => now - at < pace.rest), now];
    const brokeTooOften = entry.breaks.length >= restAfter;
    entry.due = brokeTooOften ? now + pace.rest : Math.max(now, entry.resynced + pace.least);
  }

  #drop(entry: Entry): void {
    entry.book.drop();
    entry.asking = null;
  }

  #isDue({ book, by, due, asking }: Entry, now: number): boolean {
    if (book.live || by === null || due > now || asking !== null) return false;
    return !isAsked(this.#options.stream) || book.waiting;
  }

  #resync(entry: Entry, now: number): void {
    const { stream } = this.#options;
    entry.resynced = now;
    entry.due = now + pace.timeout;
    if (stream.snapshot !== undefined) {
      void this.#seed(entry, now);
      return;
    }
    const { by, instrument } = entry;
    if (by === null) return;
    const frames = stream.ask
      ? [stream.ask(instrument)]
      : [stream.unsubscribe(instrument, by), stream.subscribe(instrument)];
    for (const frame of frames) if (frame !== null) by.send(frame);
  }

  /** An answer that comes after a break belongs to another book. */
  async #seed(entry: Entry, now: number): Promise<void> {
    const asking = {};
    entry.asking = asking;
    const snapshot = await this.#options.ask(entry.instrument.market);
    if (entry.asking !== asking) return;
    entry.asking = null;
    const why = snapshot ? entry.book.seed(snapshot) : 'no_snapshot';
    if (why) this.#break(entry, why, now);
  }
}
