import t from 'tap';
import { Latency } from '../../../actors/bus/latency.ts';
import { busStage } from '../../support/bus-stage.ts';
import { FakeClock, settle } from '../../support/clock.ts';
import { until } from '../../support/until.ts';

t.test('the median and the 99th percentile of a minute', async (t) => {
  const clock = new FakeClock();
  const latency = new Latency(clock);
  t.equal(latency.read(), null);
  const ping = async (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timed = latency.of(promise);
    await clock.advance(ms);
    resolve();
    await timed;
  };
  await ping(900);
  for (let i = 1; i <= 59; i++) await ping(i);
  t.same(latency.read(), { p50_ms: 30, p99_ms: 900 });
  await ping(60);
  t.same(latency.read(), { p50_ms: 30, p99_ms: 60 }, 'the oldest is forgotten');

  await ping(501);
  t.equal(latency.slow(), false, 'one late answer is not enough');
  await ping(501);
  t.equal(latency.slow(), true);
  await ping(500);
  t.equal(latency.slow(), true, 'two of three');
  await ping(500);
  t.equal(latency.slow(), false);

  const lost = latency.of(Promise.reject(new Error('Redis is away')));
  const { promise, resolve } = Promise.withResolvers<void>();
  const open = [latency.of(promise), latency.of(promise)];
  await lost;
  t.same(latency.read(), { p50_ms: 34, p99_ms: 501 }, 'a failed one has no time');
  await clock.advance(500);
  t.equal(latency.slow(), false);
  await clock.advance(1);
  t.equal(latency.slow(), true, 'without waiting for them');
  resolve();
  await Promise.all(open);
});

t.test('a real Redis that answers late is slow', async (t) => {
  const clock = new FakeClock(Date.now());
  const { server, raw, bus } = await busStage(t, { clock });
  await until(() => bus.state() === 'up', 'it is up');
  const pings = async () =>
    Number(/cmdstat_ping:calls=(\d+)/.exec(await raw.info('commandstats'))?.[1]);
  const before = await pings();
  await clock.advance(1_000);
  await until(() => bus.latency() !== null, 'a ping is answered');
  t.same(bus.latency(), { p50_ms: 0, p99_ms: 0 });
  server.freeze();
  await clock.advance(1_000);
  await clock.advance(1_000);
  await clock.advance(600);
  t.equal(bus.state(), 'slow', 'while it is awaited');
  server.thaw();
  await until(() => bus.latency()?.p99_ms === 1_600, 'the answers have come');
  await settle();
  t.equal(bus.state(), 'slow');
  t.equal((await pings()) - before, 3, 'no command but the ping of each second');
});
