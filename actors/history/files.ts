/**
 * The ended periods of recorded series, in Parquet files: `<series>/<step>/<period>.parquet`, which docs/history.md describes.
 * Questions go through DuckDB, with its own threads and a bound on its memory.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { DuckDBVector } from '@duckdb/node-api';
import type { RecordedFiles } from '../topics/index.ts';
import type { ClosingTask } from './close-periods.ts';
import { type Series, tableOf } from './define.ts';
import { Engine } from './engine.ts';
import { hasFiles, type Period, periodOf } from './periods.ts';
import { given, type Range, type Stored, StoreError } from './store.ts';

/** The keys that are read: these, or all that begin so. */
export type Wanted = { keys: readonly string[] } | { prefix: string };

/** Files that one question to DuckDB is about: each that it has open takes memory. */
const filesAtOnce = 31;
const ending = '.parquet';
const draftEnding = '.draft';

/** The types of values by their digits. */
export const fileTypes = { 7: 'FLOAT', 15: 'DOUBLE' } as const;

/** The columns of a file with their types in DuckDB, in their order; values of seven digits have single precision. Times are in UTC. */
const fileColumns = ({ columns }: Series): { name: string; type: string }[] => [
  { name: 'key', type: 'VARCHAR' },
  { name: 'time', type: 'TIMESTAMPTZ' },
  { name: 'backfilled', type: 'BOOLEAN' },
  ...columns.map(({ name, digits }) => ({ name, type: fileTypes[digits] })),
];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Rows of files, null in a column that a file of another version lacks. */
function rowsOfFiles(series: Series, paths: readonly string[]): string {
  const nothing = fileColumns(series).map(({ name, type }) => `NULL::${type} AS "${name}"`);
  return `(SELECT ${nothing.join(', ')} WHERE false
    UNION ALL BY NAME SELECT * FROM read_parquet([${paths.map(quoted).join(', ')}], union_by_name = true))`;
}

/** Microseconds, as far as a Date reaches. */
const microseconds = (ms: number): bigint => BigInt(Math.floor(Math.min(ms, 8.64e15))) * 1_000n;

export class HistoryFiles {
  readonly #folder: string;
  readonly #engine: Engine;
  /** By table and name. */
  readonly #periods = new Map<string, Map<string, Period>>();
  readonly #reading = new Set<Promise<unknown>>();
  /** While a file is replaced or removed, which no question may see: DuckDB opens a file more than once. */
  #changing: Promise<void> | null = null;

  /** Finds the files of the series, and removes what an interrupted write has left. */
  constructor(folder: string, series: readonly Series[]) {
    this.#folder = folder;
    this.#engine = new Engine(join(folder, 'spill'));
    for (const one of series) {
      for (const tier of one.tiers) {
        const { step } = tier;
        const place = dirname(this.pathOf(one, step, ''));
        // A tier that is kept for a shorter time than before may have files still.
        if (hasFiles(tier)) mkdirSync(place, { recursive: true });
        else if (!existsSync(place)) continue;
        const names = readdirSync(place);
        for (const name of names.filter((file) => file.endsWith(draftEnding)))
          rmSync(join(place, name));
        const periods = names.flatMap((name) => {
          const isFile = name.endsWith(ending);
          const period = isFile ? periodOf(name.slice(0, -ending.length), step) : null;
          return period ? [[period.name, period] as const] : [];
        });
        this.#periods.set(tableOf(one, step), new Map(periods));
      }
    }
  }

  pathOf({ name, tiers }: Series, step: number, period: string): string {
    const tier = tiers.find((one) => one.step === step);
    return join(this.#folder, name, tier?.name ?? '', `${period}${ending}`);
  }

  /** How the draft of a period is written, whose name is that of this process alone. */
  taskOf(series: Series, step: number, { name, from, to }: Period): Omit<ClosingTask, 'database'> {
    const file = this.pathOf(series, step, name);
    return {
      series: series.name,
      table: tableOf(series, step),
      from,
      to,
      file,
      columns: series.columns.map((column) => ({
        name: column.name,
        isDouble: column.digits === 15,
      })),
      draft: `${file}.${process.pid}${draftEnding}`,
      spill: `${file}.spill`,
      present: rowsOfFiles(series, [file]),
    };
  }

  #of(series: Series, step: number): Map<string, Period> {
    return this.#periods.get(tableOf(series, step)) ?? new Map();
  }

  has(series: Series, step: number, period: string): boolean {
    return this.#of(series, step).has(period);
  }

