import t from 'tap';
import type { Failure } from '../../../actors/failure.ts';
import type { SharedWindows } from '../../../actors/kernel/shared-window.ts';
import { Gate, type Passing } from '../../../actors/upstream/gate.ts';
import { Limiter } from '../../../actors/upstream/limiter.ts';
import { PlannedWindow, Window } from '../../../actors/upstream/schedule.ts';
import { FakeClock, settle } from '../../support/clock.ts';

const why: Failure = { code: 'banned', message: 'the upstream asked for silence' };

function stage(weight = 10, maxQueue = 100, leeway = 0) {
  const clock = new FakeClock();
  const start = clock.now();
  const limiter = new Limiter({ budget: { weight, per: 1_000 }, clock, maxQueue });
  const log: string[] = [];
  /** `deadline` in ms from now. */
  const take = (
    name: string,
    weight: number,
    more: { account?: string; deadline?: number } = {},
  ) => {
    const { account, deadline = 60_000 } = more;
    const accounts = account === undefined ? null : new Set([account]);
    const claim = { weight, accounts, deadline: clock.now() + deadline, leeway };
    void limiter.take(claim).then((refusal) => {
      log.push(`${name} ${refusal ? refusal.code : 'goes'} ${clock.now() - start}`);
      if (refusal) return;
      limiter.ended(weight);
    });
    return claim;
  };
  const drain = () => log.splice(0);
  return { clock, limiter, take, drain };
}

t.test('a window: what is held counts until it is over, what is spent for its time', async (t) => {
  const window = new Window(1_000);
  const state = () => [window.used, window.held, window.spent.length];
  window.hold(3);
  window.hold(4);
  t.strictSame(state(), [7, 7, 0]);
  window.settle(10, 3);
  t.strictSame(state(), [7, 4, 1]);
  window.settle(20, 4);
  t.strictSame(state(), [7, 0, 2]);
  window.spend(20, 1);
  window.spend(30, 0);
  t.strictSame(window.spent, [
    { at: 10, weight: 3 },
    { at: 20, weight: 5 },
  ]);
  window.expire(1_009);
  t.strictSame(state(), [8, 0, 2]);
  window.expire(1_010);
  t.strictSame(state(), [5, 0, 1]);
  const planned = new PlannedWindow(window, 1_015);
  t.strictSame(
    [planned.turn(5, 10), planned.turn(6, 10), planned.turn(99, 10)],
    [1_015, 1_020, 1_020],
  );
  planned.plan(1_015, 5);
  t.strictSame([planned.turn(5, 10), planned.turn(6, 10)], [1_020, 2_015]);
});

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

t.test('questions go first, each kind in its order', async (t) => {
  const { clock, limiter, take, drain } = stage();
  limiter.correct(10);
  for (const name of ['b', 'c']) take(name, 5);
  for (const name of ['X', 'Y']) take(name, 5, { account: name });
  await clock.advance(2_000);
  t.same(drain(), ['X goes 1000', 'Y goes 1000', 'b goes 2000', 'c goes 2000']);
});

