/** The newest rows of a stream: collected as the messages come, and published at most once per `every`. */
import { type Failure, failed } from '../../failure.ts';
import type { Behaviour } from '../../kernel/actor.ts';
import type { MarketRows, Reading } from '../../topics/index.ts';
import type { AnyRow, InstrumentMap, LiveTopic, Parsed, RowsOf } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import type { DropCode } from '../quality/reasons.ts';
import { withChecked } from '../quality/rows.ts';
import { countsOf, type StatusRow } from '../status/status.ts';
import { type StreamMessage, streamActor } from './actor.ts';
import { joined, type LiveRows, liveForms } from './live-rows.ts';
import { ListedMarkets, type Sink, type StreamOf, type StreamView } from './sink.ts';
import type { LatestStream } from './stream.ts';

/** Markets of one stream, of which exchanges have up to three thousand. */
const maxMarkets = 10_000;

/**
 * Hands on the newest row of each market that has come since the last call; 10,000 markets at most. `join` makes one row out of
 * two that come between two calls; without it the later one counts alone. A bad row leaves the market's last good one where it is.
 */
export class ChangeFold<Row extends AnyRow> {
  readonly #join: (before: Row, row: Row) => Row;
  /** Keys whose newest row was not used. */
  readonly #dropped = new Map<string, DropCode>();
  #rows = new Map<string, Row>();
  #overflow = 0;

  constructor(join: (before: Row, row: Row) => Row = (_, row) => row) {
    this.#join = join;
  }

  /** Rows that were not kept since the last call, beyond the bound. */
  get overflow(): number {
    return this.#overflow;
  }

  /** Takes what a message has. */
  add({ rows, dropped }: Parsed<Row>): void {
    for (const row of rows) this.#put(row);
    for (const { key, code } of dropped) {
      if (this.#dropped.size < maxMarkets || this.#dropped.has(key)) this.#dropped.set(key, code);
      else this.#overflow++;
    }
  }

  /** The rows collected since the last call. */
  take(): Parsed<Row> {
    const rows = [...this.#rows.values()];
    const dropped = [...this.#dropped].map(([key, code]) => ({ key, code }));
    this.#rows = new Map();
    this.#dropped.clear();
    this.#overflow = 0;
    return { rows, dropped };
  }

  #put(row: Row): void {
    this.#dropped.delete(row.market);
    const before = this.#rows.get(row.market);
    if (before !== undefined) this.#rows.set(row.market, this.#join(before, row));
    else if (this.#rows.size < maxMarkets) this.#rows.set(row.market, row);
    else this.#overflow++;
  }
}

/** What a stream has of one topic. */
export interface Outlet {
  /** Its row in `/v1/status`, which outlives it. */
  readonly status: StatusRow;
  /** Takes what a message has of the topic, if it has any. */
  add(found: Partial<RowsOf<LiveTopic>>): void;
  /** Rows that were not kept since the last reading. */
  readonly overflow: number;
  /**
   * Publishes the rows since the last call, of which the newest came at `received` (Unix ms). `unused` counts what else of the
   * stream was not used. The failure that prevented it, or null.
   */
  publish(received: number, unused: Readonly<Record<string, number>>): Promise<Failure | null>;
}

export interface LivePublisherOptions<T extends LiveTopic> {
  source: string;
  part: string;
  topic: T;
  rows: LiveRows<MarketRows[T]>;
  status: StatusRow;
  /** True while the polls show that the part is frozen: none of its rows is used. */
  frozen(): boolean;
  /** Null when it was published, else the reason why it was not. */
  publish(reading: Reading<MarketRows[T]>): Promise<Failure | null>;
}

/** Publishes the rows of a topic that a stream has changed. */
export class LivePublisher<T extends LiveTopic> implements Outlet {
  readonly status: StatusRow;
  readonly #options: LivePublisherOptions<T>;
  readonly #fold: ChangeFold<MarketRows[T]>;

  constructor(options: LivePublisherOptions<T>) {
    this.#options = options;
    this.#fold = new ChangeFold<MarketRows[T]>(joined(liveForms[options.topic]));
    this.status = options.status.set({ state: 'waiting', reason: null });
  }

  get overflow(): number {
    return this.#fold.overflow;
  }

  add(found: Partial<RowsOf<LiveTopic>>): void {
    const own = found[this.#options.topic];
    if (own) this.#fold.add(own);
  }

  async publish(received: number, unused: Readonly<Record<string, number>>) {
    const { source, part, rows: live, frozen, publish } = this.#options;
    // A wrong time must not decide which row is the newer one.
    const taken = withChecked(this.#fold.take(), received);
    const merged = live.merged(taken.rows, received);
    const all = { rows: merged.rows, dropped: [...taken.dropped, ...merged.dropped] };
    const { rows, dropped } = withChecked(all, received);
    live.streamed(rows, received);
    const suspect = dropped.filter(({ code }) => code === 'suspect');
    const { tally } = this.status;
    tally.held(
      suspect.map(({ key }) => key),
      rows,
    );
    tally.differs = live.differed;
    const counts = countsOf(dropped, { ...unused, differs_from_poll: live.differing });
    this.status.succeed({ asked: received, received, rows: rows.length, dropped: counts });
    if (rows.length === 0 || frozen()) return null;
    return publish({ source, part, asked: received, received, rows });
  }
}

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

  take(found: Found): boolean {
    for (const outlet of this.#outlets) outlet.add(found);
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
    const overflow = this.#outlets.reduce((sum, outlet) => sum + outlet.overflow, 0);
    const unused = { ...this.#view.intake.unused, ...this.#view.refusals };
    return overflow > 0 ? { ...unused, overflow } : unused;
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
