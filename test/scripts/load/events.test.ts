/** The short form of `npm run load:events`: the feed and the history alone, on a real Redis and real connections. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { accountOf, Heard, storedIn } from '../../../scripts/load/event-account.ts';
import { EventUpstream } from '../../../scripts/load/event-upstream.ts';
import { busStage } from '../../support/bus-stage.ts';
import { until } from '../../support/until.ts';

/** Events in ten ms, and how many are sent on open connections between two disturbances. */
const [burst, between] = [5, 150];
const root = join(import.meta.dirname, '..', '..', '..');
const script = new URL('../../support/event-process.ts', import.meta.url);
const flags = [
  '--disable-warning=ExperimentalWarning',
  `--require=${join(root, 'config', 'strip-types.cjs')}`,
];

t.test('each received event is stored once, whichever process ends in between', async (t) => {
  const { server: redis, bus } = await busStage(t);
  const upstream = new EventUpstream();
  const gateway = await upstream.listen();
  t.teardown(() => upstream.close());
  const heard = new Heard();
  bus.follow({ liquidations: (_key, entry) => heard.accept(entry) });

  const file = join(redis.dir, 'history.sqlite');
  const start = (role: 'feed' | 'history') => {
    const options = JSON.stringify({ role, redis: redis.url, gateway, file });
    const child = fork(script, [options], { execArgv: flags });
    t.teardown(() => child.kill('SIGKILL'));
    return child;
  };
  const kill = async (child: ReturnType<typeof start>) => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };

  const sending = setInterval(() => {
    for (let sent = 0; sent < burst; sent++) upstream.send();
  }, 10);
  t.teardown(() => clearInterval(sending));
  const sent = () => upstream.sent.filter(({ listeners }) => listeners > 0).length;
  const more = async () => {
    const enough = sent() + between;
    await until(() => sent() >= enough, 'events are sent on an open connection');
  };

  const history = start('history');
  const feed = start('feed');
  await more();
  upstream.disconnect();
  await more();
  await kill(feed);
  start('feed');
  await more();
  await kill(history);
  await more();
  start('history');
  clearInterval(sending);

  const account = () => accountOf(upstream, heard, storedIn(file));
  await until(() => account().missing === 0, 'all is stored', 30_000, 100).catch(() => {});
  const { missing, twice, unheard, stored } = account();
  t.same({ missing, twice }, { missing: 0, twice: 0 });
  t.ok(unheard > 0 && stored >= 2 * between, 'some were sent to no connection, most are stored');
  t.ok(heard.stretches.length >= 3, 'both holes are named');
});
