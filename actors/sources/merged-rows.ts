/** The newest row of each market of a topic and part, out of its polls and its streams. */
import { hash } from 'node:crypto';
import type { Reading, Suspect } from '../topics/index.ts';
import type { AnyRow, Parsed } from './define.ts';
import {
  type Around,
  type Evidence,
  type Guards,
  hasAny,
  hasNews,
  isLater,
  type Known,
  type MarketRow,
  type MergeForm,
  merge,
  objectionTo,
  type Source,
  withoutFaults,
} from './merge.ts';

/** How the rows of a topic are merged and guarded. */
export interface Form<Row> extends MergeForm<Row> {
  /** Age at which a row that no message brings any more is left out and is no evidence, ms. */
  maxAge: number;
  /** The same, where it is longer than that of the topic: readings state it. */
  planned: number | undefined;
  guards: Guards<Row>;
}

interface Message<Row> extends Source<Row> {
  /** An equal one is the same message again: of a stream its number, of a poll a function of the row. */
  print: number | ((row: Row) => string | number);
  dropped: Parsed<Row>['dropped'];
}

/** A row that waits for a second message. */
interface Held<Row> {
  row: Row;
  print: string | number;
  /** When the first of them was received, Unix ms. */
  received: number;
  isWhole: boolean;
}

/** The rows of one poll. */
export interface PolledRows<Row> extends Parsed<Row> {
  asked: number;
  received: number;
  /** True where a request of it failed: as a stream, it leaves out what it does not have. */
  isPart?: boolean;
  /** The markets that exist, for a poll that covers only some of them; null when it covers all. */
  listed: ReadonlyMap<string, unknown> | null;
}

/** A whole reading but for its name. */
type Whole<Row> = Pick<Reading<Row>, 'received' | 'rows' | 'suspect' | 'maxAge'>;

/** Share by which a poll and the stream may differ without being counted. */
const tolerance = 0.01;
/** Share of the interval of a poll by which it may be late: then the streamed rows are published whole in its place. */
export const lateness = 1.5;
/** Least time between two such publications because of what is held back, ms. */
const minPause = 1_000;

export class MergedRows<Row extends MarketRow> {
  readonly #form: Form<Row>;
  readonly #alone: Around<Row>;
  /** Age at which a poll is overdue, ms. */
  readonly #overdue: number;
  #rows = new Map<string, Known<Row>>();
  readonly #held = new Map<string, Held<Row>>();
  #messages = 0;
  /** The last whole reading; null before it is known. */
  #published: { received: number; suspect: string } | null = null;
  #hasUnpublished = false;
  /** Markets on which the last poll and the stream differed by more than 1 %, and on which all polls did. */
  differing = 0;
  differed = 0;

  /** `every` is the interval of the polls, ms. */
  constructor(form: Form<Row>, every: number, evidence: Evidence) {
    this.#form = form;
    this.#overdue = every * lateness;
    this.#alone = { held: undefined, evidence };
  }

