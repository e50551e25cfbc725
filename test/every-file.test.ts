/** `npm test` leaves no file out: each has a process of its own or runs in a group. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { filesOf, groupNames, testFiles } from './support/groups.ts';

t.test('each test file is run once', async (t) => {
  const root = join(import.meta.dirname, '..');
  // Without the settings of the run that this is part of: it may be one of few files.
  const options = { cwd: root, env: { PATH: process.env.PATH }, encoding: 'utf8' } as const;
  const { stdout } = spawnSync('node_modules/.bin/tap', ['list'], options);
  const processes = stdout.trim().split('\n');
  t.strictSame(
    processes.filter((file) => file.startsWith('test/groups/')).sort(),
    groupNames.map((name) => `test/groups/${name}.test.ts`).sort(),
    'each group has a process',
  );
  t.strictSame([...processes, ...groupNames.flatMap(filesOf)].sort(), testFiles());
});
