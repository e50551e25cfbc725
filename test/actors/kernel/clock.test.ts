import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import t from 'tap';
import {
  every,
  late,
  ServiceClock,
  sleep,
  systemClock,
  within,
} from '../../../actors/kernel/clock.ts';
import { FakeClock, settle } from '../../support/clock.ts';

t.test('within gives the outcome and leaves no timer', async (t) => {
  const clock = new FakeClock();
  t.equal(await within(clock, 100, Promise.resolve('done')), 'done');
  await t.rejects(within(clock, 100, Promise.reject(new Error('no'))), /no/);
  t.equal(clock.pending, 0);
});

t.test('within gives late when the time is up, and a later failure is ignored', async (t) => {
  const clock = new FakeClock();
  const { promise, reject } = Promise.withResolvers<string>();
  const outcome = within(clock, 100, promise);
  await clock.advance(100);
  t.equal(await outcome, late);
  reject(new Error('after the fact'));
  await settle();
});

t.test('what arrived while the process was held up is not late', async (t) => {
  const outcome = within(systemClock, 10, stat('.'));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  t.not(await outcome, late);
});

t.test('every calls after each interval until it is cancelled, from within as well', async (t) => {
  const clock = new FakeClock();
  const times: number[] = [];
  const begun = clock.now();
  const cancel = every(clock, 100, () => {
    times.push(clock.now() - begun);
    if (times.length === 3) cancel();
  });
  t.strictSame(times, [], 'not at once');
  await clock.advance(99);
  t.strictSame(times, []);
  await clock.advance(1_000);
  t.strictSame(times, [100, 200, 300]);
  t.equal(clock.pending, 0);
});

t.test('every waits for the promise of its work, and plans nothing once cancelled', async (t) => {
  const clock = new FakeClock();
  const works: (() => void)[] = [];
  const cancel = every(clock, 100, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    works.push(resolve);
    return promise;
  });
  await clock.advance(1_000);
  t.equal(works.length, 1, 'no second call while the first one is under way');
  works[0]?.();
  await settle();
  await clock.advance(99);
  t.equal(works.length, 1);
  await clock.advance(1);
  t.equal(works.length, 2, 'an interval after the end of the first one');
  cancel();
  works[1]?.();
  await settle();
  t.equal(clock.pending, 0);
});

t.test('a sleep ends in time, or when it is aborted, and leaves no timer', async (t) => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const woken: string[] = [];
  void sleep(clock, 100).then(() => woken.push('in time'));
  void sleep(clock, 200, stop.signal).then(() => woken.push('aborted'));
  await clock.advance(99);
  t.strictSame(woken, []);
  await clock.advance(1);
  t.strictSame(woken, ['in time']);
  stop.abort();
  await settle();
  t.strictSame(woken, ['in time', 'aborted']);
  await sleep(clock, 100, stop.signal);
  t.equal(clock.pending, 0);
});

t.test('the system clock fires once and can be cancelled', async (t) => {
  let cancelled = false;
  const cancel = systemClock.after(0, () => {
    cancelled = true;
  });
  cancel();
  cancel();
  const alive = setInterval(() => {}, 1_000);
  await new Promise<void>((resolve) => systemClock.after(1, resolve));
  clearInterval(alive);
  t.notOk(cancelled);
  t.ok(Math.abs(systemClock.now() - Date.now()) < 1_000);
});

t.test('calls without a delay come together, before what they write is written', async (t) => {
  const calls: string[] = [];
  const plan = (name: string) =>
    systemClock.after(0, () => {
      calls.push(name);
      process.nextTick(() => calls.push('written'));
    });
  for (const turn of ['first', 'second']) {
    calls.length = 0;
    plan(turn);
    const cancel = plan('never');
    plan('other');
    cancel();
    t.same(calls, []);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    t.same(calls, [turn, 'other', 'written', 'written']);
  }
});

t.test('a call without a delay wakes a process in which nothing else happens', async (t) => {
  const code = `import net from 'node:net';
    import { systemClock } from './actors/kernel/clock.ts';
    net.createServer().listen(0, '127.0.0.1');
    // More calls than the few times that Node itself wakes the process.
    const next = (left) => systemClock.after(0, () => (left === 0 ? process.exit(7) : next(left - 1)));
    setTimeout(next, 100, 100);
    setTimeout(() => process.exit(8), 5_000);`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env: {},
  });
  t.equal(status, 7);
});

