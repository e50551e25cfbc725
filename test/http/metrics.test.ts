import t from 'tap';
import { Counters } from '../../http/counters.ts';
import { createMetrics, renderMetrics } from '../../http/metrics.ts';

const rows = [
  { method: 'GET', path: '/a' },
  { method: 'POST', path: '/a' },
] as const;

function used(): Counters {
  const counters = new Counters(rows);
  const slot = counters.slotOf({ method: 'GET', path: '/a' });
  counters.answered(slot, 200, 1000);
  counters.answered(slot, 304, 0);
  counters.answered(slot, 503, 50);
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
  t.match(first, { path: '/a', statuses: [0, 1, 1, 0, 1], bytes: 1050, exceptions: 1, aborted: 1 });
  t.match(first, { asks: [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1], askTime: 70_003 });
  t.match(last, { method: 'any', path: 'unmatched', statuses: [0, 0, 0, 1, 0], bytes: 30 });
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
  t.match(text, /^process_resident_memory_bytes \d+/m, 'and the process itself');
});
