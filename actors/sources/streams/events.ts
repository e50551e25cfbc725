/** The sink of events: each is published once, within milliseconds of its arrival. */

import { minute } from '../../../config/time.ts';
import { RecentKeys } from '../../../indicators/derivatives/recent-keys.ts';
import { type Failure, failed } from '../../failure.ts';
import type { Behaviour } from '../../kernel/actor.ts';
import type { Parsed } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import { maxAhead } from '../quality/guards.ts';
import type { Counter, StatusRow } from '../status/status.ts';
import { type StreamMessage, streamActor } from './actor.ts';
import {
  ListedMarkets,
  type Sink,
  type SinkContext,
  type StreamOf,
  type StreamView,
} from './sink.ts';
import type { AnyEvent, EachStream } from './stream.ts';

/** The events since the last entry. */
export interface EventEntry<Event> {
  /** Now, Unix ms. */
  at: number;
  /** Since when all connections have had their subscriptions without a gap, Unix ms; null when they are not. */
  since: number | null;
  events: readonly Event[];
}

export interface EventOptions<Event extends AnyEvent> extends StreamOf<EachStream<Event>> {
  book: InstrumentBook;
  /** Its row in `/v1/status`, which outlives it. */
  status: StatusRow;
  /** Null when it was published, else the reason why it was not. */
  publish(entry: EventEntry<Event>): Promise<Failure | null>;
  /** An event named an instrument that no list holds. */
  onUnknown(): void;
}

/** Events that wait: ten seconds of five thousand. */
const maxEvents = 50_000;
/** How long the keys of events are remembered at least, ms, and how many of them: see `RecentKeys`. */
const memory = { keep: 600_000, maxKeys: 50_000 };

/**
 * Keeps every event once, in the order of arrival: an upstream repeats events after a reconnect. An event of more than ten
 * minutes ago cannot be distinguished from a repeat: it is dropped and counted, and so are all but the newest 50,000 that wait.
 */
export class EachFold<Event extends AnyEvent> {
  /** The events that were not removed yet, the oldest first. */
  readonly waiting: Event[] = [];
  readonly #keyOf: EachStream<Event>['keyOf'];
  readonly #counter: Counter;
  readonly #known = new RecentKeys(memory);

  /** `counter` counts the events that are not kept. */
  constructor(keyOf: EachStream<Event>['keyOf'], counter: Counter) {
    this.#keyOf = keyOf;
    this.#counter = counter;
  }

  /** Takes what a message has, received at that time. */
  accept({ rows, dropped }: Parsed<Event>, received: number): void {
    for (const event of rows) {
      const age = received - event.timestamp;
      if (age > memory.keep || age < -maxAhead) this.#counter.add('out_of_time');
      else this.#keep(event, received);
    }
    for (const { code } of dropped) this.#counter.add(code);
  }

  /** Removes the oldest events, up to the last of these; more of them may have made room meanwhile. */
  remove(events: readonly Event[]): void {
    const last = events.at(-1);
    if (last !== undefined) this.waiting.splice(0, this.waiting.indexOf(last) + 1);
  }

  #keep(event: Event, received: number): void {
    if (!this.#known.add(this.#keyOf(event), received)) return;
    if (this.waiting.push(event) <= maxEvents) return;
    this.waiting.shift();
    this.#counter.add('overflow');
  }
}

/** Least time between two entries: events that come sooner are published together, ms. */
const minPauseMs = 20;
/** An entry without events states at least this often that the stream is received, ms. */
const beat = minute;
/** Between two looks whether this process has the lease, ms. */
const standbyPauseMs = 100;
/** Before a refused entry is published again. */
const retryDelayMs = 1_000;
/** Events of an entry. */
const maxEntry = 500;

class EventSink<Event extends AnyEvent> implements Sink<Parsed<Event>> {
  readonly #view: StreamView;
  readonly #options: EventOptions<Event>;
  readonly #fold: EachFold<Event>;
  #since: number | null = null;
  /** When events were last published, Unix ms. */
  #out = 0;
  /** Everything received until then is published, Unix ms. */
  #published = 0;
  /** Events since the last report. */
  #count = 0;
  /** Messages and events that were lost since the last report, until the last flush. */
  #lost = 0;
  /** An event of an instrument that no list holds has come since the last flush. */
  #hasUnknown = false;
  #lastBeat = Number.NEGATIVE_INFINITY;

  constructor(view: StreamView, options: EventOptions<Event>) {
    this.#view = view;
    this.#options = options;
    this.#fold = new EachFold(options.stream.keyOf, view.counter);
  }

