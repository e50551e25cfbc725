/** The actor that keeps a stream of events open and publishes each event once, within milliseconds of its arrival. */
import { type Failure, failed } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import type { Cancel } from '../kernel/clock.ts';
import type { HttpClient } from '../upstream/client.ts';
import { type Connections, connectionsOf, type StreamerMessage } from './connections.ts';
import type { InstrumentMap } from './define.ts';
import type { InstrumentBook } from './instruments.ts';
import { PastAsker } from './past-events.ts';
import type { StatusRow } from './status.ts';
import type { AnyEvent, EachStream } from './stream.ts';
import { EachFold } from './stream-fold.ts';

/** The events since the last entry. */
export interface Heard<Event> {
  /** Now, Unix ms. */
  at: number;
  /** Since when all connections have had their subscriptions without a gap, Unix ms; null when they are not. */
  since: number | null;
  events: readonly Event[];
}

export interface EventStreamerOptions<Event extends AnyEvent> {
  source: string;
  part: string;
  stream: EachStream<Event>;
  book: InstrumentBook;
  /** Its row in `/v1/status`, which outlives it. */
  status: StatusRow;
  /** Null when it was published, else the reason why it was not. */
  publish(heard: Heard<Event>): Promise<Failure | null>;
  /** The time until which the stream was received, also by an earlier process, Unix ms; null where that is not known. */
  lastHeard(): Promise<number | null>;
  /** Asks for events of the past. */
  client: Pick<HttpClient, 'send'>;
  /** An event named an instrument that no list holds. */
  onUnknown(): void;
  gateway: string | null;
  random(): number;
}

/** Least time between two entries: events that come sooner are published together, ms. */
const together = 20;
/** An entry without events states at least this often that the stream is received, ms. */
const beat = 60_000;
/** Deadline of a request for past events, ms. */
const patience = 30_000;
/** Pause before a refused entry is published again, ms. */
const again = 1_000;
/** Most events of an entry, and most that wait: ten seconds of five thousand. */
const most = { entry: 500, waiting: 50_000 };

class EventStreamer<Event extends AnyEvent> implements Actor<StreamerMessage> {
  readonly #context: ActorContext<StreamerMessage>;
  readonly #options: EventStreamerOptions<Event>;
  readonly #fold: EachFold<Event>;
  readonly #connections: Connections;
  readonly #past: PastAsker<Event> | null;
  /** The markets that are subscribed to. */
  #instruments: InstrumentMap = new Map();
  /** Events that are not published yet. */
  #waiting: Event[] = [];
  #since: number | null = null;
  /** When events were last published, Unix ms. */
  #out = 0;
  /** Everything received until then is published, Unix ms. */
  #published = 0;
  /** Events, and unused messages by reason, since the last report. */
  #heard = 0;
  #dropped: Record<string, number> = {};
  #lost = 0;
  #beat = Number.NEGATIVE_INFINITY;
  #planned = Infinity;
  #unsubscribe: Cancel = () => {};
  #cancel: Cancel = () => {};

