import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import allFlags from '../../../cmd/flags.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..', '..');
const commands = readdirSync(join(root, 'cmd')).filter((name) => name.endsWith('.ts'));

t.test('a Node that does not read TypeScript says in one line what to do', async (t) => {
  t.ok(commands.includes('web.ts') && commands.includes('local.ts'));
  for (const name of commands) {
    // As Node 18 and 20 are by nature; without the loaders of the tests, which come in NODE_OPTIONS.
    const command = `unset NODE_OPTIONS; exec "$0" --no-experimental-strip-types cmd/${name}`;
    const args = ['-c', command, process.execPath];
    const { status, stdout, stderr } = spawnSync('sh', args, { cwd: root });
    t.equal(status, 2, name);
    t.equal(stdout.toString(), '');
    const script = name === 'local.ts' ? 'start' : `run ${name.replace('.ts', '')}`;
    const message = `does not run TypeScript: run \`npm ${script}\``;
    t.match(stderr.toString(), message);
    t.equal(stderr.toString().trim().split('\n').length, 1);
  }
});

t.test('a process has its flags however it is begun, and they stand in one place', (t) => {
  // Says with which flags it runs, instead of the process.
  const say = `if (process.execArgv.some((flag) => /percent|semi/.test(flag)) || process.argv[1].endsWith('compute.ts')) {
    console.log(JSON.stringify(process.execArgv));
    process.exit(0);
  }`;
  const loader = `--import=data:text/javascript,${encodeURIComponent(say)}`;
  for (const role of ['compute', 'feed', 'history', 'alerts']) {
    const given = role === 'feed' ? ['--v8-pool-size=1'] : [];
    const { stdout, stderr } = spawnSync(process.execPath, [...given, `cmd/${role}.ts`], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: loader },
    });
    t.equal(stderr.toString(), '', role);
    const flags: string[] = JSON.parse(stdout.toString());
    const wanted: Record<string, string[]> = allFlags;
    t.strictSame(flags.sort(), (wanted[role] ?? []).toSorted(), role);
  }
  const files = [
    'Procfile',
    'package.json',
    'compose.yaml',
    'deploy/systemd/tidemark-role@.service',
  ];
  for (const file of files)
    for (const line of readFileSync(join(root, file), 'utf8').split('\n'))
      if (line.includes('cmd/')) t.notMatch(line, /node(,| ).*--\w.*cmd\//, file);
  t.end();
});
