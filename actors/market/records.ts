/** Series that the source samples itself and stores over restarts, because no upstream has them whole. */
import { dayAt, dayLength } from '../../indicators/market/days.ts';
import type { WireRow } from '../read.ts';
import type { JobContext } from '../sources/context.ts';
import { type HistoryRow, mostHistory, type Series } from '../topics/market-indicators.ts';

/** One sample. */
export interface RecordedRow extends HistoryRow {
  /** Asked or made afterwards, for a time before the record began. */
  backfilled?: true;
}

export interface RecordForm<Row extends RecordedRow> {
  /** On the topic `series`. */
  key: string;
  /** The columns of a row besides its time. */
  columns: readonly (keyof Row & string)[];
  /** Least time between two samples, ms: one an hour, or one a day. */
  step: number;
  /** A row as it was stored; null when it cannot be read. */
  read(stored: WireRow): Row | null;
}

/** Samples older than this are thinned to the first of each day, ms. */
const fine = 90 * dayLength;

/** The first sample of each day of those that are old at `newest`, and all of the others; the newest 5,000. */
export function thinned<Row extends RecordedRow>(rows: readonly Row[], newest: number): Row[] {
  const samples = rows.filter((row, at) => {
    const before = rows[at - 1];
    const old = row.timestamp < newest - fine;
    return !old || !before || dayAt(before.timestamp) !== dayAt(row.timestamp);
  });
  return samples.slice(-mostHistory);
}

const cell = (value: unknown): number | string | null => {
  if (value === true) return 1;
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/** A series of samples under one key. Only one process writes it: the holder of the source's lease. */
export class Recorder<Row extends RecordedRow> {
  readonly #context: Pick<JobContext, 'publish' | 'last'>;
  readonly #form: RecordForm<Row>;
  #rows: readonly Row[] | null = null;
  #saved = true;

  constructor(context: Pick<JobContext, 'publish' | 'last'>, form: RecordForm<Row>) {
    this.#context = context;
    this.#form = form;
  }

  /** All samples, ascending; the same array until one more is added. */
  async rows(): Promise<readonly Row[]> {
    const found = this.#rows ?? (await this.#recall());
    this.#rows ??= found;
    return this.#rows;
  }

  /** Time of the first sample of its own; null before it. */
  async since(): Promise<number | null> {
    return (await this.rows()).find(({ backfilled }) => !backfilled)?.timestamp ?? null;
  }

  /** Adds a sample, unless there is one of the same hour or day, and stores the series. */
  async add(...rows: readonly Row[]): Promise<void> {
    if ((await this.rows()).length === 0) this.#rows = await this.#recall();
    const known = await this.rows();
    const all = rows.reduce<readonly Row[]>((some, row) => this.#with(some, row), known);
    if (all !== known) {
      this.#rows = thinned(all, all.at(-1)?.timestamp ?? 0);
      this.#saved = false;
    }
    if (!this.#saved) await this.#save(known.length === 0);
  }

  #with(rows: readonly Row[], row: Row): readonly Row[] {
    const slot = ({ timestamp }: Row) => Math.floor(timestamp / this.#form.step);
    const last = rows.at(-1);
    return last && slot(row) <= slot(last) ? rows : [...rows, row];
  }

  /** A series that could not be read is read again: it may only have seemed to be empty while Redis was away. */
  async #save(begun: boolean): Promise<void> {
    const { key, columns } = this.#form;
    const rows = await this.rows();
    const names = ['timestamp', ...columns, 'backfilled'];
    const failure = await this.#context.publish('series', key, {
      columns: columnsOf(rows, names),
      at: rows.at(-1)?.timestamp ?? 0,
    });
    this.#saved = failure === null;
    if (failure && begun) this.#rows = null;
  }

  async #recall(): Promise<Row[]> {
    const stored = await this.#context.last('series', this.#form.key);
    return stored ? rowsOf(stored).flatMap((row) => this.#read(row)) : [];
  }

  #read(stored: WireRow): Row[] {
    const row = this.#form.read(stored);
    if (!row || !Number.isFinite(row.timestamp)) return [];
    return [stored.backfilled === 1 ? { ...row, backfilled: true } : row];
  }
}

/** The rows of a stored series. */
export function rowsOf({ columns }: Series): WireRow[] {
  const entries = Object.entries(columns);
  const length = Math.max(0, ...entries.map(([, values]) => values.length));
  return Array.from({ length }, (_, at) =>
    Object.fromEntries(entries.map(([name, values]) => [name, values[at] ?? null])),
  );
}

/** Rows as the columns of a series; cells of other types become null. */
export function columnsOf(rows: readonly WireRow[], names: readonly string[]): Series['columns'] {
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => cell(row[name]))]));
}
