import fc from 'fast-check';
import t from 'tap';
import { nextAttempt } from '../../../alerts/delivery/schedule.ts';

const hour = 3_600_000;

/** The times of all attempts of a delivery that fails always, ms from its begin. */
function attemptsOf(random: () => number, retryAfter: number | null = null): number[] {
  const times = [0];
  for (;;) {
    const now = times.at(-1) ?? 0;
    const next = nextAttempt({
      attempts: times.length,
      since: 0,
      now,
      retryAfter,
      random: random(),
    });
    if (next === null) return times;
    times.push(next);
  }
}

t.test('a delivery is tried for 24 hours, with pauses from 5 s to 2 h', async (t) => {
  const times = attemptsOf(() => 0.5);
  const pauses = times.slice(1).map((at, i) => (at - (times[i] ?? 0)) / 1_000);
  t.strictSame(pauses.slice(0, 8), [5, 15, 60, 300, 900, 1_800, 3_600, 7_200]);
  t.ok(pauses.slice(7).every((pause) => pause === 7_200));
  const last = times.at(-1) ?? 0;
  t.ok(last <= 24 * hour && last > 22 * hour);
});

t.test('pauses differ by a fifth at most, and are as long as the receiver asks for', async (t) => {
  const any = fc.property(
    fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
    (stream) => {
      const next = () => Number(stream.next().value);
      const times = attemptsOf(next);
      const [, first = 0] = times;
      return first >= 4_000 && first <= 6_000 && (times.at(-1) ?? 0) <= 24 * hour;
    },
  );
  fc.assert(any, { numRuns: 50 });
  t.strictSame(
    attemptsOf(() => 0.5, 10 * hour),
    [0, 10 * hour, 20 * hour],
  );
});