  open(now: number): void {
    this.#lastBeat = now;
    this.#options.status.set({ state: 'waiting', reason: null });
  }

  take(parsed: Parsed<Event>, { received }: SinkContext): boolean {
    this.#fold.accept(parsed, received);
    for (const { contract } of parsed.rows) this.#view.noteData(contract);
    this.#hasUnknown ||= parsed.dropped.some(({ code }) => code === 'unknown_instrument');
    if (this.#fold.waiting.length > 0)
      this.#view.flushWithin(Math.max(0, this.#out + minPauseMs - received));
    return true;
  }

  async flush(now: number): Promise<number> {
    this.#look(now);
    // On standby the events wait: they are published once, and those that the other process has published are repeats.
    if (this.#options.lease?.isHeld === false) return standbyPauseMs;
    const isBeat = now - this.#lastBeat >= beat;
    const hasEvents = this.#fold.waiting.length > 0;
    if (hasEvents) this.#out = now;
    const failure = isBeat || hasEvents ? await this.#publish(now) : null;
    if (failure) this.#options.status.fail(failure, now).report();
    else if (isBeat) this.#report(now);
    return failure ? retryDelayMs : Math.max(0, this.#lastBeat + beat - now);
  }

  /** Its time counts as received with all subscriptions only. */
  isReady(): boolean {
    return this.#since !== null;
  }

  lost(failure: Failure, now: number): void {
    this.#turned(now);
    if (this.#since === null) this.#options.status.fail(failure, now);
  }

  ready(now: number): void {
    this.#turned(now);
  }

  /**
   * The last entries: the events so far, with the time for which the stream was received, and that it is received no longer,
   * unless another process goes on.
   */
  async close(at: number): Promise<void> {
    const { publish, lease } = this.#options;
    if (lease?.isHeld === false) return;
    const { waiting } = this.#fold;
    const since = this.#since;
    if (since !== null) await publish({ at, since, events: waiting });
    if (lease?.isHandedOver === true) return;
    const events = since === null ? waiting : [];
    if (this.#published > 0 || since !== null || events.length > 0)
      await publish({ at, since: null, events });
  }

  /** A connection has its subscriptions or was lost: the next entry says so. */
  #turned(now: number): void {
    const isReceived = this.#view.connections.subscribed;
    const was = this.#since !== null;
    this.#since = isReceived ? (this.#since ?? now) : null;
    if (isReceived === was) return;
    this.#lastBeat = Number.NEGATIVE_INFINITY;
    this.#view.flushWithin(minPauseMs);
  }

  /** Time in which something was lost does not count as received; an unknown instrument may stand in the next list. */
  #look(now: number): void {
    const { message_missed = 0, overflow = 0 } = this.#view.intake.unused;
    const lost = message_missed + overflow;
    if (lost > this.#lost && this.#since !== null) this.#since = now;
    this.#lost = lost;
    if (this.#hasUnknown) this.#options.onUnknown();
    this.#hasUnknown = false;
  }

  /**
   * Publishes the events that wait, which are all until `now`, as the last entry states. Events that Redis refuses wait
   * further. Returns the failure that prevented it, or null.
   */
  async #publish(now: number): Promise<Failure | null> {
    const since = this.#since;
    let left = this.#fold.waiting.length;
    do {
      const events = this.#fold.waiting.slice(0, Math.min(left, maxEntry));
      left -= events.length;
      const at = left === 0 ? now : Math.max(this.#published, since ?? 0);
      const failure = await this.#options.publish({ at, since, events });
      if (failure) return failure;
      this.#published = at;
      this.#count += events.length;
      this.#fold.remove(events);
    } while (left > 0 && !this.#view.signal.aborted);
    return null;
  }

  #report(now: number): void {
    const { status } = this.#options;
    const { connections } = this.#view;
    this.#lastBeat = now;
    const { unused, failure } = this.#view.takeIntake();
    const problem = failed('network', 'not every connection has its subscriptions').failure;
    const isNew = connections.exist && status.values.state !== 'failing';
    if (failure) status.note(failure, now);
    this.#view.report(status, {
      state: this.#since !== null ? 'up' : isNew ? problem : null,
      rows: this.#count,
      dropped: unused,
      next: beat,
    });
    this.#count = 0;
    this.#lost = 0;
  }
}

/** The behaviour of a stream of which each event is published once. */
export const eachEvent = <Event extends AnyEvent>(
  options: EventOptions<Event>,
): Behaviour<StreamMessage> =>
  streamActor({
    ...options,
    markets: () => new ListedMarkets(options),
    sink: (view) => new EventSink(view, options),
  });
