/** A bus as a whole: its parts, their defaults and their end; a Redis that takes no writes. */
import t from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import { fromFailure } from '../../../http/wire/errors.ts';
import { busStage, redisStage } from '../../support/bus-stage.ts';
import { FakeClock } from '../../support/clock.ts';
import { feedStatus } from '../../support/makers.ts';
import { until } from '../../support/until.ts';
import { failureOf } from '../../support/upstream.ts';
import { request as requestOf } from './questions.ts';

const status = feedStatus({ rows: 1 });
const request = requestOf('BTC-USDT');

t.test('maxmemory is reached', async (t) => {
  const { raw, join } = await redisStage(t, ['--maxmemory-policy', 'noeviction']);
  const bus = join();
  t.equal(await bus.publish('status', 'k', status), 'published');
  t.equal(bus.state(), 'up');
  await raw.config('SET', 'maxmemory', '1');
  const failure = failureOf(await bus.query(request));
  t.match(failure, { code: 'redis_away', message: /OOM/ });
  t.equal(bus.state(), 'read_only', 'not down');
  t.equal((await bus.lastOf('status', 'k'))?.rows, 1, 'reads go on');
  t.equal(await bus.publish('status', 'k', status), 'unavailable');

  const error = fromFailure(failure, 'the order book of okx');
  t.match(error, { error: 'store_unavailable', retryAfter: 2 }, '503 with a time, not a 502');
  t.notMatch(error.message, /okx|OOM/);

  await raw.config('SET', 'maxmemory', '0');
  t.equal(bus.state(), 'read_only', 'until a write goes through');
  t.equal(await bus.publish('status', 'k', status), 'published');
  t.equal(bus.state(), 'up');
});

t.test('a Redis that stops answering is logged once, and its return once', async (t) => {
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  const { server, bus } = await busStage(t, { log: { info: note, warn: note, error: note } });
  const publishAll = () =>
    Promise.all(Array.from({ length: 200 }, (_, i) => bus.publish('status', `${i}`, status)));
  t.strictSame(new Set(await publishAll()), new Set(['published']));
  server.freeze();
  t.strictSame(new Set(await publishAll()), new Set(['unavailable']), 'none is answered in time');
  t.strictSame(new Set(await publishAll()), new Set(['unavailable']));
  t.equal(lines.filter((line) => line === 'Redis does not answer commands').length, 1);
  t.notOk(lines.includes('not published'));
  t.ok(lines.length <= 3, lines.join());
  server.thaw();
  await until(async () => (await bus.publish('status', 'k', status)) === 'published', 'it is back');
  t.equal(lines.filter((line) => line === 'Redis answers commands again').length, 1);
});

t.test('the parts of a bus, and its end', async (t) => {
  const clock = new FakeClock(Date.now());
  const { raw, bus } = await busStage(t, { clock });
  const seen: number[] = [];
  const follower = bus.follow({ status: (_key, { rows }) => void seen.push(rows) });
  await follower.ready;
  await bus.publish('status', 'k', status);
  await until(() => seen.length === 1, 'it is followed');
  t.equal(await bus.leases().acquire('name', 'holder', 1_000).then(Number.isInteger), true);
  const window = { weight: 1, per: 1_000 };
  t.equal(await bus.budgets().hold('x', window, { id: 'a', weight: 1, life: 1 }), 0);

  let asked = 0;
  const hangs = () => {
    asked += 1;
    return new Promise<never>(() => {});
  };
  t.strictSame([bus.serving(), await bus.served('okx')], ['down', false]);
  await bus.serve('okx', { orderBook: hangs }).ready;
  await until(() => bus.serving() === 'up' && bus.served('okx'), 'it is served');
  for (let i = 0; i < 300; i++) void bus.query(request);
  t.equal(bus.open(), 300);
  await until(() => asked === 256, 'so many are worked on');
  const [pending] = await raw.xpending('query:okx', 'servers');
  t.strictSame([pending, asked], [256, 256]);

  const pings = async () =>
    Number(/cmdstat_ping:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1]);
  const before = await pings();
  await clock.advance(2_000);
  await until(async () => (await pings()) === before + 2, 'a ping each second');
  const closed = bus.close();
  await clock.advance(5_000);
  await closed;
  t.strictSame([bus.state(), bus.serving(), follower.state()], ['down', 'down', 'down']);
  await clock.advance(60_000);
  t.equal(clock.pending, 0);
  t.equal(failureOf(await bus.query(request)).code, 'stopped');
  const isConnected = async () => /name=p[ /]/.test(String(await raw.client('LIST')));
  await until(async () => !(await isConnected()), 'its connections end');
});

t.test('options that cannot be are refused', async (t) => {
  const url = 'unix:///nonexistent/redis.sock';
  t.throws(() => createBus({ url, process: '' }), /process/);
  for (const inFlight of [0, 1.5, 32_001, Number.NaN]) {
    t.throws(() => createBus({ url, process: 'p', inFlight }), /inFlight must be .* 1 to 32000/);
  }
  await createBus({ url, process: 'p', inFlight: 32_000 }).close();
  for (const inFlight of [1, 4_096]) {
    const bus = createBus({ url, process: 'p', ...(inFlight === 1 && { inFlight }) });
    for (let i = 0; i <= inFlight; i++) void bus.query(request);
    t.equal(bus.open(), inFlight);
    await bus.close();
  }
});
