/** The rules of Prometheus with their own tests, where its tool is installed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';

const folder = join(import.meta.dirname, '..', 'deploy', 'prometheus');
const isMissing = spawnSync('promtool', ['--version']).error !== undefined;

t.test('rules', { skip: isMissing && 'promtool is not installed' }, (t) => {
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'tidemark.rules.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder });
    t.equal(status, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  }
  t.end();
});
