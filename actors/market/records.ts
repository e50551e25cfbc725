/** Charts that a job samples itself, because no upstream has them whole; the history keeps them. */
import { dayAt, dayLength } from '../../indicators/market/days.ts';
import type { Failure } from '../failure.ts';
import { required, type WireRow } from '../read.ts';
import type { RecordedRows, RecordRow } from '../topics/index.ts';
import { type HistoryRow, mostHistory } from '../topics/market-indicators.ts';
import type { RecordedStore } from './recorded.ts';

/** One sample. */
export interface RecordedRow extends HistoryRow {
  /** Asked or made afterwards, for a time before the record began. */
  backfilled?: true;
}

/** The columns of a chart besides its time, each with the reader of what was stored. */
type Columns = Readonly<Record<string, (stored: unknown) => number | null>>;

/** A sample of a chart with these columns. */
export type Sample<C extends Columns> = RecordedRow & {
  readonly [K in keyof C]: ReturnType<C[K]>;
};

export interface RecordForm<C extends Columns> {
  /** Of the chart; those of its columns in the history begin with it. */
  key: string;
  columns: C;
  /** Least time between two samples, ms: one an hour, or one a day. */
  step: number;
}

const series = 'market-indicators';
/** Samples older than this are thinned to the first of each day, ms. */
const fine = 90 * dayLength;
/** Hours that are read: a little more than the fine ones. */
const hours = 92 * 24;

/** The first sample of each day of those that are old at the time of the newest, and all of the others; the newest 5,000. */
export function thinned<Row extends RecordedRow>(rows: readonly Row[]): Row[] {
  const newest = rows.at(-1);
  const samples = rows.filter((row, at) => {
    const before = rows[at - 1];
    const old = newest !== undefined && row.timestamp < newest.timestamp - fine;
    return !old || !before || dayAt(before.timestamp) !== dayAt(row.timestamp);
  });
  return samples.slice(-mostHistory);
}

/** The rows of some columns by the start of their step; without the time of a sample they were made afterwards. */
function joined(found: readonly RecordedRows[], columns: readonly string[]): Map<number, WireRow> {
  const rows = new Map<number, Record<string, unknown>>();
  for (const [column, { times, columns: cells }] of found.entries()) {
    for (const [i, time] of times.entries()) {
      const at = cells.at?.[i] ?? null;
      const row = rows.get(time) ?? { timestamp: at ?? time, backfilled: at === null ? 1 : null };
      row[columns[column] ?? ''] = cells.value?.[i] ?? null;
      rows.set(time, row);
    }
  }
  return rows;
}

/** A chart under one key. Only one process writes it: the holder of the source's lease. */
export class ChartRecord<C extends Columns> {
  readonly #recorded: RecordedStore;
  readonly #form: RecordForm<C>;
  readonly #columns: readonly string[];
  #rows: readonly Sample<C>[] = [];
  /** Rows that the history has not taken yet. */
  #unsaved: readonly Sample<C>[] = [];
  /** The rows of earlier processes are among them. */
  #whole = false;
  #recalling: Promise<void> | null = null;

  constructor({ recorded }: { recorded: RecordedStore }, form: RecordForm<C>) {
    this.#recorded = recorded;
    this.#form = form;
    this.#columns = Object.keys(form.columns);
  }

  /** All samples, ascending, those of earlier processes as soon as a history process answers; the same array until it changes. */
  async rows(): Promise<readonly Sample<C>[]> {
    if (this.#whole) return this.#rows;
    this.#recalling ??= this.#recall();
    await this.#recalling;
    this.#recalling = null;
    return this.#rows;
  }

  /** The published chart: null in place of rows while those of earlier processes cannot be read. */
  async chart(): Promise<{ rows: readonly Sample<C>[] | null; recordedFrom: number | null }> {
    const rows = await this.rows();
    const recordedFrom = rows.find(({ backfilled }) => !backfilled)?.timestamp ?? null;
    return { rows: this.#whole ? rows : null, recordedFrom };
  }

  /** Adds samples, unless there is one of the same hour or day, and stores them, those of before too. */
  async add(...rows: readonly Sample<C>[]): Promise<void> {
    const known = await this.rows();
    const fresh = this.#after(known, rows);
    if (fresh.length > 0) {
      const all = [...known, ...fresh];
      this.#rows = thinned(all);
      this.#unsaved = [...this.#unsaved, ...fresh].slice(-mostHistory);
    }
    if (!this.#whole || this.#unsaved.length === 0) return;
    if ((await this.#store(this.#unsaved)) === null) this.#unsaved = [];
  }

  /** Those of `rows` whose hour or day comes after all that are there. */
  #after(known: readonly Sample<C>[], rows: readonly Sample<C>[]): Sample<C>[] {
    const slot = ({ timestamp }: RecordedRow) => Math.floor(timestamp / this.#form.step);
    const last = known.at(-1);
    let newest = last ? slot(last) : Number.NEGATIVE_INFINITY;
    return rows.filter((row) => {
      if (slot(row) <= newest) return false;
      newest = slot(row);
      return true;
    });
  }

  async #recall(): Promise<void> {
    const stored = await this.#stored();
    if (stored === null) return;
    const all = [...stored, ...this.#after(stored, this.#rows)];
    this.#rows = thinned(all);
    this.#whole = true;
  }

  /** The hours, and before them the days; null while no history process answers. */
  async #stored(): Promise<Sample<C>[] | null> {
    const recorded = this.#recorded;
    const columns = this.#columns;
    const keys = columns.map((column) => this.#keyOf(column));
    const fresh = await recorded.read(series, keys, { step: '1h', limit: hours });
    const old = fresh && (await recorded.read(series, keys, { step: '1d', limit: mostHistory }));
    if (!fresh || !old) return null;
    const recent = joined(fresh, columns);
    const first = dayAt(Math.min(...recent.keys()));
    const days = [...joined(old, columns)].filter(([time]) => time < first);
    const byTime = [...days, ...recent].sort(([a], [b]) => a - b);
    return byTime.flatMap(([, row]) => this.#read(row));
  }

  #store(rows: readonly Sample<C>[]): Promise<Failure | null> {
    return this.#recorded.record(
      series,
      rows.flatMap((row) => this.#columns.map((column) => this.#cell(row, column))),
    );
  }

  #cell(row: RecordedRow, column: string): RecordRow {
    const { timestamp: time, backfilled } = row;
    const value = row[column];
    const values = {
      at: backfilled ? null : time,
      value: typeof value === 'number' ? value : null,
    };
    return { key: this.#keyOf(column), time, values, ...(backfilled && { backfilled }) };
  }

  #keyOf(column: string): string {
    return `${this.#form.key}/${column}`;
  }

  #read(stored: WireRow): Sample<C>[] {
    const timestamp = required(stored.timestamp);
    if (Number.isNaN(timestamp)) return [];
    const cells = Object.entries(this.#form.columns).map(([name, read]) => [
      name,
      read(stored[name]),
    ]);
    const made = stored.backfilled === 1 ? { backfilled: true } : {};
    // The columns, each as its reader gives it.
    return [{ timestamp, ...Object.fromEntries(cells), ...made } as Sample<C>];
  }
}
