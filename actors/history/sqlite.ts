/**
 * The store of one process: rows are written to SQLite, and ended periods (`periods.ts`) become Parquet files. A row may stand in
 * both, then the one in SQLite counts: so a file is written before its rows leave SQLite, and a question, which looks into SQLite
 * first, finds each row once at every moment.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { day, hour } from '../../config/time.ts';
import type { BusLog } from '../bus/bus.ts';
import { silent } from '../bus/log.ts';
import type { RecordedFiles } from '../topics/index.ts';
import { ClosingProcess } from './closing.ts';
import { type Series, tableOf } from './define.ts';
import { HistoryFiles, type Wanted } from './files.ts';
import { lateRows, settled } from './late.ts';
import type { LogRange, LogTable } from './logs.ts';
import { hasFiles, type Period, periodAt } from './periods.ts';
import { merged } from './rows.ts';
import { lockFile } from './sqlite-lock.ts';
import { isDamage, RecentRows, setAside, storeErrorOf } from './sqlite-recent.ts';
import {
  type Batch,
  type Newest,
  type Range,
  type Store,
  type Stored,
  StoreError,
} from './store.ts';

/** Rows that are read or removed at a stretch: some milliseconds. */
const atOnce = 5_000;
/** A period is closed so long after its end, ms: most late rows have come by then. */
const settling = day;

export interface SqliteOptions {
  log?: BusLog;
  /** Most pages of the file, of 4 KiB; as many as the disk holds when absent. */
  mostPages?: number;
}

/** Name of the SQLite file in the folder of the store. */
export const recentFile = 'recent.sqlite';

export class SqliteStore implements Store {
  readonly #path: string;
  readonly #series: readonly Series[];
  readonly #options: SqliteOptions;
  readonly #unlock: () => void;
  readonly #files: HistoryFiles | null;
  #recent: RecentRows;
  #damage: { files: number; notice: string | null } = { files: 0, notice: null };
  /** The period that is being closed. */
  #closing: { table: string; period: string } | null = null;
  #closer: ClosingProcess | null = null;
  /** What waits for the closing of a period, or for rows of a closed one. */
  #turn: Promise<unknown> = Promise.resolve();

  /** Opens the folder, or makes it; `:memory:` is one without files. Throws StoreError, also where another store has it open. */
  constructor(folder: string, series: readonly Series[], options: SqliteOptions = {}) {
    const isMemory = folder === ':memory:';
    this.#series = series;
    this.#options = options;
    this.#path = isMemory ? folder : join(folder, recentFile);
    try {
      if (!isMemory) mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#unlock = lockFile(this.#path);
    } catch (error) {
      throw storeErrorOf(error);
    }
    try {
      this.#recent = this.#open();
      this.#files = isMemory ? null : new HistoryFiles(folder, series);
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  #open(): RecentRows {
    const open = () => new RecentRows(this.#path, this.#series, this.#options.mostPages);
    try {
      return open();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#setAside(error);
      return open();
    }
  }

  #setAside({ message }: StoreError): void {
    const aside = setAside(this.#path);
    this.#damage = {
      files: this.#damage.files + 1,
      notice: `the file of recent rows was damaged and is set aside as ${aside}; a new one begins`,
    };
    const { log = silent } = this.#options;
    log.error({ aside, error: message }, 'the file of recent rows is damaged: a new one begins');
  }

  /** Whether the rows of a period are in a file, or on their way to one. */
  #isClosed(series: Series, step: number, time: number): boolean {
    const { name } = periodAt(time, step);
    const closing = this.#closing;
    const isClosing = closing?.period === name && closing.table === tableOf(series, step);
    return isClosing || this.#files?.has(series, step, name) === true;
  }

