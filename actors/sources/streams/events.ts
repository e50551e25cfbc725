/** The sink of events: each is published once, within milliseconds of its arrival. */
import { type Failure, failed } from '../../failure.ts';
import type { Behaviour } from '../../kernel/actor.ts';
import type { HttpClient } from '../../upstream/client.ts';
import type { InstrumentBook } from '../instruments.ts';
import type { StatusRow } from '../status.ts';
import { type StreamMessage, streamActor } from './actor.ts';
import { Counter } from './counter.ts';
import { EachFold } from './fold.ts';
import { ListedMarkets } from './markets.ts';
import { PastAsker } from './past-events.ts';
import type { Sink, SinkContext, StreamView } from './sink.ts';
import type { AnyEvent, EachStream } from './stream.ts';

/** The events since the last entry. */
export interface EventEntry<Event> {
  /** Now, Unix ms. */
  at: number;
  /** Since when all connections have had their subscriptions without a gap, Unix ms; null when they are not. */
  since: number | null;
  events: readonly Event[];
}

interface EventSinkOptions<Event extends AnyEvent> {
  stream: EachStream<Event>;
  /** Its row in `/v1/status`, which outlives it. */
  status: StatusRow;
  /** Null when it was published, else the reason why it was not. */
  publish(entry: EventEntry<Event>): Promise<Failure | null>;
  /** The time until which the stream was received, also by an earlier process, Unix ms; null where that is not known. */
  lastHeard(): Promise<number | null>;
  /** Asks for events of the past. */
  client: Pick<HttpClient, 'send'>;
  /** An event named an instrument that no list holds. */
  onUnknown(): void;
}

/** Least time between two entries: events that come sooner are published together, ms. */
const minPauseMs = 20;
/** An entry without events states at least this often that the stream is received, ms. */
const beat = 60_000;
/** Of a request for past events. */
const timeoutMs = 30_000;
/** Before a refused entry is published again. */
const retryDelayMs = 1_000;
/** Events of an entry. */
const maxEntry = 500;
/** Events that wait: ten seconds of five thousand. */
const maxWaiting = 50_000;

class EventSink<Event extends AnyEvent> implements Sink {
  readonly #view: StreamView;
  readonly #options: EventSinkOptions<Event>;
  readonly #fold: EachFold<Event>;
  readonly #past: PastAsker<Event> | null;
  /** Events that are not published yet. */
  #waiting: Event[] = [];
  #since: number | null = null;
  /** When events were last published, Unix ms. */
  #out = 0;
  /** Everything received until then is published, Unix ms. */
  #published = 0;
  /** Events, and unused messages by reason, since the last report. */
  #received = 0;
  readonly #dropped = new Counter();
  /** Messages that have not come since the last flush. */
  #missed = 0;
  #lastBeat = Number.NEGATIVE_INFINITY;

  constructor(view: StreamView, options: EventSinkOptions<Event>) {
    this.#view = view;
    this.#options = options;
    this.#fold = new EachFold(options.stream);
    this.#past = this.#pastAsker();
  }

  async open(now: number): Promise<void> {
    this.#lastBeat = now;
    this.#options.status.set({ state: 'waiting', reason: null });
    const heard = this.#past && (await this.#options.lastHeard());
    if (heard !== null) this.#past?.lost(heard);
  }

