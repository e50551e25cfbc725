import t from 'tap';
import { fullJitter } from '../../../actors/kernel/backoff.ts';

const bounds = { base: 100, cap: 5_000 };
const almostOne = () => 1 - Number.EPSILON;

t.test('the range begins at 0 and doubles up to the cap', async (t) => {
  for (let attempt = 0; attempt < 12; attempt++) {
    t.equal(
      fullJitter(attempt, bounds, () => 0),
      0,
    );
    const most = Math.min(5_000, 100 * 2 ** attempt);
    const longest = fullJitter(attempt, bounds, almostOne);
    t.ok(longest <= most && longest > most * 0.999, `attempt ${attempt} reaches ${most}`);
  }
});

t.test('uniform: a random number is the place in the range', async (t) => {
  t.equal(
    fullJitter(3, bounds, () => 0.25),
    200,
  );
  t.equal(
    fullJitter(20, bounds, () => 0.5),
    2_500,
  );
});

t.test('a large attempt overflows nothing', async (t) => {
  for (const attempt of [1_023, 1_024, 1e9, Number.MAX_SAFE_INTEGER]) {
    t.equal(
      fullJitter(attempt, bounds, () => 0.5),
      2_500,
    );
    t.equal(
      fullJitter(attempt, { base: 0, cap: 5_000 }, () => 0.5),
      0,
    );
  }
});

t.test('stays in the range with the default random', async (t) => {
  for (let i = 0; i < 1_000; i++) {
    const wait = fullJitter(2, bounds);
    if (wait < 0 || wait > 400) t.fail(`${wait} is outside of [0, 400]`);
  }
});