  write(batch: Batch): Promise<void> {
    return this.#try(async () => {
      const { writes, events } = batch;
      const possible = events ? [...writes, ...events.sums(events.rows)] : writes;
      const late = possible.flatMap((write) =>
        lateRows(write, (time) => this.#isClosed(write.series, write.step, time)),
      );
      if (late.length === 0) return this.#recent.write(batch, []);
      // The stored rows are brought back, merged, and written to the file again when it is closed next.
      await this.#inTurn(async () => {
        const read = this.#read.bind(this);
        const { writes, before } = await settled(batch.writes, late, read);
        this.#recent.write({ ...batch, writes }, before);
      });
    });
  }

  /** One after the other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  read(series: Series, step: number, keys: readonly string[], range: Range) {
    return this.#try(() => this.#read(series, step, range, { keys }));
  }

  scan(series: Series, step: number, range: Range, prefix = '') {
    return this.#try(() => this.#read(series, step, range, { prefix }));
  }

  async #read(
    series: Series,
    step: number,
    range: Range,
    wanted: Wanted,
  ): Promise<Map<string, Stored>> {
    // The recent ones first: a row that is moved meanwhile is in the file by then.
    const recent = await this.#recentRows(series, step, range, wanted);
    const filed = await this.#files?.read(series, step, range, wanted);
    if (!filed) return recent;
    for (const [key, rows] of recent) {
      const older = filed.get(key);
      filed.set(key, older ? merged(older, rows) : rows);
    }
    return filed;
  }

  async #recentRows(series: Series, step: number, range: Range, wanted: Wanted) {
    const found = new Map<string, Stored>();
    let rows = 0;
    for (const [key, id] of this.#recent.idsOf(series, wanted)) {
      const stored = this.#recent.read(series, step, id, range);
      if (stored.times.length > 0) found.set(key, stored);
      rows += 1 + stored.times.length;
      if (rows < atOnce) continue;
      rows = 0;
      await setImmediate();
    }
    return found;
  }

  newest(series: Series, step: number, range: Range): Promise<Newest | null> {
    return this.#try(async () => this.#recent.newest(series, step, range));
  }

  position(name: string): Promise<string | null> {
    return this.#try(async () => this.#recent.position(name));
  }

  prune(series: Series, step: number, before: number): Promise<void> {
    return this.#try(async () => {
      await this.#files?.prune(series, step, before);
      await this.#remove(series, step, { from: 0, to: before }, hour);
    });
  }

  /** Some keys at a time, in turns with questions: each has rows of `span` ms. */
  async #remove(series: Series, step: number, range: Omit<Period, 'name'>, span: number) {
    if (!this.#recent.isOpen) return;
    const ids = [...this.#recent.keys(series.name).values()];
    const some = Math.max(1, Math.floor((atOnce * step) / span));
    for (let at = 0; at < ids.length && this.#recent.isOpen; at += some) {
      this.#recent.remove(series, step, ids.slice(at, at + some), range);
      await setImmediate();
    }
  }

  /** Moves the rows of periods that have ended a day before `now`, Unix ms, to files. Not called again before it has ended. */
  archive(now: number): Promise<void> {
    const filed = this.#series.flatMap((series) =>
      series.tiers.filter(hasFiles).map((tier) => ({ series, tier })),
    );
    return this.#try(async () => {
      try {
        for (const { series, tier } of filed) {
          const range = { from: now - Math.min(tier.keep, now), to: now - settling };
          for (const period of await this.#endedIn(series, tier.step, range))
            await this.#inTurn(() => this.#close(series, tier.step, period));
        }
      } finally {
        this.#closer?.stop();
        this.#closer = null;
      }
    });
  }

  /** The periods with recent rows that end within a range; none in a store without files. */
  async #endedIn(series: Series, step: number, range: Range): Promise<Period[]> {
    const found = new Map<string, Period>();
    if (!this.#files || !this.#recent.isOpen) return [];
    const keys = [...this.#recent.keys(series.name).values()];
    for (const [at, id] of keys.entries()) {
      for (const period of this.#recent.periodsOf(series, step, id, range))
        found.set(period.name, period);
      if (at % 1_000 === 999) await setImmediate();
      if (!this.#recent.isOpen) return [];
    }
    return [...found.values()];
  }

  async #close(series: Series, step: number, period: Period): Promise<void> {
    const files = this.#files;
    if (!files || !this.#recent.isOpen) return;
    this.#closing = { table: tableOf(series, step), period: period.name };
    try {
      this.#closer ??= new ClosingProcess();
      const task = files.taskOf(series, step, period);
      await this.#closer.draft({ ...task, database: this.#path });
      await files.publish(series, step, period, task.draft);
      await this.#remove(series, step, period, period.to - period.from);
    } catch (error) {
      // Where it was stopped nothing has failed: the rows stay where they are.
      if (this.#recent.isOpen) throw error;
    } finally {
      this.#closing = null;
    }
  }

  log<T>(table: LogTable<T>, wanted: LogRange): Promise<T[]> {
    return this.#try(async () => this.#recent.log(table, wanted));
  }

  pruneLog<T>(table: LogTable<T>, before: number): Promise<void> {
    return this.#try(async () => this.#recent.pruneLog(table, before));
  }

  damage() {
    return this.#damage;
  }

  files(series: Series, step: number): RecordedFiles | null {
    return this.#files?.listed(series, step) ?? null;
  }

  async close(): Promise<void> {
    this.#recent.close();
    this.#closer?.stop();
    await this.#files?.close();
    await this.#turn;
    this.#unlock();
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    const recent = this.#recent;
    try {
      return await work();
    } catch (error) {
      if (!this.#recent.isOpen) throw new StoreError('away', 'the history is closed');
      const failure = storeErrorOf(error);
      if (isDamage(failure) && recent === this.#recent) {
        recent.close();
        this.#setAside(failure);
        this.#recent = this.#open();
      }
      throw failure;
    }
  }
}
