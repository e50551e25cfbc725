import t from 'tap';
import { busStage } from '../../support/bus-stage.ts';
import { feedStatus } from '../../support/makers.ts';
import { until } from '../../support/until.ts';

const { server, bus } = await busStage(t);
const leases = bus.leases();
const forever = 60_000;

t.test('one holder at a time, numbers grow', async (t) => {
  const first = await leases.acquire('binance', 'a', forever);
  t.type(first, 'number');
  t.equal(await leases.acquire('binance', 'b', forever), null);
  t.equal(await leases.acquire('binance', 'a', forever), null, 'not even its own holder');
  t.type(await leases.acquire('okx', 'b', forever), 'number', 'another name is free');
  await leases.release('binance', 'b');
  t.equal(await leases.acquire('binance', 'b', forever), null, 'only the holder releases');
  await leases.release('binance', 'a');
  const second = await leases.acquire('binance', 'b', forever);
  t.ok(Number(second) > Number(first));
});

t.test('only the holder renews, and a renewal sets the ttl', async (t) => {
  await leases.acquire('renewed', 'a', 40);
  t.equal(await leases.renew('renewed', 'a', forever), true);
  t.equal(await leases.renew('renewed', 'b', forever), false);
  t.equal(await leases.renew('never held', 'a', forever), false);
  t.equal(await leases.acquire('renewed', 'b', forever), null);
});

t.test('an unrenewed lease ends, and its holder cannot renew or release it any more', async (t) => {
  const first = await leases.acquire('short', 'a', 20);
  let second: number | null = null;
  await until(async () => {
    second = await leases.acquire('short', 'b', forever);
    return second !== null;
  }, 'the lease is free');
  t.ok(Number(second) > Number(first));
  t.equal(await leases.renew('short', 'a', forever), false);
  await leases.release('short', 'a');
  t.equal(await leases.renew('short', 'b', forever), true, 'still the second holder’s');
});

t.test('numbers grow although Redis lost its memory', async (t) => {
  const before = await leases.acquire('wiped', 'a', forever);
  await server.restart();
  await until(() => bus.state() === 'up', 'the bus is up again');
  t.equal(await leases.renew('wiped', 'a', forever), false);
  const after = await leases.acquire('wiped', 'b', forever);
  t.ok(Number(after) > Number(before));
});

t.test('every method rejects while Redis is away', async (t) => {
  await server.kill();
  await t.rejects(leases.acquire('away', 'a', forever));
  await t.rejects(leases.renew('away', 'a', forever));
  await t.rejects(leases.release('away', 'a'));
});

t.test('leases of one server for publications to another', async (t) => {
  const [keys, market] = [await busStage(t), await busStage(t)];
  const own = keys.bus.leases(market.bus.fence);
  const status = feedStatus({ rows: 1 });
  const publish = (fence: number) =>
    market.bus.publish('status', 'k', status, { name: 'x', fence });
  const first = Number(await own.acquire('x', 'a', forever));
  t.equal(await publish(first), 'published');
  await own.release('x', 'a');
  // As a server whose clock was ahead has given it.
  const ahead = Date.now() + 3_600_000;
  t.equal(await publish(ahead), 'published');
  const second = Number(await own.acquire('x', 'b', forever));
  t.equal(second, ahead + 1, 'above all that were published with');
  t.equal(await publish(second), 'published');
  t.strictSame([await publish(first), await publish(ahead)], ['refused', 'refused']);

  await keys.server.kill();
  await t.rejects(own.acquire('y', 'b', forever), 'nobody gets a lease');
  t.equal(await own.renew('x', 'b', forever), true, 'and its holder keeps it');
  t.equal(await publish(second + 1), 'published');
  t.equal(await own.renew('x', 'b', forever), false, 'until another one has published');
  await market.server.kill();
  await t.rejects(own.renew('x', 'a', forever));
});

t.test('a lease that ended while nobody could get it goes on', async (t) => {
  const { bus, raw } = await busStage(t);
  const own = bus.leases();
  const fence = Number(await own.acquire('x', 'a', forever));
  await raw.del('lease:x');
  t.equal(await own.renew('x', 'a', forever), true);
  t.equal(await own.acquire('x', 'b', forever), null);
  await raw.set('fence:x', fence + 1);
  t.equal(await own.renew('x', 'a', forever), false, 'a newer one has been there');
});
