import t from 'tap';
import { Breaker } from '../../../actors/upstream/breaker.ts';
import { FakeClock } from '../../support/clock.ts';

function stage(random = () => 0.5) {
  const clock = new FakeClock();
  const breaker = new Breaker({ clock, random }, 3);
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.failed();
  };
  return { clock, breaker, fail };
}

t.test('opens after a number of consecutive failures, and only of consecutive ones', async (t) => {
  const { breaker, fail } = stage();
  fail(2);
  breaker.succeeded();
  fail(2);
  t.strictSame([breaker.state, breaker.wait], ['closed', 0]);
  fail(1);
  t.strictSame([breaker.state, breaker.wait], ['open', 3_500]);
  breaker.succeeded();
  fail(9);
  t.strictSame([breaker.state, breaker.wait], ['open', 3_500], 'earlier requests decide nothing');
});

t.test('after the open time the next outcome decides', async (t) => {
  const { clock, breaker, fail } = stage();
  fail(3);
  await clock.advance(3_499);
  t.equal(breaker.state, 'open');
  await clock.advance(1);
  t.strictSame([breaker.state, breaker.wait], ['half_open', 0]);
  fail(1);
  t.strictSame([breaker.state, breaker.wait], ['open', 6_000], 'one failure opens it, for longer');
  await clock.advance(6_000);
  breaker.succeeded();
  t.equal(breaker.state, 'closed');
  fail(2);
  t.equal(breaker.state, 'closed', 'failures are counted anew');
  fail(1);
  t.equal(breaker.wait, 3_500, 'and so are open times');
});

t.test('open times grow up to a cap and never vanish', async (t) => {
  for (const [random, longest] of [
    [() => 0, 1_000],
    [() => 1, 121_000],
  ] as const) {
    const { clock, breaker, fail } = stage(random);
    fail(3);
    for (let i = 0; i < 10; i++) {
      await clock.advance(longest);
      t.equal(breaker.state, 'half_open');
      fail(1);
      await clock.advance(999);
      t.equal(breaker.state, 'open');
    }
  }
});