  constructor(context: ActorContext<StreamerMessage>, options: EventStreamerOptions<Event>) {
    this.#context = context;
    this.#options = options;
    this.#fold = new EachFold(options.stream);
    this.#connections = connectionsOf(context, options, {
      onMessage: (message) => this.#take(message),
      onState: (failure) => this.#turned(failure),
      onSubscribed: () => this.#turned(undefined),
    });
    this.#past = this.#pastAsker();
  }

  async started(): Promise<void> {
    const { book, source, part, status } = this.#options;
    status.set({ state: 'waiting', reason: null });
    const heard = this.#past && (await this.#options.lastHeard());
    if (heard !== null) this.#past?.lost(heard);
    this.#unsubscribe = book.onChange(source, part, () => this.#context.self.tell('open'));
    this.#open();
    this.#plan(beat);
  }

  async stopped(): Promise<void> {
    const at = this.#context.clock.now();
    this.#unsubscribe();
    this.#past?.stop();
    await this.#connections.close();
    this.#collect(at);
    // The last entry: the events so far, and that the stream is no longer received.
    if (this.#published > 0 || this.#since !== null || this.#waiting.length > 0)
      await this.#options.publish({ at, since: null, events: this.#waiting });
  }

  async receive(message: StreamerMessage): Promise<void> {
    if (message === 'open') this.#open();
    else if (message === 'tick') await this.#tick();
    else throw message.crash;
  }

  /** Subscribes to the present markets; an event of an unknown market cannot be read. */
  #open(): void {
    const { source, part, book } = this.#options;
    this.#instruments = book.part(source, part);
    if (this.#instruments.size > 0) this.#connections.subscribe(this.#instruments);
  }

  #pastAsker(): PastAsker<Event> | null {
    const { source, part, book, stream, client } = this.#options;
    const { clock, signal, self } = this.#context;
    if (!stream.past) return null;
    return new PastAsker({
      ...{ past: stream.past, clock, signal },
      instruments: () => book.part(source, part),
      send: (request) => client.send(request, { deadline: patience, signal }),
      onEvents: (events) => {
        this.#fold.add(events, clock.now());
        if (this.#fold.waiting > 0) this.#plan(together);
      },
      onFailure: (failure) => this.#note(failure, clock.now()).report(),
      onError: (crash) => self.tell({ crash }),
    });
  }

  #take(message: unknown): void {
    const received = this.#context.clock.now();
    this.#fold.accept(message, { received, instruments: this.#instruments });
    if (this.#fold.waiting > 0) this.#plan(Math.max(0, this.#out + together - received));
  }

  /** A connection has its subscriptions or was lost: the next entry says so. */
  #turned(failure: Failure | undefined): void {
    const now = this.#context.clock.now();
    const open = this.#connections.subscribed;
    const was = this.#since !== null;
    this.#since = open ? (this.#since ?? now) : null;
    if (failure && !open) this.#options.status.fail(failure, now);
    if (open === was) return;
    if (open) this.#past?.back(now);
    else this.#past?.lost(now);
    this.#beat = Number.NEGATIVE_INFINITY;
    this.#plan(together);
  }

  async #tick(): Promise<void> {
    const now = this.#context.clock.now();
    this.#planned = Infinity;
    this.#collect(now);
    const isBeat = now - this.#beat >= beat;
    const isDue = isBeat || this.#waiting.length > 0;
    if (this.#waiting.length > 0) this.#out = now;
    const failure = isDue ? await this.#publish(now) : null;
    if (failure) this.#options.status.fail(failure, now).report();
    else if (isBeat) this.#report(now);
    if (this.#context.signal.aborted) return;
    this.#plan(failure ? again : Math.max(0, this.#beat + beat - now));
  }

  /** Takes the events that the fold has collected. */
  #collect(received: number): void {
    const { failure, unused } = this.#fold.intake;
    const { rows, dropped } = this.#fold.take();
    const { dropped: missed } = this.#connections;
    const counts = { ...unused, message_missed: Math.max(0, missed - this.#lost) };
    for (const event of rows) this.#waiting.push(event);
    for (const { code } of dropped) this.#count(code, 1);
    for (const [reason, count] of Object.entries(counts)) this.#count(reason, count);
    const excess = this.#waiting.length - most.waiting;
    if (excess > 0) this.#count('overflow', this.#waiting.splice(0, excess).length);
    const isWhole = excess <= 0 && missed === this.#lost && unused.overflow === undefined;
    // Time in which messages were dropped does not count as received.
    if (!isWhole && this.#since !== null) this.#since = received;
    this.#lost = missed;
    this.#heard += rows.length;
    if (failure) this.#note(failure, received);
    if (dropped.some(({ code }) => code === 'unknown_instrument')) this.#options.onUnknown();
  }

  /**
   * Publishes the waiting events, which are all until `now`, as the last entry states. Events that Redis refuses wait
   * further. Returns the failure that prevented it, or null.
   */
  async #publish(now: number): Promise<Failure | null> {
    const since = this.#since;
    do {
      const events = this.#waiting.slice(0, most.entry);
      const isLast = events.length === this.#waiting.length;
      const at = isLast ? now : Math.max(this.#published, since ?? 0);
      const failure = await this.#options.publish({ at, since, events });
      if (failure) return failure;
      this.#published = at;
      this.#waiting.splice(0, events.length);
    } while (this.#waiting.length > 0 && !this.#context.signal.aborted);
    return null;
  }

  #report(now: number): void {
    const { status } = this.#options;
    this.#beat = now;
    const { subscriptions, refused } = this.#connections;
    status.set({ last_attempt: now, ...(subscriptions && { subscriptions }) });
    if (this.#since === null) {
      if (this.#connections.exist && status.values.state !== 'failing') {
        status.fail(failed('network', 'not every connection has its subscriptions').failure, now);
      }
    } else {
      const dropped = Object.fromEntries(
        Object.entries({ ...this.#dropped, subscription_refused: refused }).filter(
          ([, count]) => count > 0,
        ),
      );
      status.succeed({ asked: now, received: now, rows: this.#heard, dropped });
      // A stream answers no request, so it has no latency.
      status.set({ latency_ms: null });
    }
    this.#heard = 0;
    this.#dropped = {};
    status.set({ next_poll: now + beat }).report();
  }

  #note({ code, message }: Failure, at: number): StatusRow {
    return this.#options.status.set({ last_error: { code, message, at } });
  }

  #count(reason: string, count: number): void {
    this.#dropped[reason] = (this.#dropped[reason] ?? 0) + count;
  }

  /** The next tick comes in `delay` ms at the latest. */
  #plan(delay: number): void {
    const due = this.#context.clock.now() + delay;
    if (due >= this.#planned) return;
    this.#planned = due;
    this.#cancel();
    this.#cancel = this.#context.after(delay, 'tick');
  }
}

/** The behaviour of an event streamer, for a supervisor. */
export const eventStreamer =
  <Event extends AnyEvent>(options: EventStreamerOptions<Event>): Behaviour<StreamerMessage> =>
  (context) =>
    new EventStreamer(context, options);
