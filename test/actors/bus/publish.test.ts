import t from 'tap';
import { topics } from '../../../actors/topics/index.ts';
import { busStage } from '../../support/bus-stage.ts';
import { feedStatus } from '../../support/makers.ts';
import { until } from '../../support/until.ts';

const { server, bus, raw } = await busStage(t, { process: 'publisher' });

const status = (rows: number, source = 'binance') => feedStatus({ source, rows });

t.beforeEach(() => raw.flushall());

t.test('the stream gets an entry, the hash the last value', async (t) => {
  t.equal(await bus.publish('status', 'a', status(1)), 'published');
  t.equal(await bus.publish('status', 'a', status(2)), 'published');
  t.equal(await bus.publish('status', 'b', status(3, 'okx')), 'published');
  const last = await bus.last('status');
  t.same([...last].sort(), [
    ['a', status(2)],
    ['b', status(3, 'okx')],
  ]);
  const entries = await raw.xrange('feed:status', '-', '+');
  t.same(
    entries.map(([, fields]) => [fields[0], fields[1], fields[2], fields[3], fields[4]]),
    [
      ['key', 'a', 'seq', '1', 'data'],
      ['key', 'a', 'seq', '2', 'data'],
      ['key', 'b', 'seq', '3', 'data'],
    ],
  );
  t.equal((await bus.last('prices')).size, 0);
});

t.test('a stale fence is refused and changes nothing', async (t) => {
  const leases = bus.leases();
  const old = Number(await leases.acquire('binance', 'a', 60_000));
  t.equal(
    await bus.publish('status', 'k', status(1), { name: 'binance', fence: old }),
    'published',
  );
  await leases.release('binance', 'a');
  const now = Number(await leases.acquire('binance', 'b', 60_000));
  t.equal(await bus.publish('status', 'k', status(2), { name: 'binance', fence: old }), 'refused');
  t.equal(await raw.xlen('feed:status'), 1);
  t.equal(await raw.get('seq:status'), '1');
  t.same((await bus.last('status')).get('k'), status(1));
  t.equal(
    await bus.publish('status', 'k', status(3), { name: 'binance', fence: now }),
    'published',
  );
  t.same((await bus.last('status')).get('k'), status(3));
});

t.test('of two at once the newer fence wins, whatever the order', async (t) => {
  await raw.set('fence:x', 7);
  const results = await Promise.all(
    [6, 7, 6, 7, 8].map((fence) => bus.publish('status', 'k', status(fence), { name: 'x', fence })),
  );
  t.same(results, ['refused', 'published', 'refused', 'published', 'published']);
  t.equal(await raw.xlen('feed:status'), 3);
});

t.test('the stream is trimmed to about its length, the hash never', async (t) => {
  const { length } = topics.status;
  const sent = Array.from({ length: 3 * length }, (_, i) =>
    bus.publish('status', `k${i}`, status(i)),
  );
  await Promise.all(sent);
  const left = await raw.xlen('feed:status');
  t.ok(left >= length && left < 2 * length, `${left} entries`);
  t.equal((await bus.last('status')).size, 3 * length);
});

t.test('what cannot be read is left out of the last values', async (t) => {
  await bus.publish('status', 'good', status(1));
  await raw.hset('last:status', 'bad', 'no payload');
  t.same([...(await bus.last('status')).keys()], ['good']);
  t.same(await bus.lastOf('status', 'good'), status(1), 'one key alone');
  t.equal(await bus.lastOf('status', 'bad'), undefined);
  t.equal(await bus.lastOf('status', 'absent'), undefined);
});

t.test('Redis away is an answer to publish, and last rejects', async (t) => {
  await server.kill();
  t.equal(await bus.publish('status', 'k', status(1)), 'unavailable');
  await t.rejects(bus.last('status'));
  await until(() => bus.state() === 'down', 'the bus is down');
  await server.restart();
  await until(() => bus.state() === 'up', 'the bus is up');
  t.equal(await bus.publish('status', 'k', status(1)), 'published');
});

/** The server's id of the publisher's connection; undefined while there is none. */
async function connection(): Promise<string | undefined> {
  const clients = String(await raw.client('LIST')).split('\n');
  const own = clients.find((line) => line.includes(' name=publisher '));
  return own === undefined ? undefined : /^id=(\d+)/.exec(own)?.[1];
}

t.test('a replica refuses writes, and is used again once it is a primary', async (t) => {
  t.equal(await bus.publish('status', 'k', status(1)), 'published');
  const refused = await connection();
  await raw.replicaof('127.0.0.1', 1);
  t.equal(await bus.publish('status', 'k', status(2)), 'unavailable');
  await until(
    async () => (await connection()) !== refused,
    'it is made anew, the name may lead elsewhere',
  );
  await raw.replicaof('NO', 'ONE');
  await until(() => bus.state() === 'up', 'the bus is up');
  t.equal(await bus.publish('status', 'k', status(3)), 'published');
});
