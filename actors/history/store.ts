/** The store of recorded series. One contract, two implementations: `sqlite.ts` and `postgres.ts`. */
import { toDigits } from '../../indicators/digits.ts';
import type { AlertDelivery, RecordedFiles } from '../topics/index.ts';
import type { Digits, Row, Series } from './define.ts';
import type { LogRange, LogTable, StoredEvent } from './logs.ts';

/**
 * `put` replaces a value that is there, `fill` leaves it, and `add` adds to it; in a column that is combined by `max`, `add` keeps the
 * larger one.
 */
export type Mode = 'put' | 'add' | 'fill';

/** A row as it is written. Its values are numbers without names: a million rows may wait for a store that is away. */
export interface WrittenRow extends Pick<Row, 'key' | 'time' | 'backfilled'> {
  /** In the order of the columns of the series; NaN for one that is not known. */
  cells: readonly number[];
}

/** Rows to be written to one tier of a series. */
export interface Write {
  series: Series;
  /** Ms. */
  step: number;
  mode: Mode;
  /** No key has a time twice. */
  rows: readonly WrittenRow[];
}

/** A place that the store remembers under a name. With `from` the write is refused unless that is the present place. */
export interface Position {
  name: string;
  from?: string | null;
  to: string;
}

/** Events to be written. One that is stored already, by exchange, time and `liquidationKey`, is left out. */
export interface EventWrite {
  rows: readonly StoredEvent[];
  /** The writes for the new ones. Pure: a store may call it with all rows first. */
  sums(fresh: readonly StoredEvent[]): readonly Write[];
}

/** A transaction: all of it is committed, or nothing. */
export interface Batch {
  writes: readonly Write[];
  events?: EventWrite;
  /** Attempts to deliver what alerts have fired; one that is stored already is left out. */
  deliveries?: readonly AlertDelivery[];
  positions?: readonly Position[];
}

/** A batch of one write, or of positions alone. */
export type SmallBatch =
  | { writes: readonly [Write] }
  | { writes: readonly []; positions: readonly Position[] };

/** The stored rows of one key, ascending by time; null for a value that is not known. */
export interface Stored {
  times: number[];
  columns: (number | null)[][];
  /** Whether each row was back-filled. */
  backfilled: boolean[];
}

export interface Range {
  /** Unix ms, inclusive. */
  from: number;
  to: number;
}

/** The newest step that has rows. */
export interface Newest {
  /** Its start, Unix ms. */
  time: number;
  /** Keys with a row in it. */
  keys: number;
  /** The first of them by name that names BTC, else the first one. */
  key: string;
}

/** Why an operation of a store failed. The message names no credential. */
export class StoreError extends Error {
  override name = 'StoreError';
  /**
   * `full`: no room on the disk; `damaged`: the file cannot be read; `away`: the store does not answer now; `superseded`: a
   * position has been moved by another process; `failed`: anything else.
   */
  readonly code: 'full' | 'damaged' | 'away' | 'superseded' | 'failed';

  constructor(code: StoreError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Every method rejects with a StoreError. */
export interface Store {
  /** Files that were set aside since the start because they were damaged, and the last one in words; absent without a file of its own. */
  damage?(): { files: number; notice: string | null };
  /** One transaction. */
  write(batch: Batch): Promise<void>;
  /** The rows of some keys within a range; a key without any is missing. */
  read(
    series: Series,
    step: number,
    keys: readonly string[],
    range: Range,
  ): Promise<Map<string, Stored>>;
  /** The rows of all keys, or of those that begin with `prefix`. */
  scan(series: Series, step: number, range: Range, prefix?: string): Promise<Map<string, Stored>>;
  /** The newest of the steps within a range that have rows; null without one. Rows that were moved by `archive` may not count. */
  newest(series: Series, step: number, range: Range): Promise<Newest | null>;
  /** The last position under a name; null without one. */
  position(name: string): Promise<string | null>;
  /** Removes rows before a time, Unix ms; some that are only just older may stay for a while. */
  prune(series: Series, step: number, before: number): Promise<void>;
  /** Moves what has ended by `now`, Unix ms, to where it stays; absent in a store that keeps all in one place. */
  archive?(now: number): Promise<void>;
  /** Rows of a log, newest first. */
  log<T>(table: LogTable<T>, wanted: LogRange): Promise<T[]>;
  /** Removes rows of a log before a time, Unix ms; some that are only just older may stay for a while. */
  pruneLog<T>(table: LogTable<T>, before: number): Promise<void>;
  /** The files of ended periods; null, as where it is absent, for a tier whose rows stay in one place. */
  files?(series: Series, step: number): RecordedFiles | null;
  close(): Promise<void>;
}

/** The values of a row as their columns store them; null for one that is not known. */
export const storedCells = ({ columns }: Series, { cells }: WrittenRow): (number | null)[] =>
  columns.map(({ digits }, at) => {
    const value = cells[at] ?? Number.NaN;
    if (Number.isNaN(value)) return null;
    return digits === 7 ? Math.fround(value) : value;
  });

/** The number that a column with this many digits gives back; null for an unknown one. */
export function given(value: number | null, digits: Digits): number | null {
  if (value === null || Number.isNaN(value)) return null;
  return digits === 7 ? toDigits(value, digits) : value;
}
