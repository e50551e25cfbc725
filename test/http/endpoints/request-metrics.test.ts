import t from 'tap';
import { Counters, countOf } from '../../../http/endpoints/counters.ts';
import { createMetrics, renderMetrics } from '../../../http/endpoints/request-metrics.ts';

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
  counters.streams.subscriptions = 3;
  counters.streams.sent('events', 100, 2);
  counters.streams.refused('not_found');
  counters.streams.closed('slow');
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

/** Samples whose names begin with these words, such as `http_aborted_total GET /a` and its value. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.matchAll(/^tidemark_(\w+)(?:\{(.*)\})? (\S+)$/gm);
  return new Map(
    [...lines].map(([, name, labels = '', value]) => {
      const words = [...labels.matchAll(/"([^"]*)"/g)].map(([, word]) => word);
      return [[name, ...words].join(' '), Number(value)];
    }),
  );
}

t.test('exposition text of several processes', async (t) => {
  const snapshots = await Promise.all([
    createMetrics(used(), '1.2.3').snapshot(),
    createMetrics(used(), '1.2.3').snapshot(),
  ]);
  const overTheWire: object[][] = JSON.parse(JSON.stringify(snapshots));
  const text = await renderMetrics(overTheWire);
  const samples = samplesOf(text);
  // Twice what one process has: it answered 200 and 304 at once, and 503 after 20.03 s; 1,000 + 50 bytes, and 30 of a 404.
  const requests = ['GET /a 2xx', 'GET /a 3xx', 'GET /a 5xx', 'any unmatched 4xx'];
  const wanted: Record<string, number> = {
    ...Object.fromEntries(requests.map((name) => [`http_requests_total ${name}`, 2])),
    ...Object.fromEntries(
      requests.map((name) => [`http_request_duration_seconds_count ${name}`, 2]),
    ),
    'http_request_duration_seconds_sum GET /a 2xx': 0,
    'http_request_duration_seconds_sum GET /a 3xx': 0,
    'http_request_duration_seconds_sum GET /a 5xx': 40.06,
    'http_request_duration_seconds_sum any unmatched 4xx': 0,
    'http_response_bytes_total GET /a': 2_100,
    'http_response_bytes_total any unmatched': 60,
    'http_exceptions_total GET /a': 2,
    'http_exceptions_total any unmatched': 0,
    'http_aborted_total GET /a': 2,
    'http_aborted_total any unmatched': 0,
    // 0, 1, 2, 10,000 and 60,000 ms.
    'http_ask_seconds_sum GET /a': 140.006,
    'http_ask_seconds_count GET /a': 10,
    http_connections: 4,
    http_in_flight: 0,
    'stream_connections socket': 0,
    'stream_connections events': 0,
    stream_subscriptions: 6,
    'stream_messages_total socket': 0,
    'stream_messages_total events': 4,
    'stream_bytes_total socket': 0,
    'stream_bytes_total events': 400,
    'stream_refusals_total not_found': 2,
    'stream_closes_total slow': 2,
    [`build_info 1.2.3 ${process.version}`]: 1,
  };
  const found = [...samples].filter(([name]) => !name.includes('_bucket'));
  t.same(Object.fromEntries(found), wanted);
  const limits = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, '+Inf'];
  const below = (name: string) => limits.map((limit) => samples.get(`${name} ${limit}`));
  const asked = below('http_ask_seconds_bucket GET /a');
  t.same(asked, [4, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 10]);
  const late = below('http_request_duration_seconds_bucket GET /a 5xx');
  t.same(late, [...Array(12).fill(0), 2]);
  t.equal(samples.size, found.length + 5 * limits.length);
  const kinds = [...text.matchAll(/^# TYPE tidemark_(\w+) (\w+)$/gm)].map(([, ...words]) => words);
  const counters = ['requests', 'response_bytes', 'exceptions', 'aborted'];
  const ofStreams = ['messages', 'bytes', 'refusals', 'closes'];
  t.same(Object.fromEntries(kinds), {
    ...Object.fromEntries(counters.map((name) => [`http_${name}_total`, 'counter'])),
    ...Object.fromEntries(ofStreams.map((name) => [`stream_${name}_total`, 'counter'])),
    stream_connections: 'gauge',
    stream_subscriptions: 'gauge',
    http_request_duration_seconds: 'histogram',
    http_ask_seconds: 'histogram',
    http_connections: 'gauge',
    http_in_flight: 'gauge',
    build_info: 'gauge',
  });
  t.notMatch(text, /^# TYPE \S+_total gauge$/m, 'no gauge is named like a counter');
  t.match(text, /^process_resident_memory_bytes \d+/m, 'and the process itself');
});
