import t from 'tap';
import { Starts, type Turn } from '../../../actors/kernel/starts.ts';
import { FakeClock, settle } from '../../support/clock.ts';

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
    void own.turn().then((turn: Turn) => {
      times.push(clock.now() - began);
      turn.end(starts(at));
    });
  return times;
}

t.test('one after another, 100 ms apart while the event loop is on time', async (t) => {
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

t.test('a busy process waits, and goes on at once when it is on time', async (t) => {
  const clock = new LateClock();
  clock.late = 200;
  const times = queue(clock, 3);
  await settle();
  clock.late = 50;
  await clock.advance(310);
  t.strictSame(times, [0], 'the first look was 200 ms late');
  clock.late = 0;
  await clock.advance(1_000);
  // Looks at 300 (late), 450 (late by 50), then on time.
  t.strictSame(times, [0, 550, 650]);
});

t.test('a process that is never on time starts something each second', async (t) => {
  const clock = new LateClock();
  clock.late = 400;
  const times = queue(clock, 5);
  await clock.advance(4_000);
  t.strictSame(times, [0, 1_000, 2_000, 3_000, 4_000]);
});
