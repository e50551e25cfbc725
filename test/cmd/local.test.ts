/** The whole service as a stranger starts it: every process, a real redis-server, the simulator. */
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { venues } from '../../actors/venues/registry.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const start = (t: Test) => startService(t, { args: ['--demo'] });

const works = async ({ get }: Service) => {
  try {
    const price = await get('/v1/prices?symbol=BTC');
    const book = await get('/v2/orderbook?exchange=okx&symbol=BTC-USDT-SWAP&depth=1');
    const rsi = await get('/v1/indicators?symbol=BTCUSDT');
    return [price, book, rsi].every(({ status }) => status === 200);
  } catch {
    return false;
  }
};

t.test(
  'it serves, survives the death of any of its processes, and leaves none behind',
  async (t) => {
    const service = await start(t);
    const { get, running } = service;

    const prices = await get('/v1/prices?symbol=btc');
    const exchanges = Object.keys(venues).sort();
    t.same(Object.keys(prices.data.exchanges ?? {}).sort(), exchanges, 'all of the registry');
    const status = await get('/v1/status');
    t.same(Object.keys(status.data.sources ?? {}).sort(), exchanges);
    t.equal((await get('/v1/bars?symbol=ETH&interval=1d&limit=3')).status, 200);

    const parts = [
      'cmd/web.ts',
      'cmd/feed.ts',
      'cmd/compute.ts',
      'redis-server',
      'simulator/main.ts',
    ];
    for (const part of parts) {
      const before = running(part);
      t.ok(before.length > 0, `${part} runs`);
      for (const pid of before) process.kill(pid, 'SIGKILL');
      await until(() => running(part).some((pid) => !before.includes(pid)), `${part} is back`);
      await until(
        () => works(service),
        `the service works again without the killed ${part}`,
        40_000,
        // Six hundred requests a minute are all that the key may make.
        250,
      );
      t.pass(`killed ${part}: it came back`);
    }

    const ended = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    const [code] = await ended;
    t.equal(code, 0, 'SIGTERM ends it with status 0');
    await until(() => running().length === 0, 'no process is left', 10_000);
  },
);

t.test('a SIGKILL of the one command takes everything with it', async (t) => {
  const service = await start(t);
  t.ok(service.running().length > 4);
  service.child.kill('SIGKILL');
  await until(() => service.running().length === 0, 'all processes are gone', 15_000);
  t.pass('nothing is left');
});
