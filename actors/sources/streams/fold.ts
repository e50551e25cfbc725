/** Reads the messages of a stream, and collects what is in them: the newest row of every market, or every event once. */
import { RecentKeys } from '../../../indicators/derivatives/recent-keys.ts';
import { type Failure, failed } from '../../failure.ts';
import type { AnyRow, DropCode, Parsed } from '../define.ts';
import { mostAhead } from '../quality/stated.ts';
import { Counter } from '../status/status.ts';
import type { AnyEvent, EachStream, StreamContext } from './stream.ts';

/** Reads a message: what is in it; null for one that is not about data. Throws for one that should have been readable. */
type Parse<Found> = (message: unknown, context: StreamContext) => Found | null;

/** What is known of the messages since the last call of `takeIntake`. */
export interface Intake {
  /** When the newest message about data came, Unix ms; null when none did. */
  received: number | null;
  /** Why the last unreadable message is unreadable; null when there was none. */
  failure: Failure | null;
  /** Messages and items that were not used, by reason. */
  unused: Readonly<Record<string, number>>;
}

/** Markets of one stream, of which exchanges have up to three thousand. */
const maxMarkets = 10_000;
/** Events that wait: ten seconds of five thousand. */
const maxEvents = 50_000;
/** How long the keys of events are remembered at least, ms, and how many of them: see `RecentKeys`. */
const memory = { keep: 600_000, most: 50_000 };

/** Reads messages, and counts what was not used. */
export class Reader<Found> {
  readonly counter = new Counter();
  readonly #parse: Parse<Found>;
  #received: number | null = null;
  #failure: Failure | null = null;

  constructor({ parse }: { parse: Parse<Found> }) {
    this.#parse = parse;
  }

  get intake(): Intake {
    return { received: this.#received, failure: this.#failure, unused: this.counter.counts };
  }

  /** What a message has; null for one that is not about data, or cannot be read. */
  read(message: unknown, context: StreamContext): Found | null {
    try {
      const parsed = this.#parse(message, context);
      if (parsed !== null) this.#received = context.received;
      return parsed;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable message';
      this.#failure = failed('shape', why).failure;
      this.counter.add('bad_message');
      return null;
    }
  }

  takeIntake(): Intake {
    const intake = { ...this.intake, unused: this.counter.take() };
    this.#received = null;
    this.#failure = null;
    return intake;
  }
}

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

/**
 * Keeps every event once, in the order of arrival: an upstream repeats events after a reconnect. An event of more than ten
 * minutes ago cannot be distinguished from a repeat: it is dropped and counted, and so are all but the newest 50,000 that wait.
 */
export class EachFold<Event extends AnyEvent> extends Reader<Parsed<Event>> {
  /** The events that were not removed yet, the oldest first. */
  readonly waiting: Event[] = [];
  readonly #keyOf: EachStream<Event>['keyOf'];
  readonly #known = new RecentKeys(memory);

  constructor(stream: Pick<EachStream<Event>, 'parse' | 'keyOf'>) {
    super(stream);
    this.#keyOf = stream.keyOf;
  }

  /** Reads one message: all that is in it; null for one that is not about data. */
  accept(message: unknown, context: StreamContext): Parsed<Event> | null {
    const parsed = this.read(message, context);
    if (parsed === null) return null;
    const { received } = context;
    for (const event of parsed.rows) {
      const age = received - event.timestamp;
      if (age > memory.keep || age < -mostAhead) this.counter.add('out_of_time');
      else this.#keep(event, received);
    }
    for (const { code } of parsed.dropped) this.counter.add(code);
    return parsed;
  }

  /** Takes events of the past that were asked for, without those that are known. */
  add(events: readonly Event[], received: number): void {
    for (const event of events) this.#keep(event, received);
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
    this.counter.add('overflow');
  }
}
