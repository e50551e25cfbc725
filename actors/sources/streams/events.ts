/** The sink of events: each is published once, within milliseconds of its arrival. */

import type { Pace } from '../../../config/pace.ts';
import { minute } from '../../../config/time.ts';
import { RecentKeys } from '../../../indicators/derivatives/recent-keys.ts';
import { type Failure, failed } from '../../failure.ts';
import type { StreamEvents } from '../../topics/index.ts';
import type { Parsed } from '../define.ts';
import { maxAhead } from '../quality/guards.ts';
import type { Counter } from '../status/status.ts';
import {
  type MarketChoice,
  type Sink,
  type SinkContext,
  type StreamActor,
  type StreamOf,
  streamActor,
} from './actor.ts';
import type { AnyEvent, EachStream } from './stream.ts';

export interface EventOptions<Event extends AnyEvent> extends StreamOf<EachStream<Event>> {
  markets: MarketChoice;
  pace: Pace;
  /** Null when it was published, else the reason why it was not. */
  publish(entry: StreamEvents<Event>): Promise<Failure | null>;
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

  /** Takes what a message has, received at that time; false where older events had to make room. */
  accept({ rows, dropped }: Parsed<Event>, received: number): boolean {
    for (const event of rows) {
      const age = received - event.timestamp;
      if (age > memory.keep || age < -maxAhead) this.#counter.add('out_of_time');
      else if (this.#known.add(this.#keyOf(event), received)) this.waiting.push(event);
    }
    for (const { code } of dropped) this.#counter.add(code);
    const excess = this.waiting.splice(0, Math.max(0, this.waiting.length - maxEvents)).length;
    this.#counter.add('overflow', excess);
    return excess === 0;
  }

  /** Removes the oldest events, up to the last of these; more of them may have made room meanwhile. */
  remove(events: readonly Event[]): void {
    const last = events.at(-1);
    if (last !== undefined) this.waiting.splice(0, this.waiting.indexOf(last) + 1);
  }
}

/** An entry without events states at least this often that the stream is received, ms. */
const beat = minute;
/** Between two looks whether this process has the lease, ms. */
const standbyPauseMs = 100;
/** Before a refused entry is published again. */
const retryDelayMs = 1_000;
/** Events of an entry. */
const maxEntry = 500;

class EventSink<Event extends AnyEvent> implements Sink<Parsed<Event>> {
  readonly expects = 'nothing';
  readonly #stream: StreamActor<Parsed<Event>>;
  readonly #options: EventOptions<Event>;
  readonly #fold: EachFold<Event>;
  #since: number | null = null;
  /** When events were published last, by the monotonic clock. */
  #out = Number.NEGATIVE_INFINITY;
  /** Everything received until then is published, Unix ms. */
  #published = 0;
  /** Events since the last report. */
  #count = 0;
  /** When the last beat was, by the monotonic clock. */
  #lastBeat: number;

  constructor(stream: StreamActor<Parsed<Event>>, options: EventOptions<Event>) {
    this.#stream = stream;
    this.#options = options;
    this.#fold = new EachFold(options.stream.keyOf, stream.counter);
    this.#lastBeat = stream.clock.monotonic();
  }

  /** Time in which events were lost does not count as received. An unknown instrument may stand in the next list. */
  take(parsed: Parsed<Event>, { received, connection }: SinkContext): boolean {
    const { pace, onUnknown, status } = this.#options;
    if (!this.#fold.accept(parsed, received) && this.#since !== null) this.#since = received;
    let newest = 0;
    for (const { contract, timestamp } of parsed.rows) {
      connection.note(contract);
      newest = Math.max(newest, timestamp);
    }
    if (newest > 0) status.tally.events.add(received - newest, received);
    if (parsed.dropped.some(({ code }) => code === 'unknown_instrument')) onUnknown();
    if (this.#fold.waiting.length > 0)
      this.#stream.flushWithin(pace.wait(this.#stream.clock.monotonic() - this.#out));
    return true;
  }

  async flush(now: number): Promise<number> {
    // On standby the events wait: they are published once, and those that the other process has published are repeats.
    if (this.#options.lease?.isHeld === false) return standbyPauseMs;
    const time = this.#stream.clock.monotonic();
    const isBeat = time - this.#lastBeat >= beat;
    const hasEvents = this.#fold.waiting.length > 0;
    if (hasEvents) this.#out = time;
    const failure = isBeat || hasEvents ? await this.#publish(now) : null;
    if (failure) this.#options.status.fail(failure, now).report();
    else if (isBeat) this.#report(time);
    return failure ? retryDelayMs : Math.max(0, this.#lastBeat + beat - time);
  }

  ended(_by: unknown, failure: Failure | null, now: number): void {
    if (failure) this.ready(now);
  }

  /** A connection has its subscriptions or was lost: the next entry says so. */
  ready(now: number): void {
    const was = this.#since;
    this.#since = this.#stream.connections.subscribed ? (was ?? now) : null;
    if (this.#since === was) return;
    this.#lastBeat = Number.NEGATIVE_INFINITY;
    this.#stream.flushWithin(0);
  }

  /**
   * The last entries: the events so far, with the time for which the stream was received, and that it is received no longer,
   * unless another process goes on.
   */
  async close(at: number): Promise<void> {
    const { source, part, publish, lease } = this.#options;
    if (lease?.isHeld === false) return;
    const { waiting } = this.#fold;
    const since = this.#since;
    if (since !== null) await publish({ source, part, at, since, events: waiting });
    if (lease?.isHandedOver === true) return;
    const events = since === null ? waiting : [];
    if (this.#published > 0 || since !== null || events.length > 0)
      await publish({ source, part, at, since: null, events });
  }

  /**
   * Publishes the events that wait, which are all until `now`, as the last entry states. Events that Redis refuses wait
   * further. Returns the failure that prevented it, or null.
   */
  async #publish(now: number): Promise<Failure | null> {
    const { source, part, publish, pace } = this.#options;
    // The clock may have been set back.
    if (this.#since !== null) this.#since = Math.min(this.#since, now);
    const since = this.#since;
    let left = this.#fold.waiting.length;
    do {
      const events = this.#fold.waiting.slice(0, Math.min(left, maxEntry));
      left -= events.length;
      const at = left === 0 ? now : Math.max(this.#published, since ?? 0);
      const failure = await pace.run(() => publish({ source, part, at, since, events }));
      if (failure) return failure;
      this.#published = at;
      this.#count += events.length;
      this.#fold.remove(events);
    } while (left > 0 && !this.#stream.signal.aborted);
    return null;
  }

  #report(time: number): void {
    const isFailing = this.#options.status.values.state === 'failing';
    const { failure } = failed('network', 'not every connection has its subscriptions');
    const problem = this.#stream.connections.size > 0 && !isFailing ? failure : null;
    const state = this.#since !== null ? 'up' : problem;
    this.#stream.report(state, this.#count, beat);
    this.#stream.renew();
    this.#lastBeat = time;
    this.#count = 0;
  }
}

/** The behaviour of a stream of which each event is published once. */
export const eachEvent = <Event extends AnyEvent>(options: EventOptions<Event>) =>
  streamActor({
    ...options,
    sink: (stream) => new EventSink(stream, options),
  });
