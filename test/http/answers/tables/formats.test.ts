/** Tables as other programs read them, DuckDB and the reader of the Arrow library: equal to the rows cell by cell. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import t, { type Test } from 'tap';
import type { Row, TableColumn } from '../../../../http/answers/tables/encoder.ts';
import { type TableFormatName, tableFormats } from '../../../../http/answers/tables/formats.ts';

const columns: TableColumn[] = [
  { name: 'timestamp', type: 'time' },
  { name: 'symbol', type: 'text' },
  { name: 'close', type: 'number' },
  { name: 'funding_rate', type: 'number' },
];
const first = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
/** Values at the ends of what a double can state, text with what CSV has to quote, and nulls everywhere but in the time. */
const rows: Row[] = [
  [first, 'BTC', 91_234.5, null],
  [first + 1, 'ÆTH,"2"', 0.1 + 0.2, -1e-300],
  [first + 2, null, null, 1.7976931348623157e308],
  [first + 3, '', Number.MIN_VALUE, 0],
  [first + 4, 'BTC', 2 ** 53, -5],
];

/** The bytes of the rows in groups of two, the first of them none. */
async function encoded(format: TableFormatName): Promise<Buffer> {
  const encoder = (await tableFormats[format].load())(columns);
  const groups = [[], rows.slice(0, 2), rows.slice(2, 4), rows.slice(4)];
  return Buffer.concat([...groups.map((group) => encoder.rows(group)), encoder.end()]);
}

const database = await DuckDBInstance.create(':memory:');
const connection = await database.connect();
t.teardown(() => {
  connection.closeSync();
  database.closeSync();
});

async function duckdb(t: Test, file: Buffer, reading: (path: string) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'rows');
  await writeFile(path, file);
  const result = await connection.runAndReadAll(reading(path));
  return result.getRowsJS();
}

t.test('Parquet, read by DuckDB', async (t) => {
  const file = await encoded('parquet');
  const read = await duckdb(
    t,
    file,
    (path) => `SELECT epoch_ms(timestamp) AS at, * EXCLUDE timestamp FROM read_parquet('${path}')`,
  );
  t.strictSame(
    read.map(([time, ...cells]) => [Number(time), ...cells]),
    rows,
  );
  const types = await duckdb(t, file, (path) => `DESCRIBE SELECT * FROM read_parquet('${path}')`);
  t.strictSame(
    types.map(([name, type]) => [name, type]),
    [
      ['timestamp', 'TIMESTAMP WITH TIME ZONE'],
      ['symbol', 'VARCHAR'],
      ['close', 'DOUBLE'],
      ['funding_rate', 'DOUBLE'],
    ],
  );
});

t.test('an Arrow stream, read by the Arrow library', async (t) => {
  const table = tableFromIPC(await encoded('arrow'));
  const read = [...table].map((row) => columns.map(({ name }) => row[name]));
  t.strictSame(read, rows);
  t.match(table.schema.fields.map(String), [
    'timestamp: Timestamp<MILLISECOND, UTC>',
    'symbol: Utf8',
    'close: Float64',
    'funding_rate: Float64',
  ]);
});

t.test('CSV, read by DuckDB', async (t) => {
  const read = await duckdb(
    t,
    await encoded('csv'),
    (path) =>
      `SELECT * FROM read_csv('${path}', header = true, columns = {t: 'BIGINT', s: 'VARCHAR', c: 'DOUBLE', f: 'DOUBLE'})`,
  );
  t.strictSame(
    read.map(([time, symbol, ...cells]) => [Number(time), symbol, ...cells]),
    // CSV has no difference between an empty text and none.
    rows.map(([time, symbol, ...cells]) => [time, symbol === '' ? null : symbol, ...cells]),
  );
});

t.test('a table without rows has its columns', async (t) => {
  for (const format of ['parquet', 'arrow', 'csv'] as const) {
    const encoder = (await tableFormats[format].load())(columns);
    const bytes = Buffer.concat([encoder.rows([]), encoder.end()]);
    if (format === 'csv') t.equal(bytes.toString(), 'timestamp,symbol,close,funding_rate\r\n');
    if (format === 'arrow') t.equal(tableFromIPC(bytes).schema.fields.length, 4);
    if (format === 'parquet') {
      const read = await duckdb(t, bytes, (path) => `SELECT * FROM read_parquet('${path}')`);
      t.strictSame(read, []);
    }
  }
});
