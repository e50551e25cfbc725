import t, { type Test } from 'tap';
import { systemClock } from '../../actors/kernel/clock.ts';
import { costOf, type Job, runJob } from '../../indicators/job.ts';
import { blockOf } from '../../indicators/job-columns.ts';
import { readEntries } from '../../indicators/job-entries.ts';
import { IndicatorPool, type PoolOptions } from '../../indicators/pool.ts';
import { DurationCounter } from '../../indicators/pool-durations.ts';
import runBatch from '../../indicators/worker.ts';
import { FakeClock } from '../support/clock.ts';
import { until } from '../support/until.ts';
import { market } from './rows.ts';

const rows = market(300);
const job = (over: Partial<Job> = {}): Job => ({
  head: { n: 1 },
  entries: readEntries(['rsi', 'macd', 'ema:200']),
  block: blockOf(rows),
  limit: 100,
  series: true,
  candles: true,
  ...over,
});
const act = (does: string, n = 0) => job({ head: { act: does, n } });
const faulty = new URL('./faulty-worker.ts', import.meta.url);
const later = () => Date.now() + 60_000;

function start(t: Test, options: Partial<PoolOptions> = {}) {
  const pool = new IndicatorPool({ threads: 1, clock: systemClock, inline: 0, ...options });
  t.teardown(() => pool.stop());
  return pool;
}

const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);

t.test('a thread gives the same result as the event loop and takes the columns', async (t) => {
  const pool = start(t);
  const expected = runJob(job());
  const sent = job();
  t.same(await pool.run(sent, later()), { ok: true, json: expected });
  t.equal(sent.block.length, 0, 'transferred, not copied');
  const { jobs, batches, wait, run } = pool.counts();
  t.same([jobs.thread, jobs.inline, batches], [1, 0, 1]);
  t.equal(sum(wait.counts), 1);
  t.equal(sum(run.counts), 1);
  t.ok(run.sum > 0);
  t.equal(wait.counts.length, wait.bounds.length + 1);
});

t.test('a batch says that it has begun, and a job that throws is a fault', async (t) => {
  const begun = new Int32Array(1);
  const [entry] = readEntries(['sma']);
  const broken = entry ? [{ ...entry, name: 'nonsense' }] : [];
  const outcomes = runBatch({ jobs: [job(), job({ entries: broken })], begun });
  t.match(outcomes, [{ json: runJob(job()) }, { fault: 'there is no indicator nonsense' }]);
  t.ok(outcomes.every(({ ms }) => ms > 0 && ms < 10_000));
  t.equal(begun[0], 1);
});

t.test('durations by size', (t) => {
  const durations = new DurationCounter();
  for (const ms of [0.01, 0.05, 0.06, 2_500, 2_501, -1]) durations.add(ms);
  const { bounds, counts, sum } = durations.read();
  t.same([counts[0], counts[1], counts.at(-2), counts.at(-1)], [3, 1, 1, 1]);
  const ms = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 2_500];
  t.same([bounds.map((bound) => bound * 1_000), counts.length], [ms, 15]);
  t.ok(Math.abs(sum - 5.00112) < 1e-9);
  t.end();
});

t.test('jobs that wait go together, each gets its own result', async (t) => {
  const pool = start(t, { worker: faulty });
  const all = Array.from({ length: 200 }, (_, n) => pool.run(job({ head: { n } }), later()));
  t.equal(pool.counts().queued, 199, 'one is on its way');
  const results = await Promise.all(all);
  const parsed = results.map((result) => (result.ok ? JSON.parse(result.json) : null));
  t.same(
    parsed.map(([n]) => n),
    Array.from({ length: 200 }, (_, n) => n),
  );
  t.ok(parsed.every(([, length]) => length === rows.length * 6));
  const most = (batches: readonly number[][]) =>
    Math.max(...batches.map(([, , count]) => count ?? 0));
  t.equal(most(parsed), Math.floor(2_000 / costOf(job())), 'work of 2 ms in a batch');
  t.equal(pool.counts().queued, 0);
  const small = () => job({ entries: readEntries(['sma:5']), series: false });
  const more = await Promise.all(Array.from({ length: 200 }, () => pool.run(small(), later())));
  const shares = more.map((result) => (result.ok ? JSON.parse(result.json) : []));
  t.equal(most(shares), 64, 'and 64 jobs');
});

