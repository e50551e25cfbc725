/** One budget in one process: who goes first, what polls, questions and accounts leave to each other, pauses. */
import t from 'tap';
import type { Limits } from '../../../actors/upstream/limits.ts';
import { BudgetWindow, type Claim, type Pass } from '../../../actors/upstream/window.ts';
import { FakeClock, settle } from '../../support/clock.ts';

interface Setting {
  weight?: number;
  per?: number;
  reserved?: number;
  leeway?: number;
  limits?: Pick<Limits, 'spread' | 'abandoned'>;
}

/** A window whose requests end as soon as they go, as `counted` unless `how` says otherwise. */
function stage({ weight = 10, per = 1_000, reserved = 5, leeway = 0, limits }: Setting = {}) {
  const clock = new FakeClock();
  const start = clock.now();
  const began = clock.monotonic();
  const window = new BudgetWindow({
    name: 'x/rest/default',
    api: 'x/rest',
    budget: { weight, per },
    reserved,
    clock,
    limits: limits ?? { spread: 0, abandoned: 0 },
    shared: undefined,
    onPause: () => {},
  });
  t.teardown(() => window.close());
  const log: string[] = [];
  const enter = (claim: Claim) => window.enter(claim);
  const take = (
    name: string,
    weight: number,
    more: { account?: string; deadline?: number; how?: Parameters<Pass>[0] } = {},
  ) => {
    const { account, deadline = 60_000, how = 'counted' } = more;
    const abort = new AbortController();
    const claim = {
      weight,
      accounts: account === undefined ? null : new Set([account]),
      deadline: clock.monotonic() + deadline,
      leeway,
      signal: abort.signal,
      isRefused: false,
    };
    void enter(claim).then((pass) => {
      const isPass = typeof pass === 'function';
      log.push(`${name} ${isPass ? 'goes' : pass.code} ${clock.now() - start}`);
      if (isPass) pass(how);
    });
    return { claim, abort };
  };
  const drain = () => log.splice(0);
  return { clock, start, began, window, take, drain };
}

t.test('grants what fits, and the rest as the window slides', async (t) => {
  const { clock, take, drain } = stage();
  take('a', 4);
  await clock.advance(300);
  take('b', 6);
  take('c', 5);
  take('d', 1);
  await settle();
  t.same(drain(), ['a goes 0', 'b goes 300']);
  await clock.advance(699);
  t.same(drain(), []);
  await clock.advance(1_000);
  t.same(drain(), ['c goes 1300', 'd goes 1300'], 'c needs more than the 4 that return at 1000');
});

t.test('questions go before polls, and the service itself asks last', async (t) => {
  const { clock, window, take, drain } = stage();
  window.correct(10);
  take('back-fill', 5, { account: '' });
  for (const name of ['b', 'c']) take(name, 2);
  take('X', 5, { account: 'x' });
  await clock.advance(3_000);
  t.same(drain(), ['X goes 1000', 'b goes 1000', 'c goes 1000', 'back-fill goes 2000']);
});

t.test('of accounts that wait one goes after the other', async (t) => {
  const { clock, window, take, drain } = stage({ weight: 4, reserved: 0 });
  window.correct(4);
  for (const name of ['X1', 'X2', 'X3']) take(name, 1, { account: 'x' });
  take('Y1', 1, { account: 'y' });
  await clock.advance(1_000);
  t.same(drain(), ['X1 goes 1000', 'Y1 goes 1000', 'X2 goes 1000', 'X3 goes 1000']);
});

t.test('questions leave to the polls what those need, and an account what it has', async (t) => {
  const { clock, take, drain } = stage({ weight: 20, reserved: 8, per: 60_000 });
  for (let i = 0; i < 20; i++) take('X', 1, { account: 'x', deadline: 100 });
  await settle();
  const goes = () => drain().filter((line) => line.includes('goes')).length;
  t.equal(goes(), 6, 'of 12 that are left');
  for (let i = 0; i < 20; i++) take('Y', 1, { account: 'y', deadline: 100 });
  await settle();
  t.equal(goes(), 3);
  take('poll', 11);
  await settle();
  t.same(drain(), ['poll goes 0'], 'polls may have all that is left');
  const { claim } = take('Z', 2, { account: 'z', deadline: 100 });
  await settle();
  t.same(drain(), ['Z over_budget 0']);
  t.ok(claim.isRefused);
  await clock.advance(60_000);
  for (let i = 0; i < 20; i++) take('X', 1, { account: 'x', deadline: 100 });
  await settle();
  t.equal(goes(), 6);
});

t.test('in a window of one request questions take the part that polls leave', async (t) => {
  const { clock, take, drain } = stage({ weight: 1, reserved: 0.75 });
  for (let i = 0; i < 6; i++) take('poll', 1);
  for (let i = 0; i < 6; i++) take('X', 1, { account: `${i}` });
  await clock.advance(7_000);
  t.same(
    drain().map((line) => line.split(' goes ').join(' ')),
    ['poll 0', 'X 1000', 'poll 2000', 'poll 3000', 'poll 4000', 'X 5000', 'poll 6000', 'poll 7000'],
  );
});

