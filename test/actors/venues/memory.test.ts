import t from 'tap';
import { memoryOf, readOnce } from '../../../actors/venues/memory.ts';
import { context } from './stream-suite.ts';

t.test('each connection has a memory of its own; without one nothing is remembered', async (t) => {
  const of = memoryOf(() => new Set<number>());
  const [first, second] = [{}, {}];
  of(first).add(1);
  of(undefined).add(2);
  t.strictSame([...of(first)], [1]);
  t.strictSame([...of(second)], []);
  t.strictSame([...of(undefined)], []);
});

t.test('a message is read once in one context, and again after an exception', async (t) => {
  let count = 0;
  const read = readOnce((message) => {
    count++;
    if (message === 'bad') throw new Error('unreadable');
    return { message, count };
  });
  const [message, at] = [{}, context([])];
  t.equal(read(message, at), read(message, at));
  t.equal(count, 1);
  read({}, at);
  t.equal(count, 2, 'another message');
  const last = {};
  read(last, at);
  read(last, context([]));
  t.equal(count, 4, 'another context');
  t.throws(() => read('bad', at));
  t.throws(() => read('bad', at));
  t.equal(count, 6);
});
