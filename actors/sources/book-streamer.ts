/** The actor that keeps the order books of a stream: it subscribes to the tracked markets, and reports how they are. */
import { type Failure, failed } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import type { HttpClient } from '../upstream/client.ts';
import { bodyCaps } from '../upstream/limits.ts';
import type { IsSuspectBook } from './book-guard.ts';
import { BookSet } from './book-set.ts';
import { type Connections, connectionsOf, type StreamerMessage } from './connections.ts';
import type { InstrumentMap } from './define.ts';
import type { LiveBooks } from './live-books.ts';
import { LiveOrders, type OrderTopic } from './live-orders.ts';
import type { StatusRow } from './status.ts';
import type { BookStream } from './stream.ts';
import { TrackedMarkets } from './tracked-markets.ts';

/** Which order books a process keeps, and where its queries find them. */
export interface BookKeeping {
  /** The markets of a part whose books are kept; none while they are not known. `now` is Unix ms. */
  tracked(source: string, part: string, now: number): InstrumentMap;
  live: LiveBooks;
  /** Which books are asked for again, since they cannot be right; none when absent. */
  isSuspect?: IsSuspectBook;
}

export interface BookStreamerOptions {
  source: string;
  part: string;
  stream: BookStream;
  keeping: BookKeeping;
  client: Pick<HttpClient, 'send'>;
  /** Large orders are not followed without it. */
  orders?: OrderTopic;
  /** Its row in `/v1/status`, which outlives it. */
  status: StatusRow;
  gateway: string | null;
  random(): number;
}

/** Interval of the checks, ms. */
const every = 250;
/** Least time between two reports of a changed status, and time between two of an unchanged one, ms. */
const report = { least: 5_000, most: 60_000 };
/** A whole book comes within this time, ms. */
const deadline = 10_000;

class BookStreamer implements Actor<StreamerMessage> {
  readonly #context: ActorContext<StreamerMessage>;
  readonly #options: BookStreamerOptions;
  readonly #books: BookSet;
  readonly #connections: Connections;
  readonly #orders: LiveOrders | null;
  readonly #tracked: TrackedMarkets;
  #reported = { at: Number.NEGATIVE_INFINITY, live: Number.NaN };
  /** Messages that the connections had dropped at the last tick. */
  #missed = 0;

  constructor(context: ActorContext<StreamerMessage>, options: BookStreamerOptions) {
    this.#context = context;
    this.#options = options;
    const { source, part, stream, keeping, orders } = options;
    this.#orders = orders ? new LiveOrders({ source, part, ...orders }) : null;
    this.#books = new BookSet({
      ...{ source, part, stream, live: keeping.live, isSuspect: keeping.isSuspect },
      ask: (market) => this.#ask(market),
    });
    this.#tracked = new TrackedMarkets((now) => keeping.tracked(source, part, now));
    this.#connections = this.#connect();
  }

  async started(): Promise<void> {
    this.#options.status.set({ state: 'waiting', reason: null });
    await this.#orders?.adopt();
    this.#tick();
  }

  async stopped(): Promise<void> {
    this.#books.close();
    await this.#connections.close();
  }

  receive(message: StreamerMessage): void {
    if (message === 'tick') this.#tick();
    else if (message !== 'open') throw message.crash;
  }

  #connect(): Connections {
    const { stream, gateway, random, status } = this.#options;
    const { clock } = this.#context;
    const channels = (markets: InstrumentMap) => [...markets.values()].map(stream.subscribe);
    return connectionsOf(
      this.#context,
      { stream: { ...stream, channels }, gateway, random },
      {
        onMessage: (message, by) => this.#books.take(message, by, clock.now()),
        onEnd: (by) => this.#books.ended(by, clock.now()),
        onState(failure) {
          if (failure) status.fail(failure, clock.now());
        },
      },
    );
  }

  #tick(): void {
    const now = this.#context.clock.now();
    this.#subscribe(now);
    const { dropped } = this.#connections;
    this.#books.missed(dropped - this.#missed, now);
    this.#missed = dropped;
    this.#books.tick(now);
    this.#orders?.tick(this.#books.books, now);
    this.#report(now);
    this.#context.after(every, 'tick');
  }

  /** Subscribes to the markets that are tracked now. */
  #subscribe(now: number): void {
    const wanted = this.#tracked.next(now);
    if (wanted === null) return;
    this.#books.want(wanted, now);
    this.#connections.subscribe(wanted);
  }

  async #ask(market: string) {
    const { stream, client, status } = this.#options;
    const { clock, signal } = this.#context;
    if (stream.snapshot === undefined) return null;
    const maxBody = bodyCaps.orderBook;
    const answer = await client.send(stream.snapshot.request(market), {
      deadline,
      signal,
      maxBody,
    });
    try {
      if (answer.ok) return stream.snapshot.parse(answer.value.body);
      this.#note(answer.failure);
    } catch (error) {
      this.#note(failed('shape', error instanceof Error ? error.message : 'unreadable').failure);
    }
    status.set({ last_attempt: clock.now() });
    return null;
  }

  #note({ code, message }: Failure): void {
    const at = this.#context.clock.now();
    this.#options.status.set({ last_error: { code, message, at } });
  }

  #report(now: number): void {
    const { status } = this.#options;
    const { size, live, dropped } = this.#books;
    const { at, live: before } = this.#reported;
    if (now - at < (live === before ? report.most : report.least)) return;
    this.#reported = { at: now, live };
    const { subscriptions } = this.#connections;
    if (size === 0) status.set({ state: 'standby', reason: null, dropped });
    else if (live > 0) status.succeed({ asked: now, received: now, rows: live, dropped });
    else if (status.values.state === 'up') {
      status.fail(failed('network', 'no book is live').failure, now);
    }
    // A stream answers no request, so it has no latency.
    status.set({ latency_ms: null, rows: live, dropped, last_attempt: now });
    status.set({ next_poll: now + report.most, ...(subscriptions && { subscriptions }) }).report();
  }
}

/** The behaviour of a book streamer, for a supervisor. */
export const bookStreamer =
  (options: BookStreamerOptions): Behaviour<StreamerMessage> =>
  (context) =>
    new BookStreamer(context, options);
