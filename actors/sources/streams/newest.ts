/** The newest rows of a stream: the changed ones are published in the turn in which they came, as far as the process has time. */
import type { Pace } from '../../../config/pace.ts';
import type { Failure } from '../../failure.ts';
import { changesOf, type LiveTopic, type MarketRows, type Reading } from '../../topics/index.ts';
import type { Reason } from '../../topics/reasons.ts';
import type { Parsed, RowsOf } from '../define.ts';
import type { HolderTopics } from '../lease.ts';
import type { MergedRows } from '../merged-rows.ts';
import type { PriceWatch } from '../quality/watch.ts';
import { countsOf, type StatusRow } from '../status/status.ts';
import {
  type MarketChoice,
  type Sink,
  type SinkContext,
  type StreamActor,
  type StreamOf,
  streamActor,
} from './actor.ts';
import type { Connection } from './connection.ts';
import type { LatestStream } from './stream.ts';

type Found = Partial<RowsOf<LiveTopic>>;
type Counts = Readonly<Record<string, number>>;

export interface TopicRowsOptions<T extends LiveTopic> {
  source: string;
  part: string;
  topic: T;
  rows: MergedRows<MarketRows[T]>;
  /** Its row in `/v1/status`, which outlives it. */
  status: StatusRow;
  /** While the whole readings show that the part is frozen, none of its rows is published alone. */
  watch: Pick<PriceWatch, 'frozen'>;
  /** Looks at a whole reading, received at `received` (Unix ms), as at a poll. */
  observe(rows: readonly MarketRows[T][], received: number): void;
  publish: HolderTopics['publish'];
}

/** Time after a whole reading that was not published, in which there is no other, ms. */
const wholePause = 1_000;

/** What a stream has of one topic: the rows that it has changed are published alone or, where the polls do not publish them, all. */
export class TopicRows<T extends LiveTopic> {
  readonly status: StatusRow;
  readonly #options: TopicRowsOptions<T>;
  /** The markets that have changed since the last publication, and since the last report. */
  #changed = new Set<string>();
  readonly #used = new Set<string>();
  /** Why the newest row of a market was not used, or a part of it. */
  readonly #dropped = new Map<string, Reason>();
  /**
   * When a whole reading may be published, Unix ms; infinite while one is under way. Redis answers a busy process late, and whole
   * readings of each turn until then would make it later still.
   */
  #nextWhole = 0;

  constructor(options: TopicRowsOptions<T>) {
    this.#options = options;
    this.status = options.status.set({ state: 'waiting', reason: null });
  }

  /** Takes what a message has of the topic, if it has any; `received` is Unix ms. */
  add(found: Found, received: number, connection: Pick<Connection, 'note'>): void {
    const { topic, rows } = this.#options;
    const own: Parsed<MarketRows[T]> | undefined = found[topic];
    if (own === undefined) return;
    const { dropped } = own;
    let newest = 0;
    for (const row of own.rows) {
      const { market } = row;
      connection.note(market, topic);
      this.#dropped.delete(market);
      if (!rows.streamed(row, received, dropped)) continue;
      this.#changed.add(market);
      if (row.stated !== null && row.stated > newest) newest = row.stated;
    }
    if (newest > 0) this.status.tally.events.add(received - newest, received);
    for (const { key, code } of dropped) this.#dropped.set(key, code);
  }

  /** Publishes the rows since the last call, of which the newest came at `received` (Unix ms). The failure that prevented it, or null. */
  async publish(received: number): Promise<Failure | null> {
    const { source, part, topic, rows, watch, publish } = this.#options;
    const changed = this.#take(received);
    let failure: Failure | null = null;
    if (received >= this.#nextWhole && rows.needsWhole(received))
      failure = await this.#publishWhole(received);
    else if (changed.length > 0 && !watch.frozen(part))
      failure = await publish(changesOf[topic], `${source}/${part}`, {
        source,
        part,
        asked: received,
        received,
        rows: changed,
      });
    if (failure === null) this.status.renew(received);
    return failure;
  }

  /** Publishes all rows; the failure that prevented it, or null. */
  async #publishWhole(received: number): Promise<Failure | null> {
    const { source, part, topic, rows, watch, observe, publish } = this.#options;
    this.#nextWhole = Number.POSITIVE_INFINITY;
    const whole: Reading<MarketRows[T]> = {
      source,
      part,
      asked: received,
      ...rows.whole(received),
    };
    observe(whole.rows, received);
    if (watch.frozen(part)) whole.frozen = true;
    const failure = await publish(topic, `${source}/${part}`, whole);
    this.#nextWhole = failure === null ? 0 : received + wholePause;
    if (failure === null) rows.published(whole);
    return failure;
  }

