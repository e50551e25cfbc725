import t from 'tap';
import { Limiter } from '../../../actors/upstream/limiter.ts';
import { Shares } from '../../../actors/upstream/shares.ts';
import { FakeClock, settle } from '../../support/clock.ts';

function stage({ weight = 100, per = 60_000 } = {}) {
  const clock = new FakeClock();
  const limiter = new Limiter({ budget: { weight, per }, clock, maxQueue: 512 });
  const granted = new Map<string, number>();
  const refusals: { account: string; retryAfter: number | undefined; message: string }[] = [];
  const ask = (account: string, more: { weight?: number; wait?: number } = {}) => {
    const { weight: own = 1, wait = 10_000 } = more;
    const claim = { weight: own, accounts: new Set([account]), deadline: clock.now() + wait };
    void limiter.take(claim).then((refusal) => {
      if (refusal === null) {
        limiter.ended(own);
        granted.set(account, (granted.get(account) ?? 0) + 1);
      } else refusals.push({ account, retryAfter: refusal.retryAfter, message: refusal.message });
    });
    return claim;
  };
  const of = (account: string) => granted.get(account) ?? 0;
  return { clock, limiter, ask, of, refusals };
}

t.test('one account alone leaves a quarter; a refusal says when to come again', async (t) => {
  const { clock, ask, of, refusals } = stage();
  for (let i = 0; i < 200; i++) ask('a');
  await settle();
  t.equal(of('a'), 75);
  t.equal(refusals.length, 125);
  t.match(refusals[0], { retryAfter: 60_000, message: /used 75 of its share/ });
  await clock.advance(1_000);
  for (let i = 0; i < 25; i++) ask('b');
  await settle();
  t.equal(of('b'), 25, 'the next one finds room at once');
});

t.test('fifty accounts at a high rate, and one that asks within its share', async (t) => {
  const { clock, ask, of, refusals } = stage({ weight: 6_000 });
  for (let second = 0; second < 300; second++) {
    for (let i = 0; i < 50; i++) ask(`${i}`, { weight: 5 });
    // A share is 6,000 * 3/4 / 51, which is 17 of these a minute.
    if (second % 4 === 0) ask('quiet', { weight: 5 });
    await clock.advance(1_000);
  }
  t.equal(of('quiet'), 75);
  t.notOk(refusals.some(({ account }) => account === 'quiet'));
  const shares = Array.from({ length: 50 }, (_, i) => of(`${i}`));
  t.ok(Math.max(...shares) <= 1.5 * Math.min(...shares), 'and the others are served alike');
});

t.test('in a short window the turn is of who has had the least in the last minute', async (t) => {
  const { clock, ask, of } = stage({ weight: 1, per: 1_000 });
  for (let second = 0; second < 30; second++) {
    for (let i = 0; i < 20; i++) ask(`${i}`);
    await clock.advance(1_000);
  }
  ask('new', { wait: 2_500 });
  await clock.advance(2_500);
  t.equal(of('new'), 1);
});

t.test('what several wait for counts against the one that has had the least', async (t) => {
  const { clock, limiter, ask, of } = stage({ weight: 10 });
  for (let i = 0; i < 7; i++) ask('a');
  await settle();
  t.equal(of('a'), 7);
  const deadline = clock.now() + 1_000;
  t.equal(await limiter.take({ weight: 1, accounts: new Set(['a', 'b']), deadline }), null);
  t.match(await limiter.take({ weight: 1, accounts: new Set(['a']), deadline }), {
    code: 'over_budget',
  });
});

t.test('a question waits a second for its own share, and delays no other', async (t) => {
  const { clock, ask, of, refusals } = stage({ weight: 100 });
  for (let i = 0; i < 75; i++) ask('a');
  await clock.advance(55_000);
  ask('a');
  await settle();
  t.match(refusals, [{ account: 'a', retryAfter: 5_000 }]);
  await clock.advance(4_500);
  ask('a');
  for (let i = 0; i < 20; i++) ask('b');
  await settle();
  t.same([of('a'), of('b')], [75, 20]);
  await clock.advance(500);
  t.equal(of('a'), 76);
});

t.test('accounts are forgotten when what they had is over', async (t) => {
  const { clock, ask, of } = stage();
  for (let i = 0; i < 50; i++) ask(`${i}`);
  await clock.advance(60_000);
  for (let i = 0; i < 75; i++) ask('a');
  await settle();
  t.equal(of('a'), 75, 'alone again');
});

t.test('what others leave is for whoever asks', async (t) => {
  const { clock, ask, of } = stage({ weight: 1_000 });
  for (let i = 0; i < 10; i++) ask(`${i}`);
  await clock.advance(1_000);
  for (let i = 0; i < 200; i++) ask('busy', { weight: 5 });
  await settle();
  t.equal(
    5 * of('busy'),
    650,
    'ten accounts hardly ask: the eleventh is not held to its eleventh part',
  );
  for (let i = 0; i < 400; i++) ask('0');
  await settle();
  t.equal(of('0'), 330, 'which may all come for more');
});

t.test('a question of no account counts against one without a name', async (t) => {
  const claim = { weight: 2, accounts: null, deadline: 1 };
  const [first, second] = new Shares(1_000).rank([{ claim }, { claim }]);
  t.match(
    [first, second],
    [
      { account: '', before: 0 },
      { account: '', before: 2 },
    ],
  );
});
