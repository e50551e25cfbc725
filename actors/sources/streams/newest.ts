/** The newest rows of a stream: collected as the messages come, and published at most once per `every`. */
import { type Failure, failed } from '../../failure.ts';
import type { Behaviour } from '../../kernel/actor.ts';
import type { InstrumentMap, LiveTopic, RowsOf } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import { type StreamMessage, streamActor } from './actor.ts';
import type { Outlet } from './live-publisher.ts';
import { ListedMarkets, type Sink, type StreamOf, type StreamView } from './sink.ts';
import type { LatestStream, StreamContext } from './stream.ts';

/** The topics of one stream; its status is that of the first. */
export type Outlets = readonly [own: Outlet, ...others: Outlet[]];

type Found = Partial<RowsOf<LiveTopic>>;

export interface NewestOptions extends StreamOf<LatestStream<LiveTopic>> {
  /** Least time between two readings, ms. */
  every: number;
  book: InstrumentBook;
  /** Which of the listed markets are subscribed to, of which `before` were the last ones; all of them when absent. */
  select?(listed: InstrumentMap, before: InstrumentMap): InstrumentMap;
  /** Made again after every crash. */
  outlets(): Outlets;
  /** A connection is lost, does not open, or brings no data. */
  onLost(): void;
}

/** Least time between two reports of an unchanged state, ms. */
const minReportMs = 5_000;
/** A stream that is published more often than this is published when a message has come, ms. */
const minPauseMs = 100;
/** After an outage the first reading comes so soon, and has what has come of a snapshot until then, ms. */
const gatheringMs = 1_000;

class NewestSink implements Sink<Found> {
  readonly #view: StreamView;
  readonly #options: NewestOptions;
  readonly #outlets: Outlets;
  /** Why a connection was lost; null from the first reading after that. */
  #failure: Failure | null = null;
  /** The failure that was counted last; null from the first reading after it. */
  #counted: Failure | null = null;
  #lastReading = Number.NEGATIVE_INFINITY;
  /** The state as it was reported last, and when. */
  #reported = { state: '', at: 0 };

  constructor(view: StreamView, options: NewestOptions) {
    this.#view = view;
    this.#options = options;
    this.#outlets = options.outlets();
  }

  take(found: Found, { received }: StreamContext): boolean {
    for (const outlet of this.#outlets) outlet.add(found, received);
    for (const [topic, { rows }] of Object.entries(found))
      for (const { market } of rows) this.#view.noteData(market, topic);
    const { every } = this.#options;
    if (this.#status.values.state !== 'up')
      this.#view.flushWithin(
        Math.max(gatheringMs, this.#lastReading + every - this.#view.clock.monotonic()),
      );
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

  isReady(): boolean {
    return Number.isFinite(this.#lastReading) || this.#view.intake.received !== null;
  }

  lost(failure: Failure): void {
    this.#failure = failure;
    this.#options.onLost();
  }

  starved(quiet: number, now: number): void {
    this.#count(this.#outage ?? failed('timeout', `no data for ${quiet} ms`).failure, now);
    this.#options.onLost();
  }

  /** What was not used since the last reading, by reason. */
  get #unused(): Record<string, number> {
    return { ...this.#view.intake.unused, ...this.#view.refusals };
  }

  get #status() {
    return this.#outlets[0].status;
  }

  /** Why there is no data; null where that is not known. */
  get #outage(): Failure | null {
    return this.#failure ?? this.#view.intake.failure;
  }

  /** Publishes the rows since the last reading; the failure that prevented it or, where none came, the reason, or null. */
  async #publish(): Promise<Failure | null> {
    const { received } = this.#view.intake;
    const unused = this.#unused;
    if (received === null) {
      this.#status.set({ dropped: unused });
      return this.#outage;
    }
    const { failure: unreadable } = this.#view.takeIntake();
    let refusal: Failure | null = null;
    for (const outlet of this.#outlets) {
      const failure = await outlet.publish(received, unused);
      refusal ??= failure;
    }
    if (refusal) return refusal;
    if (unreadable) this.#status.note(unreadable, received);
    this.#failure = null;
    this.#counted = null;
    this.#lastReading = this.#view.clock.monotonic();
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
    for (const { status } of this.#outlets) status.fail(failure, now);
  }

  #report(now: number, pause: number): void {
    const { state } = this.#status.set({ next_poll: now + pause }).values;
    if (state === this.#reported.state && now - this.#reported.at < minReportMs) return;
    this.#reported = { state, at: now };
    for (const { status } of this.#outlets) status.report();
  }
}

/** The behaviour of a stream of which the newest rows are published. */
export const newestRows = (options: NewestOptions): Behaviour<StreamMessage> =>
  streamActor({
    ...options,
    markets: () => new ListedMarkets(options, options.select),
    sink: (view) => new NewestSink(view, options),
  });
