/** The work of streams: how much of it one turn does, and for whom. */
import t from 'tap';
import { Pace } from '../../../config/pace.ts';
import { type Steps, Turns } from '../../../http/live/turns.ts';
import { FakeClock } from '../../support/clock.ts';

/** A clock whose turns are counted. `spend` lets time pass within one. */
function stage() {
  const fake = new FakeClock(0);
  const state: { turn: number; spent: number; errors: unknown[] } = {
    turn: 0,
    spent: 0,
    errors: [],
  };
  const clock = {
    now: () => fake.now(),
    monotonic: () => fake.monotonic() + state.spent,
    after: (ms: number, run: () => void) =>
      fake.after(ms, () => {
        state.turn += 1;
        run();
      }),
  };
  const turns = new Turns(
    clock,
    new Pace('auto', clock.monotonic),
    (error) => void state.errors.push(error),
  );
  const log: string[] = [];
  /** So many steps, noted in the log by their turn. */
  function* steps(
    name: string,
    count: number,
    { units = 1, ms = 0 } = {},
  ): Generator<number, void> {
    for (let i = 0; i < count; i++) {
      log.push(`${state.turn} ${name}`);
      state.spent += ms;
      yield units;
    }
  }
  const inTurn = (turn: number, name = '') =>
    log.filter((one) => one.startsWith(`${turn} ${name}`)).length;
  return { fake, state, turns, log, steps, inTurn };
}

t.test('one turn does 200 units, of each account in its turn', async (t) => {
  const { fake, turns, steps, inTurn, log } = stage();
  turns.add('a', steps('a', 500));
  t.equal(inTurn(0), 20, 'a part at once');
  for (const name of ['b', 'c']) turns.add(name, steps(name, 50));
  turns.add('a', steps('a again', 30));
  t.equal(inTurn(0), 20, 'nothing before what waits already');
  await fake.advance(0);
  t.same(
    [1, 2, 3, 4].map((turn) => inTurn(turn)),
    [200, 200, 200, 10],
  );
  t.same([inTurn(1, 'b'), inTurn(1, 'c')], [50, 50], 'of the others all');
  t.equal(log.length, 630);
  turns.add('a', steps('late', 1));
  t.equal(log.at(-1), '5 late', 'with no delay when nothing waits');
});

t.test('a step may state more units, or fewer', async (t) => {
  const { fake, turns, steps, inTurn } = stage();
  turns.add('a', steps('large', 3, { units: 150 }));
  turns.add('b', steps('small', 4_000, { units: 0.1 }));
  await fake.advance(0);
  t.same([inTurn(0, 'large'), inTurn(1, 'large'), inTurn(2, 'large')], [1, 2, 0]);
  t.equal(inTurn(1, 'small'), 200, '20 units between the two');
});

t.test('a turn ends after 1 ms, and the next one comes without a rest', async (t) => {
  const { fake, turns, steps, inTurn } = stage();
  turns.add('a', steps('a', 9, { ms: 1 }));
  turns.add('b', steps('b', 1, { ms: 9 }));
  await fake.advance(0);
  t.same(
    [0, 1, 2, 3].map((turn) => [inTurn(turn, 'a'), inTurn(turn, 'b')]),
    [
      [1, 0],
      [1, 0],
      // One step that takes longer ends the turn.
      [0, 1],
      [1, 0],
    ],
  );
});

t.test('work that throws is over, and the rest goes on', async (t) => {
  const { fake, state, turns, steps, log } = stage();
  turns.add('a', steps('a', 30));
  const broken: Steps = {
    next() {
      throw new Error('broken');
    },
  };
  turns.add('b', broken);
  turns.add('c', steps('c', 30));
  await fake.advance(0);
  t.match(state.errors, [{ message: 'broken' }]);
  t.equal(log.length, 60);
  turns.add('a', steps('a', 30));
  turns.stop();
  await fake.advance(100);
  t.equal(log.length, 80);
});
