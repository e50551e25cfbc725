/** Rows of `/v1/status`: their first state, and their changes by success, failure, crash and standby. */
import { Latencies } from '../../../indicators/market/latencies.ts';
import type { Failure, FailureCode } from '../../failure.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { FeedReport, FeedStatus, FeedTally } from '../../topics/index.ts';
import type { Reason } from '../../topics/reasons.ts';

type Name = Pick<FeedStatus, 'source' | 'topic' | 'part'>;

/** A good answer. Times are Unix ms. */
export interface Success {
  asked: number;
  received: number;
  rows: number;
  /** Rows that were not used, by reason. */
  dropped?: Readonly<Record<string, number>>;
}

/** Failures by which the upstream says that it does not want the request. */
const refusals: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'rate_limited',
  'banned',
  'blocked',
  'refused',
]);

/** Age is counted for so long before it ends, ms: what was before it is in the records of its own minutes. */
const span = 60_000;
/** Data of a former process that are older, ms, are those from before a stop of the service. */
const mostAdopted = 600_000;

/** What the scorecard is made of, of one feed: how old its data became, and how often something was wrong. */
export class Tally {
  readonly #counts: FeedTally;
  /** Markets whose newest number is held back. */
  readonly #held = new Set<string>();
  /** From the newest time that a message states to its receipt: one a message, not a row. */
  readonly events = new Latencies();

  /** `since` is Unix ms. */
  constructor(since: number) {
    const none = { failed: 0, refused: 0, suspect: 0, differs: 0 };
    this.#counts = { since, ...none, age_area: 0, age_span: 0, age_max: 0 };
  }

  /** Newer data were received, the last ones at `last`; Unix ms, null without any. */
  renewed(received: number, last: number | null): void {
    const counts = this.#counts;
    if (last === null || counts.since - last > mostAdopted) return;
    const age = Math.max(0, received - last);
    const counted = Math.min(age, span);
    counts.age_area += (counted * (2 * age - counted)) / 2;
    counts.age_span += counted;
    counts.age_max = Math.max(counts.age_max, age);
  }

  failed(code: FailureCode): void {
    this.#counts.failed += 1;
    if (refusals.has(code)) this.#counts.refused += 1;
  }

