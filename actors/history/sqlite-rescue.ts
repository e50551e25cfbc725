/** What can still be read of a damaged history file, taken over into the file that takes its place. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { crcOf, storedBytesOf } from './sqlite-forms.ts';
import { blockId } from './sqlite-tables.ts';

type Row = Record<string, SQLInputValue>;

/** Readings of one table at most: each halves a range that cannot be read as a whole. */
const mostReadings = 2_000;

interface Table {
  name: string;
  columns: readonly string[];
  /** Whether its rows have ids, so that damaged ranges can be passed over. */
  hasIds: boolean;
}

const isDamage = (error: unknown): boolean => error instanceof Error && 'errcode' in error;

/** Hands over rows until one cannot be read; the last one that could be, and whether all could. */
function sweep(
  read: () => Iterable<unknown>,
  take: (row: Row) => void,
): { last: Row | null; isWhole: boolean } {
  let last: Row | null = null;
  try {
    for (const row of read()) {
      last = Object(row) as Row;
      take(last);
    }
    return { last, isWhole: true };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { last, isWhole: false };
  }
}

/** Reads a table from both ends, and what lies between two places that cannot be read by halves. Some rows come twice. */
class Reader {
  readonly #up: StatementSync;
  readonly #down: StatementSync;
  #left = mostReadings;

  constructor(db: DatabaseSync, { name, columns, hasIds }: Table) {
    const select = `SELECT ${hasIds ? 'rowid AS "rowid ", ' : ''}${columns.join(', ')} FROM ${name}`;
    const range = hasIds ? ' WHERE rowid BETWEEN ? AND ? ORDER BY rowid' : '';
    this.#up = db.prepare(`${select}${range}`);
    this.#down = db.prepare(`${select}${range}${hasIds ? ' DESC' : ''}`);
  }

  /** All rows of a table without ids, up to the first that cannot be read. */
  all(take: (row: Row) => void): boolean {
    return sweep(() => this.#up.iterate(), take).isWhole;
  }

  /** Whether every row from one id to another could be read. */
  range(from: number, to: number, take: (row: Row) => void): boolean {
    if (from > to) return true;
    this.#left -= 2;
    if (this.#left < 0) return false;
    const idOf = ({ 'rowid ': id }: Row) => Number(id);
    const low = sweep(() => this.#up.iterate(from, to), take);
    if (low.isWhole) return true;
    const least = low.last === null ? from : idOf(low.last) + 1;
    const high = sweep(() => this.#down.iterate(least, to), take);
    const most = high.last === null ? to : idOf(high.last) - 1;
    const middle = Math.floor((least + most) / 2);
    if (least < most) {
      this.range(least, middle, take);
      this.range(middle + 1, most, take);
    }
    return false;
  }
}

const columnsOf = (db: DatabaseSync, table: string): string[] =>
  db
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name }) => String(name));

/** Makes the tables that the new file lacks. Those that both have alike. */
function tablesOf(damaged: DatabaseSync, into: DatabaseSync): Table[] {
  const all = damaged.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all();
  return all.flatMap(({ name: named, sql }) => {
    const name = String(named);
    if (columnsOf(into, name).length === 0) into.exec(String(sql));
    const columns = columnsOf(damaged, name);
    const isAlike = `${columns}` === `${columnsOf(into, name)}`;
    return isAlike ? [{ name, columns, hasIds: !/WITHOUT ROWID/i.test(String(sql)) }] : [];
  });
}

/** Whether the bytes of a block, or of an entry of the journal, are what was written, as far as their sum says. */
function isTrue({ name }: Table, row: Row): boolean {
  const { crc = null, data, id } = row;
  if (crc === null) return true;
  if (name === 'journal') return data instanceof Uint8Array && crc32(data) === Number(crc);
  return crcOf(Number(id), storedBytesOf(row)) === Number(crc);
}

/** Entries of the copy's journal for blocks that have been completed since would write over the complete ones. */
function forgetCompleted(into: DatabaseSync, open: ReadonlySet<string>): void {
  const entries = into.prepare('SELECT DISTINCT tier, block FROM journal').all();
  for (const { tier, block } of entries) {
    if (open.has(`${tier} ${block}`)) continue;
    const ids = [blockId(Number(block), 0), blockId(Number(block) + 1, 0)];
    const sql = `SELECT 1 FROM ${tier} WHERE id >= ? AND id < ? LIMIT 1`;
    if (into.prepare(sql).get(...ids) === undefined) continue;
    into
      .prepare('DELETE FROM journal WHERE tier = ? AND block = ?')
      .run(String(tier), Number(block));
  }
}

/** Takes over one table; the number of its rows that could be read. */
function takeOver(
  damaged: DatabaseSync,
  into: DatabaseSync,
  table: Table,
  open: Set<string>,
): number {
  const { name, columns, hasIds } = table;
  const marks = columns.map(() => '?').join(', ');
  const insert = into.prepare(
    `INSERT OR REPLACE INTO ${name} (${columns.join(', ')}) VALUES (${marks})`,
  );
  let count = 0;
  const take = (row: Row) => {
    if (!isTrue(table, row)) return;
    insert.run(...columns.map((column) => row[column] ?? null));
    if (name === 'journal') open.add(`${row.tier} ${row.block}`);
    count++;
  };
  const reader = new Reader(damaged, table);
  if (hasIds) reader.range(0, Number.MAX_SAFE_INTEGER, take);
  else reader.all(take);
  return count;
}

/**
 * Writes the readable rows of a damaged file over those of another one, which may be new: what cannot be read stays as the
 * other one has it. The number of rows; 0 where not even the list of its tables can be read.
 */
export function rescue(from: string, to: string): number {
  const into = new DatabaseSync(to);
  const damaged = new DatabaseSync(from, { readOnly: true });
  try {
    into.exec('BEGIN IMMEDIATE');
    const open = new Set<string>();
    const tables = tablesOf(damaged, into);
    const count = tables.reduce((sum, table) => sum + takeOver(damaged, into, table, open), 0);
    if (tables.some(({ name }) => name === 'journal')) forgetCompleted(into, open);
    into.exec('COMMIT');
    return count;
  } catch (error) {
    if (!isDamage(error)) throw error;
    if (into.isTransaction) into.exec('ROLLBACK');
    return 0;
  } finally {
    damaged.close();
    into.close();
  }
}
