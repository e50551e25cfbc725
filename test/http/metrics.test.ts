import t from 'tap';
import { Counters, countOf } from '../../http/counters.ts';
import { createMetrics, renderMetrics } from '../../http/metrics.ts';

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
  const has = (line: string) => t.ok(text.split('\n').includes(line), line);
  has(`tidemark_build_info{version="1.2.3",node="${process.version}"} 1`);
  t.notMatch(text, /^# TYPE \S+_total gauge$/m, 'no gauge is named like a counter');
  has('# TYPE tidemark_http_requests_total counter');
  has('tidemark_http_requests_total{method="GET",path="/a",status="2xx"} 2');
  has('tidemark_http_requests_total{method="any",path="unmatched",status="4xx"} 2');
  has('# TYPE tidemark_http_request_duration_seconds histogram');
  const times = 'tidemark_http_request_duration_seconds';
  has(`${times}_bucket{method="GET",path="/a",status="2xx",le="0.001"} 2`);
  has(`${times}_bucket{method="GET",path="/a",status="5xx",le="10"} 0`);
  has(`${times}_bucket{method="GET",path="/a",status="5xx",le="+Inf"} 2`);
  has(`${times}_sum{method="GET",path="/a",status="5xx"} 40.06`);
  has(`${times}_count{method="any",path="unmatched",status="4xx"} 2`);
  has('tidemark_http_response_bytes_total{method="GET",path="/a"} 2100');
  has('tidemark_http_exceptions_total{method="GET",path="/a"} 2');
  has('tidemark_http_aborted_total{method="GET",path="/a"} 2');
  has('tidemark_http_connections 4');
  has('# TYPE tidemark_http_ask_seconds histogram');
  has('tidemark_http_ask_seconds_bucket{method="GET",path="/a",le="0.001"} 4');
  has('tidemark_http_ask_seconds_bucket{method="GET",path="/a",le="10"} 8');
  has('tidemark_http_ask_seconds_bucket{method="GET",path="/a",le="+Inf"} 10');
  has('tidemark_http_ask_seconds_count{method="GET",path="/a"} 10');
  has('tidemark_http_ask_seconds_sum{method="GET",path="/a"} 140.006');
  const bounds = [...text.matchAll(/^tidemark_http_ask_seconds_bucket.*le="(.*?)"/gm)];
  t.same(
    bounds.map(([, bound]) => bound),
    '0.001 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf'.split(' '),
    'dashboards are built on these bounds',
  );
  t.match(text, /^process_resident_memory_bytes \d+/m, 'and the process itself');
});
