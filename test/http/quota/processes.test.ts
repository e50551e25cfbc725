import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { createQuotaStore } from '../../../http/quota/store.ts';
import { redisOf, startRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

const script = join(import.meta.dirname, '../../support/quota-process.ts');
const processes = 4;
const callers = 10;

interface Report {
  admitted: number[];
  waited: number;
  outages: number;
}

/** Four processes with ten callers each on one key; gives what they have admitted when `enough` resolves. */
async function load(t: Test, settings: object, enough: () => Promise<void>): Promise<Report[]> {
  const children = Array.from({ length: processes }, () =>
    fork(script, [JSON.stringify({ callers, ...settings })]),
  );
  t.teardown(() => children.map((child) => child.kill('SIGKILL')));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('go');
  await enough();
  return Promise.all(
    children.map(async (child): Promise<Report> => {
      child.send('stop');
      const [report] = await once(child, 'message');
      return Object(report);
    }),
  );
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

for (const limit of [60, 600]) {
  t.test(`four processes admit the ${limit} of the plan, and never one more`, async (t) => {
    const redis = await redisOf(t);
    const store = createQuotaStore({ url: redis.url, name: 'observer' });
    t.teardown(() => store.close());
    const used = async () => (await store.usage('account:alice')).used;
    const reports = await load(t, { url: redis.url, limit }, async () => {
      await until(async () => (await used()) >= limit, 'the plan is used', 30_000);
    });
    t.equal(sum(reports.map((report) => report.outages)), 0, 'Redis was there');
    const admitted = reports.map((report) => report.admitted.length);
    t.equal(sum(admitted), limit, `by process: ${admitted.join(', ')}`);
    // One that the machine lets run late finds a small plan used up.
    t.ok(admitted.filter((count) => count > 0).length > 1, 'no process takes all of it');
    const { keys } = await store.usage('account:alice');
    t.same([...keys], [['k1', limit]], 'and the use adds up');
  });
}

t.test('window after window', async (t) => {
  const redis = await startRedis();
  const reader = new Redis(redis.url.replace('unix://', ''));
  t.teardown(async () => {
    reader.disconnect();
    await redis.stop();
  });
  const [limit, length] = [60, 500];
  const begins = new Set<string>();
  const reports = await load(t, { url: redis.url, limit, length }, async () => {
    const seen = async () => {
      const window = await reader.hget('quota:account:alice', 'window');
      if (window !== null) begins.add(window);
      return begins.size === 4;
    };
    await until(seen, 'the fourth window has begun');
  });
  t.equal(sum(reports.map((report) => report.outages)), 0, 'Redis was there');
  const times = reports.flatMap((report) => report.admitted);
  // Named after the time of their beginning by Redis's clock, which here is this machine's.
  const windows = [...begins].map((name) => {
    const [seconds, micros] = name.split('.').map(Number);
    return (seconds ?? 0) * 1_000 + Math.floor((micros ?? 0) / 1_000);
  });
  for (const [i, begin] of windows.slice(0, 3).entries()) {
    const next = windows[i + 1] ?? begin;
    const count = times.filter((time) => time >= begin && time < next).length;
    t.ok(next - begin >= length - 1, 'the window lasted');
    t.equal(count, limit, `window ${i}: all of them, and no more`);
  }
});
