import fc from 'fast-check';
import t from 'tap';
import { KeyCounts } from '../../../http/quota/key-counts.ts';

const key = fc.constantFrom('', 'a', 'b');
const step = fc.record({ key, by: fc.constantFrom(1, 1, -1) });

t.test('the sums by key, whatever their order', async () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const counts = new KeyCounts();
      for (const { key: of, by } of steps) counts.add(of, by);
      const taken = counts.take();
      const sumOf = (name: string) =>
        steps.reduce((sum, one) => sum + (one.key === name ? one.by : 0), 0);
      return ['', 'a', 'b'].every((name) => (taken.get(name) ?? 0) === sumOf(name));
    }),
  );
});

t.test('taking them begins again', async (t) => {
  const counts = new KeyCounts();
  t.ok(counts.empty);
  counts.add('a', 2);
  t.notOk(counts.empty);
  t.strictSame([...counts.take()], [['a', 2]]);
  t.ok(counts.empty);
  t.strictSame([...counts.take()], []);
});
