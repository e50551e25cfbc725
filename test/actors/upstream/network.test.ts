import t from 'tap';
import { success } from '../../../actors/failure.ts';
import { Network } from '../../../actors/upstream/network.ts';
import { FakeClock, settle } from '../../support/clock.ts';

const limits = { deadline: 0, account: 'a' };

/** A guarded question that is answered when the test says so. */
function question(network: Network) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const guarded = network.guard(async (request: string) => {
    await promise;
    return success(request);
  });
  const asked = guarded('book', limits);
  let ended = false;
  void asked.then(() => {
    ended = true;
  });
  return { asked, answer: resolve, ended: () => ended };
}

t.test('a question before any upstream has answered ends soon', async (t) => {
  const clock = new FakeClock();
  const { asked, ended } = question(new Network(clock));
  await clock.advance(999);
  t.notOk(ended());
  await clock.advance(1);
  t.match(await asked, { ok: false, failure: { code: 'network' } });
  t.equal(clock.pending, 0);
});

t.test('it waits on when any upstream answers meanwhile', async (t) => {
  const clock = new FakeClock();
  const network = new Network(clock);
  const { asked, answer, ended } = question(network);
  await clock.advance(900);
  network.answered();
  await clock.advance(10_000);
  t.notOk(ended());
  answer();
  t.same(await asked, success('book'));
});

t.test('a process that lags blames no network', async (t) => {
  const clock = new FakeClock();
  let lag = 0;
  const late = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + lag,
    after: clock.after.bind(clock),
  };
  const { asked, answer, ended } = question(new Network(late));
  lag = 101;
  await clock.advance(1_000);
  t.notOk(ended());
  answer();
  t.same(await asked, success('book'));
  lag = 0;
  const judged = question(new Network(late));
  lag = 100;
  await clock.advance(1_000);
  t.match(await judged.asked, { failure: { code: 'network' } }, 'a little late is usual');
});

t.test('its own answer counts', async (t) => {
  const clock = new FakeClock();
  const { asked, answer } = question(new Network(clock));
  answer();
  t.same(await asked, success('book'));
  t.equal(clock.pending, 0);
});

t.test('one host that fails is not the network', async (t) => {
  const clock = new FakeClock();
  const network = new Network(clock);
  network.answered();
  for (let i = 0; i < 5; i++) network.failed('a.example');
  t.notOk(network.silent);
  const waiting = question(network);
  await clock.advance(10_000);
  t.notOk(waiting.ended());
  network.failed('b.example');
  t.ok(network.silent, 'two hosts without an answer of any');
  const refused = question(network);
  await clock.advance(1_000);
  t.match(await refused.asked, { ok: false, failure: { code: 'network' } });
  network.answered();
  t.notOk(network.silent);
  await settle();
  t.notOk(waiting.ended());
  waiting.answer();
  t.match(await waiting.asked, { ok: true });
});
