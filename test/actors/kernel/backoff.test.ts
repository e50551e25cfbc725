import t from 'tap';
import { fullJitter } from '../../../actors/kernel/backoff.ts';

const bounds = { base: 100, cap: 5_000 };

t.test('the range begins at 0 and doubles up to the cap', async (t) => {
  for (let attempt = 0; attempt < 12; attempt++) {
    const most = Math.min(5_000, 100 * 2 ** attempt);
    const waits = [0, 0.25, 1].map((at) => fullJitter(attempt, bounds, () => at));
    t.strictSame(waits, [0, most / 4, most]);
  }
});

t.test('a floor is added to every wait', async (t) => {
  const waits = [0, 0.5, 1].map((at) => fullJitter(1, { ...bounds, floor: 30 }, () => at));
  t.strictSame(waits, [30, 130, 230]);
});

t.test('a large attempt overflows nothing', async (t) => {
  for (const attempt of [1_023, 1_024, 1e9, Number.MAX_SAFE_INTEGER]) {
    const waits = [100, 0].map((base) => fullJitter(attempt, { ...bounds, base }, () => 0.5));
    t.strictSame(waits, [2_500, 0]);
  }
});

t.test('stays in the range with the default random', async (t) => {
  for (let i = 0; i < 1_000; i++) {
    const wait = fullJitter(2, bounds);
    if (wait < 0 || wait > 400) t.fail(`${wait} is outside of [0, 400]`);
  }
});
