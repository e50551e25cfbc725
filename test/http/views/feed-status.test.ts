import { readFile } from 'node:fs/promises';
import t from 'tap';
import { historyStore, type ProcessReport } from '../../../actors/topics/index.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { createMetrics, renderMetrics } from '../../../http/endpoints/request-metrics.ts';
import { ComputeView } from '../../../http/views/compute-metrics.ts';
import { StatusView } from '../../../http/views/feed-status.ts';
import { Received } from '../../../http/views/received.ts';
import { feedMetrics, serviceMetrics } from '../../../http/views/service-metrics.ts';
import { feedStatus, now } from '../../support/makers.ts';

const read = (view: StatusView) => JSON.parse(JSON.stringify(view.current()));

t.test('a source is up, degraded or down by its feeds, each with its age', async (t) => {
  const view = new StatusView();
  view.acceptFeed('a/spot', feedStatus());
  view.acceptFeed('a/linear', feedStatus({ part: 'linear', last_success: now - 5_000 }));
  view.expire(now + 1_000);
  t.equal(read(view).sources.a.state, 'up');
  t.same(
    read(view).sources.a.feeds.map((f: { age_ms: number }) => f.age_ms),
    [1_000, 6_000],
  );
  view.acceptFeed('a/linear', feedStatus({ part: 'linear', state: 'failing', last_success: null }));
  t.equal(read(view).sources.a.state, 'degraded');
  t.equal(read(view).sources.a.feeds[1].age_ms, null);
  view.acceptFeed('a/spot', feedStatus({ state: 'down' }));
  t.equal(read(view).sources.a.state, 'down');
});

t.test('a feed whose process no longer reports becomes silent', async (t) => {
  const view = new StatusView();
  view.acceptFeed('a/spot', feedStatus());
  view.expire(now + 30_000 + 300_000);
  t.equal(read(view).sources.a.feeds[0].state, 'up');
  view.expire(now + 30_000 + 300_001);
  t.equal(read(view).sources.a.feeds[0].state, 'silent');
  t.equal(read(view).sources.a.state, 'down');
  view.acceptFeed('a/spot', feedStatus({ next_poll: now + 360_000 }));
  t.equal(read(view).sources.a.state, 'up');
  const states = (at: number) => {
    view.expire(at);
    return read(view).sources.a.feeds.map(({ state }: { state: string }) => state);
  };
  view.acceptFeed('a/tried', feedStatus({ next_poll: null }));
  view.acceptFeed('a/new', feedStatus({ next_poll: null, last_attempt: null }));
  t.strictSame(states(now + 300_000), ['up', 'up', 'up'], 'by its last attempt');
  t.strictSame(states(now + 300_001), ['up', 'silent', 'up']);
});

t.test('the store of recorded series, by its process and its feed', async (t) => {
  const view = new StatusView();
  const process = { id: 'history-1', role: 'history', pid: 1, host: '', started: now } as const;
  const down = { state: 'down', problem: null };
  t.strictSame(view.history(), down);
  view.acceptFeed(historyStore, feedStatus());
  t.strictSame(view.history(), down, 'without its process');
  view.acceptProcess({ ...process, at: now, rss_bytes: 1, loop_p99_ms: 1 });
  t.strictSame(view.history(), { state: 'up', problem: null });
  const last_error = { code: 'timeout', message: 'no room', at: now } as const;
  view.acceptFeed(historyStore, feedStatus({ state: 'failing', last_error }));
  t.strictSame(view.history(), { state: 'failing', problem: 'no room' });
  let calls = 0;
  view.source.listen(undefined, () => calls++);
  view.expire(now);
  t.equal(calls, 1);
});

t.test('a part on standby or closed counts neither way and is no gauge', async (t) => {
  const view = new StatusView();
  view.acceptFeed('a/spot', feedStatus());
  view.acceptFeed('a/other', feedStatus({ part: 'other', state: 'standby', next_poll: null }));
  view.acceptFeed('a/shut', feedStatus({ part: 'shut', state: 'closed', reason: 'paused' }));
  view.expire(now + 1_000);
  t.equal(read(view).sources.a.state, 'up');
  const [up] = feedMetrics(view, now);
  t.match(up, { values: [{ value: 1, labels: { part: 'spot' } }] });
  t.notMatch(JSON.stringify(feedMetrics(view, now)), '"other"');
  view.expire(now + 330_001);
  const states = read(view).sources.a.feeds.map(({ state }: { state: string }) => state);
  t.strictSame(states.slice(0, 2), ['silent', 'standby'], 'standby is never silent');
});

