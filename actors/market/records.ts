/** Charts that a job samples itself, because no upstream has them whole; the history keeps them. */
import { dayAt, dayLength } from '../../indicators/market/days.ts';
import type { Failure } from '../failure.ts';
import type { WireRow } from '../read.ts';
import type { JobContext } from '../sources/context.ts';
import type { RecordedRows, RecordRow } from '../topics/index.ts';
import { type HistoryRow, mostHistory } from '../topics/market-indicators.ts';
import { rowsOf } from './columns.ts';
import type { RecordedStore } from './recorded.ts';

/** One sample. */
export interface RecordedRow extends HistoryRow {
  /** Asked or made afterwards, for a time before the record began. */
  backfilled?: true;
}

export interface RecordForm<Row extends RecordedRow> {
  /** Of the chart; those of its columns in the history begin with it. */
  key: string;
  /** The columns of a row besides its time. */
  columns: readonly (keyof Row & string)[];
  /** Least time between two samples, ms: one an hour, or one a day. */
  step: number;
  /** A row as it was stored; null when it cannot be read. */
  read(stored: WireRow): Row | null;
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

/** The context of a recorded chart. */
export interface RecordContext {
  context: Pick<JobContext, 'last'>;
  recorded: RecordedStore;
}

/** A chart under one key. Only one process writes it: the holder of the source's lease. */
export class ChartRecord<Row extends RecordedRow> {
  readonly #at: RecordContext;
  readonly #form: RecordForm<Row>;
  #rows: readonly Row[] = [];
  /** Rows that the history has not taken yet. */
  #unsaved: readonly Row[] = [];
  /** The rows of earlier processes are among them. */
  #whole = false;
  #recalling: Promise<void> | null = null;

  constructor(at: RecordContext, form: RecordForm<Row>) {
    this.#at = at;
    this.#form = form;
  }

  /** All samples, ascending, those of earlier processes as soon as a history process answers; the same array until it changes. */
  async rows(): Promise<readonly Row[]> {
    if (this.#whole) return this.#rows;
    this.#recalling ??= this.#recall();
    await this.#recalling;
    this.#recalling = null;
    return this.#rows;
  }

  /** The published chart: null in place of rows while those of earlier processes cannot be read. */
  async chart(): Promise<{ rows: readonly Row[] | null; recordedFrom: number | null }> {
    const rows = await this.rows();
    const recordedFrom = rows.find(({ backfilled }) => !backfilled)?.timestamp ?? null;
    return { rows: this.#whole ? rows : null, recordedFrom };
  }

  /** Adds samples, unless there is one of the same hour or day, and stores them, those of before too. */
  async add(...rows: readonly Row[]): Promise<void> {
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
  #after(known: readonly Row[], rows: readonly Row[]): Row[] {
    const slot = ({ timestamp }: Row) => Math.floor(timestamp / this.#form.step);
    const last = known.at(-1);
    let newest = last ? slot(last) : Number.NEGATIVE_INFINITY;
    return rows.filter((row) => {
      if (slot(row) <= newest) return false;
      newest = slot(row);
      return true;
    });
  }

  async #recall(): Promise<void> {
    const found = await this.#stored();
    if (found === null) return;
    const stored = found.length > 0 ? found : await this.#takenOver();
    if (stored === null) return;
    const all = [...stored, ...this.#after(stored, this.#rows)];
    this.#rows = thinned(all);
    this.#whole = true;
  }

  /** The hours, and before them the days; null while no history process answers. */
  async #stored(): Promise<Row[] | null> {
    const { recorded } = this.#at;
    const { columns } = this.#form;
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

  /** Rows of a time when Redis kept them; null when the history did not take them. */
  async #takenOver(): Promise<Row[] | null> {
    const stored = await this.#at.context.last('series', this.#form.key);
    const rows = stored ? rowsOf(stored).flatMap((row) => this.#read(row)) : [];
    return (await this.#store(rows)) === null ? rows : null;
  }

  #store(rows: readonly Row[]): Promise<Failure | null> {
    return this.#at.recorded.record(
      series,
      rows.flatMap((row) => this.#form.columns.map((column) => this.#cell(row, column))),
    );
  }

  #cell(row: Row, column: keyof Row & string): RecordRow {
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

  #read(stored: WireRow): Row[] {
    const row = this.#form.read(stored);
    if (!row || !Number.isFinite(row.timestamp)) return [];
    return [stored.backfilled === 1 ? { ...row, backfilled: true } : row];
  }
}
