import t from 'tap';
import { Slots } from '../../../actors/kernel/slots.ts';

t.test('no holder has more than is free', async (t) => {
  const slots = new Slots(9);
  const take = (holder: string) => {
    let count = 0;
    while (slots.enter(holder)) count++;
    return count;
  };
  t.same([take('a'), take('b'), take('c'), take('d')], [5, 2, 1, 1], 'the next one finds a place');
  t.equal(take('e'), 0);
  for (let i = 0; i < 5; i++) slots.leave('a');
  slots.leave('unknown');
  t.equal(take('e'), 3);
});

t.test('the first caller gets the only place', async (t) => {
  const slots = new Slots(1);
  slots.leave('unknown');
  t.ok(slots.enter('a'));
  t.notOk(slots.enter('b'));
  slots.leave('a');
  t.ok(slots.enter('b'));
});
