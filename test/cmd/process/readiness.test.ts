import { mock } from 'node:test';
import t from 'tap';
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
  const { report, ready } = stage(['a'], ['a/prices/spot', 'a/prices/perpetual']);
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
});

t.test('without exchanges', async (t) => {
  const { clock, ready } = stage([], ['gas/state']);
  t.notOk(ready().ready);
  await clock.advance(6_000);
  t.ok(ready().ready);
});

t.test('a process says that its loop was held up', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const said: number[] = [];
  const publish = async (_topic: unknown, _key: unknown, status: object) => {
    said.push('loop_p99_ms' in status ? Number(status.loop_p99_ms) : Number.NaN);
    return null;
  };
  const heartbeat = startHeartbeat(
    { publish } as never,
    { id: 'a', role: 'web' },
    () => ({}) as never,
  );
  await new Promise((resolve) => setTimeout(resolve, 15));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  await new Promise((resolve) => setTimeout(resolve, 15));
  mock.timers.tick(4_999);
  t.equal(said.length, 1, 'at once, then every five seconds');
  mock.timers.tick(1);
  heartbeat.stop();
  t.equal(said.length, 2);
  t.ok((said[1] ?? 0) >= 20, `${said[1]} ms`);
});
