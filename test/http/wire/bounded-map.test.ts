import fc from 'fast-check';
import t from 'tap';
import { BoundedMap } from '../../../http/wire/bounded-map.ts';

t.test(
  'beyond the bound the oldest entries go, and a value that is set again is new',
  async (t) => {
    const dropped: [string, number][] = [];
    const map = new BoundedMap<string, number>(
      { entries: 2 },
      {
        dropped: (value, key) => dropped.push([key, value]),
      },
    );
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    t.strictSame(
      [...map],
      [
        ['a', 3],
        ['c', 4],
      ],
    );
    t.strictSame(dropped, [['b', 2]]);
    map.delete('a');
    map.clear();
    t.strictSame([map.size, dropped.length], [0, 1], 'only what the bound removes is told');
  },
);

t.test('the newest entry stays, however large it is', async (t) => {
  const map = new BoundedMap<string, string>(
    { entries: 3, bytes: 4 },
    { bytesOf: ({ length }) => length },
  );
  map.set('a', '12').set('b', '34');
  t.equal(map.size, 2, 'four bytes fit');
  t.strictSame([...map.set('c', '567890').keys()], ['c']);
  t.strictSame([...map.set('d', '1').keys()], ['d']);
});

type Pairs = [key: number, bytes: number][];

/** The newest of these pairs that fit. */
function fitting(pairs: Pairs): Pairs {
  const sum = pairs.reduce((all, [, bytes]) => all + bytes, 0);
  const fits = pairs.length <= 4 && sum <= 10;
  return fits || pairs.length === 1 ? pairs : fitting(pairs.slice(1));
}

/** Each operation on the map, and on a list of all that it holds. */
const operations = {
  set: (map: BoundedMap<number, number>, key: number, size: number) => void map.set(key, size),
  delete: (map: BoundedMap<number, number>, key: number) => void map.delete(key),
  clear: (map: BoundedMap<number, number>) => map.clear(),
};
const models: Record<keyof typeof operations, (pairs: Pairs, key: number, size: number) => Pairs> =
  {
    set: (pairs, key, size) => [...without(pairs, key), [key, size]],
    delete: (pairs, key) => without(pairs, key),
    clear: () => [],
  };
const without = (pairs: Pairs, key: number): Pairs => pairs.filter(([one]) => one !== key);

t.test('it holds the newest entries that fit, as a list of all of them says', async (t) => {
  const operation = fc.record({
    name: fc.constantFrom(...(['set', 'delete', 'clear'] as const)),
    key: fc.integer({ min: 0, max: 8 }),
    size: fc.integer({ min: 0, max: 6 }),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (steps) => {
      const map = new BoundedMap<number, number>(
        { entries: 4, bytes: 10 },
        { bytesOf: (value) => value },
      );
      let pairs: Pairs = [];
      for (const { name, key, size } of steps) {
        operations[name](map, key, size);
        pairs = fitting(models[name](pairs, key, size));
        t.strictSame([...map], pairs);
      }
    }),
  );
});