t.test('a turn that cannot come in time is refused at once', async (t) => {
  const { take, drain } = stage();
  take('a', 10);
  take('b', 5, { deadline: 1_000 });
  take('c', 5, { deadline: 1_001 });
  take('d', 11);
  take('X', 11, { account: 'x' });
  await settle();
  t.same(drain(), ['a goes 0', 'b over_budget 0', 'd over_budget 0', 'X over_budget 0']);
});

t.test('a turn that leaves too little time is refused at once, unless it has come', async (t) => {
  const { clock, take, drain } = stage({ leeway: 200 });
  take('a', 10, { deadline: 100 });
  take('b', 1, { deadline: 1_201 });
  take('c', 1, { deadline: 1_200 });
  take('X', 1, { account: 'x', deadline: 1_200 });
  await settle();
  t.same(drain(), ['a goes 0', 'c over_budget 0', 'X over_budget 0']);
  await clock.advance(1_000);
  t.same(drain(), ['b goes 1000']);
});

t.test('a refusal says which bound it was, and when to come again', async (t) => {
  const { window, take } = stage({ per: 60_000, reserved: 4 });
  take('a', 7);
  await settle();
  const { claim } = take('b', 1);
  const ask = (weight: number, account?: string) =>
    window.enter({
      ...claim,
      weight,
      accounts: account === undefined ? null : new Set([account]),
      deadline: claim.deadline - 500,
    });
  t.match(await ask(4), {
    code: 'over_budget',
    bound: 'of a weight of 10 in 60 s that the exchange allows 8 is used, and 1 requests wait',
    retryAfter: 60_000,
  });
  const pass = await ask(2, 'x');
  if (typeof pass !== 'function') throw new Error('it has room');
  t.match(await ask(5, 'x'), { bound: /^the account has used a weight of 2 .* 4.0 is free/ });
});

t.test('the header corrects upwards only, and refuses those who now wait in vain', async (t) => {
  const { clock, window, take, drain } = stage();
  take('a', 2);
  window.correct(1);
  take('b', 8);
  await settle();
  t.same(drain(), ['a goes 0', 'b goes 0']);
  await clock.advance(1_000);
  take('c', 1);
  await settle();
  window.correct(8);
  for (const nonsense of [Number.NaN, Number.POSITIVE_INFINITY, -3]) window.correct(nonsense);
  take('d', 3, { deadline: 1_500 });
  await clock.advance(600);
  window.correct(20);
  await settle();
  t.same(drain(), ['c goes 1000', 'd over_budget 1600']);
});

t.test('during a pause nothing goes: what can wait waits, the rest hears how long', async (t) => {
  const { clock, start, began, window, take, drain } = stage();
  take('a', 10);
  take('b', 1, { deadline: 5_000 });
  take('c', 1, { deadline: 9_000 });
  await clock.advance(100);
  window.pause(began + 6_000, 'banned', false);
  window.pause(began + 2_000, 'rate_limited', false);
  t.equal(window.pausedUntil, start + 6_000, 'never shortened');
  await clock.advance(5_899);
  t.same(drain(), ['a goes 0', 'b banned 100']);
  await clock.advance(1);
  t.same(drain(), ['c goes 6000']);
  t.equal(window.pausedUntil, null);
});

t.test('an aborted request makes room and leaves no timer', async (t) => {
  const { clock, take, drain } = stage();
  take('a', 10);
  const b = take('b', 10);
  take('c', 1, { deadline: 2_500 });
  b.abort.abort();
  await clock.advance(1_000);
  t.same(drain(), ['a goes 0', 'b stopped 0', 'c goes 1000']);
  t.equal(clock.pending, 0);
});

t.test('abandoned answers count later, and what was not sent does not count', async (t) => {
  const limits = { spread: 250, abandoned: 5_000 };
  const { clock, take, drain } = stage({ weight: 1, limits });
  take('a', 1);
  take('b', 1, { how: 'abandoned' });
  await clock.advance(1_249);
  t.same(drain(), ['a goes 0']);
  await clock.advance(1);
  t.same(drain(), ['b goes 1250']);
  take('c', 1, { how: 'unsent' });
  take('d', 1);
  await clock.advance(5_000 + 1_250);
  t.same(drain(), ['c goes 7500', 'd goes 7500']);
});

t.test('what is counted: own requests, what the upstream states, who waits, a pause', async (t) => {
  const { clock, start, began, window, take } = stage({ weight: 1 });
  t.equal(window.use(), null, 'nothing is used');
  take('a', 1);
  await settle();
  take('b', 1);
  const budget = { name: 'x/rest/default', weight: 1, per_ms: 1_000 };
  const free = { own: 1, used: 1, waiting: 0, paused_until: null };
  t.strictSame(window.use(), { ...budget, ...free, waiting: 1 });
  window.correct(3);
  t.strictSame(window.use(), { ...budget, ...free, used: 3, waiting: 1 }, '2 are of others');
  window.pause(began + 5_000, 'banned', false);
  await clock.advance(1_000);
  const paused = { own: 0, used: 0, waiting: 1, paused_until: start + 5_000 };
  t.strictSame(window.use(), { ...budget, ...paused }, 'all of it is over, but the pause');
  await clock.advance(4_000);
  t.strictSame(window.use(), { ...budget, ...free }, 'b goes');
  await clock.advance(1_000);
  t.equal(window.use(), null);
});
