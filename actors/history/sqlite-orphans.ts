/**
 * Rows of a damaged file on pages to which no table leads any more, because a page above them is damaged.
 * https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

export type Row = Record<string, SQLInputValue>;

const isDamage = (error: unknown): boolean => error instanceof Error && 'errcode' in error;

/** The rows of a query until one cannot be read, which is announced. Errors of the caller stay the caller's. */
export function* readable(db: DatabaseSync, sql: string, onDamage = () => {}): Generator<Row> {
  try {
    // A statement of its own: the first use of one after an error fails with the same error.
    yield* db.prepare(sql).iterate();
  } catch (error) {
    if (!isDamage(error)) throw error;
    onDamage();
  }
}

/** The first bytes of pages of rows, and of those that lead to them. */
const [leaf, interior] = [13, 5];

/** The pages of a file, numbered from 1. */
class Pages {
  readonly count: number;
  readonly #file: number;
  readonly #page: Buffer;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    const head = Buffer.alloc(100);
    readSync(this.#file, head, 0, head.length, 0);
    this.#page = Buffer.alloc(Math.max(512, head.readUInt16BE(16)));
    this.count = Math.floor(fstatSync(this.#file).size / this.#page.length);
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The bytes of a page, until another one is asked for. */
  #at(page: number): Buffer {
    readSync(this.#file, this.#page, 0, this.#page.length, (page - 1) * this.#page.length);
    return this.#page;
  }

  /** Numbers of pages at places of a page. */
  #numbersAt(page: Buffer, places: readonly number[]): number[] {
    return places
      .filter((at) => at + 4 <= page.length)
      .map((at) => page.readUInt32BE(at))
      .filter((number) => number > 0 && number <= this.count);
  }

  typeOf(page: number): number {
    return this.#at(page)[0] ?? 0;
  }

  /** The pages to which one leads. */
  below(page: number): number[] {
    const bytes = this.#at(page);
    const cells = Math.min(bytes.readUInt16BE(3), Math.floor((bytes.length - 12) / 2));
    const places = Array.from({ length: cells }, (_, i) => bytes.readUInt16BE(12 + 2 * i));
    return this.#numbersAt(bytes, [...places, 8]);
  }

  /** The pages that are free: what they hold was deleted, or stands on another page since. */
  free(): Set<number> {
    const found = new Set<number>();
    let [trunk] = this.#numbersAt(this.#at(1), [32]);
    while (trunk !== undefined && !found.has(trunk)) {
      found.add(trunk);
      const bytes = this.#at(trunk);
      const most = Math.min(bytes.readUInt32BE(4), bytes.length / 4 - 2);
      const places = Array.from({ length: most }, (_, i) => 8 + 4 * i);
      for (const page of this.#numbersAt(bytes, places)) found.add(page);
      [trunk] = this.#numbersAt(bytes, [0]);
    }
    return found;
  }
}

/**
 * Adds the pages of rows to which a root leads; false where a page above them is damaged. All of them are at one depth: what is none
 * there is damaged itself, and nothing is below it.
 */
function addLeaves(pages: Pages, root: number, leaves: Set<number>): boolean {
  const seen = new Set([root]);
  let [level, isWhole] = [[root], true];
  while (level.length > 0 && !level.some((page) => pages.typeOf(page) === leaf)) {
    const known = level.filter((page) => pages.typeOf(page) === interior);
    isWhole &&= known.length === level.length;
    const below = new Set(known.flatMap((page) => pages.below(page)));
    level = [...below].filter((page) => !seen.has(page));
    for (const page of level) seen.add(page);
  }
  for (const page of level) if (pages.typeOf(page) === leaf) leaves.add(page);
  return isWhole;
}

/**
 * The pages of rows to which no table leads, where they are those of `table`: it is the only one with a damaged page above its rows.
 * None where there are two such tables, since a page does not state whose it is.
 */
function orphansOf(table: string, path: string, roots: ReadonlyMap<string, number>): number[] {
  const pages = new Pages(path);
  const known = pages.free();
  const broken = [...roots].filter(([, root]) => !addLeaves(pages, root, known));
  const isWhose = broken.length === 1 && broken[0]?.[0] === table;
  const all = isWhose ? Array.from({ length: pages.count }, (_, i) => i + 1) : [];
  const found = all.filter((page) => !known.has(page) && pages.typeOf(page) === leaf);
  pages.close();
  return found;
}

/** The rows of a table on such pages. SQLite reads each page as if it were the whole table; the file keeps what it has. */
export function* orphanRows(path: string, table: string, select: string): Generator<Row> {
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA wal_checkpoint');
    const tables = db.prepare("SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'table'");
    const roots = tables
      .all()
      .filter(({ sql }) => !/WITHOUT ROWID/i.test(String(sql)))
      .map(({ name, rootpage }) => [String(name), Number(rootpage)] as const);
    db.exec('PRAGMA writable_schema = ON; BEGIN');
    for (const page of orphansOf(table, path, new Map(roots))) {
      db.prepare('UPDATE sqlite_schema SET rootpage = ? WHERE name = ?').run(page, table);
      db.exec('PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON');
      yield* readable(db, select);
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
    db.close();
  }
}
