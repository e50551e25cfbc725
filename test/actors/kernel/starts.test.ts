import t from 'tap';
import { Starts } from '../../../actors/kernel/starts.ts';
import { FakeClock } from '../../support/clock.ts';

/** A clock whose timers come late by `late` ms, as those of a process that is busy. */
class LateClock extends FakeClock {
  late = 0;

  override after(ms: number, fn: () => void) {
    return super.after(ms + this.late, fn);
  }
}

/** Queues so many starts, and gives when each had its turn, ms from now; `starts` says whether each starts something. */
function queue(clock: LateClock, count: number, starts: (at: number) => boolean = () => true) {
  const own = new Starts(clock);
  const began = clock.now();
  const times: number[] = [];
  for (let at = 0; at < count; at++)
    void own.turn(async () => {
      times.push(clock.now() - began);
      return starts(at);
    });
  return times;
}

t.test('one after another, 100 ms apart', async (t) => {
  const clock = new LateClock();
  const times = queue(clock, 4);
  await clock.advance(1_000);
  t.strictSame(times, [0, 100, 200, 300]);
});

t.test('what has started nothing is followed at once', async (t) => {
  const clock = new LateClock();
  const times = queue(clock, 5, (at) => at === 3);
  await clock.advance(1_000);
  t.strictSame(times, [0, 0, 0, 0, 100]);
});

t.test('a busy process waits until its timers run', async (t) => {
  const clock = new LateClock();
  clock.late = 400;
  const times = queue(clock, 3);
  await clock.advance(4_000);
  t.strictSame(times, [0, 500, 1_000]);
});
