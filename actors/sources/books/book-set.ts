/** The books of one stream: each is right or none, and one that broke is asked for again. */
import {
  type BookSnapshot,
  type Break,
  FollowedBook,
} from '../../../indicators/order-book/followed-book.ts';
import type { Instrument } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import type { IsSuspectBook } from '../quality/guards.ts';
import type { Counter } from '../status/status.ts';
import type { Connection } from '../streams/connection.ts';
import type { BookMessage, BookStream, MarketUpdate } from '../streams/stream.ts';
import type { LiveBooks, ReadableBook } from './live-books.ts';
import { MessageCount } from './message-count.ts';

/**
 * Why a book was dropped: `silent`: no message about it came for too long; `lost`: its connection ended; `suspect`: it is far
 * from all prices of its asset.
 */
type Why = Break | 'silent' | 'lost' | 'no_snapshot' | 'suspect';

export interface BookSetOptions {
  source: string;
  part: string;
  stream: BookStream;
  live: LiveBooks;
  isSuspect?: IsSuspectBook | undefined;
  /** Takes the books that were dropped, by reason. */
  counter: Pick<Counter, 'add'>;
  /** Asks for the whole book of a market; null where there is no answer. */
  ask(market: string): Promise<BookSnapshot | null>;
  /** A book is dropped, and asked for again. */
  onBreak?(market: string, why: Why): void;
}

/** A connection as its books see it. */
type Peer = Pick<Connection, 'send'> & Partial<Pick<Connection, 'recording' | 'isBehind'>>;

interface Entry extends ReadableBook {
  /** The stream whose rules its book follows: that of the address of its connection. */
  stream: BookStream;
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
 * not come after `timeout` is asked for again. A live book without a message that it takes for `silence` is uncertain: the tracked markets
 * are the busiest ones. All in ms.
 */
const pace = { least: 5_000, rest: 60_000, timeout: 15_000, silence: 60_000 };
const restAfter = 3;

export class BookSet {
  readonly #options: BookSetOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #counts = new WeakMap<Peer, MessageCount>();
  /** Whether whole books have to be asked for. */
  readonly #isAsked: boolean;

  constructor(options: BookSetOptions) {
    this.#options = options;
    const { snapshot, ask } = options.stream;
    this.#isAsked = snapshot !== undefined || ask !== undefined;
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
    return [...this.#entries.values()].filter(({ book }) => book.live).length;
  }

  /** The books that are right, as they are, in the numbers of the exchange; `c` is the connection as it is recorded. */
  whole() {
    return [...this.#entries].flatMap(([market, { book, by }]) =>
      book.live ? [{ market, c: by?.recording?.number ?? 0, ...book.whole() }] : [],
    );
  }

  /** Follows these markets and no others. */
  want(wanted: InstrumentMap, now: number): void {
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

  /** Takes a message that came by a connection. */
  take({ updates, count }: BookMessage, by: Peer, now: number): void {
    // A book of a recording: the connection has gone on between its opening and that.
    if (updates.some(({ edges }) => edges !== undefined)) this.#counts.delete(by);
    if (count !== undefined && !this.#isNew(count, updates, { by, now })) return;
    for (const update of updates) {
      const entry = this.#entries.get(update.market);
      if (entry) this.#update(entry, update, { by, now });
    }
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

  /** Drops the books that cannot be right, and asks for one again, where that is due. */
  tick(now: number): void {
    for (const entry of this.#entries.values()) {
      const { by } = entry;
      if (by && this.#counts.get(by)?.isLost(now)) this.#tear(by, now);
      if (!entry.book.live) continue;
      if (now - entry.received >= pace.silence) this.#break(entry, 'silent', now);
      else if (this.#isSuspect(entry)) this.#break(entry, 'suspect', now);
    }
    const due = [...this.#entries.values()].find((entry) => this.#isDue(entry, now));
    if (due) this.#resync(due, now);
  }

  /** Withdraws all books. */
  close(): void {
    this.want(new Map(), 0);
  }

  #isSuspect({ book, instrument }: Entry): boolean {
    const { source, isSuspect } = this.#options;
    return isSuspect?.(source, instrument, book.book.levels(1, instrument)) ?? false;
  }

  #add(instrument: Instrument, now: number): void {
    const { source, part, stream, live } = this.#options;
    const entry: Entry = {
      instrument,
      stream,
      book: new FollowedBook({ ...stream, asked: this.#isAsked }),
      received: now,
      by: null,
      resynced: 0,
      breaks: [],
      asking: null,
      due: this.#isAsked ? now : now + pace.timeout,
    };
    this.#entries.set(instrument.market, entry);
    live.put(source, part, instrument.market, entry);
  }

  /** Whether a counted message is new: a repeated one is not. */
  #isNew(
    count: number,
    updates: readonly MarketUpdate[],
    { by, now }: { by: Peer; now: number },
  ): boolean {
    const counts = this.#counts.get(by) ?? new MessageCount(this.#options.stream.answersWithin);
    this.#counts.set(by, counts);
    const isAnswer = updates.every(({ kind }) => kind === 'snapshot');
    const wasInDoubt = counts.isInDoubt;
    const counted = counts.take(count, isAnswer, now);
    if (counted === 'gap') this.#tear(by, now);
    else if (wasInDoubt || counts.isInDoubt) this.#doubt(by, counts.isInDoubt);
    return counted !== 'repeated';
  }

  /** While answers are missing that may be messages about any book, none of them is served. */
  #doubt(by: Peer, isInDoubt: boolean): void {
    for (const { by: own, book } of this.#entries.values())
      if (own === by) book.isInDoubt = isInDoubt;
  }

  /**
   * A message of a connection is missing, which may have been about any of its books: all of them break, and what waits for a whole
   * book is of no use either.
   */
  #tear(by: Peer, now: number): void {
    this.#counts.get(by)?.forget();
    this.#doubt(by, false);
    for (const entry of this.#entries.values()) {
      if (entry.by !== by) continue;
      if (entry.book.live) this.#break(entry, 'gap', now);
      else this.#drop(entry);
    }
  }

  #update(entry: Entry, update: MarketUpdate, { by, now }: { by: Peer; now: number }): void {
    const stream = (by.isBehind && this.#options.stream.behind) || this.#options.stream;
    if (entry.by !== by && update.kind === 'update') this.#drop(entry);
    if (entry.stream !== stream) {
      entry.stream = stream;
      entry.book = new FollowedBook({ ...stream, asked: this.#isAsked });
    }
    entry.by = by;
    const { live, applied } = entry.book;
    const why = entry.book.take(update);
    // An exchange that numbers anew from below sends what looks old from then on.
    if (!live || entry.book.applied > applied) entry.received = now;
    if (why) this.#break(entry, why, now);
  }

  #break(entry: Entry, why: Why, now: number): void {
    this.#options.counter.add(why);
    this.#options.onBreak?.(entry.instrument.market, why);
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
    const isMissing = !book.live && !book.isInDoubt && by !== null && asking === null;
    return isMissing && due <= now && (!this.#isAsked || book.waiting);
  }

  #resync(entry: Entry, now: number): void {
    const { by, instrument, stream } = entry;
    entry.resynced = now;
    entry.due = now + pace.timeout;
    if (stream.snapshot !== undefined) void this.#seed(entry, now);
    else if (stream.ask) by?.send(stream.ask(instrument));
    else if (by) {
      const one = new Map([[instrument.market, instrument]]);
      for (const text of stream.unsubscribe?.(one, by) ?? []) by.send(text);
      for (const text of stream.channels(one)) by.send(text);
    }
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