t.test('processes are listed for as long as they give a sign of life', async (t) => {
  const view = new StatusView();
  const process = {
    id: 'feed-1',
    role: 'feed',
    pid: 1,
    host: 'h',
    started: now,
    at: now,
    rss_bytes: 1,
    loop_p99_ms: 0,
  } as const;
  view.acceptProcess(process);
  view.expire(now + 20_000);
  t.same(read(view).processes, [process]);
  t.strictSame([view.runs('feed'), view.runs('compute')], [true, false]);
  view.expire(now + 20_001);
  t.same(read(view).processes, []);
  t.notOk(view.runs('feed'));
});

t.test(
  'budgets of two processes: own weights are added, what the upstream states is not',
  async (t) => {
    const view = new StatusView();
    const report = { role: 'feed', pid: 1, host: 'h', started: now, at: now } as const;
    const use = { per_ms: 60_000, waiting: 0, paused_until: null };
    const spot = { ...use, name: 'binance/spot/default', weight: 6_000 };
    const gate = { ...use, name: 'gate/rest//v4/orders', weight: 10 };
    const of = (id: string, budgets: ProcessReport['budgets'] = []) =>
      view.acceptProcess({ ...report, id, rss_bytes: 1, loop_p99_ms: 1, budgets });
    of('feed-1', [
      { ...spot, own: 600, used: 600, waiting: 2 },
      { ...gate, own: 4, used: 4, paused_until: now + 9_000 },
    ]);
    of('feed-2', [
      { ...spot, own: 900, used: 900, waiting: 1 },
      { ...gate, own: 3, used: 9 },
    ]);
    of('web-1');
    view.expire(now);
    const shown = { source: 'gate', api: 'rest', budget: '/v4/orders', weight: 10, per_ms: 60_000 };
    const other = {
      source: 'binance',
      api: 'spot',
      budget: 'default',
      weight: 6_000,
      per_ms: 60_000,
    };
    t.strictSame(read(view).budgets, [
      { ...shown, used_weight: 9, waiting: 0, paused_until: now + 9_000 },
      { ...other, used_weight: 1_500, waiting: 3, paused_until: null },
    ]);
    t.notOk('budgets' in read(view).processes[0], 'they stand in one place');
    view.expire(now + 9_000);
    t.equal(read(view).budgets[0].paused_until, null, 'the pause is over');
  },
);

/** Without help, quotes, prefix and the labels that all have. */
const metricsOfAll = `# redis_up gauge
redis_up 1
# redis_writable gauge
redis_writable 0
# redis_latency_seconds gauge
redis_latency_seconds{quantile=0.5} 0.003
redis_latency_seconds{quantile=0.99} 0.62
# newest_reading_age_seconds gauge
newest_reading_age_seconds 2.5
# processes gauge
processes{role=web} 0
processes{role=feed} 1
processes{role=compute} 0
processes{role=history} 0
processes{role=alerts} 0
# process_start_time_seconds gauge
process_start_time_seconds{role=feed} 1700000000
# process_cpu_seconds_total counter
process_cpu_seconds_total{role=feed} 2.5
# process_resident_memory_bytes gauge
process_resident_memory_bytes{role=feed} 64
# process_event_loop_delay_seconds gauge
process_event_loop_delay_seconds{role=feed} 0.012
# process_sources gauge
process_sources{role=feed} 21
# process_rows_per_second gauge
process_rows_per_second{role=feed} 350
# disk_free_bytes gauge
disk_free_bytes{role=feed} 3
# disk_size_bytes gauge
disk_size_bytes{role=feed} 9
# alerts_fired_total counter
alerts_fired_total{process=feed-1} 4
# alert_rules gauge
alert_rules{process=feed-1} 12
# alert_data_age_seconds gauge
alert_data_age_seconds{process=feed-1} 0.25
# alert_deliveries_waiting gauge
alert_deliveries_waiting{process=feed-1} 8
# alert_delivery_age_seconds gauge
alert_delivery_age_seconds{process=feed-1} 9
# alert_lanes gauge
alert_lanes{process=feed-1} 11
# alert_rules_unevaluated gauge
alert_rules_unevaluated{reason=no_value} 2
# alert_deliveries_total counter
alert_deliveries_total{outcome=delivered} 5
alert_deliveries_total{outcome=failed} 6
alert_deliveries_total{outcome=dead} 7
# history_damaged_total counter
history_damaged_total{kind=file} 2
# source_failed_starts_total counter
source_failed_starts_total{source=okx} 3
# upstream_requests_total counter
upstream_requests_total{source=okx,outcome=rate_limited} 1
upstream_requests_total{source=okx,outcome=banned} 0
upstream_requests_total{source=okx,outcome=over_budget} 0
upstream_requests_total{source=okx,outcome=ok} 7
# upstream_budget_used_ratio gauge
upstream_budget_used_ratio{budget=okx/rest/default} 0.25
# feed_up gauge
feed_up{part=spot} 1
feed_up{part=cold} 0
# feed_age_seconds gauge
feed_age_seconds{part=spot} 1.5
# feed_latency_seconds gauge
feed_latency_seconds{part=spot} 0.04
# feed_rows gauge
feed_rows{part=spot} 10
feed_rows{part=cold} 10
# feed_dropped_rows gauge
feed_dropped_rows{part=spot} 5
feed_dropped_rows{part=cold} 0
# feed_failures gauge
feed_failures{part=spot} 4
feed_failures{part=cold} 0
# event_latency_seconds gauge
# delivery_seconds gauge
# query_cache_total counter
query_cache_total{cache=c,outcome=hits} 3
query_cache_total{cache=c,outcome=joined} 4
query_cache_total{cache=c,outcome=loaded} 5
query_cache_total{cache=c,outcome=failed} 6
query_cache_total{cache=c,outcome=stale} 7
query_cache_total{cache=c,outcome=evicted} 8
# query_cache_entries gauge
query_cache_entries{cache=c} 1
# query_cache_bytes gauge
query_cache_bytes{cache=c} 90`;

