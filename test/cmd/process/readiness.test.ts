import { hostname } from 'node:os';
import { mock } from 'node:test';
import t from 'tap';
import type { ProcessReport } from '../../../actors/topics/index.ts';
import { startHeartbeat } from '../../../cmd/process/heartbeat.ts';
import { createReadiness, type ReadinessOptions } from '../../../cmd/process/readiness.ts';
import { FakeClock } from '../../support/clock.ts';

type Feed = ReturnType<ReadinessOptions['feeds']> extends Iterable<infer F> ? F : never;

function stage(venues: string[], wanted: string[]) {
  const clock = new FakeClock();
  const feeds = new Map<string, Feed>();
  let prices = false;
  const report = (name: string, state: Feed['state'], answered = false) => {
    const [source = '', topic = '', part = ''] = name.split('/');
    const last_success = answered ? clock.now() : null;
    feeds.set(name, { source, topic, part, state, last_success });
    if (answered && topic === 'prices') prices = true;
  };
  const ready = createReadiness({
    wanted,
    venues: new Set(venues),
    feeds: () => feeds.values(),
    priced: () => prices,
    clock,
  });
  return { clock, report, ready };
}

t.test('every feed was tried once, and there is a price', async (t) => {
  const { report, ready } = stage(['a', 'b'], ['a/prices/spot', 'b/prices/spot', 'gas/state']);
  t.same(ready().missing, ['a/prices/spot', 'b/prices/spot', 'gas/state', 'any price']);
  report('a/prices/spot', 'failing');
  report('b/prices/spot', 'waiting');
  report('gas/state/state', 'up');
  t.same(ready(), { ready: false, missing: ['b/prices/spot', 'any price'] });
  report('b/prices/spot', 'up', true);
  t.same(ready(), { ready: true, missing: [] });
  report('b/prices/spot', 'waiting');
  t.same(ready(), { ready: true, missing: [] }, 'ready once, ready for good');
});

t.test('a slow exchange does not hold it', async (t) => {
  const { clock, report, ready } = stage(['a', 'b', 'c'], ['a/prices/spot', 'c/prices/spot']);
  report('a/prices/spot', 'up', true);
  report('b/prices/spot', 'up', true);
  report('c/prices/spot', 'waiting');
  await clock.advance(5_999);
  t.same(ready(), { ready: false, missing: ['c/prices/spot'] });
  await clock.advance(1);
  t.same(ready(), { ready: true, missing: [] });
});

t.test('a closed part does not hold it', async (t) => {
  const wanted = ['a/prices/spot', 'a/prices/perpetual'];
  const { report, ready } = stage(['a'], wanted);
  t.strictSame(ready().missing, [...wanted, 'any price']);
  report('a/prices/spot', 'up', true);
  report('a/prices/perpetual', 'closed', true);
  t.same(ready(), { ready: true, missing: [] });
});

t.test('less than half of the exchanges are not enough', async (t) => {
  const { clock, report, ready } = stage(['a', 'b', 'c'], ['b/prices/spot']);
  report('a/prices/spot', 'up', true);
  await clock.advance(60_000);
  t.notOk(ready().ready);
  report('c/prices/spot', 'up', true);
  t.ok(ready().ready);
  const half = stage(['a', 'b'], ['b/prices/spot']);
  half.report('a/prices/spot', 'up', true);
  await half.clock.advance(6_000);
  t.ok(half.ready().ready, 'half of them are');
});

t.test('without exchanges', async (t) => {
  const { clock, ready } = stage([], ['gas/state']);
  t.notOk(ready().ready);
  await clock.advance(6_000);
  t.ok(ready().ready);
});

t.test('a process says how it is, and that its loop was held up', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const said: ProcessReport[] = [];
  const publish = async (...[topic, id, status]: [string, string, ProcessReport]) => {
    t.same([topic, id], ['processes', 'a']);
    said.push(status);
    return null;
  };
  const disk = { free: 1, size: 2 };
  const began = Date.now();
  const heartbeat = startHeartbeat({ publish } as never, { id: 'a', role: 'web' }, () => ({
    disk,
  }));
  await new Promise((resolve) => setTimeout(resolve, 15));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  await new Promise((resolve) => setTimeout(resolve, 15));
  mock.timers.tick(4_999);
  t.equal(said.length, 1, 'at once, then every five seconds');
  mock.timers.tick(1);
  t.equal(said.length, 2);
  const held = said[1]?.loop_p99_ms ?? 0;
  t.ok(held >= 20 && held < 10_000, `${held} ms`);
  mock.timers.tick(5_000);
  heartbeat.stop();
  mock.timers.tick(60_000);
  t.equal(said.length, 3, 'until it stops');
  t.equal(said[2]?.loop_p99_ms, 0, 'since the last time');
  for (const { started, at, rss_bytes, cpu_s = 0, ...rest } of said) {
    t.match(rest, { id: 'a', role: 'web', pid: process.pid, host: hostname(), disk });
    t.ok(started >= began && at >= started && rss_bytes > 1e6);
    t.ok(cpu_s > 0.01 && cpu_s < process.cpuUsage().user / 1e5, `${cpu_s} s`);
  }
});
