/** A log whose entries are numbered, as the clients that follow it get it. */
import type { ApiError } from '../wire/errors.ts';

/** An entry of a log with the events that no entry before it had. */
export interface LogEntry<E = object> {
  /** `positionOf` names it: a day has a hundred thousand entries, whose positions are made where they are read. */
  readonly place: EntryPlace;
  events: readonly E[];
}

export interface EntryPlace {
  seq: number;
  /** Id of the entry in Redis: Unix ms, and a number among those of one ms. */
  ms: number;
  nth: number;
}

const start: EntryPlace = { seq: 0, ms: 0, nth: 0 };
const form = /^(\d{1,15})\.(\d{1,15})-(\d{1,9})$/;

export function placeOf(position: string): EntryPlace | null {
  const found = form.exec(position);
  return found && { seq: Number(found[1]), ms: Number(found[2]), nth: Number(found[3]) };
}

/** Whether a text has the form of a position. */
export const isPosition = (text: string): boolean => placeOf(text) !== null;

/** The name of a place, the same in every process. */
export const positionOf = ({ seq, ms, nth }: EntryPlace): string => `${seq}.${ms}-${nth}`;
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
  /** The client has read further than this process has. */
  isAhead: boolean;
}

/** Most entries that are kept, and events in them. */
interface LogBounds {
  entries: number;
  events: number;
}

/**
 * Entries are numbered in this process from 0. A position is the sequence number and the id of an entry: the number alone
 * would not distinguish a log from its successor in an emptied Redis.
 */
export abstract class NumberedLog<E> {
  readonly #listeners = new Set<() => void>();
  readonly #most: LogBounds;
  readonly #entries: LogEntry<E>[] = [];
  /** Number of the first entry in memory. */
  #base = 0;
  #events = 0;
  /** Where the reading is. */
  #newest = start;
  /** Numbers of the entries that do not come after the one before: there a fail-over led to another log. */
  #branches: number[] = [];
  /** The log is known from its first entry. */
  #isWhole = true;

  constructor(most: LogBounds) {
    this.#most = most;
  }

  /** Resolves when the log has been read, with the error where it cannot be. */
  abstract ready(): Promise<ApiError | undefined>;

  /** Whether anyone listens. */
  protected get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** Whether a place comes after all that was accepted; it is the newest one then. */
  protected accepts(place: EntryPlace): boolean {
    // After a loss in Redis the log is read from its first entry again.
    if (!isAfter(place, this.#newest)) return false;
    if (this.#newest === start && place.seq !== 1) this.#isWhole = false;
    this.#newest = place;
    return true;
  }

  /** What comes after this place is accepted from now on. */
  protected acceptAfter(place: EntryPlace | null): void {
    this.#newest = place ?? this.#newest;
  }

  protected add(place: EntryPlace, events: readonly E[]): void {
    const before = this.#entries.at(-1);
    if (before && !isAfter(place, before.place)) this.#branches.push(this.end().next);
    this.#entries.push({ place, events });
    this.#events += events.length;
    this.#trim();
  }

  /** Forgets the events of an entry; its place stays known. */
  protected empty(number: number): void {
    const entry = this.#entries[number - this.#base];
    if (entry === undefined) return;
    this.#events -= entry.events.length;
    entry.events = [];
  }

  protected announce(): void {
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
      position: positionOf(this.#entries.at(-1)?.place ?? start),
      next: this.#base + this.#entries.length,
    };
  }

  /** Where a client goes on that has everything up to a position; null for a text that is none. */
  after(position: string): LogStart | null {
    const given = placeOf(position);
    if (given === null) return null;
    const known = this.#numberOf(given);
    if (known !== null) return { next: known + 1, recovered: true, isAhead: false };
    const { next: end } = this.end();
    const firsts = this.#ranges().map((range) => this.#firstAfter(given, range));
    const next = firsts.find((first, i) => first < (this.#branches[i] ?? end)) ?? end;
    const isStart = given.seq === 0 && this.#isWhole && next === 0;
    // Another process may have read more of the log.
    const isFurther = given.seq > this.#newest.seq;
    const isAhead = isAfter(given, this.#newest) && (isFurther || next === end);
    if (isAhead) return { next: end, recovered: isFurther, isAhead };
    return { next, recovered: isStart, isAhead };
  }

  /** The entry of a number; undefined when it has not come yet, null when it is not kept any more. */
  read(number: number): Readonly<LogEntry<E>> | undefined | null {
    return number < this.#base ? null : this.#entries[number - this.#base];
  }

  /** The first number in memory. */
  get base(): number {
    return this.#base;
  }

  /** The numbers between which the entries are in the order of their places, and behind the last of them. */
  #ranges(): [from: number, to: number][] {
    const from = [this.#base, ...this.#branches];
    return from.map((first, i) => [first, from[i + 1] ?? this.end().next]);
  }

  /** The number of the entry at a place; null where there is none. */
  #numberOf(place: EntryPlace): number | null {
    for (const range of this.#ranges()) {
      const number = this.#firstAfter(place, range) - 1;
      const found = number < range[0] ? undefined : this.#entries[number - this.#base]?.place;
      if (found?.seq === place.seq && !isAfter(place, found)) return number;
    }
    return null;
  }

  /** The number of the first entry of a range after `given`; that behind the range where there is none. */
  #firstAfter(given: EntryPlace, [first, end]: readonly [number, number]): number {
    let [from, to] = [first, end];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const place = this.#entries[middle - this.#base]?.place ?? start;
      if (isAfter(place, given)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #trim(): void {
    // In one go, since each time moves the whole list.
    const isFull = this.#entries.length > this.#most.entries || this.#events > this.#most.events;
    if (!isFull) return;
    const dropped = this.#entries.splice(0, Math.ceil(this.#entries.length / 16));
    this.#events -= dropped.reduce((sum, { events }) => sum + events.length, 0);
    this.#base += dropped.length;
    this.#branches = this.#branches.filter((number) => number > this.#base);
  }
}

/** The events of a log that a client wants. */
export interface LogQuery {
  log: NumberedLog<object>;
  /** How many past events a client without a position gets at most. */
  limit: number;
  /** An event as the client sees it; null for one that is not wanted. */
  item(event: object): object | null;
}
