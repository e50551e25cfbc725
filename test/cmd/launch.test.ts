import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '..', '..');
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