  /** Takes what was published last, also by another process; undefined where nothing was. */
  load(reading: Reading<Row> | undefined): void {
    this.#published ??= { received: 0, suspect: '' };
    if (reading === undefined) return;
    for (const one of reading.rows) {
      const { asked, received } = reading;
      const known = this.#loaded(one, one.received ?? asked, one.received ?? received);
      if (isLater(known.time, this.#rows.get(one.market)?.time)) this.#rows.set(one.market, known);
    }
    this.published(reading);
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
  polled(poll: PolledRows<Row>): Whole<Row> & Parsed<Row> {
    const { rows, asked, received, listed, isPart } = poll;
    const dropped = [...poll.dropped];
    const before = this.#rows;
    this.#rows = new Map();
    this.differing = 0;
    const groups = this.#form.groups.filter((group) => rows.some((row) => hasAny(row, group)));
    const brought = isPart ? null : new Set(groups);
    let all: string | number | undefined;
    const print = (row: Row) => {
      if (listed !== null) return this.#print([row]);
      all ??= this.#print(rows);
      return all;
    };
    const covered = new Set<string>();
    for (const row of rows) {
      const isFirst = covered.size < covered.add(row.market).size;
      // Pages and lists overlap while an exchange changes them.
      if (!isFirst) dropped.push({ key: row.market, code: 'duplicate' });
      if (!isFirst) continue;
      const known = before.get(row.market);
      if (known && known.newest > asked) this.#compare(row, known.row);
      const time = { stated: row.stated ?? null, heard: asked, received, isPolled: true };
      const found = this.#take(row, known, { time, print, brought, dropped });
      if (found) this.#rows.set(row.market, found);
    }
    this.#retain(before, covered, poll);
    return { ...this.whole(received), dropped };
  }

  /** Takes over a row of a message, received at `received` (Unix ms); true where it has changed what is known of its market. */
  streamed(row: Row, received: number, dropped: Parsed<Row>['dropped']): boolean {
    const number = ++this.#messages;
    const time = { stated: row.stated ?? null, heard: received, received, isPolled: false };
    const known = this.#rows.get(row.market);
    const before = known?.row;
    const found = this.#take(row, known, { time, print: number, brought: null, dropped });
    if (found === undefined || found.row === before) return false;
    if (found !== known) this.#rows.set(row.market, found);
    this.#hasUnpublished ||= known === undefined;
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
    const { planned } = this.#form;
    const age = planned === undefined ? {} : { maxAge: planned };
    return { received: at, rows, ...(suspect.length > 0 && { suspect }), ...age };
  }

  /**
   * Whether the streamed rows should be published whole at `now`, Unix ms: the last whole reading lacks one of the markets, or has
   * others held back; or the next poll is overdue.
   */
  needsWhole(now: number): boolean {
    if (this.#published === null || this.#rows.size === 0) return false;
    const age = now - this.#published.received;
    if (this.#hasUnpublished || age > this.#overdue) return true;
    return age >= minPause && namesOf(this.#suspect()) !== this.#published.suspect;
  }

  /** A whole reading was published. */
  published({ rows, received, suspect = [] }: Whole<Row>): void {
    const markets = new Set(rows.map(({ market }) => market));
    this.#published = { received, suspect: namesOf(suspect) };
    this.#hasUnpublished = [...this.#rows.keys()].some((market) => !markets.has(market));
  }

  #suspect(): Suspect[] {
    return [...this.#held.values()].flatMap(({ isWhole, row: { market, symbol } }) =>
      isWhole ? [{ market, symbol }] : [],
    );
  }

  /** What is known of a market after a row; with the same row where that changes nothing. */
  #take(row: Row, last: Known<Row> | undefined, message: Message<Row>): Known<Row> | undefined {
    const { time, dropped } = message;
    const { guards, maxAge } = this.#form;
    const known = last && time.received - last.time.received <= maxAge ? last : undefined;
    const good = withoutFaults(guards, row, time.received, dropped);
    // A time that cannot be true orders nothing.
    time.stated = good.stated ?? null;
    if (known && !hasNews(this.#form, good, known, message)) {
      if (!isLater(time, known.time)) dropped.push({ key: row.market, code: 'late_row' });
      return known;
    }
    const used = this.#judged(good, known?.row, message);
    if (used === null) return known;
    // Of a poll all rows are printed as they came.
    const isOwn = !known || typeof message.print === 'number' || used !== row;
    const own = isOwn ? used : { ...used };
    const found = known ?? { row: own, time, times: [], newest: time.heard };
    // Values of several messages may contradict each other.
    if (merge(this.#form, found, own, message))
      found.row = withoutFaults(guards, own, time.received, []);
    return found;
  }

  /** What of a row can be used; null where it is held back whole. */
  #judged(row: Row, last: Row | undefined, { time, print, dropped }: Message<Row>): Row | null {
    const { market } = row;
    const waiting = this.#held.get(market);
    const isOther = waiting !== undefined && waiting.print !== printOf(print, row);
    const around = isOther ? { ...this.#alone, held: waiting.row } : this.#alone;
    const objection = objectionTo(this.#form.guards, row, last, around);
    if (objection) {
      for (const code of objection.codes) dropped.push({ key: market, code });
      const received = waiting?.received ?? time.received;
      this.#held.set(market, {
        row,
        print: printOf(print, row),
        received,
        isWhole: objection.row === null,
      });
    } else if (waiting) this.#held.delete(market);
    const used = objection ? objection.row : row;
    return used?.doubt === undefined ? used : { ...used, doubt: undefined };
  }

  /**
   * Keeps the rows, and what is held back, that a poll could not read, did not ask for, or that came after it was asked, until they
   * are too old. Where markets are asked in turn those that exist stay: what is too old then is named, and in no sum.
   */
  #retain(
    before: ReadonlyMap<string, Known<Row>>,
    covered: ReadonlySet<string>,
    poll: PolledRows<Row>,
  ): void {
    const { asked, received, listed, isPart } = poll;
    const bad = new Set(poll.dropped.flatMap(({ key, code }) => (code === 'bad_row' ? [key] : [])));
    const stays = (market: string, heard: number, at: number) =>
      (isPart || bad.has(market) || listed?.has(market) === true || heard > asked) &&
      received - at <= this.#form.maxAge;
    for (const [market, known] of before) {
      if (this.#rows.has(market)) continue;
      if (listed?.has(market) || stays(market, known.newest, known.time.received))
        this.#rows.set(market, known);
    }
    for (const [market, held] of this.#held) {
      if (!covered.has(market) && !stays(market, held.received, held.received))
        this.#held.delete(market);
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

  /** What a change of any value or stated time moves; another one each time for rows that are replaced whole, as lists are. */
  #print(rows: readonly Row[]): string | number {
    return this.#form.groups.length === 0 ? ++this.#messages : hash('sha1', JSON.stringify(rows));
  }
}

const printOf = <Row>(print: Message<Row>['print'], row: Row): string | number =>
  typeof print === 'number' ? print : print(row);

const dated = <Row extends AnyRow>({ row, time }: Known<Row>, received: number): Row =>
  time.received === received ? row : { ...row, received: time.received };

const namesOf = (suspect: readonly Suspect[]): string =>
  suspect.map(({ market }) => market).join('\n');
