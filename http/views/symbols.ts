import type { Reading } from '../../actors/topics.ts';
import { Cell, type Snapshot } from '../snapshots.ts';
import type { Fold, MarketRow } from './fold.ts';

/** One symbol: its entries by exchange, and what they sum up to and its bytes, made when asked for after a change. */
interface SymbolCells<Entry> {
  entries: Map<string, Entry>;
  /** Its entry of the map of all symbols as JSON; '' when it has none. */
  summary: string | undefined;
  answer: Cell;
}

/** What one exchange has said, by part, and what it folds to. */
interface Venue<Row, Entry> {
  readings: Map<string, Reading<Row>>;
  fold: Fold<Entry>;
}

export interface SymbolViewOptions<Row, Entry> {
  /** Oldest age of a row that counts, ms. */
  maxAge: number;
  fold(readings: Iterable<Reading<Row>>, now: number): Fold<Entry>;
  /** `data` of one symbol's answer. */
  one(symbol: string, entries: [exchange: string, Entry][], stale: string[]): object;
  /** The symbol's entry of the map of all; there is at least one entry. */
  summary(entries: readonly Entry[]): object;
}

/**
 * Answers by symbol over all exchanges: one symbol with its exchanges, and the map of all. A reading touches its
 * own exchange's symbols only; bytes are made when someone asks for them and stand until a reading changes them.
 */
export class SymbolView<Row extends MarketRow, Entry> {
  readonly #options: SymbolViewOptions<Row, Entry>;
  readonly #venues = new Map<string, Venue<Row, Entry>>();
  readonly #symbols = new Map<string, SymbolCells<Entry>>();
  readonly #all = new Cell(() => this.#allJson());

  constructor(options: SymbolViewOptions<Row, Entry>) {
    this.#options = options;
  }

  /** Takes a reading; false for one that is older than what is here. `now` is Unix ms. */
  accept(reading: Reading<Row>, now: number): boolean {
    let venue = this.#venues.get(reading.source);
    if (venue === undefined) {
      venue = { readings: new Map(), fold: this.#options.fold([], now) };
      this.#venues.set(reading.source, venue);
    }
    if ((venue.readings.get(reading.part)?.received ?? 0) > reading.received) return false;
    venue.readings.set(reading.part, reading);
    this.#refold(reading.source, venue, now);
    return true;
  }

  /** Lets rows that have become too old leave the answers. To be called about every second. */
  expire(now: number): void {
    for (const [exchange, venue] of this.#venues) {
      if (now - venue.fold.oldest > this.#options.maxAge) this.#refold(exchange, venue, now);
    }
  }

  /** The map of all symbols, or null when there is nothing in it. */
  all(): Snapshot | null {
    return this.#all.read();
  }

  /** The answer for one symbol; `stale` when every exchange's reading of it is too old. */
  one(symbol: string): Snapshot | 'unknown' | 'stale' {
    const snapshot = this.#symbols.get(symbol)?.answer.read();
    if (snapshot) return snapshot;
    return this.#staleOn(symbol).length > 0 ? 'stale' : 'unknown';
  }

  /** Receive time of the newest reading, or null. */
  newest(): number | null {
    let newest: number | null = null;
    for (const { readings } of this.#venues.values()) {
      for (const { received } of readings.values()) newest = Math.max(newest ?? 0, received);
    }
    return newest;
  }

  /** The readings of one exchange. */
  readings(exchange: string): Iterable<Reading<Row>> {
    return this.#venues.get(exchange)?.readings.values() ?? [];
  }

  #refold(exchange: string, venue: Venue<Row, Entry>, now: number): void {
    const before = venue.fold;
    venue.fold = this.#options.fold(venue.readings.values(), now);
    const { entries, stale } = venue.fold;
    for (const symbol of before.entries.keys()) {
      if (!entries.has(symbol)) this.#touched(symbol).delete(exchange);
    }
    for (const [symbol, entry] of entries) this.#touched(symbol).set(exchange, entry);
    for (const symbol of [...before.stale, ...stale]) this.#touched(symbol);
    this.#all.change();
  }

  /** The entries of a symbol, to be changed: what was made of them is forgotten. */
  #touched(symbol: string): Map<string, Entry> {
    const known = this.#symbols.get(symbol);
    if (known) {
      known.summary = undefined;
      known.answer.change();
      return known.entries;
    }
    const entries = new Map<string, Entry>();
    const answer = new Cell(() => this.#oneJson(symbol, entries));
    this.#symbols.set(symbol, { entries, summary: undefined, answer });
    return entries;
  }

  /** Exchanges whose every row of the symbol is too old. */
  #staleOn(symbol: string): string[] {
    return [...this.#venues].flatMap(([name, { fold }]) => (fold.stale.has(symbol) ? [name] : []));
  }

  #oneJson(symbol: string, entries: ReadonlyMap<string, Entry>): string | null {
    if (entries.size === 0) return null;
    return JSON.stringify(this.#options.one(symbol, [...entries], this.#staleOn(symbol)));
  }

  #summaryOf(symbol: string, entries: ReadonlyMap<string, Entry>): string {
    if (entries.size === 0) return '';
    const summary = this.#options.summary([...entries.values()]);
    return `${JSON.stringify(symbol)}:${JSON.stringify(summary)}`;
  }

  #allJson(): string | null {
    const parts: string[] = [];
    for (const [symbol, cells] of this.#symbols) {
      cells.summary ??= this.#summaryOf(symbol, cells.entries);
      if (cells.summary !== '') parts.push(cells.summary);
    }
    return parts.length === 0 ? null : `{${parts.join(',')}}`;
  }
}