t.test('polls keep twice what they have used, up to half of the budget', async (t) => {
  const { clock, take, drain } = stage();
  take('a', 2);
  await clock.advance(1_000);
  for (let i = 0; i < 10; i++) take(`Q${i}`, 1, { account: `${i}` });
  await settle();
  t.equal(drain().length, 7, 'a, and six questions');
  take('b', 4);
  await settle();
  t.same(drain(), ['b goes 1000']);
  await clock.advance(3_000);
  take('c', 10);
  await clock.advance(1_000);
  drain();
  for (let i = 0; i < 10; i++) take(`R${i}`, 1, { account: `${i}` });
  await settle();
  t.equal(drain().filter((line) => line.startsWith('R')).length, 5);
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

t.test('polls that urgent claims push beyond their deadline are refused at once', async (t) => {
  const { clock, take, drain } = stage();
  take('a', 10);
  take('b', 10, { deadline: 1_500 });
  await clock.advance(100);
  take('X', 10, { account: 'x' });
  await settle();
  t.same(drain(), ['a goes 0', 'b over_budget 100']);
});

t.test('the header corrects upwards only', async (t) => {
  const { clock, limiter, take, drain } = stage();
  take('a', 2);
  limiter.correct(1);
  take('b', 8);
  await settle();
  t.same(drain(), ['a goes 0', 'b goes 0']);
  await clock.advance(1_000);
  take('c', 1);
  limiter.correct(8);
  for (const nonsense of [Number.NaN, Number.POSITIVE_INFINITY, -3]) limiter.correct(nonsense);
  take('d', 3);
  take('e', 2);
  await clock.advance(999);
  t.same(drain(), ['c goes 1000'], 'first come first served: e waits behind d');
  await clock.advance(1);
  t.same(drain(), ['d goes 2000', 'e goes 2000']);
});

t.test('a correction refuses those who now wait in vain', async (t) => {
  const { clock, limiter, take, drain } = stage();
  take('a', 10);
  take('b', 10, { deadline: 1_500 });
  await clock.advance(600);
  limiter.correct(20);
  await settle();
  t.same(drain(), ['a goes 0', 'b over_budget 600']);
});

t.test('the end of a request refuses those who now wait in vain', async (t) => {
  const { clock, limiter, take, drain } = stage();
  await limiter.take({ weight: 10, accounts: null, deadline: clock.now() + 60_000 });
  take('a', 10, { deadline: 1_500 });
  await clock.advance(600);
  limiter.ended(10);
  await settle();
  t.same(drain(), ['a over_budget 600']);
});

t.test('a question waits less than a second for the share of its account', async (t) => {
  const clock = new FakeClock();
  const limiter = new Limiter({ budget: { weight: 10, per: 60_000 }, clock, maxQueue: 9 });
  const ask = () =>
    limiter.take({ weight: 1, accounts: new Set(['a']), deadline: clock.now() + 10_000 });
  for (let i = 0; i < 8; i++) {
    t.equal(await ask(), null);
    limiter.ended(1);
  }
  await clock.advance(59_000);
  t.match(await ask(), { code: 'over_budget', retryAfter: 1_000, message: /used 8 of its share/ });
  await clock.advance(1);
  const waiting = ask();
  await clock.advance(999);
  t.equal(await waiting, null);
});

t.test('during a pause nothing goes: what can wait waits, the rest hears how long', async (t) => {
  const { clock, limiter, take, drain } = stage();
  const start = clock.now();
  take('a', 10);
  take('b', 1, { deadline: 5_000 });
  take('c', 1, { deadline: 9_000 });
  await clock.advance(100);
  limiter.pause(start + 6_000, why);
  limiter.pause(start + 2_000, why);
  t.ok(limiter.paused);
  const late = { weight: 1, accounts: new Set(['x']), deadline: start + 6_000 };
  t.same(await limiter.take(late), { ...why, retryAfter: 5_900 });
  await clock.advance(5_899);
  t.same(drain(), ['a goes 0', 'b banned 100']);
  await clock.advance(1);
  t.same(drain(), ['c goes 6000']);
  t.notOk(limiter.paused);
});

t.test('queues are bounded; the account with most questions loses its own', async (t) => {
  const { clock, take, drain } = stage(10, 2);
  take('a', 10);
  for (const name of ['b', 'c', 'd']) take(name, 1);
  for (const name of ['X', 'Y', 'Z']) take(name, 1, { account: 'x' });
  take('W', 1, { account: 'w' });
  await settle();
  t.same(drain(), ['a goes 0', 'd over_budget 0', 'Z over_budget 0', 'Y over_budget 0']);
  await clock.advance(1_000);
  t.same(drain().sort(), ['W goes 1000', 'X goes 1000', 'b goes 1000', 'c goes 1000']);
});

t.test('a turn that leaves too little time is refused at once, unless it has come', async (t) => {
  const { clock, limiter, take, drain } = stage(10, 100, 200);
  const start = clock.now();
  take('a', 10, { deadline: 100 });
  const b = take('b', 1, { deadline: 1_201 });
  take('c', 1, { deadline: 1_200 });
  take('X', 1, { account: 'x', deadline: 1_200 });
  await settle();
  t.same(drain(), ['a goes 0', 'c over_budget 0', 'X over_budget 0']);
  const joining = (deadline: number) => ({ ...b, deadline: start + deadline });
  t.match(limiter.refusal(b, joining(1_200)), { code: 'over_budget', retryAfter: 1_000 });
  t.equal(limiter.refusal(b, joining(1_201)), null);
  await clock.advance(1_000);
  t.same(drain(), ['b goes 1000']);
});

t.test('an aborted request makes room and leaves no timer', async (t) => {
  const { clock, limiter, take, drain } = stage();
  take('a', 10);
  const b = take('b', 10);
  take('c', 1, { deadline: 1_500 });
  limiter.leave({ ...b });
  await settle();
  t.same(drain(), ['a goes 0', 'c over_budget 0'], 'another claim is not that one');
  take('d', 1, { deadline: 2_500 });
  limiter.leave(b);
  await clock.advance(1_000);
  t.same(drain(), ['b stopped 0', 'd goes 1000']);
  t.equal(clock.pending, 0);
});

t.test('a caller that shares a waiting request learns whether it waits in vain', async (t) => {
  const { clock, limiter, take } = stage();
  take('a', 10);
  const b = take('b', 1);
  t.equal(limiter.refusal(b, { accounts: null, deadline: clock.now() + 1_001 }), null);
  t.match(limiter.refusal(b, { accounts: null, deadline: clock.now() + 1_000 }), {
    code: 'over_budget',
  });
  await clock.advance(1_000);
  t.equal(limiter.refusal(b, { accounts: null, deadline: clock.now() }), null, 'under way');
});

/** A gate for one request in 1 s and 250 ms; `shared` stands for the window of all processes. */
function gateSetup(shared?: SharedWindows) {
  const clock = new FakeClock();
  const start = clock.now();
  const gate = new Gate({
    name: 'x/rest/default',
    budget: { weight: 1, per: 1_000 },
    clock,
    shared,
    limits: { spread: 250, abandoned: 5_000 },
  });
  const log: string[] = [];
  /** Ends as it is told as soon as it may go. */
  const enter = (name: string, how: Passing = 'counted', deadline = 60_000) => {
    const abort = new AbortController();
    const entrant = { weight: 1, accounts: null, deadline: start + deadline };
    const ended = Promise.withResolvers<void>().promise;
    void gate.enter({ ...entrant, signal: abort.signal, ended }).then((pass) => {
      const isPass = typeof pass === 'function';
      log.push(`${name} ${isPass ? 'goes' : pass.code} ${clock.now() - start}`);
      if (isPass) pass(how);
    });
    return abort;
  };
  return { clock, start, gate, enter, log };
}

t.test('a gate: abandoned answers count later; an aborted request makes room', async (t) => {
  const { clock, enter, log } = gateSetup();
  enter('a');
  enter('b', 'abandoned');
  const c = enter('c');
  await clock.advance(1_249);
  t.same(log.splice(0), ['a goes 0']);
  await clock.advance(1);
  t.same(log.splice(0), ['b goes 1250']);
  enter('e', 'unsent');
  c.abort();
  await clock.advance(5_000 + 1_250);
  t.same(log, ['c stopped 1250', 'e goes 7500']);
});

t.test('a gate whose window is shared: what is held there is settled, once', async (t) => {
  const settled: unknown[] = [];
  const held: { life: number }[] = [];
  let room: () => Promise<number> = async () => 0;
  const { clock, start, gate, enter, log } = gateSetup({
    hold: (name, { per }, { weight, life }) => {
      t.same([name, per, weight], ['x/rest/default', 1_250, 1]);
      held.push({ life });
      return room();
    },
    async settle(_, __, { spent }) {
      settled.push([spent, clock.now() - start]);
      return false;
    },
  });
  enter('a', 'counted');
  await clock.advance(1_250);
  enter('b', 'abandoned');
  await clock.advance(5_000 + 1_250);
  enter('c', 'unsent');
  await clock.advance(1_250);
  t.same(settled, [
    [1, 0],
    [1, 6_250],
    [0, 7_500],
  ]);
  t.same(held[0], { life: 60_000 + 5_000 }, 'an answer may still be counted after the deadline');
  room = async () => 60_000;
  enter('d');
  await clock.advance(0);
  t.equal(log.at(-1), 'd over_budget 8750');
  t.equal(settled.length, 3, 'nothing was held');
  const late = Promise.withResolvers<number>();
  room = () => late.promise;
  await clock.advance(1_250);
  enter('e');
  await clock.advance(100);
  gate.limiter.pause(start + 12_000, why);
  room = async () => 0;
  late.resolve(0);
  await clock.advance(1_899);
  t.equal(log.length, 4, 'a pause that began meanwhile holds it back');
  t.same(settled.at(-1), [0, 10_100]);
  await clock.advance(1);
  t.equal(log.at(-1), 'e goes 12000');
});

t.test('a burst of polls takes no room from questions for good', async (t) => {
  const { clock, take, drain } = stage();
  const questions = async () => {
    for (let i = 0; i < 10; i++) take(`Q${i}`, 1, { account: `${i}`, deadline: 100 });
    await settle();
    const went = drain().filter((line) => line.includes('goes')).length;
    await clock.advance(5_000);
    return went;
  };
  take('burst', 10);
  await clock.advance(5_000);
  drain();
  t.equal(await questions(), 5, 'half is kept for polls');
  await clock.advance(3_600_000);
  t.equal(await questions(), 5, 'for an hour at least');
  await clock.advance(3_600_000);
  t.equal(await questions(), 10);
});

t.test(
  'what is counted of a budget: own requests, what the upstream states, who waits, a pause',
  async (t) => {
    const { clock, start, gate, enter } = gateSetup();
    t.equal(gate.use(), null, 'nothing is used');
    enter('a');
    enter('b');
    await settle();
    const budget = { name: 'x/rest/default', weight: 1, per_ms: 1_000 };
    const free = { own: 1, used: 1, waiting: 0, paused_until: null };
    t.strictSame(gate.use(), { ...budget, ...free, waiting: 1 });
    gate.limiter.correct(3);
    t.strictSame(gate.use(), { ...budget, ...free, used: 3, waiting: 1 }, '2 are of others');
    gate.limiter.pause(start + 5_000, why);
    await clock.advance(1_250);
    const paused = { own: 0, used: 0, waiting: 1, paused_until: start + 5_000 };
    t.strictSame(gate.use(), { ...budget, ...paused }, 'all of it is over, but the pause');
    await clock.advance(3_750);
    t.strictSame(gate.use(), { ...budget, ...free }, 'b goes');
    await clock.advance(1_250);
    t.equal(gate.use(), null);
  },
);

t.test('who waits for the window of all processes waits for the budget', async (t) => {
  const rooms = [500];
  const hold = async () => rooms.shift() ?? 0;
  const { clock, gate, enter } = gateSetup({ hold, settle: async () => false });
  enter('a');
  await settle();
  t.match(gate.use(), { own: 1, waiting: 1 });
  await clock.advance(500);
  t.match(gate.use(), { own: 1, waiting: 0 });
});
