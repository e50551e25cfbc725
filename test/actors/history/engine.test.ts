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

t.test(
  'an interrupt ends questions that would take hours, and those that wait for them',
  async (t) => {
    const engine = new Engine(tmpdir());
    const took = { value: 0 };
    const ask = (rows: number) =>
      engine.read(`SELECT max(hash(a)) FROM range(${rows}) AS t (a)`, [], () => {
        took.value += 1;
      });
    await ask(1);
    const asked = Promise.allSettled([ask(1e13), ask(1e13), ask(1), ask(1)]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    engine.interrupt();
    t.match(
      await asked,
      Array.from({ length: 4 }, () => ({ status: 'rejected' })),
    );
    t.equal(took.value, 1);
    await engine.close();
  },
);
