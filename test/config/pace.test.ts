/** When a value leaves. */
import fc from 'fast-check';
import t from 'tap';
import { interval, Pace, processLoad } from '../../config/pace.ts';
import { property } from '../support/property.ts';

/** A pace by a clock that work moves. */
function stage(setting: number | 'auto') {
  const time = { now: 1_000, load: 0 };
  const pace = new Pace(
    setting,
    () => time.now,
    () => time.load,
  );
  const work = (ms: number) =>
    pace.run(() => {
      time.now += ms;
    });
  return { time, pace, work };
}

t.test('a quiet process waits for nothing, also after some work', async (t) => {
  const { time, pace, work } = stage('auto');
  t.equal(pace.wait(0), 0);
  work(5);
  t.equal(pace.wait(0), 0, 'a fifth of 25 ms');
  time.now += 25;
  work(5);
  t.equal(pace.wait(0), 0);
});

t.test('what waits leaves together, each once, by the wait of the first', async (t) => {
  const { time, pace, work } = stage('auto');
  const planned: { ms: number; fn: () => void }[] = [];
  const clock = { after: (ms: number, fn: () => void) => planned.push({ ms, fn }) };
  const left: string[] = [];
  const one = () => left.push('one');
  const other = () => {
    left.push('other');
    time.now += 8;
  };
  work(8);
  for (const each of [one, other, one]) pace.join(each, clock);
  t.same(
    planned.map(({ ms }) => ms),
    [7],
  );
  time.now += 7;
  planned[0]?.fn();
  t.same(left, ['one', 'other']);
  pace.join(one, clock);
  t.equal(planned[1]?.ms, 25, 'the time that they took counts');
  planned[1]?.fn();
  t.same(left, ['one', 'other', 'one']);
});

t.test('more than a fifth of the time makes the next wait, 25 ms at most', async (t) => {
  const { time, pace, work } = stage('auto');
  work(8);
  t.equal(pace.wait(0), 7);
  time.now += 7;
  t.equal(pace.wait(0), 0);
  work(1_000);
  t.equal(pace.wait(0), 25);
  time.now += 25;
  t.equal(pace.wait(0), 0);
});

t.test(
  'whatever there is to do, it takes a fifth of the process and what one work takes',
  async (t) => {
    await property(t, fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 200 }), (works) => {
      const { time, pace, work } = stage('auto');
      let busy = 0;
      for (const ms of works) {
        time.now += pace.wait(0);
        work(ms);
        busy += ms;
        if (busy > (time.now - 1_000) / 5 + 5 + 6)
          throw new Error(`${busy} of ${time.now - 1_000}`);
      }
    });
  },
);

t.test('with load, publications are joined: 25 ms at most between two times', async (t) => {
  const { time, pace, work } = stage('auto');
  time.load = 1;
  t.equal(pace.wait(0), 0, 'the first one');
  work(0);
  t.equal(pace.wait(0), 25);
  time.load = 0.4;
  t.equal(pace.wait(0), 4);
  time.now += 4;
  t.equal(pace.wait(0), 0);
  time.load = 0;
  work(0);
  t.equal(pace.wait(0), 0, 'a quiet process');
});

t.test('the load is the part of a processor of the last 25 ms, from a quarter on', async (t) => {
  let [now, used] = [1_000, 400];
  const load = processLoad(
    () => now,
    () => used,
  );
  const after = (ms: number, spent: number) => {
    [now, used] = [now + ms, used + spent];
    return load();
  };
  t.equal(load(), 0, 'before it is known');
  t.equal(after(24, 24), 0, 'not yet');
  t.equal(after(6, 0), 0.8);
  t.equal(after(10, 0), 0.8, 'until the next 25 ms are over');
  t.equal(after(20, 9), 0.3);
  t.equal(after(40, 10), 0, 'a quarter');
  t.equal(after(25, 40), 1, 'several threads');
});

t.test('a number is the time between two', async (t) => {
  const { pace, work } = stage(100);
  work(50);
  t.strictSame([pace.wait(Number.POSITIVE_INFINITY), pace.wait(30), pace.wait(100)], [0, 70, 0]);
  t.strictSame([interval('auto'), interval('0'), interval('60000')], ['auto', 0, 60_000]);
  for (const text of ['', '-1', '60001', 'now']) {
    t.throws(() => interval(text), { message: 'auto or a whole number from 0 to 60000' });
  }
});
