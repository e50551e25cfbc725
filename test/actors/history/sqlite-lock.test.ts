/** One store at a time has a history file open. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { SqliteStore } from '../../../actors/history/sqlite.ts';
import { interest, writing } from '../../support/events.ts';

const step = 300_000;
const start = 96 * step * 60_000;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-lock-'));
t.teardown(() => rmSync(folder, { recursive: true }));

const open = (path: string) => new SqliteStore(path, [interest]);
const taken = {
  name: 'StoreError',
  code: 'away',
  message:
    'another process has recent.sqlite open: stop that one, or give this one another DATA_DIR or a PostgreSQL by HISTORY_URL',
};

async function put(store: SqliteStore, key: string) {
  await store.write({ writes: [writing(interest, step, [[key, start, 1, 100]])] });
}

t.test('a second store on one file does not open, and changes nothing', async (t) => {
  const path = join(folder, 'two');
  const first = open(path);
  await put(first, 'a');
  t.throws(() => open(path), taken);
  await put(first, 'b');
  await first.close();
  const second = open(path);
  await put(second, 'c');
  const found = await second.read(interest, step, ['a', 'b', 'c'], { from: start, to: start });
  t.strictSame([...found.keys()], ['a', 'b', 'c']);
  t.equal(second.damage().notice, null);
  await second.close();
});

t.test('others read the file meanwhile', async (t) => {
  const path = join(folder, 'read');
  const store = open(path);
  await put(store, 'a');
  const reader = new DatabaseSync(join(path, 'recent.sqlite'), { readOnly: true });
  t.equal(reader.prepare('SELECT key FROM keys').get()?.key, 'a');
  reader.close();
  await store.close();
});

t.test('a process that is killed leaves no lock behind', async (t) => {
  const path = join(folder, 'killed');
  const file = new URL('../../support/store-holder.ts', import.meta.url);
  const holder = fork(file, [path], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(holder, 'message');
  t.throws(() => open(path), taken);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const store = open(path);
  await put(store, 'a');
  await store.close();
});
