import t from 'tap';
import { ByteBudget, processBodies } from '../../../actors/upstream/budget.ts';

t.test('shares take the free room and give it back', async (t) => {
  const budget = new ByteBudget(100);
  const share = budget.open(() => t.fail('not cut'));
  t.ok(share.take(60));
  t.ok(share.take(40), 'to the last byte');
  t.equal(budget.used, 100);
  share.end();
  share.end();
  t.equal(budget.used, 0);
  t.equal(budget.cuts, 0);
});

t.test('a process has 64 MiB where nothing else is set', async (t) => {
  t.equal(processBodies.maxBytes, 67_108_864);
});

t.test('the largest share is cut, whichever one asks for room', async (t) => {
  const budget = new ByteBudget(100);
  const cut: string[] = [];
  const [large, small, tiny] = ['large', 'small', 'tiny'].map((name) =>
    budget.open(() => cut.push(name)),
  );
  large?.take(70);
  small?.take(20);
  t.ok(tiny?.take(20), 'a small one has its room');
  t.same(cut, ['large']);
  t.equal(budget.used, 40);
  t.equal(large?.take(65), false, 'the largest is refused when it asks itself');
  t.equal(budget.used, 40);
  t.same(cut, ['large'], 'and is not told as well');
  t.equal(budget.cuts, 2);
  t.ok(large?.take(1), 'it may begin anew');
});
