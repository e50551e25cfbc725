import t from 'tap';
import { appendLua } from '../../../actors/bus/published.ts';
import { topics } from '../../../actors/topics/index.ts';
import { busStage } from '../../support/bus-stage.ts';
import { feedStatus, priceRow } from '../../support/makers.ts';
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

t.test('a stream is kept by time: what is younger stays, however much it is', async (t) => {
  const { keep } = topics.status;
  const old = Date.now() - keep;
  const some = 1_000;
  const before = raw.pipeline();
  for (let i = 0; i < some; i++) before.xadd('feed:status', `${old - 60_000}-${i}`, 'key', 'k');
  for (let i = 0; i < some; i++) before.xadd('feed:status', `${old + 10_000}-${i}`, 'key', 'k');
  await before.exec();
  const burst = 3_000;
  for (let i = 0; i < burst; i += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, nth) => bus.publish('status', `${i + nth}`, status(1))),
    );
  const young = await raw.xrange('feed:status', `${old + 10_000}`, '+');
  t.equal(young.length, some + burst, 'a burst pushes out nothing');
  const left = await raw.xrange('feed:status', '-', `${old - 1}`);
  // Redis trims by nodes of 100 entries.
  t.ok(left.length < 100, `${left.length} that are older are left`);
  t.equal((await bus.last('status')).size, burst, 'the hash has every key');
});

t.test('a log that others fill has a bound in number besides', async (t) => {
  const lua = `${appendLua} for i = 1, 5000 do append(KEYS[1], KEYS[2], 'k', 'x', 60000, 500) end`;
  await raw.eval(lua, 2, 'feed:x', 'seq:x');
  const length = await raw.xlen('feed:x');
  t.ok(length >= 500 && length < 600, `${length} entries`);
  t.ok((topics.liquidations.most ?? 0) > 0);
});

t.test('a stale fence is refused and changes nothing', async (t) => {
  const leases = bus.leases();
  const old = Number(await leases.acquire('binance', 'a', 60_000));
  t.equal(
    await bus.publish('status', 'k', status(1), { name: 'binance', fence: old }),
    'published',
  );
  await leases.release('binance', 'a', old);
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

t.test(
  'what is published in one turn is one command, each value with its own outcome',
  async (t) => {
    await raw.set('fence:old', 9);
    const calls = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1] ?? 0);
    await bus.publish('status', 'first', status(1));
    const before = await calls();
    const now = Date.now();
    const about = { source: 'okx', part: 'all', asked: now, received: now, rows: [] };
    const outcomes = await Promise.all([
      bus.publish('status', 'a', status(2)),
      bus.publish('prices', 'okx/all', about),
      bus.publish('status', 'refused', status(3), { name: 'old', fence: 8 }),
      bus.publish('status', 'a', status(4), { name: 'new', fence: 5 }),
    ]);
    t.same(outcomes, ['published', 'published', 'refused', 'published']);
    t.equal((await calls()) - before, 1);
    t.same((await bus.last('status')).get('a'), status(4), 'the later one');
    t.same([...(await bus.last('status')).keys()].sort(), ['a', 'first']);
    t.same(await bus.lastOf('prices', 'okx/all'), about);
    const entries = await raw.xrange('feed:status', '-', '+');
    t.same(
      entries.map(([, [, key, , seq]]) => [key, seq]),
      [
        ['first', '1'],
        ['a', '2'],
        ['a', '3'],
      ],
    );
    t.same([await raw.get('seq:prices'), await raw.get('fence:new')], ['1', '5']);
  },
);

t.test('changes of one turn are one entry, but for those whose lease is lost', async (t) => {
  const now = Date.now();
  const change = (source: string, price: number) => ({
    source,
    part: 'spot',
    asked: now,
    received: now,
    rows: [priceRow({ market: `${source}USDT`, price })],
  });
  await raw.set('fence:lost', 9);
  const told: unknown[] = [];
  const follower = bus.follow({
    priceChanges: (key, { rows }, { seq }) => told.push([key, rows[0]?.price, seq]),
  });
  await follower.ready;
  const publish = (source: string, price: number, name?: string) =>
    bus.publish(
      'priceChanges',
      `${source}/spot`,
      change(source, price),
      name === undefined ? undefined : { name, fence: 8 },
    );
  t.same(await Promise.all([publish('a', 1, 'a'), publish('b', 2, 'b'), publish('a', 3, 'a')]), [
    'published',
    'published',
    'published',
  ]);
  t.equal(await raw.xlen('feed:priceChanges'), 1);
  t.same(await Promise.all([publish('a', 4, 'a'), publish('c', 5, 'lost'), publish('b', 6, 'b')]), [
    'published',
    'refused',
    'published',
  ]);
  await until(() => told.length === 5, 'all are told');
  t.same(told, [
    ['a/spot', 1, 1],
    ['b/spot', 2, 1],
    ['a/spot', 3, 1],
    ['a/spot', 4, 2],
    ['b/spot', 6, 3],
  ]);
  t.equal(await raw.exists('last:priceChanges'), 0, 'a log has no last values');
  const large = Array.from({ length: 9_000 }, (_, i) =>
    priceRow({ market: `M${i}`, price: Math.sin(i) + 2 }),
  );
  await Promise.all(
    ['x', 'y'].map((source) =>
      bus.publish('priceChanges', `${source}/spot`, { ...change(source, 1), rows: large }),
    ),
  );
  t.equal(await raw.xlen('feed:priceChanges'), 5, 'large ones are not joined');
  await follower.stop();
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
