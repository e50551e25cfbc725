/** The file of the SQLite store: its tables, the keys of its series, and its errors. */
import { DatabaseSync } from 'node:sqlite';
import type { RecordedName } from '../topics/index.ts';
import { lockFile } from './sqlite-lock.ts';
import { StoreError } from './store.ts';

/**
 * `key_names`: the number of each key within its series. `forms`: the columns that blocks were written with. `damaged_blocks`:
 * blocks, and entries of the journal (`sqlite-journal.ts`), that could not be read. `positions`: the last text under each
 * name. A table for each tier of a series (`tableOf`) has the complete blocks; `docs/history.md` describes all of them.
 */
const schema = `
CREATE TABLE IF NOT EXISTS key_names (
  series TEXT NOT NULL, id INTEGER NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (series, id), UNIQUE (series, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS forms (id INTEGER PRIMARY KEY, columns TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS damaged_blocks (
  tier TEXT NOT NULL, id INTEGER NOT NULL, data BLOB, backfilled BLOB, form INTEGER, reason TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS positions (name TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID;
`;

/** The lower 24 bits of the id of a block are the number of its key, the others that of the block. */
const keyBits = 2 ** 24;
export const blockId = (block: number, key: number): number => block * keyBits + key;
export const blockOfId = (id: number): number => Math.floor(id / keyBits);
export const keyOfId = (id: number): number => id % keyBits;

const codes: Readonly<Record<number, StoreError['code']>> = {
  // https://www.sqlite.org/rescode.html: SQLITE_CORRUPT, SQLITE_FULL, SQLITE_NOTADB.
  11: 'damaged',
  13: 'full',
  26: 'damaged',
  // What passes, or an operator mends: PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, CANTOPEN, PROTOCOL.
  ...{ 3: 'away', 5: 'away', 6: 'away', 7: 'away', 8: 'away', 10: 'away', 14: 'away', 15: 'away' },
};

/** An error of the driver as one of the store; a bug stays what it is. */
export function storeErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const code = typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
  return new StoreError(codes[code] ?? 'failed', `SQLite: ${error.message}`);
}

export interface SqliteOptions {
  /** Most pages of the file, of 8 KiB; as many as the disk holds when absent. */
  mostPages?: number;
  /** Whether the caller has the lock of the file, which is else taken for as long as it is open. */
  isLocked?: boolean;
  /** Called for each damaged block or entry of the journal that is set aside, with its table and what is wrong with it. */
  onDamaged?(table: string, reason: string, block?: DamagedBlock): void;
}

/** What a damaged block had. */
export interface DamagedBlock {
  series: string;
  /** Null where the name of the key is not known. */
  key: string | null;
  /** Of its first step and of its last one, Unix ms. */
  from: number;
  to: number;
}

/** A file that is open, and the function that gives its lock back. */
interface OpenFile {
  db: DatabaseSync;
  unlock(): void;
}

/** Opens the file, or makes it. Throws StoreError. */
export function openFile(path: string, { mostPages, isLocked = false }: SqliteOptions): OpenFile {
  let unlock = () => {};
  try {
    if (!isLocked) unlock = lockFile(path);
    const db = new DatabaseSync(path, { timeout: 5_000 });
    // Complete blocks of most series fit into a page of this size without a rest of their own.
    db.exec('PRAGMA page_size = 8192');
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA cache_size = -8192; PRAGMA journal_size_limit = 16777216');
    if (mostPages !== undefined) db.exec(`PRAGMA max_page_count = ${mostPages}`);
    db.exec(schema);
    return { db, unlock };
  } catch (error) {
    unlock();
    throw storeErrorOf(error);
  }
}

/** The numbers of the keys of all series. New ones count once `commit` was called. */
export class KeyNames {
  readonly #db: DatabaseSync;
  readonly #ids = new Map<RecordedName, Map<string, number>>();
  readonly #names = new Map<RecordedName, Map<number, string>>();
  #fresh: { series: RecordedName; key: string; id: number }[] = [];

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** All keys of a series with their numbers. */
  all(series: RecordedName): ReadonlyMap<string, number> {
    return this.#load(series);
  }

  nameOf(series: RecordedName, id: number): string | undefined {
    this.#load(series);
    return this.#names.get(series)?.get(id);
  }

  /** The number of a key, given within the transaction where there is none. */
  give(series: RecordedName, key: string): number {
    const ids = this.#load(series);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = ids.size + 1;
    this.#db.prepare('INSERT INTO key_names VALUES (?, ?, ?)').run(series, id, key);
    this.#fresh.push({ series, key, id });
    this.#add(series, key, id);
    return id;
  }

  commit(): void {
    this.#fresh = [];
  }

  rollback(): void {
    for (const { series, key, id } of this.#fresh) {
      this.#ids.get(series)?.delete(key);
      this.#names.get(series)?.delete(id);
    }
    this.#fresh = [];
  }

  #add(series: RecordedName, key: string, id: number): void {
    this.#ids.get(series)?.set(key, id);
    this.#names.get(series)?.set(id, key);
  }

  #load(series: RecordedName): Map<string, number> {
    const loaded = this.#ids.get(series);
    if (loaded) return loaded;
    const ids = new Map<string, number>();
    this.#ids.set(series, ids);
    this.#names.set(series, new Map());
    for (const row of this.#db
      .prepare('SELECT id, key FROM key_names WHERE series = ?')
      .all(series)) {
      this.#add(series, String(row.key), Number(row.id));
    }
    return ids;
  }
}
