import t from 'tap';
import { busStage } from '../../support/bus-stage.ts';
import { feedStatus } from '../../support/makers.ts';
import { until } from '../../support/until.ts';

const { server, bus, raw } = await busStage(t);
const leases = bus.leases();
const forever = 60_000;

t.test('one holder at a time, numbers grow and tell the time', async (t) => {
  const first = Number(await leases.acquire('binance', 'a', forever));
  t.ok(Math.abs(first - Date.now()) < 60_000);
  t.equal(await leases.acquire('binance', 'b', forever), null);
  const again = Number(await leases.acquire('binance', 'a', forever));
  t.ok(again > first, 'its holder asks again');
  t.type(await leases.acquire('okx', 'b', forever), 'number', 'another name is free');
  await leases.release('binance', 'b', again);
  await leases.release('binance', 'a', first);
  t.equal(await leases.acquire('binance', 'b', forever), null, 'only the newest number releases');
  await leases.release('binance', 'a', again);
  t.ok(Number(await leases.acquire('binance', 'b', forever)) > again);
});

t.test('only the holder renews, and a renewal sets the ttl', async (t) => {
  const fence = Number(await leases.acquire('renewed', 'a', 40));
  t.equal(await leases.renew('renewed', 'a', forever, fence), true);
  t.ok((await raw.pttl('lease:renewed')) > forever / 2);
  t.equal(await leases.renew('renewed', 'b', forever, fence), false);
  t.equal(await leases.renew('renewed', 'a', forever, fence - 1), false);
  t.equal(await leases.renew('never held', 'a', forever, fence), false);
});

t.test('a lease that has run out is held again, unless somebody has had it since', async (t) => {
  const hasRunOut = () =>
    until(async () => (await raw.exists('lease:late')) === 0, 'the lease has run out');
  const fence = Number(await leases.acquire('late', 'a', 20));
  await hasRunOut();
  t.equal(await leases.renew('late', 'a', forever, fence), true);
  t.equal(await leases.acquire('late', 'b', forever), null);
  await leases.release('late', 'a', fence);
  const next = Number(await leases.acquire('late', 'b', 20));
  t.ok(next > fence);
  await hasRunOut();
  t.equal(await leases.renew('late', 'a', forever, fence), false, 'b has had it');
});

t.test('numbers grow although Redis lost its memory', async (t) => {
  const before = Number(await leases.acquire('wiped', 'a', forever));
  await server.restart();
  await until(() => bus.state() === 'up', 'the bus is up again');
  t.equal(await leases.renew('wiped', 'a', forever, before), false);
  t.ok(Number(await leases.acquire('wiped', 'b', forever)) > before);
});

t.test('one process stands by, and gets the lease next', async (t) => {
  const stand = (process: string, isReady = false, ttl = forever) =>
    leases.standBy('heir', process, ttl, isReady);
  const seen = async () => {
    const [other, own] = await leases.look(['never held', 'heir']);
    t.strictSame(other, { holder: null, fence: 0, standby: null, isReady: false });
    return `${own?.holder} ${own?.fence} ${own?.standby} ${own?.isReady}`;
  };
  const first = Number(await leases.acquire('heir', 'a', forever));
  t.equal(await seen(), `a ${first} null false`);
  t.equal(await stand('b', false, 1_000), true);
  t.equal(await stand('c'), false);
  t.equal(await seen(), `a ${first} b false`);
  t.equal(await stand('b', true), true, 'for longer');
  t.ok((await raw.pttl('standby:heir')) > 10_000);
  t.equal(await seen(), `a ${first} b true`);
  t.equal(await leases.acquire('heir', 'b', forever), null, 'while there is a holder');
  await leases.release('heir', 'a', first);
  t.equal(await leases.acquire('heir', 'c', forever), null);
  t.equal(await leases.acquire('heir', 'bb', forever), null, 'the name begins alike');
  const second = await leases.acquire('heir', 'b', forever);
  t.equal(await seen(), `b ${second} null false`);
  t.equal(await stand('c'), true);
  t.equal(await stand('b', false, 1), false);
  t.equal(await seen(), `b ${second} c false`, 'only its own');
  t.equal(await stand('c', false, 1), true, 'no longer');
  await until(async () => (await raw.exists('standby:heir')) === 0, 'nobody stands by');
  t.equal(await seen(), `b ${second} null false`);
});

t.test('every method rejects while Redis is away', async (t) => {
  await server.kill();
  await t.rejects(leases.acquire('away', 'a', forever));
  await t.rejects(leases.renew('away', 'a', forever, 1));
  await t.rejects(leases.release('away', 'a', 1));
  await t.rejects(leases.standBy('away', 'a', forever, true));
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
  await own.release('x', 'a', first);
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