t.test('an exception in a call is uncaught, and the next call comes all the same', async (t) => {
  const code = `import { systemClock } from './actors/kernel/clock.ts';
    process.on('uncaughtException', ({ message }) => console.log(message));
    systemClock.after(0, () => { throw new Error('a bug'); });
    systemClock.after(0, () => console.log('next'));
    setTimeout(() => {}, 1);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  t.equal(stdout, 'next\na bug\n');
});

t.test('work that rejects is called again, and costs the process nothing', (t) => {
  const code = `import { every, systemClock } from './actors/kernel/clock.ts';
    process.on('warning', ({ message }) => console.log(message));
    let calls = 0;
    every(systemClock, 1, async () => {
      calls += 1;
      if (calls === 3) process.exit(7);
      throw new Error('away');
    });
    setTimeout(() => {}, 30_000);`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  });
  t.same([status, stdout], [7, 'away\naway\n']);
  t.end();
});

t.test(
  'the time of the service is that of Redis where the host differs by more than a second',
  (t) => {
    const clock = new ServiceClock();
    let [step, passed] = [0, 1_000];
    t.intercept(Date, 'now', { value: () => 1_700_000_000_000 + step + passed });
    t.intercept(performance, 'now', { value: () => passed });
    const redis = (ahead = 0) => clock.agree(1_700_000_000_000 + ahead + passed, passed);
    const off = () => clock.now() - 1_700_000_000_000 - passed;
    const state = () => [off(), Math.round(clock.ahead)];
    step = 5;
    t.same(state(), [5, 0], 'the own one at first');
    redis();
    t.same(state(), [5, 5], 'and where it is right');
    step = 3_600_000;
    t.equal(off(), 5, 'a step is not seen');
    passed += 1_000;
    redis();
    t.same(state(), [5, 3_600_000], 'nor followed');
    redis(400);
    t.equal(off(), 5, 'answers of Redis are not exact');
    step = -3_600_000;
    redis();
    t.same(state(), [5, -3_600_000]);
    redis(7_200_000);
    t.same(state(), [7_200_000, -10_800_000], 'a step of Redis is one for all');
    step = -30;
    redis();
    t.same(state(), [-30, -30]);
    t.equal(clock.monotonic(), passed);
    const late = new ServiceClock();
    step = 3_600_000;
    late.agree(1_700_000_000_000 + passed, passed);
    t.equal(late.now() - passed, 1_700_000_000_000, 'a process that starts with a wrong clock');
    t.end();
  },
);

t.test('every calls work again that has thrown', async (t) => {
  const clock = new FakeClock();
  let calls = 0;
  const cancel = every(clock, 100, () => {
    calls += 1;
    if (calls === 1) throw new Error('once');
  });
  await clock.advance(100).catch(() => {});
  await clock.advance(100);
  t.equal(calls, 2);
  cancel();
});

t.test(
  'a time that is lived again goes faster, stands before and after, and is not that of Redis',
  async (t) => {
    const clock = new ServiceClock();
    const range = { from: 1_000_000, to: 1_000_000 + 3_600_000, speed: 60 };
    clock.replay({ ...range, began: Date.now() + 3_600_000 });
    t.equal(clock.now(), range.from, 'it has not begun');
    const fired = async (ms: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      // Timers of the clock keep no process alive.
      const alive = setInterval(() => {}, 1_000);
      clock.after(ms, resolve);
      await promise;
      clearInterval(alive);
    };
    await fired(5);
    t.equal(clock.monotonic(), range.from, 'timers go on while it stands');
    clock.replay({ ...range, began: Date.now() - 10_000 });
    const [before, since] = [clock.now(), performance.now()];
    t.ok(before >= range.from + 600_000, 'ten seconds are ten minutes');
    clock.agree(Date.now(), clock.monotonic());
    await fired(3_000);
    t.ok(clock.now() >= before + 3_000, 'a timer is one of its time');
    t.ok(clock.now() - before <= (performance.now() - since + 2) * 60);
    t.equal(clock.ahead, 0);
    clock.replay({ ...range, began: Date.now() - 3_600_000 });
    t.equal(clock.now(), range.to, 'it is over');
  },
);
