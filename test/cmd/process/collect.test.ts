/** Metrics of all workers, between a primary and workers that the test plays. */
import type { Worker } from 'node:cluster';
import { mock } from 'node:test';
import t from 'tap';
import { collectMetrics, relayMetrics } from '../../../cmd/process/collect.ts';
import type { MetricsSnapshot } from '../../../http/views/metric-json.ts';
import { settle } from '../../support/clock.ts';

mock.timers.enable({ apis: ['setTimeout'] });
t.teardown(() => mock.timers.reset());

type Message = { metrics: string; id: string; snapshots?: unknown };

const snapshot = (name: string) => ({ name }) as unknown as MetricsSnapshot;

/** A worker, and the messages that it gets. */
function workerOf(isConnected = true) {
  const got: Message[] = [];
  const worker = { isConnected: () => isConnected, send: (message: Message) => got.push(message) };
  return { worker: worker as unknown as Worker, got };
}

t.test('the primary process sums the reports of workers that arrive in time', async (t) => {
  const [asking, other, dead] = [workerOf(), workerOf(), workerOf(false)];
  const relay = relayMetrics(() => [asking, other, dead].map(({ worker }) => worker));
  for (const strange of [null, 'wanted', { metrics: 'wanted' }, { id: '1' }])
    relay(asking.worker, strange);
  t.same(asking.got, []);
  const wanted = (id: string) => relay(asking.worker, { metrics: 'wanted', id });
  const give = ({ worker, got }: typeof other, name: string) => {
    const { id } = got.at(-1) ?? {};
    relay(worker, { metrics: 'given', id, snapshots: [snapshot(name)] });
  };
  wanted('a-1');
  t.match([...asking.got, ...other.got], [{ metrics: 'give' }, { metrics: 'give' }]);
  t.not(asking.got[0]?.id, other.got[0]?.id);
  give(asking, 'asking');
  give(other, 'other');
  give(other, 'twice');
  mock.timers.tick(1_499);
  await settle();
  t.equal(asking.got.length, 1, 'one has not answered');
  mock.timers.tick(1);
  await settle();
  const both = [snapshot('asking'), snapshot('other')];
  t.same(asking.got.at(-1), { metrics: 'given', id: 'a-1', snapshots: both });
  t.same([other.got.length, dead.got.length], [1, 0], 'who has not asked is not answered');
});

t.test('a worker asks for all, and has its own alone where no answer comes', async (t) => {
  const sent: Message[] = [];
  const before = process.send;
  process.send = (message: Message) => sent.push(message) > 0;
  t.teardown(() => {
    process.removeAllListeners('message');
    if (before) process.send = before;
    else delete process.send;
  });
  const collect = collectMetrics(async () => snapshot('own'));
  const hear = (message: unknown) => process.emit('message', message, undefined);
  hear({ metrics: 'give', id: '7' });
  hear({ metrics: 'give' });
  await settle();
  t.same(sent.splice(0), [{ metrics: 'given', id: '7', snapshots: [snapshot('own')] }]);

  const [first, second] = [collect(), collect()];
  const ids = sent.splice(0).map(({ metrics, id }) => (metrics === 'wanted' ? id : ''));
  t.same(ids, [`${process.pid}-1`, `${process.pid}-2`]);
  const all = [snapshot('a'), snapshot('b')];
  hear({ metrics: 'given', id: ids[1], snapshots: all });
  t.same(await second, all);
  mock.timers.tick(1_999);
  const pending = Symbol('pending');
  t.equal(await Promise.race([first, settle().then(() => pending)]), pending);
  mock.timers.tick(1);
  t.same(await first, [snapshot('own')]);
  const third = collect();
  hear({ metrics: 'given', id: `${process.pid}-3` });
  t.same(await third, [snapshot('own')], 'and where no worker gave any');
});
