/** The actor that keeps a stream open: it collects the messages as they come, and publishes at most once per `every`. */
import { type Failure, failed } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import type { Cancel } from '../kernel/clock.ts';
import { type Connections, connectionsOf, type StreamerMessage } from './connections.ts';
import type { InstrumentBook } from './instruments.ts';
import type { AnyPublisher } from './poller.ts';
import type { Gathered } from './publisher.ts';
import type { Wiring } from './stream.ts';
import type { ChangeFold } from './stream-fold.ts';

/** The part of any topic's fold that a streamer needs. */
export type AnyFold = Pick<ChangeFold<never>, 'intake' | 'accept'>;

export interface StreamerOptions {
  source: string;
  part: string;
  /** Least time between two readings, ms. */
  every: number;
  stream: Wiring;
  /** A fold and the publisher of its rows; created again after every crash. */
  open(): { fold: AnyFold; publisher: AnyPublisher };
  /** A connection is lost, does not open, or is silent. */
  onLost?(): void;
  book: InstrumentBook;
  gateway: string | null;
  random(): number;
}

/** Least time between two reports of an unchanged state, ms; a stream without data is checked as rarely. */
const calm = 5_000;
/** A stream that is published more often than this is published when a message has come, ms. */
const often = 100;
/** After an outage the first reading waits this long for the other messages of a snapshot, ms. */
const gathering = 1_000;

class Streamer implements Actor<StreamerMessage> {
  readonly #context: ActorContext<StreamerMessage>;
  readonly #options: StreamerOptions;
  readonly #fold: AnyFold;
  readonly #publisher: AnyPublisher;
  readonly #connections: Connections;
  /** Why a connection was lost; null from the first reading after that. */
  #failure: Failure | null = null;
  /** The failure that was counted last; null from the first reading after it. */
  #counted: Failure | null = null;
  /** When data came last, or the connections were opened. */
  #lastData = 0;
  #lastReading = 0;
  #lastQuiet = 0;
  /** The state as it was reported last, and when. */
  #reported = { state: '', at: 0 };
  /** Messages that the connections had dropped at the last reading. */
  #missed = 0;
  #hurried = false;
  /** A publication of the messages that came is planned. */
  #due = false;
  #unsubscribe: Cancel = () => {};
  #cancel: Cancel = () => {};

