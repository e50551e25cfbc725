/** The actor that keeps one stream open: messages are folded as they come, and handed to their topic every so often. */
import { type Failure, failed } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import type { Cancel } from '../kernel/clock.ts';
import { createSocket, type Socket } from '../upstream/socket.ts';
import type { Stream } from '../venues/venue.ts';
import type { InstrumentBook } from './instruments.ts';
import type { Catch } from './outlet.ts';
import type { AnyOutlet } from './poller.ts';
import { messageOf, type StreamFold } from './stream-fold.ts';

/** `open`: there are instruments. `tick`: hand over what there is. `crash`: a bug outside of a message's parser. */
export type StreamerMessage = 'open' | 'tick' | { crash: unknown };

/** Any topic's fold, as far as a streamer minds. */
export type AnyFold = Pick<StreamFold<never>, 'heard' | 'accept'>;

/** What a streamer needs to know and to reach. */
export interface StreamerOptions {
  source: string;
  part: string;
  /** Least time between two readings, ms. */
  every: number;
  stream: Omit<Stream<never>, 'parse'>;
  /** A fold and the outlet that takes its rows; made anew for every life. */
  outlet(): { fold: AnyFold; outlet: AnyOutlet };
  book: InstrumentBook;
  gateway: string | null;
  random(): number;
}

/** After a bad time the first reading waits this long for the other messages of a snapshot, ms. */
const gathering = 1_000;

class Streamer implements Actor<StreamerMessage> {
  readonly #context: ActorContext<StreamerMessage>;
  readonly #options: StreamerOptions;
  readonly #fold: AnyFold;
  readonly #outlet: AnyOutlet;
  #socket: Socket | null = null;
  /** Why the connection was lost; null from the first reading after that. */
  #failure: Failure | null = null;
  /** When data came last, or the socket was made to bring some. */
  #lastData = 0;
  #lastReading = 0;
  /** Messages that this socket had dropped at the last reading. */
  #missed = 0;
  #hurried = false;
  #crashed = false;
  #unsubscribe: Cancel = () => {};
  #cancel: Cancel = () => {};

  constructor(context: ActorContext<StreamerMessage>, options: StreamerOptions) {
    this.#context = context;
    this.#options = options;
    const { fold, outlet } = options.outlet();
    this.#fold = fold;
    this.#outlet = outlet;
  }

  async started(): Promise<void> {
    const { book, source, part, every } = this.#options;
    await this.#outlet.open();
    this.#unsubscribe = book.onChange(source, part, () => {
      if (this.#socket === null) this.#context.self.tell('open');
    });
    this.#open();
    this.#plan(every);
  }

  async stopped(): Promise<void> {
    this.#unsubscribe();
    await this.#socket?.close();
  }

  async receive(message: StreamerMessage): Promise<void> {
    if (message === 'open') this.#open();
    else if (message === 'tick') await this.#tick();
    else throw message.crash;
  }

  /** Does nothing before there are instruments: without them no row can be read. */
  #open(): void {
    const { source, part, book, stream, gateway, random } = this.#options;
    const { clock, self, signal } = this.#context;
    if (this.#socket !== null || book.part(source, part).size === 0) return;
    const { url, silence, keepAlive } = stream;
    this.#lastData = clock.now();
    this.#missed = 0;
    this.#socket = createSocket({
      ...{ url, gateway, silence, clock, random },
      ...(keepAlive && { ping: { every: keepAlive.every, message: () => keepAlive.message } }),
      subscribe: () => stream.subscribe(book.part(source, part)),
      onMessage: (text) => {
        if (!signal.aborted && !this.#crashed) this.#hear(text);
      },
      onState: (_state, failure) => {
        if (failure) this.#failure = failure;
      },
      onError: (error) => {
        // Told once: what a mailbox holds outlives the crash.
        if (!this.#crashed) self.tell({ crash: error });
        this.#crashed = true;
      },
    });
  }

  #hear(text: string): void {
    const { source, part, book, stream, every } = this.#options;
    const message = messageOf(text);
    const reply = stream.reply?.(message) ?? null;
    if (reply !== null) this.#socket?.send(reply);
    const now = this.#context.clock.now();
    this.#fold.accept(message, { received: now, instruments: book.part(source, part) });
    if (this.#fold.heard.received === null) return;
    this.#lastData = now;
    if (this.#outlet.status.state === 'up' || this.#hurried) return;
    this.#hurried = true;
    this.#plan(Math.max(gathering, this.#lastReading + every - now));
  }

  async #tick(): Promise<void> {
    const now = this.#context.clock.now();
    this.#hurried = false;
    if (this.#socket !== null) {
      this.#outlet.status.last_attempt = now;
      const { received } = this.#fold.heard;
      const failure = received === null ? await this.#quiet(now) : await this.#hand(received);
      if (failure) this.#outlet.fail(failure, now);
    }
    if (!this.#context.signal.aborted) this.#plan(this.#options.every);
  }

  /** Hands the rows over; the failure that prevented it, or null. */
  async #hand(received: number): Promise<Failure | null> {
    const { source, part, book } = this.#options;
    const { failure, unused } = this.#fold.heard;
    const dropped = this.#socket?.dropped ?? 0;
    const missed = dropped - this.#missed;
    const caught: Catch = {
      bodies: [],
      asked: received,
      received,
      lost: 0,
      missing: this.#failure ?? failure,
      unused: { ...unused, ...(missed > 0 && { message_missed: missed }) },
    };
    const instruments = book.part(source, part);
    const refused = await this.#outlet.take(caught, { received, instruments });
    if (refused) return refused;
    this.#missed = dropped;
    this.#failure = null;
    this.#lastReading = this.#context.clock.now();
    // Nobody asked, so nothing was answered late.
    this.#outlet.status.latency_ms = null;
    return null;
  }

  /** Why there is no data; null while that is no wonder. What talks of other things for too long is opened anew. */
  async #quiet(now: number): Promise<Failure | null> {
    const { silence } = this.#options.stream;
    const { unused } = this.#fold.heard;
    const failure = this.#failure ?? this.#fold.heard.failure;
    this.#outlet.status.dropped = { ...unused };
    const quiet = now - this.#lastData;
    if (this.#socket?.state !== 'open' || quiet < silence) return failure;
    await this.#socket.close();
    this.#socket = null;
    if (!this.#context.signal.aborted) this.#open();
    return failure ?? failed('timeout', `no data for ${quiet} ms`).failure;
  }

  #plan(delay: number): void {
    this.#cancel();
    this.#cancel = this.#context.after(delay, 'tick');
    this.#outlet.status.next_poll = this.#context.clock.now() + Math.round(delay);
    this.#outlet.report();
  }
}

/** The behaviour of a streamer, for a supervisor. */
export const streamer =
  (options: StreamerOptions): Behaviour<StreamerMessage> =>
  (context) =>
    new Streamer(context, options);
