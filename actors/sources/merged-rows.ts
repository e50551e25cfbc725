/** The newest row of each market of a topic and part, out of its polls and its streams. */
import type { Reading, Suspect } from '../topics/index.ts';
import type { AnyRow, Parsed } from './define.ts';
import {
  hasAny,
  hasNews,
  isLater,
  type Known,
  type MergeForm,
  type Message,
  merge,
} from './merge.ts';
import type { DropCode } from './quality/reasons.ts';

/** What is wrong with a row. */
export interface Objection<Row> {
  /** What is used of it; null where it is held back whole. */
  row: Row | null;
  codes: readonly DropCode[];
  /** True where a second message with the same values confirms what was left out. */
  held: boolean;
}

/** What the machinery knows of the rows of a topic. */
export interface Form<Row extends AnyRow> extends MergeForm<Row> {
  /** Age at which a row that no message brings any more is left out and is no evidence, ms. */
  maxAge: number;
  /** The row without what cannot be true in it; `now` is Unix ms. The reasons are added to `dropped`. */
  itself?(row: Row, now: number, dropped: Parsed<Row>['dropped']): Row;
  /**
   * Null for a row that can be used as it is. `last` is the newest good one that is young enough, `held` one of another message that
   * was objected to.
   */
  object?(row: Row, last: Row | undefined, held: Row | undefined): Objection<Row> | null;
}

interface Held<Row> {
  row: Row;
  /** Of its message: an equal one is the same message again. */
  print: number;
  /** When the first of them was received, Unix ms. */
  received: number;
  isWhole: boolean;
}

/** The message that a row is of. */
interface From<Row> extends Omit<Message<Row>, 'row'> {
  print(row: Row): number;
  dropped: Parsed<Row>['dropped'];
}

/** The rows of one poll. */
export interface Poll<Row> extends Parsed<Row> {
  asked: number;
  received: number;
  /** The markets that exist, for a poll that covers only some of them; null when it covers all. */
  listed: ReadonlyMap<string, unknown> | null;
}

/** A whole reading but for its name. */
type Whole<Row> = Pick<Reading<Row>, 'received' | 'rows' | 'suspect'>;

/** Share by which a poll and the stream may differ without being counted. */
const tolerance = 0.01;
/** Share of the interval of a poll by which it may be late: then the streamed rows are published whole in its place. */
export const lateness = 1.5;
/** Least time between two such publications because of what is held back, ms. */
const minPause = 1_000;

/** A row as this file sees it; `stated` is Unix ms, as the upstream states it. */
export interface MarketRow extends AnyRow {
  symbol: string;
  stated?: number | null;
}

export class MergedRows<Row extends MarketRow> {
  readonly #form: Form<Row>;
  /** Interval of the polls, ms. */
  readonly #every: number;
  #rows = new Map<string, Known<Row>>();
  readonly #held = new Map<string, Held<Row>>();
  #messages = 0;
  /** The last whole reading; null before it is known. */
  #published: { markets: ReadonlySet<string>; received: number; suspect: string } | null = null;
  #hasUnpublished = false;
  /** Markets on which the last poll and the stream differed by more than 1 %, and on which all polls did. */
  differing = 0;
  differed = 0;

  constructor(form: Form<Row>, every: number) {
    this.#form = form;
    this.#every = every;
  }

