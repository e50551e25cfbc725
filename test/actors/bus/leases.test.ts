import t from 'tap';
import { busStage } from '../../support/bus-stage.ts';
import { feedStatus } from '../../support/makers.ts';
import { until } from '../../support/until.ts';

const { server, bus, raw } = await busStage(t);
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

t.test('a lease that has run out is held again, unless somebody has had it since', async (t) => {
  const fence = Number(await leases.acquire('late', 'a', 20));
  await until(async () => (await raw.exists('lease:late')) === 0, 'it has run out');
  t.equal(await leases.renew('late', 'a', forever), false, 'not without its number');
  t.equal(await leases.renew('late', 'a', forever, fence - 1), false);
  t.equal(await leases.renew('late', 'a', forever, fence), true);
  t.equal(await leases.acquire('late', 'b', forever), null);
  await leases.release('late', 'a');
  await leases.acquire('late', 'b', 20);
  await until(async () => (await raw.exists('lease:late')) === 0, 'it has run out again');
  t.equal(await leases.renew('late', 'a', forever, fence), false, 'b has had it');
});

t.test('one process stands by and gets the lease next, and there is one a minute', async (t) => {
  const stand = (process: string, how = {}) =>
    leases.standBy('heir', process, { ttl: forever, ...how });
  const seen = async () => {
    const [other, own] = await leases.look(['never held', 'heir']);
    t.strictSame(other, { holder: null, standby: null, isReady: false, rests: false });
    return `${own?.holder} ${own?.standby} ${own?.isReady}${own?.rests ? ' rests' : ''}`;
  };
  await leases.acquire('heir', 'a/1', forever);
  t.equal(await seen(), 'a null false');
  t.equal(await stand('b', { ttl: 1_000 }), true);
  t.equal(await stand('c'), false);
  t.equal(await seen(), 'a b false rests');
  t.equal(await stand('b', { isReady: true }), true, 'for longer');
  t.ok((await raw.pttl('standby:heir')) > 10_000);
  t.equal(await seen(), 'a b true rests');
  t.equal(await leases.acquire('heir', 'b/1', forever), null, 'while there is a holder');
  await leases.release('heir', 'a/1');
  t.equal(await leases.acquire('heir', 'c/1', forever), null);
  t.equal(await leases.acquire('heir', 'bb/1', forever), null, 'the name begins alike');
  t.type(await leases.acquire('heir', 'b/2', forever), 'number');
  t.equal(await seen(), 'b null false rests');
  t.equal(await stand('c'), false, 'within the same minute');
  const left = await raw.pttl('rest:heir');
  t.ok(left > 50_000 && left <= 60_000, `${left} ms`);
  t.equal(await stand('c', { isLeft: true }), true, 'but of a holder that ends');
  t.equal(await stand('d', { isLeft: true }), false, 'one at a time');
  await leases.withdraw('heir', 'c');
  await raw.del('rest:heir');
  t.equal(await stand('c'), true);
  await leases.withdraw('heir', 'b');
  t.equal(await seen(), 'b c false rests', 'only its own');
  await leases.withdraw('heir', 'c');
  t.equal(await seen(), 'b null false rests');
});

t.test('every method rejects while Redis is away', async (t) => {
  await server.kill();
  await t.rejects(leases.acquire('away', 'a', forever));
  await t.rejects(leases.renew('away', 'a', forever));
  await t.rejects(leases.release('away', 'a'));
  await t.rejects(leases.standBy('away', 'a', { ttl: forever }));
  await t.rejects(leases.withdraw('away', 'a'));
  await t.rejects(leases.look(['away']));
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
  t.equal(await own.renew('x', 'b', forever, second), true, 'and its holder keeps it');
  t.equal(await publish(second + 1), 'published');
  t.equal(await own.renew('x', 'b', forever, second), false, 'until another one has published');
  await market.server.kill();
  await t.rejects(own.renew('x', 'a', forever, first));
});