  constructor(context: ActorContext<StreamerMessage>, options: StreamerOptions) {
    this.#context = context;
    this.#options = options;
    const { fold, publisher } = options.open();
    this.#fold = fold;
    this.#publisher = publisher;
    this.#connections = connectionsOf(context, options, {
      onMessage: (message, by) => this.#take(message, by),
      onState: (failure) => {
        if (!failure) return;
        this.#failure = failure;
        this.#options.onLost?.();
      },
    });
  }

  async started(): Promise<void> {
    const { book, source, part, every } = this.#options;
    await this.#publisher.open();
    this.#unsubscribe = book.onChange(source, part, () => this.#context.self.tell('open'));
    this.#open();
    this.#plan(every);
  }

  async stopped(): Promise<void> {
    this.#unsubscribe();
    await this.#connections.close();
  }

  async receive(message: StreamerMessage): Promise<void> {
    if (message === 'open') this.#open();
    else if (message === 'tick') await this.#tick();
    else throw message.crash;
  }

  /** Subscribes to the present markets. Does nothing before there are any: without them no row can be read. */
  #open(): void {
    const { source, part, book } = this.#options;
    const instruments = book.part(source, part);
    if (instruments.size === 0) return;
    if (!this.#connections.exist) {
      this.#lastData = this.#context.clock.now();
      this.#missed = 0;
    }
    this.#connections.subscribe(instruments);
  }

  #take(message: unknown, connection: object): void {
    const { source, part, book, every } = this.#options;
    const now = this.#context.clock.now();
    const instruments = book.part(source, part);
    this.#fold.accept(message, { received: now, instruments, connection });
    if (this.#fold.intake.received === null) return;
    this.#lastData = now;
    const isUp = this.#publisher.status.values.state === 'up';
    if (isUp && every < often && !this.#due) {
      this.#due = true;
      this.#plan(every);
    }
    if (isUp || this.#hurried) return;
    this.#hurried = true;
    this.#plan(Math.max(gathering, this.#lastReading + every - now));
  }

  async #tick(): Promise<void> {
    const now = this.#context.clock.now();
    this.#hurried = false;
    this.#due = false;
    // The most traded markets are known only after a poll.
    if (!this.#connections.exist) this.#open();
    if (this.#connections.exist) {
      this.#publisher.status.set({ last_attempt: now });
      const failure = await this.#use(this.#fold.intake.received, now);
      if (failure) this.#count(failure, now);
    }
    // A message may have come while the ones before it were published.
    if (!this.#context.signal.aborted && !this.#due)
      this.#plan(Math.max(this.#options.every, often));
  }

  /** Counts each failure of a connection once, and each other kind of failure once until the next reading. */
  #count(failure: Failure, now: number): void {
    const isKnown =
      failure === this.#failure ? failure === this.#counted : failure.code === this.#counted?.code;
    if (isKnown) return;
    this.#counted = failure;
    this.#publisher.fail(failure, now);
  }

  /** Publishes the new rows, or finds out why none came; returns the failure, or null. */
  async #use(received: number | null, now: number): Promise<Failure | null> {
    if (received !== null) return this.#publish(received);
    if (now - this.#lastQuiet < Math.min(calm, this.#options.every)) return null;
    this.#lastQuiet = now;
    return this.#quiet(now);
  }

  /** Publishes the rows; the failure that prevented it, or null. */
  async #publish(received: number): Promise<Failure | null> {
    const { source, part, book } = this.#options;
    const { failure, unused } = this.#fold.intake;
    const { dropped, refused: refusals } = this.#connections;
    const missed = dropped - this.#missed;
    const gathered: Gathered = {
      bodies: [],
      asked: received,
      received,
      lost: 0,
      missing: this.#failure ?? failure,
      unused: {
        ...unused,
        ...(missed > 0 && { message_missed: missed }),
        ...(refusals > 0 && { subscription_refused: refusals }),
      },
    };
    const instruments = book.part(source, part);
    const refused = await this.#publisher.take(gathered, { received, instruments });
    if (refused) return refused;
    this.#missed = dropped;
    this.#failure = null;
    this.#counted = null;
    this.#lastReading = this.#context.clock.now();
    // A stream answers no request, so it has no latency.
    this.#publisher.status.set({ latency_ms: null });
    return null;
  }

  /** The reason that there is no data; null while this is expected. Connections without data are opened again. */
  async #quiet(now: number): Promise<Failure | null> {
    const { silence } = this.#options.stream;
    const { unused } = this.#fold.intake;
    const failure = this.#failure ?? this.#fold.intake.failure;
    this.#publisher.status.set({ dropped: { ...unused } });
    const quiet = now - this.#lastData;
    if (this.#connections.open === 'none' || quiet < silence) return failure;
    this.#options.onLost?.();
    await this.#connections.close();
    if (!this.#context.signal.aborted) this.#open();
    return failure ?? failed('timeout', `no data for ${quiet} ms`).failure;
  }

  #plan(delay: number): void {
    const now = this.#context.clock.now();
    this.#cancel();
    this.#cancel = this.#context.after(delay, 'tick');
    const status = this.#publisher.status.set({ next_poll: now + Math.round(delay) });
    const { state } = status.values;
    if (state === this.#reported.state && now - this.#reported.at < calm) return;
    this.#reported = { state, at: now };
    status.report();
  }
}

/** The behaviour of a streamer, for a supervisor. */
export const streamer =
  (options: StreamerOptions): Behaviour<StreamerMessage> =>
  (context) =>
    new Streamer(context, options);
