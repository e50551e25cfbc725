/** Holds a row back when its number jumped, until a second source or a second poll of fresh data confirms it. */
import { type Contradiction, isNear, judge } from '../../../indicators/market/checks.ts';
import type { Reading, Suspect } from '../../topics/index.ts';
import type { AnyRow } from '../define.ts';
import type { DropCode } from './reasons.ts';

/** A row with a number that can be checked. */
export interface CheckedRow extends AnyRow {
  symbol: string;
  stated?: number | null;
  doubt?: Contradiction;
}

/** The evidence that the rows of one topic are checked against. */
export interface Evidence<Row extends CheckedRow> {
  /** The number that is checked. */
  value(row: Row): number;
  /** Numbers beside it that show whether two rows are of the same moment. */
  beside(row: Row): number | null;
  /** The same number at other sources, by symbol, for assets of these symbols. */
  others(symbols: ReadonlySet<string>): ReadonlyMap<string, readonly number[]>;
  /** The source's own second value of it, such as a mark price. */
  own(row: Row): readonly number[];
  /**
   * A row whose number is good, without other fields that cannot be true beside it or beside the last published row; with the
   * reason, or null where it is whole.
   */
  whole(row: Row, last: Row | undefined): readonly [Row, DropCode | null];
}

/** The rows of one poll, and the reading that they are compared with. */
export interface Poll<Row extends CheckedRow> {
  rows: Row[];
  received: number;
  previous: Reading<Row> | undefined;
  /** The markets that exist, for a poll that covers only some of them; null when it covers all. */
  listed: ReadonlyMap<string, unknown> | null;
}

/** The rows that may be published. */
export interface Checked<Row> {
  rows: Row[];
  dropped: { key: string; code: DropCode }[];
  /** Markets that are held back now, those that this poll did not cover among them. */
  suspect: Suspect[];
}

interface Held<Row> {
  row: Row;
  /** Of the poll that brought it. */
  print: number;
  received: number;
}

/** The check of one topic and part, for `PublisherOptions`; `maxAge` as that of `Suspects`. */
export function holdBack<Row extends CheckedRow>(evidence: Evidence<Row>, maxAge: number) {
  const suspects = new Suspects(evidence, maxAge);
  return (poll: Poll<Row>): Checked<Row> => suspects.check(poll);
}

/** The rows held back of one topic and part. */
export class Suspects<Row extends CheckedRow> {
  readonly #evidence: Evidence<Row>;
  readonly #maxAge: number;
  readonly #held = new Map<string, Held<Row>>();

  /** `maxAge` is the age in ms at which a last good row no longer counts. */
  constructor(evidence: Evidence<Row>, maxAge: number) {
    this.#evidence = evidence;
    this.#maxAge = maxAge;
  }

  /** Sorts the rows of a poll into those to publish and those to hold back. */
  check(poll: Poll<Row>): Checked<Row> {
    const good = this.#lastGood(poll.previous, poll.received);
    const refused = this.#refuse(poll, good);
    this.#forget(poll, refused);
    const dropped: Checked<Row>['dropped'] = [];
    const rows = poll.rows.flatMap((found) => {
      const { market: key, doubt } = found;
      if (refused.has(key)) {
        dropped.push({ key, code: 'suspect' });
        return [];
      }
      const [row, code] = this.#evidence.whole(found, good.get(key));
      if (code !== null) dropped.push({ key, code });
      return [doubt === undefined ? row : { ...row, doubt: undefined }];
    });
    const suspect = [...this.#held.values()].map(({ row: { market, symbol } }) => ({
      market,
      symbol,
    }));
    return { rows, dropped, suspect };
  }

  /** The markets whose rows are not confirmed; they are held from now on. */
  #refuse(
    { rows, received, listed }: Poll<Row>,
    good: ReadonlyMap<string, Row>,
  ): ReadonlySet<string> {
    const { value, own, others: ask } = this.#evidence;
    const last = ({ market }: Row): number | null => {
      const row = good.get(market);
      return row === undefined ? null : value(row);
    };
    const moved = rows.filter((row) => !isNear(value(row), last(row) ?? NaN));
    if (moved.length === 0) return new Set();
    const others = ask(new Set(moved.map(({ symbol }) => symbol)));
    // Of a poll about some of the markets each one's own row is its body.
    const whole = listed === null ? this.#print(rows) : null;
    const refused = moved.filter((row) => {
      const verdict = judge(value(row), {
        last: last(row),
        others: others.get(row.symbol) ?? [],
        own: own(row),
        contradicted: row.doubt ?? null,
      });
      if (verdict === 'good') return false;
      const print = whole ?? this.#print([row]);
      return !this.#repeats({ row, print, received }) || verdict === 'contradicted';
    });
    return new Set(refused.map(({ market }) => market));
  }

  /**
   * Whether a row repeats the value of the held one, out of fresh data: a cache that repeats its answer confirms
   * nothing. A row with another value is held in its place.
   */
  #repeats(found: Held<Row>): boolean {
    const { value } = this.#evidence;
    const held = this.#held.get(found.row.market);
    if (held && isNear(value(found.row), value(held.row))) return held.print !== found.print;
    this.#held.set(found.row.market, found);
    return false;
  }

  /** The last published rows that are young enough, by market. */
  #lastGood(previous: Reading<Row> | undefined, now: number): ReadonlyMap<string, Row> {
    const good = new Map<string, Row>();
    for (const row of previous?.rows ?? []) {
      const received = row.received ?? previous?.received ?? 0;
      if (now - received <= this.#maxAge) good.set(row.market, row);
    }
    return good;
  }

  /** A number that a change of any value or stated time moves. */
  #print(rows: readonly Row[]): number {
    const { value, beside } = this.#evidence;
    let print = rows.length;
    for (const row of rows) {
      for (const part of [value(row), beside(row) ?? 0, row.stated ?? 0])
        print = (print * 31 + part) % 1e12;
    }
    return print;
  }

  /** Releases rows that were confirmed, are no longer listed, or were held for as long as a good value lasts. */
  #forget({ rows, received, listed }: Poll<Row>, refused: ReadonlySet<string>): void {
    if (this.#held.size === 0) return;
    const covered = new Set(rows.map(({ market }) => market));
    for (const [market, held] of this.#held) {
      if (refused.has(market)) continue;
      const isWaiting = listed?.has(market) && !covered.has(market);
      if (!isWaiting || received - held.received > this.#maxAge) this.#held.delete(market);
    }
  }
}