  /** Takes what was published last, also by another process; undefined where nothing was. */
  load(reading: Reading<Row> | undefined): void {
    for (const one of reading?.rows ?? []) {
      const { received: own } = one;
      const known = this.#loaded(one, own ?? reading?.asked ?? 0, own ?? reading?.received ?? 0);
      if (isLater(known.time, this.#rows.get(one.market)?.time)) this.#rows.set(one.market, known);
    }
    if (reading) this.published(reading);
    this.#published ??= { markets: new Set(), received: 0, suspect: '' };
  }

  #loaded(one: Row, heard: number, received: number): Known<Row> {
    const time = { stated: one.stated ?? null, heard, received, isPolled: true };
    const times = this.#form.groups.map((group) => {
      const own = group.received && one[group.received];
      if (!hasAny(one, group)) return undefined;
      return typeof own === 'number' ? { ...time, heard: own, received: own } : time;
    });
    return { row: { ...one, received: undefined }, time, times, newest: heard };
  }

  /** Takes a poll: the rows that can be published after it, and why others cannot. */
  polled(poll: Poll<Row>): Whole<Row> & Parsed<Row> {
    const { asked, received, listed } = poll;
    const dropped = [...poll.dropped];
    const before = this.#rows;
    this.#rows = new Map();
    this.differing = 0;
    const brought = this.#form.groups.map((group) => poll.rows.some((row) => hasAny(row, group)));
    let all: number | undefined;
    const print = (row: Row): number => {
      if (listed !== null) return this.#print([row]);
      all ??= this.#print(poll.rows);
      return all;
    };
    for (const row of poll.rows) {
      const known = before.get(row.market);
      if (known && known.newest > asked) this.#compare(row, known.row);
      const time = { stated: row.stated ?? null, heard: asked, received, isPolled: true };
      const found = this.#take(row, known, { time, print, brought, dropped });
      if (found) this.#rows.set(row.market, found);
    }
    this.#retain(before, poll);
    this.#forget(poll);
    return { ...this.whole(received), dropped };
  }

  /** Takes a row of a message, received at `received` (Unix ms); true where it has changed what is known of its market. */
  streamed(row: Row, received: number, dropped: Parsed<Row>['dropped']): boolean {
    const number = ++this.#messages;
    const time = { stated: row.stated ?? null, heard: received, received, isPolled: false };
    const known = this.#rows.get(row.market);
    const found = this.#take(row, known, { time, print: () => -number, brought: null, dropped });
    if (found === undefined || found === known) return false;
    this.#rows.set(row.market, found);
    if (this.#published?.markets.has(row.market) === false) this.#hasUnpublished = true;
    return true;
  }

  /** The row of a market, as it is published in a reading that was received at `received`, Unix ms. */
  at(market: string, received: number): Row | undefined {
    const known = this.#rows.get(market);
    return known && dated(known, received);
  }

  /** The newest row that was said of a market, also one that was objected to; undefined where it is older than `maxAge` ms. */
  said(market: string, now: number, maxAge: number): Row | undefined {
    const held = this.#held.get(market);
    const known = this.#rows.get(market);
    if (held && now - held.received <= maxAge) return held.row;
    return known && now - known.time.received <= maxAge ? known.row : undefined;
  }

  /** All rows, and the markets that are held back. */
  whole(received: number): Whole<Row> {
    // Rows of the stream may have come, and have been published, since the poll was received.
    const at = Math.max(received, this.#published?.received ?? 0);
    const rows = [...this.#rows.values()].map((known) => dated(known, at));
    const suspect = this.#suspect();
    return { received: at, rows, ...(suspect.length > 0 && { suspect }) };
  }

  /**
   * Whether the streamed rows should be published whole at `now`, Unix ms: the last whole reading lacks one of the markets, or has
   * others held back; or the next poll is overdue.
   */
  needsWhole(now: number): boolean {
    if (this.#published === null || this.#rows.size === 0) return false;
    const { received, suspect } = this.#published;
    const age = now - received;
    if (this.#hasUnpublished || age > this.#every * lateness) return true;
    return age >= minPause && namesOf(this.#suspect()) !== suspect;
  }

  /** A whole reading was published. */
  published({ rows, received, suspect = [] }: Whole<Row>): void {
    const markets = new Set(rows.map(({ market }) => market));
    this.#published = { markets, received, suspect: namesOf(suspect) };
    this.#hasUnpublished = [...this.#rows.keys()].some((market) => !markets.has(market));
  }

  #suspect(): Suspect[] {
    return [...this.#held.values()].flatMap(({ isWhole, row: { market, symbol } }) =>
      isWhole ? [{ market, symbol }] : [],
    );
  }

  /** What is known of a market after a row: the same where the row changes nothing. */
  #take(row: Row, last: Known<Row> | undefined, from: From<Row>): Known<Row> | undefined {
    const { time, brought, dropped } = from;
    const { itself, maxAge } = this.#form;
    const known = last && time.received - last.time.received <= maxAge ? last : undefined;
    const own = itself?.(row, time.received, dropped) ?? row;
    // A time that cannot be true orders nothing.
    time.stated = own.stated ?? null;
    if (known && !hasNews(this.#form, { row: own, time, brought }, known)) return known;
    const used = this.#judged(own, known, from);
    if (used === null) return known;
    const merged = merge(this.#form, { row: used, time, brought }, known);
    // Values of several messages may contradict each other.
    if (merged.row !== used && itself) merged.row = itself(merged.row, time.received, []);
    return merged;
  }

  /** What of a row can be used; null where it is held back whole. */
  #judged(row: Row, known: Known<Row> | undefined, from: From<Row>): Row | null {
    const held = this.#held.get(row.market);
    const other = held && held.print !== from.print(row) ? held.row : undefined;
    const objection = this.#form.object?.(row, known?.row, other) ?? null;
    for (const code of objection?.codes ?? []) from.dropped.push({ key: row.market, code });
    if (objection?.held) this.#hold(row, from, objection.row === null);
    else this.#held.delete(row.market);
    return objection === null ? row : objection.row;
  }

  #hold(row: Row, { time, print }: From<Row>, isWhole: boolean): void {
    const { received } = this.#held.get(row.market) ?? time;
    this.#held.set(row.market, { row, print: print(row), received, isWhole });
  }

  /** Keeps the rows that a poll could not read, did not ask for, or that came after it was asked, until they are too old. */
  #retain(before: ReadonlyMap<string, Known<Row>>, poll: Poll<Row>): void {
    const { asked, received, listed, dropped } = poll;
    const bad = new Set(dropped.filter(({ code }) => code === 'bad_row').map(({ key }) => key));
    for (const [market, known] of before) {
      const isLeft = bad.has(market) || listed?.has(market) === true || known.newest > asked;
      const isYoung = received - known.time.received <= this.#form.maxAge;
      if (isLeft && isYoung && !this.#rows.has(market)) this.#rows.set(market, known);
    }
  }

  /** Releases markets that are not listed any more, or were held for as long as a good value lasts. */
  #forget({ rows, asked, received, listed }: Poll<Row>): void {
    if (this.#held.size === 0) return;
    const covered = new Set(rows.map(({ market }) => market));
    for (const [market, held] of this.#held) {
      if (covered.has(market)) continue;
      const isThere = listed?.has(market) === true || held.received > asked;
      if (!isThere || received - held.received > this.#form.maxAge) this.#held.delete(market);
    }
  }

  /** Counts a market on which a poll and what the stream has said since it was asked differ. */
  #compare(polled: Row, streamed: Row): void {
    const name = this.#form.groups[0]?.names[0];
    if (name === undefined) return;
    const [one, other] = [streamed[name], polled[name]];
    if (typeof one !== 'number' || typeof other !== 'number') return;
    if (Math.abs(one - other) <= tolerance * other) return;
    this.differing++;
    this.differed++;
  }

  /** A number that a change of any value or stated time moves; another one each time for rows without such. */
  #print(rows: readonly Row[]): number {
    const names = this.#form.groups.flatMap((group) => group.names);
    if (names.length === 0) return -++this.#messages;
    let print = rows.length;
    for (const row of rows) {
      for (const part of [row.stated, ...names.map((name) => row[name])])
        print = (print * 31 + (typeof part === 'number' ? part : 0)) % 1e12;
    }
    return print;
  }
}

const dated = <Row extends AnyRow>({ row, time }: Known<Row>, received: number): Row =>
  time.received === received ? row : { ...row, received: time.received };

const namesOf = (suspect: readonly Suspect[]): string =>
  suspect.map(({ market }) => market).join('\n');
