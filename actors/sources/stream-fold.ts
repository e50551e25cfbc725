/** Collects the messages of a stream until they are taken: the newest row of every key, or every event once. */
import { RecentKeys } from '../../indicators/derivatives/recent-keys.ts';
import { type Failure, failed } from '../failure.ts';
import type { AnyRow, DropCode, Parsed } from './define.ts';
import { mostAhead } from './stated.ts';
import type { AnyEvent, EachStream, StreamContext } from './stream.ts';

/** The counts since the items were last taken. */
export interface StreamBatch {
  /** When the newest message about data came, Unix ms; null when none did. */
  received: number | null;
  /** Why the last unreadable message is unreadable; null when there was none. */
  failure: Failure | null;
  /** Messages, and items beyond the bound, that were not used, by reason. */
  unused: Readonly<Record<string, number>>;
}

/** Most markets of one stream, of which exchanges have up to three thousand. */
const most = 10_000;
/** Most events that wait: ten seconds of five thousand. */
const mostEvents = 50_000;
/** How long the keys of events are remembered at least, ms, and how many of them: see `RecentKeys`. */
const memory = { keep: 600_000, most: 50_000 };

/** Reads the items of a message; null where it is not about such items. */
type Read<Item> = (message: unknown, context: StreamContext) => Parsed<Item> | null;

/** Reads messages and counts the unreadable ones; the two kinds of fold decide about their items. */
abstract class Fold<Item> {
  readonly #parse: Read<Item>;
  /** Keys whose newest item was not used. */
  protected readonly dropped = new Map<string, DropCode>();
  #received: number | null = null;
  #failure: Failure | null = null;
  #unused: Record<string, number> = {};

  constructor(parse: Read<Item>) {
    this.#parse = parse;
  }

  get intake(): StreamBatch {
    return { received: this.#received, failure: this.#failure, unused: this.#unused };
  }

  /** Reads one message. */
  accept(message: unknown, context: StreamContext): void {
    const parsed = this.#read(message, context);
    if (parsed === null) return;
    this.#received = context.received;
    for (const item of parsed.rows) this.put(item, context.received);
    for (const { key, code } of parsed.dropped) {
      if (this.dropped.size < most || this.dropped.has(key)) this.dropped.set(key, code);
      else this.count('overflow');
    }
  }

  /** The items collected since the last call. */
  take(): Parsed<Item> {
    const rows = this.items();
    const dropped = [...this.dropped].map(([key, code]) => ({ key, code }));
    this.dropped.clear();
    [this.#received, this.#failure, this.#unused] = [null, null, {}];
    return { rows, dropped };
  }

  protected abstract put(item: Item, received: number): void;

  protected abstract items(): Item[];

  protected count(reason: string): void {
    this.#unused[reason] = (this.#unused[reason] ?? 0) + 1;
  }

  #read(message: unknown, context: StreamContext): Parsed<Item> | null {
    try {
      return this.#parse(message, context);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable message';
      this.#failure = failed('shape', why).failure;
      this.count('bad_message');
      return null;
    }
  }
}

/**
 * Hands on the newest row of each market that has come since the last call; 10,000 markets at most. `join` makes one row out of
 * two that come between two calls; without it the later one counts alone.
 */
export class ChangeFold<Row extends AnyRow> extends Fold<Row> {
  readonly #join: (before: Row, row: Row) => Row;
  #rows = new Map<string, Row>();

  constructor(read: Read<Row>, join: (before: Row, row: Row) => Row = (_, row) => row) {
    super(read);
    this.#join = join;
  }

  protected put(row: Row): void {
    this.dropped.delete(row.market);
    const before = this.#rows.get(row.market);
    if (before !== undefined) this.#rows.set(row.market, this.#join(before, row));
    else if (this.#rows.size < most) this.#rows.set(row.market, row);
    else this.count('overflow');
  }

  protected items(): Row[] {
    const rows = this.#rows;
    this.#rows = new Map();
    return [...rows.values()];
  }
}

/**
 * Hands on every event once, in the order of arrival: an upstream repeats events after a reconnect. An event of more
 * than ten minutes ago cannot be distinguished from a repeat: it is dropped and counted, and so are all but the newest
 * 50,000 that wait.
 */
export class EachFold<Event extends AnyEvent> extends Fold<Event> {
  readonly #keyOf: EachStream<Event>['keyOf'];
  readonly #known = new RecentKeys(memory);
  #events: Event[] = [];

  constructor({ parse, keyOf }: Pick<EachStream<Event>, 'parse' | 'keyOf'>) {
    super(parse);
    this.#keyOf = keyOf;
  }

  /** Events that wait to be taken. */
  get waiting(): number {
    return this.#events.length;
  }

  protected put(event: Event, received: number): void {
    const age = received - event.timestamp;
    if (age > memory.keep || age < -mostAhead) this.count('out_of_time');
    else this.#keep(event, received);
  }

  #keep(event: Event, received: number): void {
    if (this.#known.add(this.#keyOf(event), received) && this.#events.push(event) > mostEvents) {
      this.#events.shift();
      this.count('overflow');
    }
  }

  /** Takes events of the past that were asked for, without those that are known. */
  add(events: readonly Event[], received: number): void {
    for (const event of events) this.#keep(event, received);
  }

  protected items(): Event[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
