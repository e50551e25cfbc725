import { ChangingReading } from '../../actors/topics/changing-reading.ts';
import type { Reading } from '../../actors/topics/index.ts';
import { datedRows, type Fold, type ReadingOf } from '../../indicators/market/fold.ts';
import { unheardAfter } from '../../indicators/market/heard.ts';
import { jsonEntry, jsonMap, jsonOfRows, jsonText } from '../answers/json.ts';
import { type JsonEntry, JsonText } from '../answers/json-text.ts';
import { Source, type Unsubscribe } from '../answers/source.ts';
import type { Explanation } from './explanation.ts';
import type { LeftOut } from './market-schemas.ts';
import type { ListedRow, SymbolViewOptions } from './symbol-view-options.ts';
import { View, wholeKey } from './view.ts';

/** One symbol: its entries by exchange, and its summary; both are made at a request after a change. */
interface SymbolEntries<Entry, Summary> {
  entries: Map<string, Entry>;
  /** The exchanges of which rows have changed since their entries were made. */
  unfolded: Set<string>;
  /** Its entry of the map of all symbols; null when it has none. */
  summary: JsonEntry<Summary> | null | undefined;
}

/** The readings of one exchange by part, and their fold. */
interface Venue<Row extends ListedRow, Entry> {
  readings: Map<string, ChangingReading<Row>>;
  fold: Fold<Entry>;
  /** Receive time of the newest rows, Unix ms. */
  newest: number;
}

const newestOf = (entries: readonly (readonly [string, { updated_at: number }])[]): number =>
  Math.max(...entries.map(([, { updated_at }]) => updated_at));

/**
 * Answers by symbol over all exchanges, whose ids are keys of its source beside the symbols: one symbol with its exchanges, and the map of all. A reading changes the symbols
 * of its own exchange only; changed rows are folded, and bytes are made, at the first request after a change.
 */
export class SymbolView<
  Row extends ListedRow,
  Entry extends { updated_at: number },
  One extends object,
  Summary,