t.test('all that is known of processes and feeds as metrics', async (t) => {
  const view = new StatusView();
  const process = { id: 'feed-1', role: 'feed', pid: 1, host: 'h', started: now, at: now } as const;
  const upstreams = [{ source: 'okx', outcomes: { ok: 7, rate_limited: 1 } }];
  const caches = {
    c: { hits: 3, joined: 4, loaded: 5, failed: 6, stale: 7, evicted: 8, entries: 1, bytes: 90 },
  };
  const damaged = { file: 2 };
  const failed_starts = { okx: 3 };
  const disk = { free: 3, size: 9 };
  const load = { cpu: 0.4, sources: 21, rows_per_second: 350 };
  const faults = { faults: { no_value: 2 }, faulty: { al_1: 'no_value' } };
  const fired = { fired: 4, late_ms: 250, rules: 12, shards: 2, ...faults };
  const tried = { delivered: 5, failed: 6, dead: 7 };
  const alerts = { ...fired, ...tried, waiting: 8, oldest_ms: 9_000, lanes: 11 };
  const shares = { load, leaves: true };
  const use = { own: 4, used: 5, waiting: 0, paused_until: null };
  const budgets = [{ ...use, name: 'okx/rest/default', weight: 20, per_ms: 2_000 }];
  const extras = {
    cpu_s: 2.5,
    upstreams,
    budgets,
    disk,
    caches,
    damaged,
    failed_starts,
    alerts,
    ...shares,
  };
  t.equal(view.alertFault('al_1'), 'not_running', 'before the first sign of life');
  view.acceptFeed(
    'a',
    feedStatus({ last_success: now - 1_500, dropped: { a: 2, b: 3 }, failures: 4 }),
  );
  view.acceptFeed(
    'b',
    feedStatus({ part: 'cold', state: 'failing', last_success: null, latency_ms: null }),
  );
  view.acceptProcess({ ...process, rss_bytes: 64, loop_p99_ms: 12, ...extras });
  t.strictSame([view.alertFault('al_1'), view.alertFault('al_2')], ['no_value', null]);
  const shown = read(view).processes[0];
  for (const name of ['cpu_s', 'leaves', 'alerts']) t.notOk(name in shown, name);
  t.strictSame(shown.load, load);
  const redisLatency = () => ({ p50_ms: 3, p99_ms: 620 });
  const health = { redis: () => 'read_only' as const, redisLatency, newest: () => now - 2_500 };
  const metrics = serviceMetrics({ status: view, pools: new ComputeView() }, health, now);
  const short = (await renderMetrics(metrics))
    .replaceAll(/# HELP.*\n|TYPE |tidemark_|"/g, '')
    .replaceAll(/process=feed-1,|source=a,topic=prices,/g, '')
    .replaceAll('\n\n', '\n');
  t.equal(short.trim(), metricsOfAll);
  const gauges = async (redis: 'up' | 'slow' | 'down', newest: number | null) => {
    const parts = { status: new StatusView(), pools: new ComputeView() };
    const state = { redis: () => redis, redisLatency: () => null, newest: () => newest };
    const all = serviceMetrics(parts, state, now);
    return (await renderMetrics(all.slice(0, 1))).match(/(?<=^tidemark_)\w+ .*/gm);
  };
  t.strictSame(await gauges('up', null), ['redis_up 1', 'redis_writable 1']);
  t.strictSame(await gauges('slow', null), ['redis_up 1', 'redis_writable 1']);
  const down = ['redis_up 0', 'redis_writable 0', 'newest_reading_age_seconds 0'];
  t.strictSame(await gauges('down', now + 5), down);
  view.acceptFeed('a', feedStatus({ last_success: now + 5 }));
  t.match(feedMetrics(view, now)[1], { values: [{ value: 0 }] }, 'a clock that is ahead');
  t.equal(read(view).sources.a.feeds[0].age_ms, 0);
});

t.test('latencies of a stream, and of the deliveries of all processes', async (t) => {
  const view = new StatusView();
  const none = { failed: 0, refused: 0, suspect: 0, differs: 0, age_area: 0, age_span: 0 };
  const tally = { since: now, ...none, age_max: 0, events: { 20: 95, 60: 4, 800: 1 } };
  view.acceptFeed('okx/a', { ...feedStatus({ source: 'okx', topic: 'priceChanges' }), tally });
  view.acceptFeed('okx/b', feedStatus({ source: 'okx', topic: 'prices', part: 'linear' }));
  const web = { role: 'web', pid: 1, host: '', started: now, at: now, rss_bytes: 1 } as const;
  const one = { ...web, id: 'web-1', loop_p99_ms: 1 };
  view.acceptProcess({
    ...one,
    deliveries: { 'okx/prices': { 1: 49 }, 'okx/priceChanges': { 3: 10 } },
  });
  view.acceptProcess({ ...one, id: 'web-2', deliveries: { 'okx/priceChanges': { 3: 40, 15: 1 } } });
  view.acceptProcess({ ...one, id: 'web-3', deliveries: { 'gate/prices': { 8: 1 } } });
  const { okx } = read(view).sources;
  const event = { p50: 20, p95: 20, p99: 60 };
  t.match(okx, { feeds: [{ event_latency_ms: event }, { part: 'linear' }] });
  t.notOk('event_latency_ms' in okx.feeds[1], 'what is polled states none');
  // 1 ms 49 times, 3 ms 50 times, 15 ms once.
  t.strictSame(okx.delivery_ms, { p50: 3, p95: 3, p99: 3 });
  t.notOk('deliveries' in read(view).processes[0], 'processes without their counts');
  const text = await renderMetrics([feedMetrics(view, now)]);
  const labels = 'source="okx",topic="priceChanges",part="spot",quantile="0.99"';
  t.match(text, `tidemark_event_latency_seconds{${labels}} 0.06\n`);
  t.match(text, 'tidemark_delivery_seconds{source="okx",quantile="0.5"} 0.003\n');
  t.match(text, 'tidemark_delivery_seconds{source="gate",quantile="0.95"} 0.008\n');
});

t.test('readings that arrive are counted by topic and source', async (t) => {
  const received = new Received();
  const take = received.taking('prices', () => {});
  take('okx/spot', { source: 'okx', received: now, rows: [{}, {}] });
  take('okx/spot', { source: 'okx', received: now, rows: [{}] });
  const text = await renderMetrics([received.metrics(), new Received().metrics()]);
  t.match(text, 'tidemark_received_readings_total{topic="prices",source="okx"} 2\n');
  t.match(text, 'tidemark_received_rows_total{topic="prices",source="okx"} 3\n');
});

t.test('rules and dashboard name metrics that there are', async (t) => {
  const pools = new ComputeView();
  const durations = { bounds: [], counts: [0], sum: 0 };
  const pool = { at: now, threads: 1, queued: 0, jobs: {}, batches: 0, replaced: 0 };
  pools.accept('compute-1', { ...pool, wait: durations, run: durations });
  const redisLatency = () => ({ p50_ms: 1, p99_ms: 1 });
  const health = { redis: () => 'up' as const, redisLatency, newest: () => now };
  const metrics = [
    await createMetrics(new Counters([]), '').snapshot(),
    new Received().metrics(),
    ...serviceMetrics({ status: new StatusView(), pools }, health, now),
  ];
  const names = new Set(metrics.flat().map((metric) => 'name' in metric && metric.name));
  for (const file of ['prometheus/tidemark.rules.yml', 'grafana/dashboards/tidemark.json']) {
    const text = await readFile(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8');
    const used = text.match(/\b(tidemark|process|nodejs)_\w+/g) ?? [];
    const known = (name: string) => names.has(name.replace(/_(bucket|sum|count)$/, ''));
    t.same(
      used.filter((name) => !known(name)),
      [],
      file,
    );
    t.ok(used.length > 10);
  }
});
