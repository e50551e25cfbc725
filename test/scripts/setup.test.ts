import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '..', '..');
const stamped = existsSync(join(root, 'node_modules', '.tidemark-lock'));

t.test(
  'without redis-server it advises one that is private and keeps what it is given',
  { skip: stamped ? false : 'the packages were not installed by scripts/setup.mjs' },
  async (t) => {
    const path = mkdtempSync(join(tmpdir(), 'tidemark-setup-'));
    t.teardown(() => rmSync(path, { recursive: true }));
    // No package manager is on this path, so nothing can be installed.
    symlinkSync('/bin/sh', join(path, 'sh'));
    const env = { PATH: path };
    const done = spawnSync(process.execPath, ['scripts/setup.mjs'], { cwd: root, env });
    t.equal(done.status, 1);
    const advice = done.stderr.toString();
    t.match(advice, 'needs redis-server 7 or newer');
    t.match(advice, /docker run .*-p 127\.0\.0\.1:6379:6379 .*--appendonly yes/);
    t.notMatch(advice, / -p 6379:6379/);
  },
);
