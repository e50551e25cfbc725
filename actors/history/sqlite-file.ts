/** The SQLite store with its file: one that cannot be read is set aside, and its newest copy, or a new one, takes its place. */
import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { hour } from '../../config/time.ts';
import type { BusLog } from '../bus/bus.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { Series } from './define.ts';
import { SqliteStore } from './sqlite.ts';
import { beside, dateIn, FileCare, restoreCopy } from './sqlite-copies.ts';
import { lockFile } from './sqlite-lock.ts';
import { rescue } from './sqlite-rescue.ts';
import { type DamagedBlock, type SqliteOptions, storeErrorOf } from './sqlite-tables.ts';
import { type Batch, type EventRange, type Range, type Store, StoreError } from './store.ts';

export interface SqliteFileOptions extends SqliteOptions {
  path: string;
  series: readonly Series[];
  clock: Clock;
  log: BusLog;
  /** The file is checked at the start and each hour, and copied once a day; not when absent. */
  isCaredFor?: boolean;
}

/** Blocks that are read in one turn: some milliseconds. Between two turns, and between the starts of two rounds, ms. */
const reading = { blocks: 250, turn: 1_000, round: hour } as const;

/** Damage that was found since the start. */
export interface DamageCounts {
  /** Blocks, and entries of the journal, that were set aside. */
  block: number;
  /** Checks that found pages which the check before had not found. */
  page: number;
  /** Files that were set aside. */
  file: number;
}

export class SqliteFile implements Store {
  readonly #options: SqliteFileOptions;
  /** Held while a damaged file is set aside, too. */
  readonly #unlock: () => void;
  readonly #care: FileCare | null;
  #store: SqliteStore;
  #notice: string | null = null;
  /** Blocks and files that were set aside since the start, and the last of the blocks, in words. */
  readonly #damaged = { block: 0, file: 0 };
  #last = '';
  /** Tables with pages that cannot be read. */
  readonly #unreadable = new Set<string>();
  #cancel: Cancel = () => {};

  /** Opens the file, or makes it. Throws StoreError where neither can be done, or another store has it open. */
  constructor(options: SqliteFileOptions) {
    this.#options = options;
    try {
      this.#unlock = lockFile(options.path);
    } catch (error) {
      throw storeErrorOf(error);
    }
    try {
      this.#store = this.#open();
    } catch (error) {
      this.#unlock();
      throw error;
    }
    const { path, clock, log, isCaredFor = false } = options;
    this.#care = isCaredFor ? new FileCare({ path, clock, log }) : null;
    if (isCaredFor) this.#cancel = clock.after(reading.turn, () => this.#readOn(clock.monotonic()));
  }

  /** What happened to the file since the start, in words; null without an event. */
  get notice(): string | null {
    const { block } = this.#damaged;
    const set = 'damaged blocks that are set aside in the table damaged_blocks';
    const blocks = block === 0 ? null : `${set}: ${block}, the last one ${this.#last}`;
    const all = [this.#care?.problem ?? null, this.#notice, blocks];
    return all.filter((one) => one !== null).join('; ') || null;
  }

  /** Damage that was found since the start. */
  get damaged(): DamageCounts {
    return { ...this.#damaged, page: this.#care?.found ?? 0 };
  }

  /** Reads some blocks, which no question may have asked for in weeks, and again in a second, or when the next round begins. */
  #readOn(began: number): void {
    const { clock, log } = this.#options;
    let isEnd = false;
    try {
      const checked = this.#store.checkBlocks(reading.blocks);
      isEnd = checked.isEnd;
      const { table, reason } = checked.unreadable ?? {};
      if (table !== undefined && !this.#unreadable.has(table)) {
        this.#unreadable.add(table);
        log.error(
          { table, reason },
          'a page of the history cannot be read: its blocks are missing',
        );
      }
    } catch (error) {
      log.error({ err: error }, 'blocks of the history could not be checked');
    }
    const rest = isEnd ? began + reading.round - clock.monotonic() : 0;
    this.#cancel = clock.after(Math.max(reading.turn, rest), () =>
      this.#readOn(isEnd ? clock.monotonic() : began),
    );
  }

  #open(): SqliteStore {
    const { path, series, mostPages, log } = this.#options;
    const onDamaged = (table: string, reason: string, block?: DamagedBlock) => {
      this.#damaged.block++;
      this.#last = block ? wordsOf(table, block) : table;
      log.error({ table, reason, ...block }, 'a block of the history is damaged: set aside');
    };
    const open = () =>
      new SqliteStore(path, series, {
        ...{ onDamaged, isLocked: true },
        ...(mostPages !== undefined && { mostPages }),
      });
    try {
      return open();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#setAside(error);
      return open();
    }
  }

  /** Renames the file and its companions: `history.sqlite` becomes `history-damaged-2026-01-31T10-20-30Z.sqlite`. */
  #setAside({ message }: StoreError): void {
    const { path, clock, log } = this.#options;
    const aside = beside(path, `damaged-${dateIn(clock.now())}`);
    for (const ending of ['', '-wal', '-shm']) {
      if (existsSync(path + ending)) renameSync(path + ending, aside + ending);
    }
    this.#damaged.file++;
    const copy = restoreCopy(path);
    const begins = copy === null ? 'a new one begins' : `${basename(copy)} takes its place`;
    const rescued = this.#rescue(aside);
    this.#notice = `the file was damaged and is set aside as ${aside}; ${begins}, with ${rescued} rows that could be read`;
    log.error(
      { aside, copy, rescued, error: message },
      `the history file is damaged: set aside, ${begins}`,
    );
  }

  /** The number of rows of the file that was set aside which the present one has taken over. */
  #rescue(aside: string): number {
    const { path, log } = this.#options;
    try {
      return rescue(aside, path);
    } catch (error) {
      log.error({ err: error }, 'nothing could be taken over from the damaged history file');
      return 0;
    }
  }

  /** Repeats the work on a new file where the old one is damaged. */
  async #mended<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = this.#store;
    try {
      return await work(store);
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (store === this.#store) {
        await store.close();
        this.#setAside(error);
        this.#store = this.#open();
      }
      return work(this.#store);
    }
  }

  write(batch: Batch) {
    return this.#mended((store) => store.write(batch));
  }

  read(series: Series, step: number, keys: readonly string[], range: Range) {
    return this.#mended((store) => store.read(series, step, keys, range));
  }

  scan(series: Series, step: number, range: Range, prefix?: string) {
    return this.#mended((store) => store.scan(series, step, range, prefix));
  }

  position(name: string) {
    return this.#mended((store) => store.position(name));
  }

  prune(series: Series, step: number, before: number) {
    return this.#mended((store) => store.prune(series, step, before));
  }

  events(wanted: EventRange) {
    return this.#mended((store) => store.events(wanted));
  }

  deliveries(alert: string, limit: number) {
    return this.#mended((store) => store.deliveries(alert, limit));
  }

  pruneDeliveries(before: number) {
    return this.#mended((store) => store.pruneDeliveries(before));
  }

  pruneEvents(before: number) {
    return this.#mended((store) => store.pruneEvents(before));
  }

  size() {
    return this.#mended((store) => store.size());
  }

  async close(): Promise<void> {
    this.#cancel();
    await this.#care?.stop();
    await this.#store.close();
    this.#unlock();
  }
}

/** `open_interest_5m of okx/BTC from 2026-01-31T00:00:00.000Z to 2026-01-31T07:55:00.000Z`. */
const wordsOf = (table: string, { key, from, to }: DamagedBlock): string =>
  `${table} of ${key ?? 'an unknown key'} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;

const isDamage = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.code === 'damaged';
