/** One budget in one process: who goes first, what polls, questions and accounts leave to each other, pauses. */
import t from 'tap';
import type { Limits } from '../../../actors/upstream/request.ts';
import { BudgetWindow, type Ending } from '../../../actors/upstream/window.ts';
import { FakeClock, settle } from '../../support/clock.ts';

interface Setting {
  weight?: number;
  per?: number;
  reserved?: number;
  limits?: Partial<Pick<Limits, 'spread' | 'abandoned' | 'patience'>>;
}

/** A window whose requests end as soon as they go, as `answered` unless `how` says otherwise. */
function stage({ weight = 10, per = 1_000, reserved = 5, limits }: Setting = {}) {
  const clock = new FakeClock();
  const start = clock.now();
  const began = clock.monotonic();
  const window = new BudgetWindow({
    name: 'x/rest/default',
    api: 'x/rest',
    budget: { weight, per },
    reserved,
    clock,
    limits: { spread: 0, abandoned: 0, patience: 0, ...limits },
    shared: undefined,
    onPause: () => {},
  });
  t.teardown(() => window.close());
  const log: string[] = [];
  const enter = (
    weight: number,
    { account, deadline = 60_000 }: { account?: string; deadline?: number } = {},
  ) => {
    const abort = new AbortController();
    const claim = {
      weight,
      asker: account ?? null,
      deadline: clock.monotonic() + deadline,
      signal: abort.signal,
    };
    return { abort, outcome: window.enter(claim) };
  };
  const take = (
    name: string,
    weight: number,
    { how = 'answered', stated = 0, ...more }: Partial<Ending> & Parameters<typeof enter>[1] = {},
  ) => {
    const { abort, outcome } = enter(weight, more);
    void outcome.then((pass) => {
      const isPass = typeof pass === 'function';
      log.push(`${name} ${isPass ? 'goes' : pass.code} ${clock.now() - start}`);
      if (isPass) pass({ how, stated });
    });
    return abort;
  };
  const drain = () => log.splice(0);
  return { clock, start, began, window, enter, take, drain };
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

t.test(
  'polls and accounts have one turn after the other, the service itself asks last',
  async (t) => {
    const { clock, take, drain } = stage({ weight: 4, reserved: 0 });
    take('all', 4);
    take('back-fill', 1, { account: '' });
    for (const name of ['X1', 'X2', 'X3']) take(name, 1, { account: 'x' });
    take('Y1', 1, { account: 'y' });
    for (const name of ['poll 1', 'poll 2']) take(name, 1);
    await clock.advance(2_000);
    t.same(drain(), [
      'all goes 0',
      ...['X1', 'Y1', 'poll 1', 'X2'].map((name) => `${name} goes 1000`),
      ...['poll 2', 'X3', 'back-fill'].map((name) => `${name} goes 2000`),
    ]);
  },
);

t.test('500 questions of one account hold up no other', async (t) => {
  const { clock, take, drain } = stage({ weight: 1, reserved: 0 });
  for (let i = 0; i < 500; i++) take('X', 1, { account: 'x', deadline: 1e6 });
  await clock.advance(3_500);
  drain();
  take('Y', 1, { account: 'y', deadline: 2_000 });
  await clock.advance(2_000);
  t.same(
    drain().filter((line) => line.startsWith('Y')),
    ['Y goes 4000'],
    'the next turn is its own',
  );
});

t.test('questions leave to the polls what those need, and an account what it has', async (t) => {
  const { clock, take, drain } = stage({ weight: 20, reserved: 8, per: 60_000 });
  const all = (name: string, account: string) => {
    for (let i = 0; i < 20; i++) take(name, 1, { account, deadline: 100 });
    return settle();
  };
  const goes = () => drain().filter((line) => line.includes('goes')).length;
  await all('X', 'x');
  t.equal(goes(), 6, 'of 12 that are left');
  await all('Y', 'y');
  t.equal(goes(), 3);
  take('poll', 11);
  await settle();
  t.same(drain(), ['poll goes 0'], 'polls may have all that is left');
  take('Z', 2, { account: 'z', deadline: 100 });
  await settle();
  t.same(drain(), ['Z over_budget 0']);
  await clock.advance(60_000);
  await all('X', 'x');
  t.equal(goes(), 6);
});

t.test('a tenth of a budget is that of questions, whatever the polls need', async (t) => {
  const { take, drain } = stage({ weight: 20, reserved: 20, per: 60_000 });
  for (const account of ['x', 'x']) take(account, 1, { account, deadline: 100 });
  await settle();
  t.same(drain(), ['x goes 0', 'x over_budget 0'], 'one of two, the other is left free');
});

t.test('in a window of one request questions have the part that polls leave', async (t) => {
  const { clock, take, drain } = stage({ weight: 1, reserved: 0.75 });
  for (let i = 0; i < 30; i++) {
    take('poll', 1);
    take('X', 1, { account: `${i}` });
  }
  await clock.advance(20_000);
  const questions = drain().filter((line) => line.startsWith('X goes'));
  t.equal(questions.length, 5, 'of the 20 in 20 s');
});

t.test('a turn that cannot come in time is refused at once', async (t) => {
  const { clock, take, drain } = stage({ limits: { patience: 100 } });
  take('a', 10, { deadline: 100 });
  take('b', 5, { deadline: 1_200 });
  take('c', 5, { deadline: 1_201 });
  take('d', 6, { deadline: 2_200 });
  await settle();
  t.same(drain(), ['a goes 0', 'b over_budget 0', 'd over_budget 0']);
  await clock.advance(1_000);
  t.same(drain(), ['c goes 1000']);
  take('more than all', 11);
  await clock.advance(1_000);
  t.same(drain(), ['more than all goes 2000'], 'it takes all');
});

t.test('a refusal says which bound it was, and when to come again', async (t) => {
  const { enter, take } = stage({ per: 60_000, reserved: 4 });
  take('a', 7);
  await settle();
  t.match(await enter(4, { deadline: 59_500 }).outcome, {
    code: 'over_budget',
    bound: /^the weight of 10 in 60 s that the exchange allows is used/,
    retryAfter: 60_000,
  });
  const pass = await enter(2, { account: 'x' }).outcome;
  if (typeof pass !== 'function') throw new Error('it has room');
  t.match(await enter(5, { account: 'x' }).outcome, {
    bound: /^the account has used a weight of 2/,
  });
});

t.test('the header corrects upwards only, and refuses those who now wait in vain', async (t) => {
  const { clock, take, drain } = stage();
  take('a', 2, { stated: 1 });
  take('b', 8);
  await settle();
  t.same(drain(), ['a goes 0', 'b goes 0']);
  await clock.advance(1_000);
  take('c', 1, { stated: 8 });
  await settle();
  take('d', 3, { deadline: 1_000 });
  take('e', 2, { deadline: 1_000 });
  await settle();
  t.same(drain(), ['c goes 1000', 'd over_budget 1000', 'e goes 1000']);
});

t.test('during a pause nothing goes: what can wait waits, the rest hears how long', async (t) => {
  const { clock, start, began, window, take, drain } = stage();
  take('a', 10);
  take('b', 1, { deadline: 5_000 });
  take('c', 1, { deadline: 9_000 });
  await clock.advance(100);
  window.pause(began + 6_000, 'banned');
  window.pause(began + 2_000, 'rate_limited');
  t.equal(window.pausedUntil, start + 6_000, 'never shortened');
  await clock.advance(5_899);
  t.same(drain(), ['a goes 0', 'b banned 100']);
  await clock.advance(1);
  t.same(drain(), ['c goes 6000']);
  t.equal(window.pausedUntil, null);
});

t.test('an aborted request makes room', async (t) => {
  const { clock, take, drain } = stage();
  take('a', 10);
  const b = take('b', 10);
  take('c', 1, { deadline: 2_500 });
  b.abort();
  await clock.advance(1_000);
  t.same(drain(), ['a goes 0', 'b stopped 0', 'c goes 1000']);
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
  take('a', 1, { stated: 3 });
  await settle();
  take('b', 1);
  const budget = { name: 'x/rest/default', weight: 1, per_ms: 1_000 };
  const free = { own: 1, used: 1, waiting: 0, paused_until: null };
  t.strictSame(window.use(), { ...budget, ...free, used: 3, waiting: 1 }, '2 are of others');
  window.pause(began + 5_000, 'banned');
  await clock.advance(1_000);
  const paused = { own: 0, used: 0, waiting: 1, paused_until: start + 5_000 };
  t.strictSame(window.use(), { ...budget, ...paused }, 'all of it is over, but the pause');
  await clock.advance(4_000);
  t.strictSame(window.use(), { ...budget, ...free }, 'b goes');
  await clock.advance(1_000);
  t.equal(window.use(), null);
});