t.test('a large job is a batch of its own', async (t) => {
  const pool = start(t, { worker: faulty });
  const small = () => job({ entries: readEntries(['sma']), series: false });
  const large = () => job({ entries: readEntries(Array(50).fill('macd')) });
  const busy = pool.run(small(), later());
  const all = [small(), small(), large(), small()].map((one) => pool.run(one, later()));
  await busy;
  const results = await Promise.all(all);
  const together = results.map((result) => (result.ok ? JSON.parse(result.json)[2] : 0));
  t.same(together, [2, 2, 1, 1]);
});

t.test('a small job runs in the loop, as long as that holds it for at most 1 ms', async (t) => {
  const small = () => job({ entries: readEntries(['sma:5']), series: false });
  const inline = Math.ceil(costOf(small()));
  const pool = start(t, { inline });
  const first = pool.run(small(), later());
  t.notOk(first instanceof Promise, 'its result is there at once');
  t.same(first, { ok: true, json: runJob(small()) });
  const rest = Array.from({ length: 3_000 }, () => small());
  let here = 0;
  const waiting: unknown[] = [];
  for (const one of rest) {
    const result = pool.run(one, later());
    if (!(result instanceof Promise)) here += 1;
    else if (waiting.push(result) > 3) break;
  }
  t.equal(waiting.length, 4, 'the turn was used up');
  t.ok(here < 2_990, `${here} more ran here`);
  await Promise.all(waiting);
  await new Promise((resolve) => setImmediate(resolve));
  t.notOk(pool.run(small(), later()) instanceof Promise, 'the next turn has room again');
  t.ok(pool.run(job(), later()) instanceof Promise, 'a larger job goes to a thread');
});

t.test('the queue is bounded in jobs and in bytes', async (t) => {
  const byJobs = start(t, { worker: faulty, capacity: { jobs: 3, bytes: 1e9 } });
  const all = Array.from({ length: 6 }, (_, n) => byJobs.run(job({ head: { n } }), later()));
  const done = await Promise.all(all);
  t.same(
    done.map(({ ok }) => ok),
    [true, true, true, true, false, false],
  );
  t.match(done[5], { refusal: 'full', message: '3 jobs wait already' });
  t.equal(byJobs.counts().jobs.full, 2);
  const bytes = job().block.byteLength;
  const byBytes = start(t, { worker: faulty, capacity: { jobs: 100, bytes: 2 * bytes } });
  const few = await Promise.all([1, 2, 3, 4].map(() => byBytes.run(job(), later())));
  t.same(
    few.map(({ ok }) => ok),
    [true, true, true, false],
  );
  t.match(await byBytes.run(job(), later()), { ok: true }, 'room again');
});

t.test('without other options: small jobs in the loop, 512 jobs and 64 MiB wait', async (t) => {
  const pool = new IndicatorPool({ threads: 1, clock: systemClock, worker: faulty });
  const few = (count: number) =>
    job({ entries: readEntries(Array(count).fill('sma:5')), series: false });
  t.ok(costOf(few(13)) < 250 && costOf(few(14)) > 250);
  t.notOk(pool.run(few(13), later()) instanceof Promise);
  t.ok(pool.run(few(14), later()) instanceof Promise);
  const refused = (room: IndicatorPool, block: Float64Array, count: number) => {
    const hang = () => job({ head: { act: 'hang' }, block: block.slice() });
    return Array.from({ length: count }, () => room.run(hang(), later())).findIndex(
      (result) => !(result instanceof Promise),
    );
  };
  t.equal(refused(pool, job().block, 514), 512, 'one more is on its way');
  const other = start(t, { worker: faulty });
  t.equal(refused(other, new Float64Array(2 ** 17), 66), 65, 'of 1 MiB each');
  await Promise.all([pool.stop(), other.stop()]);
});

