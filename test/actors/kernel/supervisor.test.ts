import t from 'tap';
import type { Behaviour } from '../../../actors/kernel/actor.ts';
import {
  createSupervisor,
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
  const types = (child = 'a') => events.filter((e) => e.child === child).map((e) => e.type);
  return { clock, events, supervisor, types };
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
  const { clock, supervisor, types } = house();
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
  t.equal(types('bad').at(-1), 'down');
  t.strictSame(types('good 0'), []);
  await supervisor.stop();
});

t.test('a crash costs what waits; the next life begins with fresh state', async (t) => {
  const { clock, supervisor, events, types } = house();
  const got: string[] = [];
  const ref = supervisor.spawn({ name: 'a', behaviour: fragile(got) });
  for (const message of ['x', 'bad', 'lost']) t.ok(ref.tell(message));
  await settle();
  t.match(events, [{ type: 'crashed', error: /bug 1/ }]);
  t.notOk(ref.tell('nobody is there'));
  await clock.advance(124);
  t.strictSame(types(), ['crashed'], 'half of the first wait of 250 ms');
  await clock.advance(1);
  t.ok(ref.tell('y'));
  await settle();
  t.strictSame(got, ['1:x', '2:y']);
  t.strictSame(types(), ['crashed', 'restarted']);
  await supervisor.stop();
});

t.test('the wait grows with every crash within a minute, and is short again later', async (t) => {
  const { clock, supervisor, types } = house();
  const ref = supervisor.spawn({ name: 'a', behaviour: fragile([]) });
  const crash = async (wait: number) => {
    ref.tell('bad');
    await settle();
    await clock.advance(wait - 1);
    t.equal(types().at(-1), 'crashed', `still waiting before ${wait} ms`);
    await clock.advance(1);
    t.equal(types().at(-1), 'restarted', `back after ${wait} ms`);
  };
  for (let round = 0; round < 2; round++) {
    for (const wait of [125, 250, 500, 1_000, 2_000]) await crash(wait);
    await clock.advance(60_000);
  }
  await supervisor.stop();
});

t.test('over the limit: down, trials a minute apart, and recovery', async (t) => {
  const { clock, supervisor, events, types } = house({ random: () => 0 });
  const start = clock.now();
  const got: string[] = [];
  const ref = supervisor.spawn({ name: 'a', behaviour: fragile(got) });
  for (let i = 0; i < 5; i++) {
    ref.tell('bad');
    await clock.advance(1);
    t.equal(types().at(-1), 'restarted', `restart ${i + 1} is within the limit`);
  }
  ref.tell('bad');
  await clock.advance(1);
  t.equal(types().at(-1), 'down');
  t.notOk(ref.tell('refused'));
  await clock.advance(59_998);
  t.equal(types().at(-1), 'down');
  await clock.advance(1);
  t.equal(types().at(-1), 'restarted');
  await clock.advance(59_999);
  t.ok(ref.tell('bad'), 'a trial takes messages');
  await settle();
  t.equal(types().at(-1), 'down', 'one crash ends a trial');
  await clock.advance(60_000);
  t.ok(ref.tell('works'));
  await clock.advance(60_000);
  t.strictSame(got, ['8:works']);
  ref.tell('bad');
  await clock.advance(1);
  t.equal(types().at(-1), 'restarted', 'after a minute it is healthy');
  const down = events.flatMap((e) => (e.type === 'down' ? [e.nextTrial - start] : []));
  t.strictSame(down, [60_005, 180_004]);
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
  const { clock, supervisor, events, types } = house();
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
  await clock.advance(2_000);
  t.strictSame(log, ['made']);
  open.resolve();
  await clock.advance(125);
  t.strictSame(log, ['made', 'stopped', 'made']);
  t.match(
    events.filter((e) => e.type === 'stop_failed'),
    [{ child: 'a', error: /clumsy/ }],
  );
  t.equal(types().at(-1), 'restarted');
  await supervisor.stop();
});

t.test('stop waits for the message in hand and takes no more', async (t) => {
  const { clock, supervisor } = house();
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
  await settle();
  t.notOk(ref.tell(3));
  await clock.advance(2_000);
  open.resolve();
  await stopped;
  t.strictSame(log, ['abort', 'handled 1', 'stopped']);
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
  await clock.advance(2_999);
  t.notOk(done);
  t.strictSame(log, []);
  await clock.advance(1);
  await stopped;
  t.strictSame(log, ['stopped']);
  t.match(events.at(-1), { type: 'stop_failed', child: 'hung', error: /did not settle/ });
  await clock.advance(120_000);
  t.equal(lives.count, 1);
});
