/** The sink of the newest rows: it collects the messages as they come, and publishes at most once per `every`. */
import { type Failure, failed } from '../../failure.ts';
import type { Behaviour } from '../../kernel/actor.ts';
import type { Reading } from '../../topics/index.ts';
import type { AnyRow, DropCode, InstrumentMap, LiveTopic, Parsed, RowsOf } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import type { AnyPublisher } from '../polling/poller.ts';
import type { Gathered } from '../polling/publisher.ts';
import { withChecked } from '../quality/rows.ts';
import type { StatusRow } from '../status/status.ts';
import { Reader, type StreamMessage, streamActor } from './actor.ts';
import type { LiveRow, LiveRows } from './live-rows.ts';
import { ListedMarkets, type Sink, type SinkContext, type StreamView } from './sink.ts';
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

export interface LivePublisherOptions<Row extends LiveRow> {
  source: string;
  part: string;
  fold: ChangeFold<Row>;
  rows: LiveRows<Row>;
  status: StatusRow;
  /** True while the polls show that the part is frozen: none of its rows is used. */
  frozen(): boolean;
  /** Null when it was published, else the reason why it was not. */
  publish(reading: Reading<Row>): Promise<Failure | null>;
}

/** Publishes the rows that a stream has changed. */
export class LivePublisher<Row extends LiveRow> implements AnyPublisher {
  readonly #options: LivePublisherOptions<Row>;
  readonly status: StatusRow;

  constructor(options: LivePublisherOptions<Row>) {
    this.#options = options;
    this.status = options.status.set({ state: 'waiting', reason: null });
  }

  async open(): Promise<void> {}

  /** Publishes the rows since the last call; returns the failure that prevented it, or null. */
  async take({ received, unused = {} }: Gathered): Promise<Failure | null> {
    const { source, part, fold, rows: live, frozen, publish } = this.#options;
    // A wrong time must not decide which row is the newer one.
    const taken = withChecked(fold.take(), received);
    const merged = live.merged(taken.rows, received);
    const all = { rows: merged.rows, dropped: [...taken.dropped, ...merged.dropped] };
    const { rows, dropped } = withChecked(all, received);
    live.streamed(rows, received);
    const counts: Record<string, number> = { ...unused };
    if (live.differing > 0) counts.differs_from_poll = live.differing;
    for (const { code } of dropped) counts[code] = (counts[code] ?? 0) + 1;
    this.status.succeed({ asked: received, received, rows: rows.length, dropped: counts });
    if (rows.length === 0 || frozen()) return null;
    return publish({ source, part, asked: received, received, rows });
  }

  fail(failure: Failure, at: number): void {
    this.status.fail(failure, at);
  }
}
