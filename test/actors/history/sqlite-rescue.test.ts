/** What is taken over of a damaged history file: all that its whole pages have, and nothing that was not written. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { rescue } from '../../../actors/history/sqlite-rescue.ts';
import { property } from '../../support/property.ts';

const page = 512;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-rescue-'));
t.teardown(() => rmSync(folder, { recursive: true }));
let files = 0;

type Rows = readonly (readonly SQLInputValue[])[];

const schema = `
CREATE TABLE tier (id INTEGER PRIMARY KEY, data BLOB, backfilled BLOB, form INTEGER, crc INTEGER);
CREATE TABLE journal (id INTEGER PRIMARY KEY, tier TEXT, block INTEGER, data BLOB, crc INTEGER);
CREATE TABLE positions (name TEXT PRIMARY KEY, position TEXT) WITHOUT ROWID;
`;

/** A new file of the tables of `schema` and of these rows. */
function fileOf(rows: Readonly<Record<string, Rows>>, more = ''): string {
  const path = join(folder, `${files++}.sqlite`);
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA page_size = ${page}; ${schema} ${more}`);
  for (const [table, list] of Object.entries(rows))
    for (const row of list)
      db.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`).run(...row);
  db.close();
  return path;
}

function rowsOf(path: string, table: string): SQLInputValue[][] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare(`SELECT * FROM ${table}`).all();
  db.close();
  const bare = (value: SQLInputValue) => (value instanceof Uint8Array ? `${value}` : value);
  return rows.map((row) => Object.values(row).map(bare));
}

const idsOf = (path: string, table: string) => rowsOf(path, table).map(([id]) => Number(id));

const bytes = (text: string) => new TextEncoder().encode(text);
const perBlock = 2 ** 24;

/** A row of a complete block; its checksum is of its id and form, its data and its marks. */
function complete(id: number, text = `data of ${id}`, marks: string | null = null) {
  const [data, backfilled] = [bytes(text), marks === null ? null : bytes(marks)];
  const crc = crc32(`${id} 1${text}${marks ?? ''}`);
  return [id, data, backfilled, 1, crc];
}

const entry = (id: number, block: number, text = `entry ${id}`) => {
  const data = bytes(text);
  return [id, 'tier', block, data, crc32(data)];
};

/** The ids of a leaf of a table with ids, https://www.sqlite.org/fileformat2.html#b_tree_pages; null for another page. */
function idsOnPage(file: Buffer, at: number): number[] | null {
  const start = at * page;
  if (at === 0 || file[start] !== 13) return null;
  const varint = (from: number): [value: number, next: number] => {
    let [value, place] = [0, from];
    for (; (file[place] ?? 0) > 127; place++) value = value * 128 + ((file[place] ?? 0) & 127);
    return [value * 128 + (file[place] ?? 0), place + 1];
  };
  const cells = Array.from({ length: file.readUInt16BE(start + 3) }, (_, i) =>
    file.readUInt16BE(start + 8 + 2 * i),
  );
  return cells.map((cell) => varint(varint(start + cell)[1])[0]);
}

/** Blocks of keys that begin at 1, as the ids of the store are. */
const ids = Array.from(
  { length: 240 },
  (_, i) => (1 + Math.floor(i / 12)) * perBlock + 1 + (i % 12),
);
const whole = readFileSync(fileOf({ tier: ids.map((id) => complete(id)) }));
const leaves = Array.from({ length: whole.length / page }, (_, at) => at).filter(
  (at) => idsOnPage(whole, at) !== null,
);

t.test('of a table with ids all rows come that lie on whole pages', async (t) => {
  t.ok(leaves.length > 15, `${leaves.length} pages of rows`);
  await property(
    t,
    fc.subarray(leaves, { maxLength: 4 }),
    (damaged) => {
      const file = Buffer.from(whole);
      for (const at of damaged) file.fill(0, at * page, (at + 1) * page);
      const from = join(folder, 'damaged.sqlite');
      writeFileSync(from, file);
      const lost = new Set(damaged.flatMap((at) => idsOnPage(whole, at) ?? []));
      const into = fileOf({});
      const expected = ids.filter((id) => !lost.has(id));
      const count = rescue(from, into);
      const found = idsOf(into, 'tier');
      rmSync(into);
      if (`${found}` !== `${expected}` || count !== expected.length)
        throw new Error(`${count} rows, ${found.length} of ${expected.length}`);
    },
    40,
  );
});

