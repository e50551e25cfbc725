import fc from 'fast-check';
import t from 'tap';
import { type Member, toTake } from '../../../actors/kernel/share.ts';
import { property } from '../../support/property.ts';

const named = (from: number, count: number, rows = 0): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${from + at}`, rows]));
const member = (id: string, runs: Record<string, number>, cpu = 0.1): Member => ({ id, cpu, runs });

const take = (self: Member, ...others: Member[]) =>
  toTake({ self, others, canTake: () => true, random: () => 0 });

t.test('examples', async (t) => {
  t.equal(take(member('a', {})), null, 'alone');
  t.match(take(member('a', {}), member('b', named(0, 40))), { from: 'b', because: 'count' });
  t.equal(take(member('a', {}), member('b', named(0, 1))), null, 'one source stays where it is');
  t.equal(take(member('b', named(0, 40)), member('a', {})), null, 'the larger one takes nothing');
  const [a, b] = [member('a', named(0, 18)), member('b', named(18, 22))];
  t.equal(take(a, b), null, '18 and 22 are 45 and 55 %');
  const c = member('c', named(50, 20));
  t.match(take(member('a', {}), b, c), { from: 'b' }, 'from the one that runs most');
  const only = (name: string) => name === 's60';
  const options = { self: a, others: [b, member('c', named(50, 30))], random: () => 0 };
  t.match(toTake({ ...options, canTake: only }), { name: 's60', from: 'c' });
  t.equal(toTake({ ...options, canTake: () => false }), null, 'what it does not offer stays');
});

t.test('the rows decide what moves', async (t) => {
  const b = member('b', { small: 10, middle: 100, large: 1_000, other: 90 });
  // 1,200 rows of four sources: 300 each, of which 100 is nearest.
  t.equal(take(member('a', {}), b)?.name, 'middle');
  t.equal(take(member('a', { x: 1_150 }), b)?.name, 'small', 'who has the rows takes few');
});

t.test('a busy process is relieved, within the tolerance of the count', async (t) => {
  const busy = { ...named(0, 9, 10), heavy: 500, half: 260 };
  const idle = named(20, 10, 10);
  const [a, b] = [member('a', idle, 0.2), member('b', busy, 0.8)];
  t.match(take(a, b), { name: 'half', because: 'load' });
  t.equal(take(a, { ...b, cpu: 0.4 }), null, 'not busy');
  t.equal(take({ ...a, cpu: 0.6 }, b), null, 'as busy as the other one');
  t.equal(take(member('a', named(20, 13, 10), 0.2), b), null, 'it would run too many');
  const one = member('b', { ...named(0, 10, 1), all: 500 }, 0.9);
  t.equal(take(a, one)?.name !== 'all', true, 'what would only move the load stays');
});

/** Everyone in turn takes what it should until nobody does. Gives the processes, and how often something moved. */
function settled(members: readonly Member[], random: () => number) {
  const now = new Map(members.map((one) => [one.id, { ...one, runs: { ...one.runs } }]));
  let moves = 0;
  for (let quiet = 0, turn = 0; quiet < now.size && moves < 1_000; turn++) {
    const self = [...now.values()][turn % now.size];
    if (!self) break;
    const others = [...now.values()].filter((one) => one !== self);
    const choice = toTake({ self, others, canTake: () => true, random });
    quiet = choice ? 0 : quiet + 1;
    const from = choice && now.get(choice.from);
    if (!choice || !from) continue;
    moves += 1;
    self.runs[choice.name] = from.runs[choice.name] ?? 0;
    delete from.runs[choice.name];
  }
  return { shares: [...now.values()].map(({ runs }) => Object.keys(runs).length), moves };
}

const rates = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 5_000 })), {
  minLength: 12,
  maxLength: 60,
});
const placed = fc.tuple(rates, fc.integer({ min: 2, max: 5 })).chain(([rows, count]) =>
  fc.record({
    rows: fc.constant(rows),
    count: fc.constant(count),
    at: fc.array(fc.nat({ max: count - 1 }), { minLength: rows.length, maxLength: rows.length }),
    cpu: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: count,
      maxLength: count,
    }),
  }),
);

t.test(
  'from any beginning everyone ends within 20 % of the mean, and nothing moves for ever',
  async (t) => {
    await property(t, placed, ({ rows, count, at, cpu }) => {
      const members = Array.from({ length: count }, (_, id) =>
        member(
          `p${id}`,
          Object.fromEntries(rows.flatMap((row, s) => (at[s] === id ? [[`s${s}`, row]] : []))),
          cpu[id],
        ),
      );
      const { shares, moves } = settled(members, () => 0.5);
      const mean = rows.length / count;
      const [least, most] = [Math.min(...shares), Math.max(...shares)];
      if (most - least > Math.max(1, 0.2 * mean)) throw new Error(`${shares}`);
      // By count each source moves once at most; the relief of busy processes is bounded by their rows.
      if (moves > 3 * rows.length) throw new Error(`${moves} moves of ${rows.length}`);
    });
  },
);

t.test('two and three processes, one of which has all', async (t) => {
  const all = member('a', named(0, 40, 5));
  const two = settled([all, member('b', {})], () => 0.5);
  t.strictSame(two, { shares: [22, 18], moves: 18 });
  const three = settled([all, member('b', {}), member('c', {})], () => 0.5);
  for (const share of three.shares)
    t.ok(share / 40 >= 0.25 && share / 40 <= 0.42, `${share} of 40`);
  t.ok(three.moves <= 28, `${three.moves} moves`);
});
