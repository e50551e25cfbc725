/** Quantiles of latencies, worked out by hand from the bounds of the steps. */
import t from 'tap';
import { Latencies, latencyQuantiles, sumOfCounts } from '../../../indicators/market/latencies.ts';

/** Counts of latencies that all came at one time. */
function countsOf(all: readonly (readonly [ms: number, times: number])[]) {
  const latencies = new Latencies();
  for (const [ms, times] of all) for (let n = 0; n < times; n++) latencies.add(ms, 5_000);
  return latencies.read(5_000) ?? {};
}

t.test('the upper end of the step in which the latency of a share lies', async (t) => {
  // The 50th of 100 is 3, the 95th 41 (40 to 50), the 99th 700 (600 to 800).
  const counts = countsOf([
    [3, 60],
    [41, 35],
    [700, 4],
    [9_999, 1],
  ]);
  t.strictSame(counts, { 3: 60, 50: 35, 800: 4, 10000: 1 });
  t.strictSame(latencyQuantiles(counts), { p50: 3, p95: 50, p99: 800 });
  t.strictSame(latencyQuantiles(countsOf([[11.5, 1]])), { p50: 12, p95: 12, p99: 12 });
});

t.test(
  'negative latencies count as the least, those beyond a minute as the greatest',
  async (t) => {
    t.strictSame(
      countsOf([
        [-800, 2],
        [0, 1],
        [1, 1],
        [1.001, 1],
      ]),
      { 1: 4, 2: 1 },
    );
    t.strictSame(
      countsOf([
        [60_000, 1],
        [60_001, 1],
        [86_400_000, 1],
      ]),
      { 60000: 3 },
    );
  },
);

t.test('the counts of processes add up', async (t) => {
  const sum = sumOfCounts([
    countsOf([[1, 98]]),
    countsOf([
      [1, 1],
      [20, 1],
    ]),
  ]);
  t.strictSame(sum, { 1: 99, 20: 1 });
  t.strictSame(latencyQuantiles(sum), { p50: 1, p95: 1, p99: 1 });
  t.equal(latencyQuantiles({}), null);
});

t.test('what is older than two minutes does not count', async (t) => {
  const latencies = new Latencies();
  t.equal(latencies.read(0), null);
  latencies.add(5, 0);
  latencies.add(8, 59_999);
  t.strictSame(latencies.read(60_000), { 5: 1, 8: 1 });
  latencies.add(2, 60_000);
  t.strictSame(latencies.read(119_999), { 2: 1, 5: 1, 8: 1 });
  t.strictSame(latencies.read(120_000), { 2: 1 });
  latencies.add(2, 120_000);
  t.equal(latencies.read(300_000), null, 'after a silence');
});