t.test('nor is a row lost with a page that leads to others', async (t) => {
  const rows = (table: string) => ids.map((id) => complete(id, `${table} of ${id}`));
  const big = readFileSync(
    fileOf(
      { tier: rows('tier'), other: rows('other') },
      'CREATE TABLE other (id INTEGER PRIMARY KEY, data BLOB, backfilled BLOB, form INTEGER, crc INTEGER)',
    ),
  );
  const above = Array.from({ length: big.length / page }, (_, at) => at).filter(
    (at) => at > 0 && big[at * page] === 5,
  );
  t.ok(above.length >= 2, `${above.length} pages lead to others`);
  const into = () =>
    fileOf(
      {},
      'CREATE TABLE other (id INTEGER PRIMARY KEY, data BLOB, backfilled BLOB, form INTEGER, crc INTEGER)',
    );
  const rescued = (damaged: readonly number[]) => {
    const file = Buffer.from(big);
    for (const at of damaged) file.fill(0, at * page, (at + 1) * page);
    const from = join(folder, 'above.sqlite');
    writeFileSync(from, file);
    const to = into();
    rescue(from, to);
    t.strictSame(readFileSync(from), file, 'the damaged file keeps what it has');
    return to;
  };
  for (const at of above) {
    const to = rescued([at]);
    for (const table of ['tier', 'other']) {
      const texts = rowsOf(to, table).map(([, data]) =>
        String.fromCharCode(...`${data}`.split(',').map(Number)),
      );
      t.strictSame(
        texts,
        ids.map((id) => `${table} of ${id}`),
        `${table}, page ${at}`,
      );
    }
  }
  // Of two tables at once no page states whose it is: rows are lost, and none is in the wrong table.
  const to = rescued(above);
  for (const table of ['tier', 'other'])
    for (const [, data] of rowsOf(to, table))
      t.match(String.fromCharCode(...`${data}`.split(',').map(Number)), new RegExp(`^${table} of`));
});

t.test('of a table without ids the rows before and behind a damaged page come', async (t) => {
  const names = Array.from({ length: 200 }, (_, i) => [`name ${1_000 + i}`, `position ${i}`]);
  const file = readFileSync(fileOf({ positions: names }));
  const pages = Array.from({ length: file.length / page }, (_, at) => at);
  const leavesOf = pages.filter((at) => at > 0 && file[at * page] === 10);
  t.ok(leavesOf.length > 8, `${leavesOf.length} pages`);
  const at = leavesOf[leavesOf.length >> 1] ?? 0;
  const from = join(folder, 'positions.sqlite');
  writeFileSync(from, Buffer.from(file).fill(0, at * page, (at + 1) * page));
  const into = fileOf({});
  const count = rescue(from, into);
  t.ok(count > 170 && count < 200, `${count} of 200`);
  t.equal(rowsOf(into, 'positions').length, count);
});

t.test(
  'rows replace those of the other file; what cannot be read stays as it has it',
  async (t) => {
    const old = [complete(1, 'old'), complete(2, 'old'), complete(9, 'old')];
    const from = fileOf(
      {
        tier: [
          complete(1, 'new', 'marks'),
          // A byte of its data, and one of its marks, is another one than was written.
          [2, bytes('nfw'), null, 1, crc32('2 1new')],
          [3, bytes('data'), bytes('narks'), 1, crc32('3 1datamarks')],
          // Of a version without checksums.
          [4, bytes('data'), null, 1, null],
        ],
        positions: [['recorder', 'new']],
        only: [['a'], ['b']],
        other: [['here']],
      },
      'CREATE TABLE only (name TEXT); CREATE TABLE other (a TEXT)',
    );
    const into = fileOf(
      { tier: old, positions: [['recorder', 'old']], other: [['there', 'it']] },
      'CREATE TABLE other (a TEXT, b TEXT)',
    );
    t.equal(rescue(from, into), 5, 'two blocks, a position, two rows of a table');
    const text = ([id, data]: SQLInputValue[]) => [
      id,
      String.fromCharCode(...`${data}`.split(',').map(Number)),
    ];
    t.strictSame(rowsOf(into, 'tier').map(text), [
      [1, 'new'],
      [2, 'old'],
      [4, 'data'],
      [9, 'old'],
    ]);
    t.strictSame(rowsOf(into, 'positions'), [['recorder', 'new']]);
    t.strictSame(rowsOf(into, 'only'), [['a'], ['b']], 'a table that only the damaged file has');
    t.strictSame(rowsOf(into, 'other'), [['there', 'it']], 'a table of another form is left');
  },
);

t.test(
  'entries for blocks that have been completed since are forgotten, others are not',
  async (t) => {
    // Block 1 is complete in the damaged file, block 3 open in it; of block 2 nothing could be read.
    const from = fileOf({
      tier: [complete(perBlock + 5)],
      journal: [entry(9, 3), [8, 'tier', 3, bytes('x'), 1]],
    });
    const into = fileOf({
      tier: [complete(3 * perBlock + 5)],
      journal: [entry(1, 1), entry(2, 2), entry(3, 3)],
    });
    t.equal(rescue(from, into), 2);
    t.strictSame(idsOf(into, 'journal'), [2, 3, 9]);
  },
);

t.test(
  'of a file without a readable list of tables nothing comes, and nothing changes',
  async (t) => {
    const from = fileOf({ tier: [complete(1)] });
    writeFileSync(from, readFileSync(from).fill(7, 100, page));
    const into = fileOf({ tier: [complete(2)] });
    t.throws(() => rescue(from, into), /malformed/);
    t.strictSame(idsOf(into, 'tier'), [2]);
  },
);
