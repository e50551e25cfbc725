import fc from 'fast-check';
import t from 'tap';
import { toTake } from '../../../actors/kernel/share.ts';
import { property } from '../../support/property.ts';

const named = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `s${from + at}`);

const take = (own: number, ...others: string[][]) =>
  toTake({ own, others, canTake: () => true, random: () => 0 });

t.test('examples', async (t) => {
  t.equal(take(0), null, 'alone');
  t.equal(take(0, named(0, 40)), 's0');
  t.equal(take(0, named(0, 1)), null, 'one source stays where it is');
  t.equal(take(40, []), null, 'the larger one takes nothing');
  t.equal(take(18, named(18, 22)), null, '18 and 22 are 45 and 55 %');
  const [b, c] = [named(18, 22), named(50, 20)];
  t.equal(take(0, c, b), 's18', 'from the one that runs most');
  const options = { own: 18, others: [b, named(50, 30)], random: () => 0 };
  t.equal(toTake({ ...options, canTake: (name) => name === 's60' }), 's60');
  t.equal(toTake({ ...options, canTake: () => false }), null, 'what it does not offer stays');
});

/** Everyone in turn takes what it should until nobody does. Gives the parts, and how often something moved. */
function settled(parts: readonly (readonly string[])[]) {
  const now = parts.map((part) => [...part]);
  let moves = 0;
  for (let quiet = 0, turn = 0; quiet < now.length && moves < 1_000; turn++) {
    const own = now[turn % now.length] ?? [];
    const others = now.filter((one) => one !== own);
    const options = { own: own.length, others, canTake: () => true, random: () => 0.5 };
    const name = toTake(options);
    quiet = name === null ? quiet + 1 : 0;
    if (name === null) continue;
    moves += 1;
    for (const other of others) if (other.includes(name)) other.splice(other.indexOf(name), 1);
    own.push(name);
  }
  return { shares: now.map(({ length }) => length), moves };
}

const placed = fc
  .tuple(fc.integer({ min: 12, max: 60 }), fc.integer({ min: 2, max: 5 }))
  .chain(([sources, count]) =>
    fc.record({
      count: fc.constant(count),
      at: fc.array(fc.nat({ max: count - 1 }), { minLength: sources, maxLength: sources }),
    }),
  );

t.test('from any beginning everyone ends within 20 % of the mean', async (t) => {
  await property(t, placed, ({ count, at }) => {
    const parts = Array.from({ length: count }, (_, id) =>
      at.flatMap((holder, s) => (holder === id ? [`s${s}`] : [])),
    );
    const { shares, moves } = settled(parts);
    const [least, most] = [Math.min(...shares), Math.max(...shares)];
    if (most - least > Math.max(1, (0.2 * at.length) / count)) throw new Error(`${shares}`);
    if (moves > at.length) throw new Error(`${moves} moves of ${at.length}`);
  });
});

t.test('two and three processes, one of which has all', async (t) => {
  t.strictSame(settled([named(0, 40), []]), { shares: [22, 18], moves: 18 });
  const three = settled([named(0, 40), [], []]);
  for (const share of three.shares)
    t.ok(share / 40 >= 0.25 && share / 40 <= 0.42, `${share} of 40`);
  t.ok(three.moves <= 28, `${three.moves} moves`);
});