> extends View {
  readonly #options: SymbolViewOptions<Row, Entry, One, Summary>;
  readonly #venues = new Map<string, Venue<Row, Entry>>();
  readonly #symbols = new Map<string, SymbolEntries<Entry, Summary>>();
  /** Symbols, and exchanges, that have changed since the source was told. */
  #changed = new Set<string>();
  /** Changes with the list of symbols. */
  readonly #listed = new Source();
  /** When it was looked last which entries are not heard any more, Unix ms. */
  #looked = 0;

  constructor(options: SymbolViewOptions<Row, Entry, One, Summary>) {
    super(() => this.newest());
    this.#options = options;
  }

  /** Takes a reading; false for a reading that is older than the current one. `now` is Unix ms. */
  accept(reading: Reading<Row>, now: number): boolean {
    this.source.expire(now);
    let venue = this.#venues.get(reading.source);
    if (venue === undefined) {
      venue = { readings: new Map(), fold: this.#options.fold([], now), newest: 0 };
      this.#venues.set(reading.source, venue);
    }
    const before = venue.readings.get(reading.part);
    if ((before?.received ?? 0) > reading.received) return false;
    // Rows of a stream may have come after this poll.
    const hasNewer = before !== undefined && venue.newest > reading.received;
    venue.readings.set(reading.part, new ChangingReading(reading, hasNewer ? before : undefined));
    venue.newest = Math.max(venue.newest, reading.received);
    this.#refold(reading.source, venue, now);
    return true;
  }

  /** Takes rows that replace those of the same markets in the reading of their part. `now` is Unix ms. */
  change(changes: Reading<Row>, now: number): void {
    this.source.expire(now);
    const venue = this.#venues.get(changes.source);
    const reading = venue?.readings.get(changes.part);
    if (venue === undefined || reading === undefined) return;
    reading.change(changes);
    venue.newest = Math.max(venue.newest, changes.received);
    this.#changed.add(changes.source);
    for (const { symbol } of changes.rows) this.#touched(symbol).unfolded.add(changes.source);
    this.#announce();
  }

  /** Removes rows that have become too old from the answers, and marks those that are not heard. Call it about every second. */
  override expire(now: number): void {
    super.expire(now);
    this.#lookForUnheard(now);
    for (const [exchange, venue] of this.#venues) {
      if (now > venue.fold.until) this.#refold(exchange, venue, now);
    }
  }

  /** Whether no symbol has a row that counts. */
  isEmpty(): boolean {
    for (const symbol of this.#symbols.keys()) if (this.#entriesOf(symbol).size > 0) return false;
    return true;
  }

  /** Whether an exchange has a row of the symbol, also where every one is too old or held back. */
  has(symbol: string): boolean {
    return (
      this.#entriesOf(symbol).size > 0 ||
      this.#staleOn(symbol).length > 0 ||
      this.#suspectsOf(symbol).length > 0
    );
  }

  /** The answer for one symbol; null without a row that counts. */
  one(symbol: string): JsonText<One & LeftOut> | null {
    const entries = [...this.#entriesOf(symbol)];
    if (entries.length === 0) return null;
    const data = {
      ...this.#options.one(symbol, entries, this.source.now),
      ...this.#leftOut(symbol),
    };
    const write = () => jsonOfRows(data, 'exchanges');
    return new JsonText<One & LeftOut>({ data, write }, newestOf(entries));
  }

  /** The same, folded anew together with the inputs that give it. */
  explained(symbol: string): JsonText<One & LeftOut & { explanation: Explanation }> | null {
    const found = [...this.#venues.keys()].map((exchange) => {
      const readings = this.readingsOf(exchange, symbol);
      const { entries } = this.#options.fold(readings, this.source.now);
      return { exchange, entry: entries.get(symbol), rows: [...datedRows(readings)] };
    });
    const entries = found.flatMap(({ exchange, entry }): [string, Entry][] =>
      entry === undefined ? [] : [[exchange, entry]],
    );
    if (entries.length === 0) return null;
    const rows = found.flatMap(({ exchange, rows }) =>
      rows.flatMap(({ row, received, maxAge = this.#options.maxAge }) =>
        this.source.now - received > maxAge ? [] : [{ exchange, row, received }],
      ),
    );
    const one = this.#options.one(symbol, entries, this.source.now);
    const explanation = this.#options.explain({ one, entries, rows });
    return jsonText({ ...one, ...this.#leftOut(symbol), explanation }, newestOf(entries));
  }

  /** The map of all symbols; null when there is nothing in it. */
  all(): JsonText<Readonly<Record<string, Summary>>> | null {
    const summaries: JsonEntry<Summary>[] = [];
    for (const [symbol, cells] of this.#symbols) {
      if (cells.summary === undefined)
        cells.summary = this.#summaryOf(symbol, this.#entriesOf(symbol));
      if (cells.summary !== null) summaries.push(cells.summary);
    }
    return summaries.length === 0 ? null : jsonMap(summaries);
  }

  /** All symbols that have had a row. */
  readonly symbols = {
    all: (): Iterable<string> => this.#symbols.keys(),
    /** Calls `listener` after there is a new one. */
    listen: (listener: () => void): Unsubscribe => this.#listed.listen(undefined, listener),
  };

  /** Receive time of the newest reading, or null. */
  newest(): number | null {
    let newest: number | null = null;
    for (const venue of this.#venues.values()) newest = Math.max(newest ?? 0, venue.newest);
    return newest;
  }

  /** The entry of one exchange for a symbol; undefined when all its rows are too old. */
  entry(exchange: string, symbol: string): Entry | undefined {
    return this.#entriesOf(symbol).get(exchange);
  }

  /** The exchanges with a reading. */
  exchanges(): Iterable<string> {
    return this.#venues.keys();
  }

  /** The readings of one exchange. */
  readings(exchange: string): Iterable<ChangingReading<Row>> {
    return this.#venues.get(exchange)?.readings.values() ?? [];
  }

  /** The same with the rows of one symbol alone. */
  readingsOf(exchange: string, symbol: string): ReadingOf<Row>[] {
    return [...this.readings(exchange)].map((reading) => reading.with(symbol));
  }

  #refold(exchange: string, venue: Venue<Row, Entry>, now: number): void {
    this.#changed.add(exchange).add(wholeKey(exchange));
    const before = venue.fold;
    venue.fold = this.#options.fold(venue.readings.values(), now);
    const { entries, stale, suspect } = venue.fold;
    for (const symbol of before.entries.keys()) {
      if (!entries.has(symbol)) this.#touched(symbol).entries.delete(exchange);
    }
    for (const [symbol, entry] of entries) {
      const cells = this.#touched(symbol);
      cells.entries.set(exchange, entry);
      cells.unfolded.delete(exchange);
    }
    const others = [...before.stale, ...stale, ...before.suspect.keys(), ...suspect.keys()];
    for (const symbol of others) this.#touched(symbol);
    this.#announce();
  }

  /** The entries of a symbol as its rows are now. */
  #entriesOf(symbol: string): ReadonlyMap<string, Entry> {
    const cells = this.#symbols.get(symbol);
    if (cells === undefined) return new Map();
    for (const exchange of cells.unfolded) this.#refoldOne(exchange, symbol, cells.entries);
    cells.unfolded.clear();
    return cells.entries;
  }

  /** Folds the rows that one exchange has of a symbol. */
  #refoldOne(exchange: string, symbol: string, cells: Map<string, Entry>): void {
    const venue = this.#venues.get(exchange);
    if (venue === undefined) return;
    const { fold } = venue;
    const found = this.#options.fold(this.readingsOf(exchange, symbol), this.source.now);
    const entry = found.entries.get(symbol);
    fold.until = Math.min(fold.until, found.until);
    if (entry === undefined) {
      cells.delete(exchange);
      fold.entries.delete(symbol);
    } else {
      cells.set(exchange, entry);
      fold.entries.set(symbol, entry);
    }
    if (found.stale.has(symbol)) fold.stale.add(symbol);
    else fold.stale.delete(symbol);
  }

  /** Announces the symbols of which an entry has become unheard since the last look: the answers say it. */
  #lookForUnheard(now: number): void {
    const { heard } = this.#options;
    if (heard === undefined) return;
    const [from, to] = [this.#looked - unheardAfter, now - unheardAfter];
    this.#looked = now;
    for (const [symbol, { entries }] of this.#symbols) {
      for (const entry of entries.values()) {
        const at = heard(entry);
        if (at >= from && at < to) this.#touched(symbol);
      }
    }
    if (this.#changed.size > 0) this.#announce();
  }

  /** A symbol of which something changes: its summary and its answer are made again. */
  #touched(symbol: string): SymbolEntries<Entry, Summary> {
    this.#changed.add(symbol);
    const known = this.#symbols.get(symbol);
    if (known) {
      known.summary = undefined;
      return known;
    }
    const made = { entries: new Map(), unfolded: new Set<string>(), summary: undefined };
    this.#symbols.set(symbol, made);
    this.#listed.change();
    return made;
  }

  #announce(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    this.source.change(changed);
  }

  #leftOut(symbol: string): LeftOut {
    return { stale_exchanges: this.#staleOn(symbol), suspect: this.#suspectsOf(symbol) };
  }

  /** Exchanges whose every row of the symbol is too old; of sums those of which one is. */
  #staleOn(symbol: string): string[] {
    return [...this.#venues].flatMap(([name, { fold }]) => (fold.stale.has(symbol) ? [name] : []));
  }

  /** Markets of the symbol whose newest numbers are held back. */
  #suspectsOf(symbol: string): { exchange: string; market: string }[] {
    return [...this.#venues].flatMap(([exchange, { fold }]) =>
      (fold.suspect.get(symbol) ?? []).map((market) => ({ exchange, market })),
    );
  }

  #summaryOf(symbol: string, entries: ReadonlyMap<string, Entry>): JsonEntry<Summary> | null {
    if (entries.size === 0) return null;
    return jsonEntry(symbol, this.#options.summary(symbol, [...entries], this.source.now));
  }
}
