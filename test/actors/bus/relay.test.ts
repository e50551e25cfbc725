import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import t from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import { encode } from '../../../actors/bus/codec.ts';
import { systemClock } from '../../../actors/kernel/clock.ts';
import { schemas } from '../../../actors/topics/index.ts';
import { hour } from '../../../config/time.ts';
import { relayStage } from '../../support/bus-stage.ts';
import { followContract, status, watch } from '../../support/follow-contract.ts';
import { feedStatus, liquidations } from '../../support/makers.ts';
import { property } from '../../support/property.ts';
import { until } from '../../support/until.ts';

followContract(t, relayStage);

/** A client of Redis, connected to a socket. */
async function clientOf(t: Pick<typeof import('tap').t, 'teardown'>, path: string): Promise<Redis> {
  const client = new Redis(path, { lazyConnect: true, disableClientInfo: true, protocol: 2 });
  client.on('error', () => {});
  t.teardown(() => client.disconnect());
  await client.connect();
  return client;
}

t.test('it answers as Redis does', async (t) => {
  const { server, bus, path } = await relayStage(t);
  const relayed = await clientOf(t, path);
  const raw = await clientOf(t, server.url.replace('unix://', ''));
  const topic = fc.constantFrom('status' as const, 'liquidations' as const);
  const publication = fc.tuple(topic, fc.constantFrom('a', 'b', 'Ω'), fc.nat({ max: 99 }));
  const place = fc.tuple(fc.nat(), fc.constantFrom(-1, 0, 1));
  const asked = fc.record({
    published: fc.array(publication, { maxLength: 8 }),
    places: fc.tuple(place, place),
    most: fc.integer({ min: 1, max: 12 }),
  });
  const publish = ([topic, key, number]: [string, string, number]) =>
    topic === 'status'
      ? bus.publish('status', key, status(number))
      : bus.publish('liquidations', key, liquidations({ at: number }));
  const idAt = async (stream: string, [at, beside]: readonly [number, number]) => {
    const ids = (await raw.xrange(stream, '-', '+')).map(([id]) => id);
    const [ms, count] = (ids[at % ids.length] ?? '0-0').split('-').map(Number);
    return `${ms}-${Math.max(0, Number(count) + beside)}`;
  };
  const numbers = ['seq:status', 'seq:liquidations', 'seq:prices'];
  const both = async (command: string, ...args: readonly (string | number)[]) => {
    const [own, reference] = await Promise.all([
      relayed.callBuffer(command, ...args),
      raw.callBuffer(command, ...args),
    ]);
    return { own, reference };
  };
  await property(
    t,
    asked,
    async ({ published, places: [one, other], most }) => {
      for (const each of published) await publish(each);
      const isThere = async () => {
        const { own, reference } = await both('MGET', ...numbers);
        return JSON.stringify(own) === JSON.stringify(reference);
      };
      await until(isThere, 'it has what Redis has');
      const [of, from] = [await idAt('feed:status', one), await idAt('feed:liquidations', other)];
      const streams = ['STREAMS', 'feed:status', 'feed:liquidations', 'feed:prices'];
      const reads: [command: string, ...args: (string | number)[]][] = [
        ['XREAD', 'COUNT', most, ...streams, of, from, '0-0'],
        ['XREAD', 'COUNT', most, 'BLOCK', 1, ...streams, of, from, '0-0'],
        ['XRANGE', 'feed:liquidations', `(${from}`, '+', 'COUNT', most],
        ['XRANGE', 'feed:liquidations', '-', '+', 'COUNT', most],
        ['XREVRANGE', 'feed:status', of, '-', 'COUNT', 1],
        ['XREVRANGE', 'feed:liquidations', from, '-', 'COUNT', 1],
        ['XREVRANGE', 'feed:status', '+', '-', 'COUNT', 1],
        ['GET', 'seq:liquidations'],
        ['GET', 'seq:status'],
        ['HGETALL', 'last:prices'],
      ];
      for (const [command, ...args] of reads) {
        const { own, reference } = await both(command, ...args);
        assert.deepEqual(own, reference, [command, ...args].join(' '));
      }
      assert.deepEqual(await relayed.hgetall('last:status'), await raw.hgetall('last:status'));
    },
    60,
  );
});