  /** The rows of the files within a range, by key. Rejects with a StoreError where a file cannot be read. */
  async read(
    series: Series,
    step: number,
    range: Range,
    wanted: Wanted,
  ): Promise<Map<string, Stored>> {
    while (this.#changing !== null) await this.#changing;
    const reading = this.#read(series, step, range, wanted);
    this.#reading.add(reading);
    try {
      return await reading;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StoreError('failed', `files of ${series.name} cannot be read: ${reason}`);
    } finally {
      this.#reading.delete(reading);
    }
  }

  /** Rows come as they stand in the files, of which each has later ones than the one before. */
  async #read(
    series: Series,
    step: number,
    { from, to }: Range,
    wanted: Wanted,
  ): Promise<Map<string, Stored>> {
    const periods = [...this.#of(series, step).values()]
      .filter((period) => period.from <= to && period.to > from)
      .sort((a, b) => a.from - b.from);
    const found = new Map<string, Stored>();
    const texts = 'keys' in wanted ? [...wanted.keys] : [wanted.prefix];
    const places = texts.map((_, at) => `$${at + 3}`).join(', ');
    const which = 'keys' in wanted ? `key IN (${places})` : `starts_with(key, ${places})`;
    // The place of a key: text takes as long to read as all numbers of its row.
    const key = 'keys' in wanted ? `list_position([${places}], key)` : 'key';
    const columns = [key, 'epoch_ms(time)::DOUBLE', 'backfilled'];
    columns.push(...series.columns.map(({ name }) => `"${name}"`));
    for (let at = 0; at < periods.length; at += filesAtOnce) {
      const paths = periods
        .slice(at, at + filesAtOnce)
        .map(({ name }) => this.pathOf(series, step, name));
      const sql = `SELECT ${columns.join(', ')}
        FROM ${rowsOfFiles(series, paths)}
        WHERE time BETWEEN make_timestamptz($1::BIGINT) AND make_timestamptz($2::BIGINT) AND ${which}`;
      const values = [microseconds(from), microseconds(to), ...texts];
      await this.#engine.read(sql, values, ([keys, ...parts], rows) => {
        for (const { value, from, to } of runsOf(keys, rows)) {
          const own = typeof value === 'number' ? (texts[value - 1] ?? '') : String(value);
          const stored = found.get(own) ?? emptyRows(series);
          found.set(own, stored);
          append(stored, series, parts, { from, to });
        }
      });
    }
    return found;
  }

  /** Does what changes files once the questions in progress have ended; later ones wait. */
  async #exclusively(work: () => void): Promise<void> {
    while (this.#changing !== null) await this.#changing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changing = promise;
    try {
      await Promise.allSettled([...this.#reading]);
      work();
    } finally {
      this.#changing = null;
      resolve();
    }
  }

  /** Puts a complete draft in the place of a period's file, durably. */
  publish(series: Series, step: number, period: Period, draft: string): Promise<void> {
    const path = this.pathOf(series, step, period.name);
    return this.#exclusively(() => {
      renameSync(draft, path);
      const folder = openSync(dirname(path), 'r');
      fsyncSync(folder);
      closeSync(folder);
      this.#of(series, step).set(period.name, period);
    });
  }

  /** Removes the files whose time lies before `before`, Unix ms, as a whole. */
  async prune(series: Series, step: number, before: number): Promise<void> {
    const periods = this.#of(series, step);
    const expired = [...periods.values()].filter(({ to }) => to <= before);
    if (expired.length === 0) return;
    await this.#exclusively(() => {
      for (const { name } of expired) {
        periods.delete(name);
        rmSync(this.pathOf(series, step, name), { force: true });
      }
    });
  }

  /** What files a tier has; null where its rows stay in SQLite. */
  listed(series: Series, step: number): RecordedFiles | null {
    const periods = this.#periods.get(tableOf(series, step));
    if (!periods) return null;
    const names = [...periods.keys()].sort();
    return {
      folder: relative(this.#folder, dirname(this.pathOf(series, step, ''))),
      count: names.length,
      first: names.at(0) ?? null,
      last: names.at(-1) ?? null,
    };
  }

  /** Questions in progress fail. */
  async close(): Promise<void> {
    await this.#engine.close();
    await Promise.allSettled([...this.#reading]);
  }
}

const emptyRows = ({ columns }: Series): Stored => ({
  times: [],
  columns: columns.map(() => []),
  backfilled: [],
});

/** Equal values that follow each other, with their rows: from one to before another. */
function* runsOf(column: DuckDBVector | undefined, rows: number) {
  for (let from = 0; from < rows; ) {
    const value = column?.getItem(from);
    let to = from + 1;
    while (to < rows && column?.getItem(to) === value) to++;
    yield { value, from, to };
    from = to;
  }
}

/** Appends rows of one key, whose columns are the time, the mark, and those of the series: one after the other, as `given` likes it. */
function append(
  stored: Stored,
  { columns }: Series,
  [times, marks, ...values]: readonly DuckDBVector[],
  { from, to }: { from: number; to: number },
): void {
  for (let row = from; row < to; row++) {
    stored.times.push(Number(times?.getItem(row)));
    stored.backfilled.push(marks?.getItem(row) === true);
  }
  for (const [at, { digits }] of columns.entries()) {
    const [list, column] = [stored.columns[at], values[at]];
    for (let row = from; row < to; row++) {
      const value = column?.getItem(row);
      list?.push(typeof value === 'number' ? given(value, digits) : null);
    }
  }
}