  /** Reports what came since the last report; `unused` counts what else of the stream was not used. */
  report(unused: Counts): void {
    const dropped = [...this.#dropped].map(([key, code]) => ({ key, code }));
    const counts = countsOf(dropped, {
      ...unused,
      differs_from_poll: this.#options.rows.differing,
    });
    this.status.set({ rows: this.#used.size || this.status.values.rows, dropped: counts }).report();
    this.#used.clear();
    this.#dropped.clear();
  }

  /** The rows that have changed since the last call. */
  #take(received: number): MarketRows[T][] {
    const { rows } = this.#options;
    const changed: MarketRows[T][] = [];
    for (const market of this.#changed) {
      const row = rows.at(market, received);
      if (row) changed.push(row);
      this.#used.add(market);
    }
    this.#changed.clear();
    const { tally } = this.status;
    const suspect = [...this.#dropped].filter(([, code]) => code === 'suspect');
    tally.held(
      suspect.map(([market]) => market),
      changed,
    );
    tally.differs = rows.differed;
    return changed;
  }
}

type AnyTopic = Pick<TopicRows<LiveTopic>, 'status' | 'add' | 'publish' | 'report'>;

export interface NewestOptions extends StreamOf<LatestStream<LiveTopic>> {
  markets: MarketChoice;
  pace: Pace;
  /** What it has of each topic, the first one in the status of the stream. Made again after every crash. */
  topics(): readonly AnyTopic[];
  /** A connection is lost, does not open, or brings no data. */
  onLost(): void;
}

/** Least time between two reports of an unchanged state, ms. */
const minReportMs = 5_000;

class NewestSink implements Sink<Found> {
  readonly expects = 'channels';
  readonly #stream: StreamActor<Found>;
  readonly #options: NewestOptions;
  /** The first has the status of the stream. */
  readonly #topics: readonly AnyTopic[];
  /** The code of the failure that was counted last; null from the first reading after it. */
  #counted: string | null = null;
  /** When the newest message about data came, Unix ms; 0 without one. */
  #received = 0;
  /** Rows were published since the last report. */
  #isFresh = false;
  /** The state that was reported, and when, by the monotonic clock. */
  #reported = { state: '', at: Number.NEGATIVE_INFINITY };

  constructor(stream: StreamActor<Found>, options: NewestOptions) {
    this.#stream = stream;
    this.#topics = options.topics();
    this.#options = options;
  }

  take(found: Found, { received, connection }: SinkContext): boolean {
    for (const topic of this.#topics) topic.add(found, received, connection);
    this.#received = received;
    this.#options.pace.join(this.#leave, this.#stream.clock);
    return true;
  }

  flush(now: number): number {
    this.#report(now);
    return minReportMs;
  }

  /** Publishes what has come, with the other streams of the process. The next rows do not wait for the answer of Redis: what is under way has a deadline. */
  readonly #leave = (): void => {
    if (this.#stream.signal.aborted) return;
    this.#publish(this.#received).catch((error: unknown) => this.#stream.crash(error));
  };

  isReady(): boolean {
    return this.#received > 0;
  }

  ended(_by: unknown, failure: Failure | null, now: number): void {
    if (failure === null) return;
    this.#counted = failure.code;
    for (const { status } of this.#topics.slice(1)) status.fail(failure, now).report();
    this.#options.onLost();
  }

  async #publish(received: number): Promise<void> {
    const sent = this.#topics.map((one) => one.publish(received));
    const failures = await Promise.all(sent);
    const { clock, signal } = this.#stream;
    if (signal.aborted) return;
    const failure = failures.find((one) => one !== null);
    if (failure) this.#fail(failure, clock.now());
    else this.#counted = null;
    this.#isFresh = true;
    this.#report(clock.now());
  }

  /** Counts each kind of failure once until the next reading. */
  #fail(failure: Failure, now: number): void {
    if (failure.code === this.#counted) return;
    this.#counted = failure.code;
    for (const { status } of this.#topics) status.fail(failure, now);
  }

  /** A change of the state is reported at once. Messages of which none can be read are a failure. */
  #report(now: number): void {
    const { status } = this.#options;
    const at = this.#stream.clock.monotonic();
    const isDue = at - this.#reported.at >= minReportMs;
    if (status.values.state === this.#reported.state && !isDue) return;
    const { failure, unused, subscriptions } = this.#stream;
    if (failure && this.#isFresh) status.note(failure, now);
    else if (failure) this.#fail(failure, now);
    const next_poll = now + minReportMs;
    status.set({ latency_ms: null, last_attempt: now, next_poll, ...subscriptions });
    for (const topic of this.#topics) topic.report(unused);
    // Until rows come again, counts go on.
    if (this.#isFresh) this.#stream.renew();
    this.#isFresh = false;
    this.#reported = { state: status.values.state, at };
  }
}

/** The behaviour of a stream of which the newest rows are published. */
export const newestRows = (options: NewestOptions) =>
  streamActor({ ...options, sink: (stream) => new NewestSink(stream, options) });