  /** Numbers of these markets are held back, those of the other `used` ones are not; each is counted when that begins. */
  held(suspect: Iterable<string>, used: readonly { market: string }[]): void {
    const before = new Set(this.#held);
    if (before.size > 0) for (const { market } of used) this.#held.delete(market);
    for (const market of suspect) {
      this.#held.add(market);
      if (!before.has(market)) this.#counts.suspect += 1;
    }
  }

  /** The markets on which polls and the stream have differed since it began. */
  set differs(count: number) {
    this.#counts.differs = count;
  }

  /** The numbers at `now` (Unix ms), with the greatest age since the last call. */
  take(now: number): FeedTally {
    const events = this.events.read(now);
    const counts = { ...this.#counts, ...(events && { events }) };
    this.#counts.age_max = 0;
    return counts;
  }
}

/** One row; what changes is published by `report`. */
export class StatusRow {
  readonly #publish: (status: FeedReport) => void;
  /** For the scorecard. */
  readonly tally: Tally;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #values: FeedStatus;

  /** A row before the first request, which this process begins now. */
  constructor(
    { source, topic, part }: Name,
    publish: (status: FeedReport) => void,
    clock: Pick<Clock, 'now'> = { now: () => 0 },
  ) {
    this.#clock = clock;
    this.#publish = publish;
    this.tally = new Tally(clock.now());
    this.#values = {
      source,
      topic,
      part,
      state: 'waiting',
      reason: null,
      last_success: null,
      last_attempt: null,
      latency_ms: null,
      last_error: null,
      breaker: 'closed',
      next_poll: null,
      rows: 0,
      dropped: {},
      failures: 0,
    };
  }

  get values(): Readonly<FeedStatus> {
    return this.#values;
  }

  set(changes: Partial<FeedStatus>): this {
    Object.assign(this.#values, changes);
    return this;
  }

  /** Newer rows of a stream are in use, received at `received` (Unix ms); how many, its reports state. */
  renew(received: number): void {
    const last = this.#values.last_success;
    this.tally.renewed(received, last);
    // An answer from a cache may be older than the last one.
    const last_success = Math.max(received, last ?? 0);
    this.set({ state: 'up', reason: null, last_success, failures: 0 });
  }

  /** The rows of an answer are in use. */
  succeed({ asked, received, rows, dropped = {} }: Success): this {
    this.renew(received);
    return this.set({ latency_ms: received - asked, rows, dropped: { ...dropped } });
  }

  /** One more failure, at `at` (Unix ms). */
  fail({ code, message }: Failure, at: number): this {
    const { failures, last_error: before } = this.#values;
    this.tally.failed(code);
    // The failure that opened the breaker is more informative than that it is open.
    const isKnown = code === 'breaker_open' && failures > 0 && before !== null;
    const last_error = isKnown ? before : { code, message, at };
    return this.set({ state: 'failing', reason: null, failures: failures + 1, last_error });
  }

  /** A failure that does not change the state, at `at` (Unix ms). */
  note({ code, message }: Failure, at: number): this {
    return this.set({ last_error: { code, message, at } });
  }

  report(): void {
    this.#publish({ ...this.#values, tally: this.tally.take(this.#clock.now()) });
  }
}

/** Counts by reason. */
export class Counter {
  #counts: Record<string, number> = {};

  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  add(reason: Reason, count = 1): void {
    if (count > 0) this.#counts[reason] = (this.#counts[reason] ?? 0) + count;
  }

  /** The counts since the last call. */
  take(): Record<string, number> {
    const counts = this.#counts;
    this.#counts = {};
    return counts;
  }
}

/** Counts by reason: of what was dropped, and of what is counted already; without those that are 0. */
export function countsOf(
  dropped: Iterable<{ code: Reason }>,
  counted: Readonly<Partial<Record<Reason, number>>>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [reason, count] of Object.entries(counted)) if (count > 0) counts[reason] = count;
  for (const { code } of dropped) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

export interface SourceStatusOptions {
  /** Id of the source. */
  source: string;
  clock: Clock;
  publish(status: FeedReport): void;
}

/** The rows of one source: one per topic and part of a feed, one per job and each source that the job asks. */
export class SourceStatus {
  readonly #options: SourceStatusOptions;
  readonly #rows = new Map<string, StatusRow>();
  /** Jobs that have reported on a source. */
  readonly #asking = new Set<string>();

  constructor(options: SourceStatusOptions) {
    this.#options = options;
  }

  /** The row of a topic and part, or of a job and a source that it asks. */
  row(topic: string, part: string): StatusRow {
    const { source, clock, publish } = this.#options;
    const name = key(topic, part);
    const row = this.#rows.get(name) ?? new StatusRow({ source, topic, part }, publish, clock);
    this.#rows.set(name, row);
    return row;
  }

  /** Takes the rows that an earlier holder of the lease reported last, where this one has not reported yet. */
  adopt(rows: Iterable<FeedStatus>): void {
    for (const row of rows) {
      if (row.source === this.#options.source && !this.#rows.has(key(row.topic, row.part)))
        this.row(row.topic, row.part).set(row);
    }
  }

  /** The source answered, and its answer is used. */
  success(job: string, source: string, found: Success): void {
    this.#asking.add(job);
    this.#succeed(job, source, found);
  }

  /** The source did not answer, or its answer cannot be used. */
  failure(job: string, source: string, failure: Failure): void {
    this.#asking.add(job);
    this.#fail(job, source, failure);
  }

  /** A source before these answered: those of them that were asked once are not needed now. */
  standby(job: string, sources: readonly string[]): void {
    for (const source of sources) {
      const row = this.#rows.get(key(job, source));
      if (row && row.values.state !== 'standby')
        row.set({ state: 'standby', next_poll: null }).report();
    }
  }

  /** A round has ended. Shown only for a job that asks no source and publishes no feed: the others have rows of their own. */
  done(job: string, failure: Failure | null, times: { asked: number; received: number }): void {
    if (this.#asking.has(job) || this.#rows.has(job)) return;
    const { source } = this.#options;
    const rows = this.#of(job);
    if (failure) this.#fail(job, source, failure);
    // A resumed row is enough until there was a failure.
    else if (rows.length === 0 || this.#rows.has(key(job, source)))
      this.#succeed(job, source, { ...times, rows: 0 });
  }

  /** When the job runs next, Unix ms; `also` are the other names under which it asks sources. */
  plan(job: string, next: number, also: readonly string[] = []): void {
    for (const row of [job, ...also].flatMap((name) => this.#of(name)))
      if (row.values.state !== 'standby') row.set({ next_poll: next }).report();
  }

  /** The result of an earlier process from `source` at `received` is still valid. */
  resume(job: string, source: string, { received, rows }: Pick<Success, 'received' | 'rows'>) {
    this.row(job, source).set({ state: 'up', last_success: received, rows }).report();
  }

  /** A job or a feed crashed: a bug, whose stack is in the log. `name` is that of its actor. */
  crashed(name: string): void {
    const message = 'a bug in this program; its log has the stack';
    const last_error = { code: 'crash' as const, message, at: this.#options.clock.now() };
    const known = this.#of(name);
    const rows = known.length > 0 ? known : [this.row(name, this.#options.source)];
    for (const row of rows) row.set({ state: 'down', reason: null, last_error }).report();
  }

  #succeed(job: string, source: string, found: Success): void {
    this.row(job, source).succeed(found).set({ last_attempt: found.asked }).report();
  }

  #fail(job: string, source: string, failure: Failure): void {
    const at = this.#options.clock.now();
    this.row(job, source).fail(failure, at).set({ last_attempt: at }).report();
  }

  /** The rows of a job, or the one of a feed by its topic and part. */
  #of(name: string): StatusRow[] {
    return [...this.#rows].flatMap(([key, row]) =>
      key === name || row.values.topic === name ? [row] : [],
    );
  }
}

const key = (topic: string, part: string) => `${topic}/${part}`;
