/** What is left of the whole service when its one command is killed. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

t.test('a SIGKILL of the one command takes everything with it', async (t) => {
  // One source: the others would only take time to start.
  const env = { SOURCES: 'okx', WEB_CONCURRENCY: '1' };
  const service = await startService(t, { args: ['--demo'], env });
  t.ok(service.running().length > 4);
  service.child.kill('SIGKILL');
  await until(() => service.running().length === 0, 'all processes are gone', 15_000);
  t.pass('nothing is left');
});

t.test('a child whose parent goes while its modules are loaded ends by itself', async (t) => {
  const root = join(import.meta.dirname, '..', '..', '..');
  for (const script of ['cmd/compute.ts', 'scripts/simulator/main.ts']) {
    const args = script.startsWith('scripts') ? ['--port', '0'] : [];
    const env = { ...process.env, REDIS_URL: 'redis://127.0.0.1:1', LOG_LEVEL: 'silent' };
    const child = fork(join(root, script), args, { env, stdio: ['ignore', 'ignore', 2, 'ipc'] });
    t.teardown(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    child.disconnect();
    const [code] = await ended;
    t.equal(code, 0, script);
  }
});
