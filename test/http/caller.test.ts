import t from 'tap';
import { askerId } from '../../http/caller.ts';

t.test('whose question it is: opaque, by account, by address where there is none', async (t) => {
  const alice = askerId({ account: 'alice' }, '192.0.2.1');
  t.match(alice, /^[\w-]{16}$/);
  t.notMatch(alice, /alice/);
  t.equal(askerId({ account: 'alice' }, '192.0.2.2'), alice);
  const address = askerId(null, '192.0.2.1');
  t.equal(askerId(null, '192.0.2.1'), address);
  t.equal(
    new Set([alice, address, askerId({ account: '192.0.2.1' }, ''), askerId(null, 'alice')]).size,
    4,
  );
});
