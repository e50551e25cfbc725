import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { flagsOf } from '../../../cmd/process/flags.ts';

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

t.test('the flags of a process are the same wherever it is begun', async (t) => {
  const memory = (flags: Iterable<string>) => [...flags].filter((flag) => /=\d+$/.test(flag));
  for (const file of ['Procfile', 'package.json', 'compose.yaml']) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    for (const role of ['web', 'feed', 'compute', 'history', 'alerts']) {
      const script = `cmd/${role}.ts`;
      const line = lines.find((one) => one.includes(script));
      // The image begins web processes by itself.
      if (line === undefined && file === 'compose.yaml' && role === 'web') continue;
      const stated = line?.match(/--[\w-]+=\w+/g) ?? [];
      t.strictSame(memory(stated), memory(flagsOf(script)), `${file}: ${role}`);
    }
  }
});