  take(message: unknown, context: SinkContext): boolean {
    const events = this.#fold.accept(message, context);
    if (events === null) return false;
    for (const { contract } of events) this.#view.heard(contract);
    if (this.#fold.waiting > 0)
      this.#view.flushWithin(Math.max(0, this.#out + minPauseMs - context.received));
    return true;
  }

  async flush(now: number): Promise<number> {
    this.#collect(now);
    const isBeat = now - this.#lastBeat >= beat;
    const hasEvents = this.#waiting.length > 0;
    if (hasEvents) this.#out = now;
    const failure = isBeat || hasEvents ? await this.#publish(now) : null;
    if (failure) this.#options.status.fail(failure, now).report();
    else if (isBeat) this.#report(now);
    return failure ? retryDelayMs : Math.max(0, this.#lastBeat + beat - now);
  }

  lost(failure: Failure, now: number): void {
    this.#turned(now);
    if (this.#since === null) this.#options.status.fail(failure, now);
  }

  ready(now: number): void {
    this.#turned(now);
  }

  missed(count: number): void {
    this.#missed += count;
  }

  /** The last entry: the events so far, and that the stream is no longer received. */
  async close(at: number): Promise<void> {
    this.#past?.stop();
    this.#collect(at);
    if (this.#published > 0 || this.#since !== null || this.#waiting.length > 0)
      await this.#options.publish({ at, since: null, events: this.#waiting });
  }

  #pastAsker(): PastAsker<Event> | null {
    const { stream, client } = this.#options;
    const { clock, signal } = this.#view;
    if (!stream.past) return null;
    return new PastAsker({
      past: stream.past,
      clock,
      signal,
      instruments: () => this.#view.known,
      send: (request) => client.send(request, { deadline: timeoutMs, signal }),
      onEvents: (events) => {
        this.#fold.add(events, clock.now());
        if (this.#fold.waiting > 0) this.#view.flushWithin(minPauseMs);
      },
      onFailure: (failure) => this.#note(failure, clock.now()).report(),
      onError: (error) => this.#view.crash(error),
    });
  }

  /** A connection has its subscriptions or was lost: the next entry says so. */
  #turned(now: number): void {
    const isReceived = this.#view.connections.subscribed;
    const was = this.#since !== null;
    this.#since = isReceived ? (this.#since ?? now) : null;
    if (isReceived === was) return;
    if (isReceived) this.#past?.back(now);
    else this.#past?.lost(now);
    this.#lastBeat = Number.NEGATIVE_INFINITY;
    this.#view.flushWithin(minPauseMs);
  }

  /** Takes the events that the fold has collected. */
  #collect(received: number): void {
    const { failure, unused } = this.#fold.intake;
    const { rows, dropped } = this.#fold.take();
    for (const event of rows) this.#waiting.push(event);
    for (const { code } of dropped) this.#dropped.add(code);
    for (const [reason, count] of Object.entries(unused)) this.#dropped.add(reason, count);
    this.#dropped.add('message_missed', this.#missed);
    const excess = this.#waiting.length - maxWaiting;
    if (excess > 0) this.#dropped.add('overflow', this.#waiting.splice(0, excess).length);
    const isWhole = excess <= 0 && this.#missed === 0 && unused.overflow === undefined;
    // Time in which messages were missed does not count as received.
    if (!isWhole && this.#since !== null) this.#since = received;
    this.#missed = 0;
    this.#received += rows.length;
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
      const events = this.#waiting.slice(0, maxEntry);
      const isLast = events.length === this.#waiting.length;
      const at = isLast ? now : Math.max(this.#published, since ?? 0);
      const failure = await this.#options.publish({ at, since, events });
      if (failure) return failure;
      this.#published = at;
      this.#waiting.splice(0, events.length);
    } while (this.#waiting.length > 0 && !this.#view.signal.aborted);
    return null;
  }

  #report(now: number): void {
    const { status } = this.#options;
    this.#lastBeat = now;
    const { connections, subscriptions } = this.#view;
    this.#dropped.add('subscription_refused', connections.refused);
    const dropped = this.#dropped.take();
    status.set({ last_attempt: now, ...(subscriptions && { subscriptions }) });
    if (this.#since !== null) {
      status.succeed({ asked: now, received: now, rows: this.#received, dropped });
      // A stream answers no request, so it has no latency.
      status.set({ latency_ms: null });
    } else if (connections.exist && status.values.state !== 'failing') {
      status.fail(failed('network', 'not every connection has its subscriptions').failure, now);
    }
    this.#received = 0;
    status.set({ next_poll: now + beat }).report();
  }

  #note({ code, message }: Failure, at: number): StatusRow {
    return this.#options.status.set({ last_error: { code, message, at } });
  }
}

export interface EachEventOptions<Event extends AnyEvent> extends EventSinkOptions<Event> {
  source: string;
  part: string;
  book: InstrumentBook;
  gateway: string | null;
  random(): number;
}

/** The behaviour of a stream of which each event is published once. */
export const eachEvent = <Event extends AnyEvent>(
  options: EachEventOptions<Event>,
): Behaviour<StreamMessage> =>
  streamActor({
    stream: options.stream,
    gateway: options.gateway,
    random: options.random,
    markets: () => new ListedMarkets(options),
    sink: (view) => new EventSink(view, options),
  });
