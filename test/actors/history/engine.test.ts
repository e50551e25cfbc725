/** DuckDB that does not start: its questions fail, and the next one tries again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t from 'tap';
import { Engine } from '../../../actors/history/engine.ts';

t.test('an engine that fails to start keeps nobody waiting', async (t) => {
  const spill = mkdtempSync(join(tmpdir(), 'engine-'));
  t.teardown(() => rmSync(spill, { recursive: true, force: true }));
  let isAway = true;
  const engine = new Engine(spill, () =>
    isAway ? Promise.reject(new Error('no memory')) : DuckDBInstance.create(':memory:'),
  );
  t.teardown(() => engine.close());
  const values: unknown[] = [];
  const ask = () => engine.read('SELECT 7', [], ([column]) => values.push(column?.getItem(0)));
  const failed = await Promise.allSettled([ask(), ask(), ask(), ask()]);
  t.strictSame(
    failed.map(({ status }) => status),
    Array.from(failed, () => 'rejected'),
  );
  isAway = false;
  await Promise.all([ask(), ask(), ask()]);
  t.strictSame(values, [7, 7, 7]);
});
