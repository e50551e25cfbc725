import t from 'tap';
import { RedisTime } from '../../../actors/bus/redis-time.ts';
import { busStage } from '../../support/bus-stage.ts';
import { FakeClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';

t.test('the median and the 99th percentile of a minute', async (t) => {
  const clock = new FakeClock();
  const latency = new RedisTime(clock);
  const of = (answer: Promise<void>) => latency.ask({ send: () => answer }).catch(() => {});
  t.equal(latency.latency(), null);
  const ask = async (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timed = of(promise);
    await clock.advance(ms);
    resolve();
    await timed;
  };
  await ask(900);
  for (let i = 1; i <= 59; i++) await ask(i);
  t.same(latency.latency(), { p50_ms: 30, p99_ms: 900 });
  await ask(60);
  t.same(latency.latency(), { p50_ms: 30, p99_ms: 60 }, 'the oldest is forgotten');

  await ask(501);
  t.equal(latency.isSlow(), false, 'one late answer is not enough');
  await ask(501);
  t.equal(latency.isSlow(), true);
  await ask(500);
  t.equal(latency.isSlow(), true, 'two of three');
  await ask(500);
  t.equal(latency.isSlow(), false);

  const lost = of(Promise.reject(new Error('Redis is away')));
  const { promise, resolve } = Promise.withResolvers<void>();
  const open = [of(promise), of(promise)];
  await lost;
  t.same(latency.latency(), { p50_ms: 34, p99_ms: 501 }, 'a failed one has no time');
  await clock.advance(500);
  t.equal(latency.isSlow(), false);
  await clock.advance(1);
  t.equal(latency.isSlow(), true, 'without waiting for them');
  resolve();
  await Promise.all(open);
});

t.test('a real Redis whose answers come late is slow', async (t) => {
  const clock = new FakeClock(Date.now());
  const { raw, bus } = await busStage(t, { clock });
  const pings = async () =>
    Number(/cmdstat_time:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1]);
  await until(() => bus.latency() !== null, 'the question of a new connection is answered');
  t.same(bus.latency(), { p50_ms: 0, p99_ms: 0 });
  const before = await pings();
  // Nothing is received within a turn, so that both answers are late by this clock, however long the machine takes.
  for (const ms of [1_000, 1_000, 600]) clock.jump(ms);
  t.equal(bus.state(), 'slow', 'while it is awaited');
  await until(() => bus.latency()?.p99_ms === 1_600, 'the answers have come');
  t.equal(bus.state(), 'slow');
  t.equal((await pings()) - before, 2, 'one question a second');
});
