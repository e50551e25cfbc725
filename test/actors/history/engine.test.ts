/** Questions to DuckDB that fail, and those that are ended. */
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { Engine } from '../../../actors/history/engine.ts';

t.test('questions that fail keep nobody waiting', async (t) => {
  const engine = new Engine(tmpdir());
  t.teardown(() => engine.close());
  const values: unknown[] = [];
  const ask = (sql: string) => engine.read(sql, [], ([column]) => values.push(column?.getItem(0)));
  const failed = ['a', 'b', 'c', 'd'].map((table) => ask(`SELECT * FROM ${table}`));
  for (const { status } of await Promise.allSettled(failed)) t.equal(status, 'rejected');
  await Promise.all([ask('SELECT 7'), ask('SELECT 7'), ask('SELECT 7')]);
  t.strictSame(values, [7, 7, 7]);
});

for (const wait of [0, 200]) {
  t.test(
    `a close ends questions that run for hours, ${wait} ms after their beginning`,
    async (t) => {
      const engine = new Engine(tmpdir());
      let answers = 0;
      const ask = (rows: number) =>
        engine.read(`SELECT max(hash(a)) FROM range(${rows}) AS t (a)`, [], () => {
          answers += 1;
        });
      await ask(1);
      const asked = Promise.allSettled([ask(1e13), ask(1e13), ask(1), ask(1)]);
      await setTimeout(wait);
      await engine.close();
      for (const { status } of await asked) t.equal(status, 'rejected');
      t.equal(answers, 1);
    },
  );
}
