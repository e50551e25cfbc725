import t from 'tap';
import type { Behaviour } from '../../../actors/kernel/actor.ts';
import {
  createSupervisor,
  defaultPolicy,
  type SupervisorEvent,
  type SupervisorOptions,
} from '../../../actors/kernel/supervisor.ts';
import { FakeClock, settle } from '../../support/clock.ts';

function house(options: Partial<SupervisorOptions> = {}) {
  const clock = new FakeClock();
  const events: SupervisorEvent[] = [];
  const supervisor = createSupervisor({
    name: 'house',
    clock,
    random: () => 0.5,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  const types = (child?: string) =>
    events.filter((e) => child === undefined || e.child === child).map((e) => e.type);
  /** Its last crash, restart or end. */
  const last = (child: string) =>
    types(child).findLast((type) => type === 'crashed' || type === 'restarted' || type === 'down');
  const restarts = () => types('a').filter((type) => type === 'restarted').length;
  return { clock, events, supervisor, types, last, restarts };
}

/** Crashes on `bad`, remembers everything else with the number of the life that handled it. */
function fragile(got: string[], lives: { count: number } = { count: 0 }): Behaviour<string> {
  return () => {
    const life = ++lives.count;
    return {
      receive(message) {
        if (message === 'bad') throw new Error(`bug ${life}`);
        got.push(`${life}:${message}`);
      },
    };
  };
}

t.test('a child that always crashes stops no sibling', async (t) => {
  const { clock, supervisor, types, last } = house();
  const got: number[][] = [[], []];
  const bad = supervisor.spawn<number>({
    name: 'bad',
    behaviour: () => ({
      receive() {
        throw new Error('always');
      },
    }),
  });
  const siblings = got.map((list, i) =>
    supervisor.spawn<number>({
      name: `good ${i}`,
      behaviour: () => ({
        async receive(n) {
          await Promise.resolve();
          list.push(n);
        },
      }),
    }),
  );
  for (let n = 0; n < 100; n++) {
    bad.tell(n);
    for (const sibling of siblings) t.ok(sibling.tell(n));
    await clock.advance(500);
  }
  const all = Array.from({ length: 100 }, (_, n) => n);
  t.strictSame(got, [all, all]);
  t.equal(last('bad'), 'down');
  t.strictSame(types('good 0'), []);
  await supervisor.stop();
});

t.test('the message that crashed is dropped, the others wait for fresh state', async (t) => {
  const { clock, supervisor, events, types } = house();
  const got: string[] = [];
  const ref = supervisor.spawn({ name: 'a', behaviour: fragile(got), mailbox: 3 });
  for (const message of ['bad', 'x', 'y']) t.ok(ref.tell(message));
  await settle();
  t.match(events, [{ type: 'crashed', error: /bug 1/ }]);
  t.ok(ref.tell('z'));
  t.notOk(ref.tell('one too many'));
  await clock.advance(125);
  t.strictSame(got, ['2:x', '2:y', '2:z']);
  t.strictSame(types(), ['crashed', 'refused', 'restarted']);
  await supervisor.stop();
});

t.test('backoff grows with every crash in a row, and health resets it', async (t) => {
  const { clock, supervisor, last, restarts } = house({ policy: { healthy: 10_000 } });
  const ref = supervisor.spawn({ name: 'a', behaviour: fragile([]) });
  const crash = async (wait: number) => {
    ref.tell('bad');
    await settle();
    await clock.advance(wait - 1);
    t.equal(last('a'), 'crashed', `still waiting before ${wait} ms`);
    await clock.advance(1);
    t.equal(last('a'), 'restarted', `back after ${wait} ms`);
  };
  for (const wait of [125, 250, 500, 1_000, 2_000]) await crash(wait);
  await clock.advance(10_000);
  for (const wait of [125, 250, 500, 1_000, 2_000]) await crash(wait);
  t.equal(restarts(), 10);
  await supervisor.stop();
});

t.test('random 0 restarts at once, random near 1 waits the whole range', async (t) => {
  const eager = house({ random: () => 0 });
  const ref = eager.supervisor.spawn({ name: 'a', behaviour: fragile([]) });
  ref.tell('bad');
  await eager.clock.advance(0);
  t.equal(eager.last('a'), 'restarted');
  await eager.supervisor.stop();

  const slow = house({ random: () => 1 - Number.EPSILON, policy: { base: 1_000, cap: 1_500 } });
  const other = slow.supervisor.spawn({ name: 'a', behaviour: fragile([]) });
  for (const wait of [1_000, 1_500, 1_500]) {
    other.tell('bad');
    await slow.clock.advance(wait - 1);
    t.equal(slow.last('a'), 'crashed');
    await slow.clock.advance(1);
    t.equal(slow.last('a'), 'restarted');
  }
  await slow.supervisor.stop();
});

t.test('over the limit: down, slow trials, down again at once, recovery', async (t) => {
  const { clock, supervisor, types, events, last, restarts } = house({ random: () => 0 });
  const start = clock.now();
  const got: string[] = [];
  const ref = supervisor.spawn({ name: 'a', behaviour: fragile(got) });
  for (let i = 0; i < 5; i++) {
    ref.tell('bad');
    await clock.advance(1);
    t.equal(last('a'), 'restarted', `restart ${i + 1} is within the limit`);
  }
  for (const message of ['bad', 'lost', 'lost too']) t.ok(ref.tell(message));
  await clock.advance(1);
  t.strictSame([last('a'), restarts()], ['down', 5]);
  t.notOk(ref.tell('refused'));
  await clock.advance(59_998);
  t.equal(last('a'), 'down');

  await clock.advance(1);
  t.strictSame([last('a'), restarts()], ['restarted', 6]);
  await clock.advance(59_999);
  t.ok(ref.tell('bad'), 'a trial takes messages');
  await settle();
  t.equal(last('a'), 'down', 'one crash ends a trial');

  await clock.advance(60_000);
  t.ok(ref.tell('works'));
  await clock.advance(60_000);
  t.strictSame(got, ['8:works']);
  t.equal(types().at(-1), 'recovered');
  ref.tell('bad');
  await clock.advance(1);
  t.strictSame([last('a'), restarts()], ['restarted', 8]);
  t.strictSame(
    events.flatMap((e) => (e.type === 'restarted' && e.trial ? [e.restarts] : [])),
    [6, 7],
  );
  const down = events.flatMap((e) => (e.type === 'down' ? [e.nextTrial - start] : []));
  t.strictSame(down, [60_005, 180_004]);
  await supervisor.stop();
  t.equal(clock.pending, 0);
});

t.test('the default bounds', async (t) => {
  t.strictSame(defaultPolicy, {
    base: 250,
    cap: 10_000,
    restarts: 5,
    window: 60_000,
    probe: 60_000,
    healthy: 60_000,
    stopDeadline: 5_000,
  });
  const { supervisor, types } = house();
  const ref = supervisor.spawn<number>({
    name: 'a',
    behaviour: () => ({ started: () => new Promise(() => {}), receive() {} }),
  });
  const taken = Array.from({ length: 1_026 }, (_, n) => ref.tell(n)).filter(Boolean);
  t.equal(taken.length, 1_024);
  t.strictSame(types(), ['refused', 'refused']);
});

t.test('restarts older than the window do not count', async (t) => {
  const { clock, supervisor, last } = house({
    random: () => 0,
    policy: { restarts: 2, window: 10_000 },
  });
  const ref = supervisor.spawn({ name: 'a', behaviour: fragile([]) });
  for (let i = 0; i < 12; i++) {
    ref.tell('bad');
    await clock.advance(5_000);
    t.equal(last('a'), 'restarted');
  }
  ref.tell('bad');
  await clock.advance(1);
  ref.tell('bad');
  await clock.advance(1);
  t.equal(last('a'), 'down');
  await supervisor.stop();
});

t.test('a start that hangs is not health', async (t) => {
  const { clock, supervisor, types } = house({ policy: { restarts: 0 } });
  const open = Promise.withResolvers<void>();
  let life = 0;
  supervisor.spawn<string>({
    name: 'a',
    behaviour: () => {
      if (++life === 1) throw new Error('first');
      return { started: () => open.promise, receive() {} };
    },
  });
  await clock.advance(180_000);
  t.equal(life, 2);
  t.notOk(types().includes('recovered'));
  open.resolve();
  await clock.advance(60_000);
  t.ok(types().includes('recovered'));
  await supervisor.stop();
});

t.test('timers of a dead life never reach the next one', async (t) => {
  const { clock, supervisor } = house();
  const got: string[] = [];
  let life = 0;
  const open = Promise.withResolvers<void>();
  const ref = supervisor.spawn<string>({
    name: 'a',
    behaviour: (context) => {
      const mine = ++life;
      context.after(50, `due ${mine}`);
      context.after(10_000, `later ${mine}`);
      return {
        async receive(message) {
          got.push(message);
          if (message !== 'bad') return;
          await open.promise;
          throw new Error('bug');
        },
      };
    },
  });
  ref.tell('bad');
  await clock.advance(100);
  open.resolve();
  await clock.advance(60_000);
  t.strictSame(got, ['bad', 'due 2', 'later 2']);
  await supervisor.stop();
});

t.test('a crashed life is closed before the next begins', async (t) => {
  const { clock, supervisor, events, last } = house();
  const log: string[] = [];
  const open = Promise.withResolvers<void>();
  const ref = supervisor.spawn<string>({
    name: 'a',
    behaviour: () => {
      log.push('made');
      return {
        receive() {
          throw new Error('bug');
        },
        async stopped() {
          await open.promise;
          log.push('stopped');
          throw new Error('clumsy');
        },
      };
    },
  });
  ref.tell('x');
  await clock.advance(4_000);
  t.strictSame(log, ['made']);
  open.resolve();
  await clock.advance(125);
  t.strictSame(log, ['made', 'stopped', 'made']);
  t.match(
    events.filter((e) => e.type === 'stop_failed'),
    [{ child: 'a', supervisor: 'house', error: /clumsy/ }],
  );
  t.equal(last('a'), 'restarted');
  await supervisor.stop();
});

t.test('stop waits for the message in hand, takes no more, and is idempotent', async (t) => {
  const { clock, supervisor, types } = house();
  const log: string[] = [];
  const open = Promise.withResolvers<void>();
  const ref = supervisor.spawn<number>({
    name: 'a',
    behaviour: (context) => {
      context.signal.addEventListener('abort', () => log.push('abort'));
      context.after(1_000, 99);
      return {
        async receive(n) {
          await open.promise;
          log.push(`handled ${n}`);
        },
        stopped: () => void log.push('stopped'),
      };
    },
  });
  ref.tell(1);
  ref.tell(2);
  await settle();
  const stopped = supervisor.stop();
  t.equal(supervisor.stop(), stopped);
  t.notOk(ref.tell(3));
  await clock.advance(3_000);
  open.resolve();
  await stopped;
  t.strictSame(log, ['abort', 'handled 1', 'stopped']);
  t.strictSame(types(), ['refused']);
  t.equal(clock.pending, 0);
  t.throws(() => supervisor.spawn({ name: 'b', behaviour: fragile([]) }), /house is stopped/);
});

t.test('stop gives up on a receive that hangs, and ends a child between two lives', async (t) => {
  const { clock, supervisor, events } = house();
  const log: string[] = [];
  const hung = supervisor.spawn<number>({
    name: 'hung',
    behaviour: () => ({
      receive: () => new Promise(() => {}),
      stopped: () => void log.push('stopped'),
    }),
  });
  const lives = { count: 0 };
  const crashed = supervisor.spawn({ name: 'crashed', behaviour: fragile([], lives) });
  hung.tell(1);
  crashed.tell('bad');
  await settle();
  let done = false;
  const stopped = supervisor.stop().then(() => {
    done = true;
  });
  await clock.advance(4_999);
  t.notOk(done);
  t.strictSame(log, []);
  await clock.advance(1);
  await stopped;
  t.strictSame(log, ['stopped']);
  t.match(events.at(-1), { type: 'stop_failed', child: 'hung', error: /did not settle/ });
  t.equal(clock.pending, 0);
  await clock.advance(120_000);
  t.equal(lives.count, 1);
});

t.test('bad input is refused by name, and a listener that throws changes nothing', async (t) => {
  t.throws(() => house({ policy: { window: -1 } }), /policy.window must be 0 or more/);
  t.throws(() => house({ policy: { cap: Number.NaN } }), /policy.cap must be 0 or more/);
  const { clock, supervisor } = house({
    onEvent() {
      throw new Error('listener');
    },
  });
  const lives = { count: 0 };
  const ref = supervisor.spawn({ name: 'a', behaviour: fragile([], lives) });
  t.throws(() => supervisor.spawn({ name: 'a', behaviour: fragile([]) }), /child a already/);
  ref.tell('bad');
  await clock.advance(1_000);
  t.equal(lives.count, 2);
  await supervisor.stop();
});

t.test('a child that is stopped by its own crash stays stopped', async (t) => {
  const { clock, supervisor, types } = house();
  const ref = supervisor.spawn<string>({
    name: 'a',
    behaviour: (context) => {
      context.signal.addEventListener('abort', () => void supervisor.stop());
      return fragile([])(context);
    },
  });
  ref.tell('bad');
  await clock.advance(1_000);
  t.strictSame(types(), []);
  t.notOk(ref.tell('x'));
});
