/** The sink of order books: it keeps those of the tracked markets, and reports how they are. */
import { minute } from '../../../config/time.ts';
import { failed } from '../../failure.ts';
import type { HttpClient } from '../../upstream/client.ts';
import type { InstrumentMap } from '../define.ts';
import type { HolderTopics } from '../lease.ts';
import type { IsSuspectBook } from '../quality/guards.ts';
import { isRecordedBook, restoredBook } from '../recording/format.ts';
import {
  type Sink,
  type SinkContext,
  type StreamActor,
  type StreamOf,
  streamActor,
} from '../streams/actor.ts';
import type { Connection } from '../streams/connection.ts';
import type { BookMessage, BookStream, Readable } from '../streams/stream.ts';
import { BookSet } from './book-set.ts';
import { type LiveBooks, LiveOrders } from './live-books.ts';

/** Which order books a process keeps, and where its queries find them. */
export interface BookKeeping {
  /** The markets of a part whose books are kept; none while they are not known. `now` is Unix ms. */
  tracked(source: string, part: string, now: number): InstrumentMap;
  live: LiveBooks;
  /** Which books are asked for again, since they cannot be right; none when absent. */
  isSuspect?: IsSuspectBook;
}

export interface BookOptions extends StreamOf<BookStream> {
  keeping: BookKeeping;
  client: Pick<HttpClient, 'send'>;
  topics: HolderTopics;
}

/** Interval of the checks, ms. */
const every = 250;
/** Least time between two reports of a changed status. */
const minReportMs = 5_000;
/** Time between two reports of an unchanged status. */
const maxReportMs = minute;
/** The share of books that is enough after a while. */
const mostOf = 0.9;
/** A whole book comes within this time. */
const timeoutMs = 10_000;

class BookSink implements Sink<BookMessage> {
  // Single books that stop are asked for again.
  readonly expects = 'data';
  readonly #stream: StreamActor<BookMessage>;
  readonly #options: BookOptions;
  readonly #books: BookSet;
  readonly #orders: LiveOrders;
  #adopting: Promise<void> | null = null;
  #reported = { at: Number.NEGATIVE_INFINITY, live: Number.NaN };

  constructor(stream: StreamActor<BookMessage>, options: BookOptions) {
    this.#stream = stream;
    this.#options = options;
    const { source, part, keeping, topics, recording } = options;
    this.#orders = new LiveOrders({ source, part, topics });
    this.#books = new BookSet({
      source,
      part,
      stream: options.stream,
      counter: stream.counter,
      live: keeping.live,
      isSuspect: keeping.isSuspect,
      ask: (market) => this.#ask(market),
      onBreak: (market, why) => recording?.resync(market, why),
    });
    if (recording) recording.books = () => this.#books.whole();
  }

  follow(markets: InstrumentMap, now: number): void {
    this.#books.want(markets, now);
  }

  take(message: BookMessage, { connection, received }: SinkContext): boolean {
    if (message.refusal !== undefined) this.#stream.reject(message.refusal);
    this.#books.take(message, connection, received);
    for (const { market } of message.updates) connection.note(market);
    return message.updates.length > 0;
  }

  async flush(now: number): Promise<number> {
    this.#adopting ??= this.#orders.adopt();
    await this.#adopting;
    this.#books.tick(now);
    this.#orders.tick(this.#books.books, now);
    this.#report();
    return every;
  }

  /** Some exchanges list a market whose book they do not send. */
  isReady(isLate: boolean): boolean {
    const { live, size } = this.#books;
    return live >= (isLate ? mostOf * size : size);
  }

  ended(by: Connection, _failure: unknown, now: number): void {
    this.#books.ended(by, now);
  }

  close(): void {
    this.#books.close();
  }

  async #ask(market: string) {
    const { stream, client, status, recording } = this.#options;
    const { clock, signal } = this.#stream;
    if (stream.snapshot === undefined) return null;
    const asked = recording?.time ?? 0;
    const answer = await client.send(stream.snapshot.request(market), {
      deadline: timeoutMs,
      signal,
    });
    const at = clock.now();
    status.set({ last_attempt: at });
    try {
      if (answer.ok) {
        recording?.whole(market, asked, answer.value.body);
        return stream.snapshot.parse(answer.value.body);
      }
      status.note(answer.failure, at);
    } catch (error) {
      status.note(
        failed('shape', error instanceof Error ? error.message : 'unreadable').failure,
        at,
      );
    }
    return null;
  }

  #report(): void {
    const { live, size } = this.#books;
    const { at, live: before } = this.#reported;
    const time = this.#stream.clock.monotonic();
    if (time - at < (live === before ? maxReportMs : minReportMs)) return;
    this.#reported = { at: time, live };
    const wasUp = this.#options.status.values.state === 'up';
    const absence = wasUp ? failed('network', 'no book is live').failure : null;
    const state = live > 0 ? 'up' : absence;
    this.#stream.report(size === 0 ? 'standby' : state, live, maxReportMs);
  }
}

/** A stream that may bring the books of a recording, as a gateway sends them. */
const replayed = ({ behind, ...own }: BookStream): Readable<BookMessage> => ({
  ...own,
  ...(behind && { behind: replayed(behind) }),
  parse: (message, context) =>
    isRecordedBook(message) ? { updates: [restoredBook(message)] } : own.parse(message, context),
});

/** The behaviour of a stream whose order books are kept. */
export const keptBooks = (options: BookOptions) => {
  const { source, part, stream, keeping, gateway } = options;
  return streamActor({
    ...options,
    stream: gateway === null ? stream : replayed(stream),
    markets: { choose: (_, now) => keeping.tracked(source, part, now) },
    sink: (one) => new BookSink(one, options),
  });
};
