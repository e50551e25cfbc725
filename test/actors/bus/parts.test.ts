/** A bus as a whole: its parts, their defaults and their end. */
import t from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import { busStage } from '../../support/bus-stage.ts';
import { FakeClock } from '../../support/clock.ts';
import { feedStatus } from '../../support/makers.ts';
import { until } from '../../support/until.ts';
import { failureOf } from '../../support/upstream.ts';
import { request as requestOf } from './questions.ts';

const status = feedStatus({ rows: 1 });
const request = requestOf('BTC-USDT');

t.test('the parts of a bus, and its end', async (t) => {
  const clock = new FakeClock(Date.now());
  const { raw, bus } = await busStage(t, { clock });
  const seen: number[] = [];
  const follower = bus.follow({ status: (_key, { rows }) => void seen.push(rows) });
  await follower.ready;
  await bus.publish('status', 'k', status);
  await until(() => seen.length === 1, 'it is followed');
  t.equal(await bus.leases().acquire('name', 'holder', 1_000).then(Number.isInteger), true);
  const window = { name: 'x/y', api: 'x', weight: 1, per: 1_000 };
  t.match(await bus.budgets(null).take(window, { weight: 1, life: 1 }), { wait: 0, pause: null });

  let asked = 0;
  const hangs = () => {
    asked += 1;
    return new Promise<never>(() => {});
  };
  t.equal(await bus.served('okx'), false);
  await bus.serve('okx', { orderBook: hangs }).ready;
  await until(async () => {
    await clock.advance(1_000);
    return bus.served('okx');
  }, 'it is served');
  for (let i = 0; i < 300; i++) void bus.query(request);
  await until(() => asked === 256, 'so many are worked on');
  const [pending] = await raw.xpending('query:okx', 'servers');
  t.strictSame([pending, asked], [256, 256]);

  const times = async () =>
    Number(/cmdstat_time:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1]);
  const before = await times();
  await clock.advance(2_000);
  await until(async () => (await times()) === before + 2, 'the time is asked each second');
  const closed = bus.close();
  await clock.advance(5_000);
  await closed;
  t.strictSame([bus.state(), follower.state()], ['down', 'down']);
  await clock.advance(60_000);
  t.equal(clock.pending, 0);
  t.equal(failureOf(await bus.query(request)).code, 'stopped');
  const isConnected = async () => /name=p[ /]/.test(String(await raw.client('LIST')));
  await until(async () => !(await isConnected()), 'its connections end');
});

t.test('no more questions wait than a bus may have open', async (t) => {
  const url = 'unix:///nonexistent/redis.sock';
  for (const inFlight of [1, 4_096]) {
    const bus = createBus({ url, process: 'p', ...(inFlight === 1 && { inFlight }) });
    const open = Array.from({ length: inFlight }, () => bus.query(request));
    t.equal(failureOf(await bus.query(request)).code, 'over_budget');
    await bus.close();
    t.equal(failureOf(await Promise.race(open)).code, 'stopped');
  }
});
