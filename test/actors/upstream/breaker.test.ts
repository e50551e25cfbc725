import t from 'tap';
import { Breaker, type Permit } from '../../../actors/upstream/breaker.ts';
import { FakeClock } from '../../support/clock.ts';

function stage(random = () => 0.5) {
  const clock = new FakeClock();
  const breaker = new Breaker({ clock, random, failures: 3 });
  const permit = (): Permit => {
    const given = breaker.admit();
    if (!given) throw new Error('no permit');
    return given;
  };
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) permit().failed();
  };
  return { clock, breaker, permit, fail };
}

t.test('opens after a number of consecutive failures, and only of consecutive ones', async (t) => {
  const { breaker, permit, fail } = stage();
  fail(2);
  permit().succeeded();
  fail(2);
  permit().released();
  t.equal(breaker.state, 'closed');
  fail(1);
  t.equal(breaker.state, 'open');
  t.equal(breaker.admit(), null);
  breaker.revived();
  t.equal(breaker.state, 'open', 'an answer to an earlier request is no probe');
});

t.test('how long a request has to wait; another caller’s answer ends that', async (t) => {
  const { clock, breaker, permit, fail } = stage();
  t.equal(breaker.wait, 0);
  fail(3);
  t.equal(breaker.wait, 3_500);
  await clock.advance(3_000);
  t.equal(breaker.wait, 1_000, 'no less than a second');
  await clock.advance(500);
  t.equal(breaker.wait, 0);
  const probe = permit();
  t.strictSame([breaker.wait, breaker.admits], [1_000, false]);
  breaker.revived();
  t.strictSame([breaker.wait, breaker.state], [0, 'closed']);
  probe.released();
  fail(2);
  t.equal(breaker.state, 'closed', 'failures are counted anew');
  fail(1);
  t.equal(breaker.wait, 3_500, 'and so are open times');
});

t.test('half-open lets one probe through; its success closes', async (t) => {
  const { clock, breaker, permit, fail } = stage();
  fail(3);
  await clock.advance(3_499);
  t.equal(breaker.state, 'open');
  await clock.advance(1);
  t.equal(breaker.state, 'half_open');
  const probe = permit();
  t.equal(breaker.admit(), null, 'one probe at a time');
  probe.succeeded();
  t.equal(breaker.state, 'closed');
  t.ok(breaker.admits);
});

t.test('a failed probe opens it again, for longer', async (t) => {
  const { clock, breaker, permit, fail } = stage();
  fail(3);
  await clock.advance(3_500);
  permit().failed();
  await clock.advance(5_999);
  t.equal(breaker.state, 'open');
  await clock.advance(1);
  t.equal(breaker.state, 'half_open');
});

t.test('a probe without a result makes room for the next one', async (t) => {
  const { clock, breaker, permit, fail } = stage();
  fail(3);
  await clock.advance(3_500);
  permit().released();
  t.equal(breaker.state, 'half_open');
  t.ok(breaker.admit());
});

t.test('requests from before it opened decide nothing afterwards', async (t) => {
  const { clock, breaker, permit, fail } = stage();
  const [old, older] = [permit(), permit()];
  fail(3);
  old.succeeded();
  t.equal(breaker.state, 'open');
  await clock.advance(3_500);
  const probe = permit();
  older.failed();
  t.equal(breaker.state, 'half_open');
  probe.succeeded();
  t.equal(breaker.state, 'closed');
});

t.test('open times grow up to a cap and never vanish', async (t) => {
  for (const [random, longest] of [
    [() => 0, 1_000],
    [() => 1, 121_000],
  ] as const) {
    const { clock, breaker, permit, fail } = stage(random);
    fail(3);
    for (let i = 0; i < 10; i++) {
      await clock.advance(longest);
      t.equal(breaker.state, 'half_open');
      permit().failed();
      await clock.advance(999);
      t.equal(breaker.state, 'open');
    }
  }
});
