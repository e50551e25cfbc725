/** What can still be read of a damaged history file, taken over into the file that takes its place. */
import { closeSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { crcOf, storedBytesOf } from './sqlite-forms.ts';
import { orphanRows, type Row, readable } from './sqlite-orphans.ts';
import { blockId } from './sqlite-tables.ts';

interface Table {
  name: string;
  columns: readonly string[];
  /** Whether its rows have ids, so that damaged ranges can be passed over. */
  hasIds: boolean;
}

/** The number at a place, as SQLite writes it in sevens of bits, and the place behind it. */
function varint(bytes: Uint8Array, from: number): [value: number, next: number] {
  let [value, at] = [0, from];
  let byte = bytes[at] ?? 0;
  for (; byte > 127; byte = bytes[++at] ?? 0) value = value * 128 + (byte & 127);
  return [value * 128 + byte, at + 1];
}

/**
 * The first id on each page of rows, ascending, of all tables with ids together: the pages whose first byte is 13.
 * https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
function firstIds(path: string): number[] {
  const file = openSync(path, 'r');
  const head = Buffer.alloc(100);
  readSync(file, head, 0, head.length, 0);
  const page = Buffer.alloc(Math.max(512, head.readUInt16BE(16)));
  const ids = new Set<number>();
  for (let at = page.length; readSync(file, page, 0, page.length, at) > 0; at += page.length) {
    if (page[0] !== 13) continue;
    const cell = page.readUInt16BE(8);
    const [, place] = varint(page, cell);
    ids.add(varint(page, place)[0]);
  }
  closeSync(file);
  return [...ids].filter(Number.isSafeInteger).sort((a, b) => a - b);
}

/** The rows of a table without ids that lie before its first damaged page and behind its last one, once. */
function* readEnds(db: DatabaseSync, name: string, select: string): Generator<Row> {
  const info = db.prepare(`PRAGMA table_info(${name})`).all();
  const key = info.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  const seen = new Set<string>();
  for (const way of ['ASC', 'DESC']) {
    const order = key.map(({ name: column }) => `${column} ${way}`).join(', ');
    let isWhole = true;
    for (const row of readable(db, `${select} ORDER BY ${order}`, () => (isWhole = false))) {
      const text = JSON.stringify(key.map(({ name: column }) => row[String(column)]));
      if (!seen.has(text)) yield row;
      seen.add(text);
    }
    if (isWhole) return;
  }
}

/** Each row that can be read, once. */
function* readAll(db: DatabaseSync, { name, columns, hasIds }: Table): Generator<Row> {
  const select = `SELECT ${hasIds ? 'rowid AS "rowid ", ' : ''}${columns.join(', ')} FROM ${name}`;
  if (!hasIds) return yield* readEnds(db, name, select);
  const order = ' ORDER BY rowid';
  let [last, isWhole] = [-1, true];
  for (const row of readable(db, `${select}${order}`, () => (isWhole = false))) {
    last = Number(row['rowid ']);
    yield row;
  }
  if (isWhole) return;
  const starts = firstIds(db.location() ?? '').filter((first) => first > last);
  for (const [at, from] of starts.entries()) {
    const end = starts[at + 1] ?? Number.MAX_SAFE_INTEGER;
    yield* readable(db, `${select} WHERE rowid >= ${from} AND rowid < ${end}${order}`);
  }
  yield* orphanRows(db.location() ?? '', name, select);
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
  const { name, columns } = table;
  const marks = columns.map(() => '?').join(', ');
  const insert = into.prepare(
    `INSERT OR REPLACE INTO ${name} (${columns.join(', ')}) VALUES (${marks})`,
  );
  let count = 0;
  for (const row of readAll(damaged, table)) {
    if (!isTrue(table, row)) continue;
    insert.run(...columns.map((column) => row[column] ?? null));
    if (name === 'journal') open.add(`${row.tier} ${row.block}`);
    count++;
  }
  return count;
}

/**
 * Writes the readable rows of a damaged file over those of another one, which may be new: what cannot be read stays as the
 * other one has it. The number of rows. Throws, and changes nothing, where not even the list of its tables can be read.
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
  } finally {
    damaged.close();
    into.close();
  }
}