t.test('Redis sends an entry once, to any number of followers', async (t) => {
  const { raw, bus, join } = await relayStage(t);
  const followers = Array.from({ length: 8 }, () => watch(join()));
  await Promise.all(followers.map(({ follower }) => follower.ready));
  const sent = async () =>
    Number(/total_net_output_bytes:(\d+)/.exec(await raw.info('stats'))?.[1] ?? 0);
  const text = 'x'.repeat(2_000);
  const before = await sent();
  for (let rows = 1; rows <= 500; rows++)
    await bus.publish('status', text, feedStatus({ rows, part: text }));
  for (const { newest } of followers) await until(() => newest.get(text) === 500, 'all have come');
  const bytes = (await sent()) - before;
  t.ok(bytes > 500 * 4_000, 'each entry was sent');
  t.ok(bytes < 2 * 500 * 4_000, `and not twice: ${bytes} bytes`);
  const clients = String(await raw.client('LIST'));
  t.equal(clients.match(/name=host\/follow /g)?.length, 1);
  t.equal(clients.match(/\/follow /g)?.length, 1, 'nobody else follows');
});

t.test('a follower that takes nothing is cut off, the others go on', async (t) => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead, after: systemClock.after };
  const { bus, relay, path } = await relayStage(t, { clock });
  const { newest, follower } = watch(bus);
  await follower.ready;
  const large = (rows: number) => feedStatus({ rows, part: 'x'.repeat(100_000) });
  for (let rows = 1; rows <= 32; rows++) await bus.publish('status', 'k', large(rows));
  await until(() => newest.get('k') === 32, 'the other follower has it');
  const slow = createConnection(path);
  t.teardown(() => slow.destroy());
  await once(slow, 'connect');
  slow.pause();
  const words = ['XREAD', 'STREAMS', 'feed:status', '0-0'];
  slow.write(`*4\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`);
  await until(() => relay.followers() === 2, 'both are there');
  await bus.publish('status', 'k', large(33));
  await until(() => newest.get('k') === 33, 'it does not wait for the slow one');
  t.equal(relay.followers(), 2);
  ahead = 6_000;
  await until(() => relay.followers() === 1, 'the slow one is cut off');
  await bus.publish('status', 'k', large(34));
  await until(() => newest.get('k') === 34, 'the other goes on');
  t.equal(follower.counts().loads, 1, 'without reading again');
});

t.test('what is no request, or none of a follower', async (t) => {
  const { path, relay } = await relayStage(t);
  for (const bytes of ['GET x\r\n', '*1\r\n:1\r\n', `*1\r\n$99999\r\n${'x'.repeat(70_000)}`]) {
    const socket = createConnection(path);
    socket.on('error', () => {});
    socket.resume();
    socket.write(bytes);
    await once(socket, 'close');
  }
  await until(() => relay.followers() === 0, 'they are gone');
  const client = await clientOf(t, path);
  await t.rejects(client.set('a', 'b'), /does not know/);
  await t.rejects(client.hgetall('other'), /does not hold other/);
  await t.rejects(client.call('XREAD', 'feed:status', '0-0'), /XREAD/);
  await t.rejects(client.call('XREAD', 'STREAMS', 'feed:status', 'x'), /no id/);
  t.equal(await client.ping(), 'PONG', 'it goes on after each');
});

t.test('a position that is newer than what the relay has read yet', async (t) => {
  const { raw, path } = await relayStage(t);
  const client = await clientOf(t, path);
  await raw.set('seq:liquidations', 7);
  t.equal(await client.get('seq:liquidations'), '7', 'of a log, the number is that of Redis');
});

