import t from 'tap';
import { Held } from '../../../http/wire/held.ts';

t.test('bytes in memory are bounded by client and in all', (t) => {
  const held = new Held({ most: 10, ofClient: 6 });
  t.ok(held.hold('a', 6));
  t.notOk(held.hold('a', 1), 'the client has its share');
  t.ok(held.hold('b', 4));
  t.notOk(held.hold('c', 1), 'the process is full');
  t.equal(held.all, 10);
  held.release('a', 6);
  t.equal(held.all, 4);
  t.ok(held.hold('a', 6));
  held.release('b', 4);
  held.release('a', 2);
  t.notOk(held.hold('a', 3));
  held.release('a', 4);
  t.equal(held.all, 0);
  t.ok(held.hold('a', 6), 'nothing of it stays');
  t.end();
});