t.test('a job whose deadline has passed before its turn is refused', async (t) => {
  const clock = new FakeClock();
  const pool = start(t, { worker: faulty, clock });
  const first = pool.run(job(), clock.now() + 10);
  const late = pool.run(job(), clock.now() + 10);
  const intime = pool.run(job(), clock.now() + 1_000);
  await clock.advance(10);
  t.match(await first, { ok: true }, 'it had begun');
  t.match(await late, { ok: false, refusal: 'late' });
  t.match(await intime, { ok: true });
  t.equal(pool.counts().jobs.late, 1);
});

t.test('a job that throws fails alone', async (t) => {
  const errors: object[] = [];
  const pool = start(t, { worker: faulty, log: { error: (fields) => errors.push(fields) } });
  const busy = pool.run(job(), later());
  const [thrown, fine] = [pool.run(act('throw'), later()), pool.run(act('answer'), later())];
  t.match(await busy, { ok: true });
  t.match(await thrown, { refusal: 'threw', message: 'a fault of its own' });
  t.match(await fine, { ok: true });
  t.match(await pool.run(act('crash'), later()), {
    refusal: 'died',
    message: 'a fault of the batch',
  });
  t.equal(errors.length, 2);
});

t.test(
  'a thread that dies is replaced, its jobs are refused and later ones answered',
  async (t) => {
    const pool = start(t, { worker: faulty });
    const dying = pool.run(act('die'), later());
    const behind = [1, 2, 3].map((n) => pool.run(act('answer', n), later()));
    t.match(await dying, { ok: false, refusal: 'died' });
    t.match(await Promise.all(behind), [{ ok: true }, { ok: true }, { ok: true }]);
    t.equal(pool.counts().jobs.died, 1);
    t.equal(pool.counts().replaced, 1);
    for (let i = 0; i < 3; i++) await pool.run(act('die'), later());
    t.match(await pool.run(act('answer'), later()), { ok: true }, 'again and again');
  },
);

t.test('a batch that runs too long is ended with its thread', async (t) => {
  const clock = new FakeClock();
  const pool = start(t, { worker: faulty, clock, runLimit: 500 });
  t.match(await pool.run(act('answer'), clock.now() + 9e9), { ok: true }, 'the thread runs');
  const hanging = pool.run(act('hang'), clock.now() + 9e9);
  const behind = pool.run(act('answer'), clock.now() + 9e9);
  await clock.advance(499);
  t.equal(pool.counts().jobs.overran, 0);
  // It may not have begun when the first limit has passed.
  await until(async () => {
    await clock.advance(500);
    return pool.counts().jobs.overran === 1;
  }, 'it is ended');
  t.match(await hanging, { ok: false, refusal: 'overran' });
  t.match(await behind, { ok: true }, 'by the next thread');
  t.equal(pool.counts().replaced, 1);
  t.equal(clock.pending, 0, 'no timer is left');
});

t.test('a thread may take fifteen times as long to begin', async (t) => {
  const clock = new FakeClock();
  const pool = start(t, { worker: faulty, clock, runLimit: 500 });
  const silent = pool.run(act('mute'), clock.now() + 9e9);
  await clock.advance(14 * 500);
  t.equal(pool.counts().jobs.overran + clock.pending, 1, 'it is looked for again');
  await clock.advance(500);
  t.match(await silent, { ok: false, refusal: 'overran' });
});

t.test('two threads share a queue', async (t) => {
  const pool = start(t, { worker: faulty, threads: 2, runLimit: 60_000 });
  const hanging = pool.run(act('hang'), later());
  t.match(await pool.run(act('answer'), later()), { ok: true }, 'the other one is free');
  await pool.stop();
  t.match(await hanging, { ok: false, refusal: 'stopped' });
});

t.test('a stop refuses what waits and what comes', async (t) => {
  const pool = start(t, { worker: faulty });
  const all = [1, 2, 3].map(() => pool.run(act('hang'), later()));
  await until(() => pool.counts().batches === 1, 'one has begun');
  await pool.stop();
  t.match(await Promise.all(all), Array(3).fill({ ok: false, refusal: 'stopped' }));
  t.match(await pool.run(job(), later()), { ok: false, refusal: 'stopped' });
  t.equal(pool.counts().replaced, 0);
});
