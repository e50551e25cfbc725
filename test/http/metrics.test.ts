import t from 'tap';
import { Counters, countOf } from '../../http/counters.ts';
import { createMetrics, renderMetrics } from '../../http/metrics.ts';
import { sameAsDeclared } from '../support/declared.ts';

const rows = [
  { method: 'GET', path: '/a' },
  { method: 'POST', path: '/a' },
] as const;

function used(): Counters {
  let now = 7_000;
  const counters = new Counters(rows, { now: () => now });
  const slot = counters.slotOf({ method: 'GET', path: '/a' });
  counters.begin();
  counters.answered(slot, 200, 1000);
  const { began } = counters;
  now += 30;
  counters.begin();
  counters.answered(slot, 304, 0);
  now += 20_000;
  counters.began = began;
  counters.answered(slot, 503, 50);
  counters.begin();
  counters.answered(counters.unmatched, 404, 30);
  counters.threw(slot);
  counters.left(slot);
  for (const ms of [0, 1, 2, 10_000, 60_000]) counters.asked(slot, ms);
  counters.connections.add(2);
  return counters;
}

t.test('counters', async (t) => {
  const [first, last, ...rest] = used().snapshot();
  t.same(rest, [], 'slots that were never used are left out');
  t.match(first, { path: '/a', bytes: 1050, exceptions: 1, aborted: 1 });
  t.same(first?.statuses.map(countOf), [0, 1, 1, 0, 1]);
  t.same(first?.statuses[4]?.sum, 20_030, 'what is answered later counts from its own beginning');
  t.same(first?.asks, { counts: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1], sum: 70_003 });
  t.match(last, { method: 'any', path: 'unmatched', bytes: 30 });
  t.same(last?.statuses.map(countOf), [0, 0, 0, 1, 0]);
  t.throws(() => new Counters([]).slotOf({ method: 'GET', path: '/a' }), { message: /no counter/ });
});

t.test('a gauge tells when it is empty', async (t) => {
  const { connections } = new Counters([]);
  await connections.empty();
  connections.add(2);
  let empty = false;
  const waiting = connections.empty().then(() => {
    empty = true;
  });
  connections.add(-1);
  await null;
  t.notOk(empty);
  connections.add(-1);
  await waiting;
  t.ok(empty);
});

t.test('exposition text of several processes', async (t) => {
  const snapshots = await Promise.all([
    createMetrics(used(), '1.2.3').snapshot(),
    createMetrics(used(), '1.2.3').snapshot(),
  ]);
  const overTheWire: object[][] = JSON.parse(JSON.stringify(snapshots));
  const text = await renderMetrics(overTheWire);
  const ours = text
    .replaceAll(process.version, 'node')
    .matchAll(/^((?:# TYPE )?tidemark_.*) (.*)$/gm);
  sameAsDeclared(
    t,
    'metrics',
    Object.fromEntries([...ours].map(([, name, value]) => [name, value])),
  );
  t.notMatch(text, /^# TYPE \S+_total gauge$/m, 'no gauge is named like a counter');
  t.match(text, /^process_resident_memory_bytes \d+/m, 'and the process itself');
});
