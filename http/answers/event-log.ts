/** The log of liquidations as the clients that follow it get it: each event once, in the order of the log. */
import type { LogPosition } from '../../actors/bus/bus.ts';
import { type Liquidation, type Liquidations, liquidationKey } from '../../actors/topics/index.ts';
import { RecentKeys } from '../../indicators/derivatives/recent-keys.ts';

/** Newest entries with events, and events in them, that are kept: about a day of a busy market. */
const most = { entries: 65_536, events: 100_000 } as const;
/** Keys of events that are remembered, and for how long at least, ms: two processes may have published one event. */
const memory = { keep: 600_000, maxKeys: 50_000 };

/** A liquidation with its exchange. */
export type Event = Liquidation & { exchange: string };

/** An entry of the log with the events that no entry before it had. */
export interface LogEntry {
  /** Names its place in the log, in every process. */
  position: string;
  events: readonly Event[];
}

interface EntryPlace {
  seq: number;
  /** Id of the entry in Redis: Unix ms, and a number among those of one ms. */
  ms: number;
  nth: number;
}

const start: EntryPlace = { seq: 0, ms: 0, nth: 0 };
const form = /^(\d{1,15})\.(\d{1,15})-(\d{1,9})$/;

function placeOf(position: string): EntryPlace | null {
  const found = form.exec(position);
  return found && { seq: Number(found[1]), ms: Number(found[2]), nth: Number(found[3]) };
}

/** Whether a text has the form of a position. */
export const isPosition = (text: string): boolean => placeOf(text) !== null;

const positionOf = ({ seq, ms, nth }: EntryPlace): string => `${seq}.${ms}-${nth}`;
const isAfter = (one: EntryPlace, other: EntryPlace): boolean =>
  one.ms > other.ms || (one.ms === other.ms && one.nth > other.nth);

/** Whether a place of the log comes after another one. */
export function follows(position: string, other: string): boolean {
  const [one, before] = [placeOf(position), placeOf(other)];
  return one !== null && before !== null && isAfter(one, before);
}

/** Where a client goes on. */
export interface LogStart {
  /** Number of the next entry, as `read` takes it. */
  next: number;
  /** Nothing between the client's position and `next` is missing. */
  recovered: boolean;
}

/**
 * Entries are numbered in this process from 0. A position is the sequence number and the id of an entry: the number alone
 * would not distinguish a log from its successor in an emptied Redis.
 */
export class EventLog {
  readonly #known = new RecentKeys(memory);
  readonly #listeners = new Set<() => void>();
  #ready: Promise<void> | null = null;
  #entries: (LogEntry & { place: EntryPlace })[] = [];
  /** Number of the first entry in memory. */
  #base = 0;
  #events = 0;
  #newest = start;
  /** The log is known from its first entry. */
  #isWhole = true;

  /** How the log is followed: called once, when a client wants it; resolves when it has been read. */
  begin: (log: EventLog) => Promise<void> = async () => {};

  /** Resolves when the log has been read. */
  ready(): Promise<void> {
    this.#ready ??= this.begin(this);
    return this.#ready;
  }

  accept({ source, at, events }: Liquidations, { id, seq }: LogPosition): void {
    const place = placeOf(`${seq}.${id}`);
    // After a loss in Redis the log is read from its first entry again.
    if (place === null || !isAfter(place, this.#newest)) return;
    if (this.#newest === start && seq !== 1) this.#isWhole = false;
    this.#newest = place;
    const fresh = events
      .filter((event) => this.#known.add(`${source}|${liquidationKey(event)}`, at))
      .map((event): Event => ({ exchange: source, ...event }));
    if (fresh.length === 0) return;
    this.#entries.push({ place, position: positionOf(place), events: fresh });
    this.#events += fresh.length;
    this.#trim();
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after every new entry, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The position of the newest entry, and the number of the next one. */
  end(): { position: string; next: number } {
    return {
      position: this.#entries.at(-1)?.position ?? positionOf(start),
      next: this.#base + this.#entries.length,
    };
  }

  /** Where a client goes on that has everything up to a position; null for a text that is none. */
  after(position: string): LogStart | null {
    const given = placeOf(position);
    if (given === null) return null;
    const at = this.#firstAfter(given);
    const next = this.#base + at;
    const before = this.#entries[at - 1]?.place;
    const isKnown = before?.seq === given.seq && !isAfter(given, before);
    const isStart = given.seq === 0 && this.#isWhole && next === 0;
    // Another process may have read more of the log.
    const isAtEnd = at === this.#entries.length;
    const isAhead = isAtEnd && isAfter(given, this.#newest) && given.seq > this.#newest.seq;
    return { next, recovered: isKnown || isStart || isAhead };
  }

  /** The entry of a number; undefined when it has not come yet, null when it is not kept any more. */
  read(number: number): LogEntry | undefined | null {
    return number < this.#base ? null : this.#entries[number - this.#base];
  }

  /** The first number in memory. */
  get base(): number {
    return this.#base;
  }

  /** The place in the list of the first entry after `given`: its length where there is none. */
  #firstAfter(given: EntryPlace): number {
    let [from, to] = [0, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const place = this.#entries[middle]?.place ?? start;
      if (isAfter(place, given)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #trim(): void {
    // In one go, since each time moves the whole list.
    const isFull = this.#entries.length > most.entries || this.#events > most.events;
    if (!isFull) return;
    const dropped = this.#entries.splice(0, Math.ceil(this.#entries.length / 16));
    this.#events -= dropped.reduce((sum, { events }) => sum + events.length, 0);
    this.#base += dropped.length;
  }
}

/** The events of a log that a client wants. */
export interface LogQuery {
  log: EventLog;
  /** How many past events a client without a position gets at most. */
  limit: number;
  /** An event as the client sees it; null for one that is not wanted. */
  item(event: Event): object | null;
}
