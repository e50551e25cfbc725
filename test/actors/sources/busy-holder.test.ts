/** A process whose event loop hardly turns keeps its leases, and one that is dead loses them, by the Redis of a real server. */
import { fork } from 'node:child_process';
import t from 'tap';
import { busStage } from '../../support/bus-stage.ts';
import { until } from '../../support/until.ts';

const second = 1_000;

t.test('a holder that publishes more than leaves keeps its lease until it dies', async (t) => {
  const { server, bus } = await busStage(t, { process: 'watch' });
  const said: string[] = [];
  const start = (id: string, how: { turn: number; bytes: number }) => {
    const url = new URL('../../support/busy-holder.ts', import.meta.url);
    const child = fork(url, [JSON.stringify({ redis: server.url, id, ...how })], { execArgv: [] });
    child.on('message', (word) => said.push(`${id} ${word}`));
    t.teardown(() => child.kill('SIGKILL'));
    return child;
  };
  // More waits for Redis after each turn than its socket takes in one.
  const busy = start('busy', { turn: 2 * second, bytes: 2 ** 20 });
  await until(() => said.includes('busy begins'), 'it holds the lease');
  start('other', { turn: 1, bytes: 2 });
  await new Promise((resolve) => setTimeout(resolve, 20 * second));
  t.strictSame(said, ['busy begins'], 'it has held the lease all the time');
  t.match(await bus.leases().look(['okx']), [{ holder: 'busy' }]);

  busy.kill('SIGKILL');
  await until(
    () => said.includes('other begins'),
    'the other one follows within 10 s',
    10 * second,
  );
});
