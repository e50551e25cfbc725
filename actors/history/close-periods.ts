/**
 * A process that writes ended periods: the rows in SQLite, and those of the period's file that they do not replace, go to a
 * draft beside the file. It is a process of its own so that its memory is given back, and so that live traffic goes first. It gets
 * a `ClosingTask` by message, and answers null once the draft is whole and on the disk, else what went wrong.
 */
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { setPriority } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  FLOAT,
  VARCHAR,
} from '@duckdb/node-api';

export interface ClosingTask {
  /** Path of the SQLite file. */
  database: string;
  series: string;
  /** Table of the tier. */
  table: string;
  /** From a time to before another, Unix ms. */
  from: number;
  to: number;
  /** The columns of the series, and whether their values have double precision. */
  columns: { name: string; isDouble: boolean }[];
  /** The file, the draft, a folder for intermediate results, and the rows of a present file in SQL. */
  file: string;
  draft: string;
  spill: string;
  present: string;
}

/** Rows of a chunk: as many as DuckDB handles at a time. */
const chunkRows = 2_048;

const settings = { threads: '1', memory_limit: '256MB' };

/** Takes the rows out of SQLite; gives their number. */
async function take(task: ClosingTask, duck: DuckDBConnection): Promise<number> {
  const { database, series, table, columns, from, to } = task;
  const values = columns.map(({ name, isDouble }) => `"${name}" ${isDouble ? 'DOUBLE' : 'FLOAT'}`);
  await duck.run(
    `CREATE TABLE fresh (key VARCHAR, time DOUBLE, backfilled BOOLEAN, ${values.join(', ')})`,
  );
  const types = columns.map(({ isDouble }) => (isDouble ? DOUBLE : FLOAT));
  const appender = await duck.createAppender('fresh');
  let rows: unknown[][] = [];
  let count = 0;
  const flush = () => {
    const chunk = DuckDBDataChunk.create([VARCHAR, DOUBLE, BOOLEAN, ...types], rows.length);
    const [keys = [], times = [], marks = [], ...lists] = Array.from(
      { length: types.length + 3 },
      (_, column) => rows.map((row) => row[column]),
    );
    chunk.setColumns([
      keys.map(String),
      times.map(Number),
      marks.map((mark) => mark === 1),
      ...lists.map((list) => list.map((value) => (typeof value === 'number' ? value : null))),
    ]);
    appender.appendDataChunk(chunk);
    count += rows.length;
    rows = [];
  };
  const db = new DatabaseSync(database, { readOnly: true, timeout: 5_000 });
  const select = db.prepare(
    `SELECT k.key, t.time, t.backfilled, ${columns.map(({ name }) => `t."${name}"`)}
      FROM keys k CROSS JOIN ${table} t ON t.key = k.id
      WHERE k.series = ? AND t.time >= ? AND t.time < ?`,
  );
  // One statement reads one state of the file.
  for (const row of select.iterate(series, from, to)) {
    rows.push(Object.values(row));
    if (rows.length === chunkRows) flush();
  }
  if (rows.length > 0) flush();
  appender.closeSync();
  db.close();
  return count;
}

const countOf = async (duck: DuckDBConnection, sql: string): Promise<number> =>
  Number((await duck.runAndReadAll(sql)).getRows()[0]?.[0]);

async function close(task: ClosingTask): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...settings,
    temp_directory: task.spill,
  });
  try {
    await write(task, await instance.connect());
  } finally {
    instance.closeSync();
  }
  const handle = openSync(task.draft, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

async function write(task: ClosingTask, duck: DuckDBConnection): Promise<void> {
  const { columns, file, draft, present } = task;
  let expected = await take(task, duck);
  const names = ['key', 'time', 'backfilled', ...columns.map(({ name }) => `"${name}"`)].join(', ');
  let rows = `SELECT * REPLACE (make_timestamptz((time * 1000)::BIGINT) AS time) FROM fresh`;
  if (existsSync(file)) {
    const kept = `FROM ${present} AS old ANTI JOIN fresh ON old.key = fresh.key AND epoch_ms(old.time) = fresh.time`;
    expected += await countOf(duck, `SELECT count(*) ${kept}`);
    rows = `${rows} UNION ALL SELECT ${names} ${kept}`;
  }
  const quotedDraft = `'${draft.replaceAll("'", "''")}'`;
  await duck.run(
    `COPY (SELECT * FROM (${rows}) ORDER BY key, time) TO ${quotedDraft}
      (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2)`,
  );
  const written = await countOf(duck, `SELECT count(*) FROM read_parquet(${quotedDraft})`);
  if (written !== expected) throw new Error(`${written} rows were written of ${expected}`);
}

// Its work is useless without the process that asked for it.
process.on('disconnect', () => process.exit(1));
setPriority(10);
process.on('message', (task: ClosingTask) => {
  close(task).then(
    () => process.send?.(null),
    (error: unknown) => process.send?.(String(error)),
  );
});