t.test('a log whose latest entries a fail-over lost, and whose numbers come again', async (t) => {
  const { raw, bus, join } = await relayStage(t);
  const tell = (at: number) => bus.publish('liquidations', 'k', liquidations({ at }));
  const seen: number[] = [];
  const follower = join().follow({ liquidations: (_key, { at }) => void seen.push(at) });
  for (const at of [1, 2, 3]) await tell(at);
  await until(() => seen.length === 3, 'all have come');
  const [[lost = ''] = []] = await raw.xrevrange('feed:liquidations', '+', '-', 'COUNT', 1);
  await raw.multi().xdel('feed:liquidations', lost).set('seq:liquidations', 2).exec();
  await raw.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await until(() => tell(4).then((outcome) => outcome === 'published'), 'it takes entries again');
  await until(() => seen.includes(4), 'the new entry with the number of the lost one has come');
  t.strictSame(seen, [1, 2, 3, 4]);
  await until(() => follower.state() === 'up', 'it is up');
});

for (const count of [1, 2, 3])
  t.test(
    `a master that was read after its successor had ${count} entries of its own`,
    async (t) => {
      const { raw, bus, join, server } = await relayStage(t);
      const tell = (at: number) => bus.publish('liquidations', 'k', liquidations({ at }));
      const readers = [join(), createBus({ url: server.url, process: 'direct' })];
      t.teardown(() => readers[1]?.close());
      const seen = readers.map((one) => {
        const times: number[] = [];
        one.follow({ liquidations: (_key, { at }) => void times.push(at) });
        return times;
      });
      for (const at of [1, 2, 3]) await tell(at);
      await until(() => seen.every(({ length }) => length === 3), 'all have come');
      const [[id, fields = []] = []] = await raw.xrangeBuffer('feed:liquidations', '-', '+');
      const [ms, nth] = String(id).split('-').map(Number);
      // As the log of the successor is: the first entry in common, the others with ids before those that were read.
      const log = raw.multi().del('feed:liquidations');
      log.xadd('feed:liquidations', String(id), ...fields);
      for (let i = 1; i <= count; i++) {
        const data = encode(liquidations({ at: 10 + i }), schemas.liquidations);
        const own = ['key', 'k', 'seq', 1 + i, 'data', data];
        // Far from the ids of the others of that millisecond.
        log.xadd('feed:liquidations', `${ms}-${Number(nth) + 1_000 + i}`, ...own);
      }
      await log.set('seq:liquidations', 1 + count).exec();
      await raw.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await until(
        () => tell(20).then((outcome) => outcome === 'published'),
        'it takes entries again',
      );
      await until(() => seen.every((times) => times.includes(20)), 'the newest has come');
      const own = [11, 12, 13].slice(0, count);
      for (const times of seen) t.strictSame(times, [1, 2, 3, ...own, 20]);
    },
  );

t.test('keys that were forgotten are gone within an hour', async (t) => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead, after: systemClock.after };
  const { bus, path } = await relayStage(t, { clock });
  const client = await clientOf(t, path);
  for (const key of ['a', 'b']) await bus.publish('status', key, status(1));
  await until(async () => (await client.hgetall('last:status')).b !== undefined, 'it has both');
  await bus.forget('status', ['a']);
  ahead = hour;
  const keys = async () => Object.keys(await client.hgetall('last:status'));
  await until(async () => (await keys()).length === 1, 'one of them');
  t.strictSame(await keys(), ['b']);
});

t.test('a Redis that is away shows in every follower', async (t) => {
  const { server, bus, join } = await relayStage(t);
  const watched = [watch(join()), watch(join())];
  await Promise.all(watched.map(({ follower }) => follower.ready));
  for (const { follower } of watched) await until(() => follower.state() === 'up', 'it is up');
  server.freeze();
  for (const { follower } of watched) await until(() => follower.state() === 'down', 'it is down');
  const late = watch(join());
  server.thaw();
  for (const { follower } of watched) await until(() => follower.state() === 'up', 'it is back');
  await until(() => bus.state() === 'up', 'the publisher is back');
  await bus.publish('status', 'k', status(9));
  for (const { newest } of [...watched, late])
    await until(() => newest.get('k') === 9, 'the value has come');
});
