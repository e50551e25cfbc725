/** What is left of the whole service when its one command is killed. */
import t from 'tap';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

t.test('a SIGKILL of the one command takes everything with it', async (t) => {
  const service = await startService(t, { args: ['--demo'] });
  t.ok(service.running().length > 4);
  service.child.kill('SIGKILL');
  await until(() => service.running().length === 0, 'all processes are gone', 15_000);
  t.pass('nothing is left');
});
