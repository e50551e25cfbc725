/** Tables as DuckDB reads them: equal to the rows cell by cell. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t, { type Test } from 'tap';
import type { Row, TableColumn } from '../../../../http/answers/tables/file.ts';
import { type TableFormatName, TableWriter } from '../../../../http/answers/tables/formats.ts';

const columns: TableColumn[] = [
  { name: 'timestamp', type: 'ms' },
  { name: 'local "time"', type: 'micros' },
  { name: 'symbol', type: 'text' },
  { name: 'close', type: 'number' },
  { name: 'funding_rate', type: 'number' },
];
const first = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
/** Values at the ends of what a double can state, text with what CSV has to quote, and nulls everywhere but in the time. */
const rows: Row[] = [
  [first, first * 1_000 + 1, 'BTC', 91_234.5, null],
  [first + 1, null, '=ÆTH,"2"\r\n', 0.1 + 0.2, -1e-300],
  [first + 2, 0, null, null, 1.7976931348623157e308],
  [first + 3, 1, '', Number.MIN_VALUE, 0],
  [first + 4, 2, 'BTC', 2 ** 53, -5],
];

const database = await DuckDBInstance.create(':memory:');
const connection = await database.connect();
t.teardown(() => {
  connection.closeSync();
  database.closeSync();
});
const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS();

/** The path of a file with these rows, in two parts. */
async function written(t: Test, format: TableFormatName, all: readonly Row[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, "it's");
  const table = new TableWriter(path, format, columns);
  await table.rows(all.slice(0, 2));
  await table.rows(all.slice(2));
  await table.end();
  t.strictSame(await readdir(folder), ["it's"], 'nothing else is left');
  return path.replace("'", "''");
}

t.test('Parquet', async (t) => {
  const path = await written(t, 'parquet', rows);
  const read = await rowsOf(
    `SELECT epoch_ms(timestamp), epoch_us("local ""time"""), * EXCLUDE (timestamp, "local ""time""") FROM read_parquet('${path}')`,
  );
  const whole = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  t.strictSame(
    read.map((cells) => cells.map(whole)),
    rows,
  );
  const types = await rowsOf(`DESCRIBE SELECT * FROM read_parquet('${path}')`);
  t.strictSame(
    types.map(([name, type]) => [name, type]),
    [
      ['timestamp', 'TIMESTAMP WITH TIME ZONE'],
      ['local "time"', 'TIMESTAMP WITH TIME ZONE'],
      ['symbol', 'VARCHAR'],
      ['close', 'DOUBLE'],
      ['funding_rate', 'DOUBLE'],
    ],
  );
});

t.test('CSV', async (t) => {
  const path = await written(t, 'csv', rows);
  const read = await rowsOf(
    `SELECT * FROM read_csv('${path}', header = true, columns = {t: 'BIGINT', l: 'BIGINT', s: 'VARCHAR', c: 'DOUBLE', f: 'DOUBLE'})`,
  );
  const texts: unknown[] = ['BTC', `'=ÆTH,"2"\r\n`, null, null, 'BTC'];
  t.strictSame(
    read.map(([time, local, ...cells]) => [
      Number(time),
      local === null ? null : Number(local),
      ...cells,
    ]),
    // CSV has no difference between an empty text and none, and a formula is made text.
    rows.map(([time, local, _, ...cells], i) => [time, local, texts[i], ...cells]),
  );
});

t.test('a table without rows has its columns', async (t) => {
  const csv = await readFile((await written(t, 'csv', [])).replace("''", "'"), 'utf8');
  t.equal(csv, 'timestamp,"local ""time""",symbol,close,funding_rate\r\n');
  const parquet = await written(t, 'parquet', []);
  t.strictSame(await rowsOf(`SELECT * FROM read_parquet('${parquet}')`), []);
  t.equal((await rowsOf(`DESCRIBE SELECT * FROM read_parquet('${parquet}')`)).length, 5);
});

t.test('what is given up leaves nothing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const table = new TableWriter(join(folder, 'x'), 'parquet', columns);
  await table.rows(rows);
  await table.drop();
  t.strictSame(await readdir(folder), []);
});
