/** The units of systemd, where its tools are installed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { roles } from '../config/uses.ts';

const folder = join(import.meta.dirname, '..', 'deploy', 'systemd');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined;

t.test('units', { skip: isMissing && 'systemd-analyze is not installed' }, (t) => {
  const units = t.testdir({});
  // Where nothing is installed: the command must be one that there is.
  const service = read('tidemark-role@.service').replace(
    '/opt/tidemark/node_modules/.bin/node',
    process.execPath,
  );
  t.match(service, /^MemoryMax=/m);
  for (const role of roles) writeFileSync(join(units, `tidemark-${role}@.service`), service);
  writeFileSync(join(units, 'tidemark.target'), read('tidemark.target'));
  const names = [...roles.map((role) => `tidemark-${role}@1.service`), 'tidemark.target'];
  const args = ['verify', '--man=no', ...names.map((name) => join(units, name))];
  const { status, stderr } = spawnSync('systemd-analyze', args);
  t.strictSame([status, stderr.toString()], [0, '']);
  const started = read('tidemark.target').match(/tidemark-\w+(?=@1\.service)/g);
  t.same(started?.sort(), roles.map((role) => `tidemark-${role}`).sort());
  t.end();
});
