import t from 'tap';
import { Unsent } from '../../../http/wire/unsent.ts';

t.test('bytes that wait are bounded by address and in all', async (t) => {
  const unsent = new Unsent({ most: 10, ofAddress: 6 });
  const first = unsent.hold('a', 6);
  t.ok(first);
  t.equal(unsent.hold('a', 1), null, 'the address has its share');
  const second = unsent.hold('b', 4);
  t.ok(second);
  t.equal(unsent.hold('c', 1), null, 'the process is full');
  t.equal(unsent.bytes, 10);
  first?.();
  t.equal(unsent.bytes, 4);
  const third = unsent.hold('a', 6);
  second?.();
  third?.();
  t.equal(unsent.bytes, 0);
  t.ok(unsent.hold('a', 6), 'nothing of it stays');
});
