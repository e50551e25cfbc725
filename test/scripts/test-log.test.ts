/** What the project's own check says of its test files: the slowest, and why one failed. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';

const root = join(import.meta.dirname, '..', '..');

const good = `# Subtest: test/good.test.ts
    # Subtest: adds
        ok 1 - one
        1..1
    ok 1 - adds # time=3.5ms
    1..1
ok 1 - test/good.test.ts # time=1234.5ms
`;

const wrong = `# Subtest: test/wrong.test.ts
    # Subtest: outer
        # Subtest: before
            ok 1 - fine
            1..1
        ok 1 - before # time=1ms
        # Subtest: inner
            ok 1 - fine
            not ok 2 - one is two
              ---
              at:
                fileName: test/wrong.test.ts
                lineNumber: 3
                columnNumber: 56
              ...
            not ok 3 - another
              ---
              at:
                fileName: test/wrong.test.ts
                lineNumber: 9
              ...
        not ok 2 - inner # time=52.473ms
    not ok 1 - outer # time=57.45ms
not ok 2 - test/wrong.test.ts # time=20400ms
  ---
  exitCode: 1
  signal: null
  ...
`;

const dead = `# Subtest: test/dead.test.ts
    1..0 # no tests found
not ok 3 - test/dead.test.ts # time=338.767ms
  ---
  exitCode: null
  signal: SIGSEGV
  ...
`;

/** Three files that share a process: the first fails, the third ends the process. */
const shared = `# Subtest: test/groups/some.test.ts
    # Subtest: test/one.test.ts
        # Subtest: outer
            not ok 1 - one is two
              ---
              at:
                fileName: test/one.test.ts
                lineNumber: 3
              ...
        not ok 1 - outer # time=52ms
    not ok 1 - test/one.test.ts # time=2500ms
      ---
      at:
        fileName: test/support/groups.ts
        lineNumber: 87
      ...
    # Subtest: test/two.test.ts
        # Subtest: fine
            ok 1 - yes
            1..1
        ok 1 - fine # time=1ms
        1..1
    ok 2 - test/two.test.ts # time=1500ms
    # Subtest: test/three.test.ts
        # Subtest: fine
            ok 1 - yes
            1..1
        ok 1 - fine # time=1ms
    # test count(1) != plan(null)
not ok 1 - test/groups/some.test.ts # time=4200ms
  ---
  exitCode: null
  signal: SIGKILL
  ...
`;

/** Runs a copy of .ci/run whose tests have written `first`, and when they are run again `second`. */
function check(t: Test, first: string, second: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-check-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, '.ci'), join(folder, '.ci'), { recursive: true });
  for (const name of ['scripts', 'node_modules', 'clients'])
    symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, 'bin'));
  const command = (name: string, lines: string) => {
    const file = join(folder, 'bin', name);
    writeFileSync(file, `#!/bin/sh\n${lines}\n`);
    chmodSync(file, 0o755);
  };
  writeFileSync(join(folder, '1.log'), first);
  writeFileSync(join(folder, '2.log'), second);
  for (const name of ['chromium', 'python3', 'mypy']) command(name, '');
  command(
    'npm',
    `[ "$1" = test ] || exit 0
    echo run >> runs
    log=$(wc -l < runs).log
    list=$(echo "$*" | sed -E 's/.*--save=([^ ]*).*/\\1/')
    cat $log
    sed -nE 's/^not ok [0-9]+ - (.*) # .*/\\1/p' $log > $list
    ! test -s $list`,
  );
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  const { status, stdout } = spawnSync(join(folder, '.ci', 'run'), { env });
  return { status, lines: stdout.toString().trimEnd().split('\n') };
}

const total = (pass: number, fail: number) =>
  `# { total: ${pass + fail}, pass: ${pass}${fail ? `, fail: ${fail}` : ''} }\n`;

t.test('one file that passes when it is run again is named with its cause', async (t) => {
  const { status, lines } = check(
    t,
    good + wrong + total(4, 4),
    wrong.replaceAll('not ok', 'ok') + total(5, 0),
  );
  t.equal(status, 0);
  t.ok(lines.includes('test/wrong.test.ts: outer > inner > one is two (test/wrong.test.ts:3)'));
  t.match(lines.at(-4), 'SLOWEST TEST FILES:');
  t.match(lines.at(-3), '20.4 s  test/wrong.test.ts', 'as it was beside the others');
  // Besides types, lint, the description of the API, the Python client and the image.
  t.equal(lines.at(-1), '14 passed, 0 failed');
});

t.test('one that fails again has failed', async (t) => {
  const { status, lines } = check(t, good + wrong + total(4, 4), wrong + total(3, 4));
  t.equal(status, 1);
  t.equal(lines.at(-1), '12 passed, 4 failed');
});

t.test('two files that fail are not run again', async (t) => {
  const all = good + wrong + dead + total(4, 5);
  const { status, lines } = check(t, all, good + total(9, 0));
  t.equal(status, 1);
  t.ok(lines.includes('test/dead.test.ts: no assertion failed, signal SIGSEGV'));
  t.equal(lines.at(-1), '9 passed, 5 failed');
  const together = check(t, good + shared + total(4, 2), good + total(9, 0));
  t.equal(together.status, 1, 'nor two that share a process');
  t.equal(together.lines.at(-1), '9 passed, 2 failed');
});
