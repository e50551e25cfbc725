import t from 'tap';
import { memoryOf } from '../../../actors/venues/streams.ts';

t.test('each connection has a memory of its own; without one nothing is remembered', async (t) => {
  const of = memoryOf(() => new Set<number>());
  const [first, second] = [{}, {}];
  of(first).add(1);
  of(undefined).add(2);
  t.strictSame([...of(first)], [1]);
  t.strictSame([...of(second)], []);
  t.strictSame([...of(undefined)], []);
});
