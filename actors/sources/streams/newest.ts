/** The sink of the newest rows: it collects the messages as they come, and publishes at most once per `every`. */
import { type Failure, failed } from '../../failure.ts';
import type { Behaviour } from '../../kernel/actor.ts';
import type { InstrumentMap, LiveTopic, RowsOf } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import type { AnyPublisher } from '../polling/poller.ts';
import type { Gathered } from '../polling/publisher.ts';
import { type StreamMessage, streamActor } from './actor.ts';
import { Reader } from './fold.ts';
import { ListedMarkets } from './markets.ts';
import type { Sink, SinkContext, StreamView } from './sink.ts';
import type { LatestStream } from './stream.ts';

/** A topic of the messages: what collects its rows, and the publisher that takes them from there. */
export interface Outlet {
  /** Takes what a message has of the topic, if it has any. */
  add(found: Partial<RowsOf<LiveTopic>>): void;
  /** Rows that were not kept since the last reading. */
  readonly overflow: number;
  publisher: AnyPublisher;
}

/** The topics of one stream; its status is that of the first. */
export type Outlets = readonly [own: Outlet, ...others: Outlet[]];

export interface NewestOptions {
  source: string;
  part: string;
  /** Least time between two readings, ms. */
  every: number;
  stream: LatestStream<LiveTopic>;
  book: InstrumentBook;
  /** Which of the listed markets are subscribed to; all of them when absent. */
  select?(listed: InstrumentMap): InstrumentMap;
  /** Made again after every crash. */
  outlets(): Outlets;
  /** A connection is lost, does not open, or brings no data. */
  onLost?(): void;
  gateway: string | null;
  random(): number;
}

/** Least time between two reports of an unchanged state, ms. */
const minReportMs = 5_000;
/** A stream that is published more often than this is published when a message has come, ms. */
const minPauseMs = 100;
/** After an outage the first reading comes so soon, and has what has come of a snapshot until then, ms. */
const gatheringMs = 1_000;

class NewestSink implements Sink {
  readonly #view: StreamView;
  readonly #options: NewestOptions;
  readonly #outlets: Outlets;
  readonly #reader: Reader<Partial<RowsOf<LiveTopic>>>;
  /** Why a connection was lost; null from the first reading after that. */
  #failure: Failure | null = null;
  /** The failure that was counted last; null from the first reading after it. */
  #counted: Failure | null = null;
  #lastReading = 0;
  /** The state as it was reported last, and when. */
  #reported = { state: '', at: 0 };

  constructor(view: StreamView, options: NewestOptions) {
    this.#view = view;
    this.#options = options;
    this.#outlets = options.outlets();
    this.#reader = new Reader(options.stream);
  }

  async open(): Promise<void> {
    for (const { publisher } of this.#outlets) await publisher.open();
  }

  take(message: unknown, context: SinkContext): boolean {
    const found = this.#reader.read(message, context);
    if (found === null) return false;
    for (const outlet of this.#outlets) outlet.add(found);
    for (const { rows } of Object.values(found))
      for (const { market } of rows) this.#view.noteData(market);
    const { every } = this.#options;
    if (this.#status.values.state !== 'up')
      this.#view.flushWithin(Math.max(gatheringMs, this.#lastReading + every - context.received));
    else if (every < minPauseMs) this.#view.flushWithin(every);
    return true;
  }

  async flush(now: number): Promise<number> {
    if (this.#view.connections.exist) {
      this.#status.set({ last_attempt: now });
      const failure = await this.#publish();
      if (failure) this.#count(failure, now);
    }
    const pause = Math.max(this.#options.every, minPauseMs);
    this.#report(this.#view.clock.now(), pause);
    return pause;
  }

  lost(failure: Failure): void {
    this.#failure = failure;
    this.#options.onLost?.();
  }

  missed(count: number): void {
    this.#reader.counter.add('message_missed', count);
  }

  starved(quiet: number, now: number): void {
    this.#count(this.#outage ?? failed('timeout', `no data for ${quiet} ms`).failure, now);
    this.#options.onLost?.();
  }

  /** What was not used since the last reading, by reason. */
  get #unused(): Record<string, number> {
    const overflow = this.#outlets.reduce((sum, outlet) => sum + outlet.overflow, 0);
    return {
      ...this.#reader.intake.unused,
      ...this.#view.refusals,
      ...(overflow > 0 && { overflow }),
    };
  }

  get #status() {
    return this.#outlets[0].publisher.status;
  }

  /** Why there is no data; null where that is not known. */
  get #outage(): Failure | null {
    return this.#failure ?? this.#reader.intake.failure;
  }

  /** Publishes the rows since the last reading; the failure that prevented it or, where none came, the reason, or null. */
  async #publish(): Promise<Failure | null> {
    const { received } = this.#reader.intake;
    const unused = this.#unused;
    if (received === null) {
      this.#status.set({ dropped: unused });
      return this.#outage;
    }
    const context = { received, instruments: this.#view.known };
    const gathered: Gathered = {
      bodies: [],
      asked: received,
      received,
      lost: 0,
      missing: this.#outage,
      unused,
    };
    this.#reader.takeIntake();
    let refusal: Failure | null = null;
    for (const { publisher } of this.#outlets) {
      const failure = await publisher.take(gathered, context);
      refusal ??= failure;
    }
    if (refusal) return refusal;
    this.#failure = null;
    this.#counted = null;
    this.#lastReading = this.#view.clock.now();
    // A stream answers no request, so it has no latency.
    this.#status.set({ latency_ms: null, ...this.#view.subscriptions });
    return null;
  }

  /** Counts each failure of a connection once, and each other kind of failure once until the next reading. */
  #count(failure: Failure, now: number): void {
    const isKnown =
      failure === this.#failure ? failure === this.#counted : failure.code === this.#counted?.code;
    if (isKnown) return;
    this.#counted = failure;
    for (const { publisher } of this.#outlets) publisher.fail(failure, now);
  }

  #report(now: number, pause: number): void {
    const { state } = this.#status.set({ next_poll: now + pause }).values;
    if (state === this.#reported.state && now - this.#reported.at < minReportMs) return;
    this.#reported = { state, at: now };
    for (const { publisher } of this.#outlets) publisher.status.report();
  }
}

/** The behaviour of a stream of which the newest rows are published. */
export const newestRows = (options: NewestOptions): Behaviour<StreamMessage> =>
  streamActor({
    ...options,
    markets: () => new ListedMarkets(options, options.select),
    sink: (view) => new NewestSink(view, options),
  });
