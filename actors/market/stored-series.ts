/** Series that a source stores as columns: read once after a start, written when they grew. */
import type { Failure } from '../failure.ts';
import { asRow, type WireRow } from '../read.ts';
import type { JobContext } from '../sources/context.ts';
import type { Series } from '../topics/market-indicators.ts';

const cell = (value: unknown): number | string | null => {
  if (value === true) return 1;
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/** The rows of a stored series. */
export function rowsOf({ columns }: Pick<Series, 'columns'>): WireRow[] {
  const entries = Object.entries(columns);
  const length = Math.max(0, ...entries.map(([, values]) => values.length));
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(entries.map(([name, values]) => [name, values[at] ?? null])),
  );
}

/** Rows as the columns of a series; cells of other types become null. */
export function columnsOf(rows: readonly object[], names: readonly string[]): Series['columns'] {
  const read = rows.map(asRow);
  return Object.fromEntries(names.map((name) => [name, read.map((row) => cell(row[name]))]));
}

/** How rows are stored. */
export interface Form<Row> {
  /** Key on the topic `series`. */
  key: string;
  /** The members of a row that are stored. */
  columns: readonly (keyof Row & string)[];
  /** Null for what is no row; then the whole series counts as absent. */
  read(row: WireRow): Row | null;
}

/** Where the rows are over restarts. */
export interface SeriesStorage<Row> {
  /** The rows of an earlier process and when they were stored, Unix ms; null without any, or where that is not known. */
  load(): Promise<{ rows: readonly Row[]; at: number } | null>;
  /** All rows. Null when they are stored. */
  save(rows: readonly Row[], at: number): Promise<Failure | null>;
}

/** Written whole under one key. */
export const inRedis = <Row extends object>(
  context: Pick<JobContext, 'publish' | 'last'>,
  { key, columns, read }: Form<Row>,
): SeriesStorage<Row> => ({
  async load() {
    const series = await context.last('series', key);
    const rows = series ? rowsOf(series).map(read) : [];
    const whole = rows.filter((row) => row !== null);
    return series && rows.length > 0 && whole.length === rows.length
      ? { rows: whole, at: series.at }
      : null;
  },
  save: (rows, at) => context.publish('series', key, { columns: columnsOf(rows, columns), at }),
});

/** Written by one job, read by others. `rows` is replaced by another array on every change, never changed in place. */
export class StoredSeries<Row> {
  readonly #storage: SeriesStorage<Row>;
  readonly #recalled: (found: { rows: readonly Row[]; at: number }) => void;
  #rows: readonly Row[] = [];
  #at = 0;
  #confirmed = 0;
  /** Rows in memory that are not stored yet. */
  #unsaved = false;
  /** The series began without the stored rows, which could not be read then. */
  #fresh = true;

  /** `recalled` hears of the rows of an earlier process. */
  constructor(
    storage: SeriesStorage<Row>,
    recalled: (found: { rows: readonly Row[]; at: number }) => void = () => {},
  ) {
    this.#storage = storage;
    this.#recalled = recalled;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** When the rows changed last, Unix ms; 0 without any. */
  get at(): number {
    return this.#at;
  }

  /** When it was last certain that there is nothing newer to be had, Unix ms. */
  get confirmed(): number {
    return this.#confirmed;
  }

  confirm(now: number): void {
    this.#confirmed = now;
  }

  /** Reads the rows of an earlier process where there are none, and writes those that are not stored. */
  async settle(): Promise<Failure | null> {
    if (this.#rows.length === 0) await this.#adopt();
    return this.#flush();
  }

  /** Replaces the rows and writes them; after a failure the next `settle` writes them. */
  async save(rows: readonly Row[], now: number): Promise<Failure | null> {
    this.#rows = rows;
    this.#at = now;
    this.#unsaved = true;
    return this.#flush();
  }

  /** Stored rows win: before a series that began without them is written, they are read once more. */
  async #flush(): Promise<Failure | null> {
    if (!this.#unsaved) return null;
    if (this.#fresh && (await this.#adopt())) return null;
    const failure = await this.#storage.save(this.#rows, this.#at);
    if (failure === null) {
      this.#unsaved = false;
      this.#fresh = false;
    }
    return failure;
  }

  async #adopt(): Promise<boolean> {
    const found = await this.#storage.load();
    if (!found) return false;
    this.#rows = found.rows;
    this.#at = found.at;
    this.#confirmed = found.at;
    this.#unsaved = false;
    this.#fresh = false;
    this.#recalled(found);
    return true;
  }
}
