import t from 'tap';
import { accountIdOf } from '../../../http/auth/caller.ts';

t.test('whose question it is: opaque, by account, by address where there is none', async (t) => {
  const alice = accountIdOf({ account: 'alice' }, '192.0.2.1');
  t.match(alice, /^[\w-]{16}$/);
  t.notMatch(alice, /alice/);
  t.equal(accountIdOf({ account: 'alice' }, '192.0.2.2'), alice);
  const address = accountIdOf(null, '192.0.2.1');
  t.equal(accountIdOf(null, '192.0.2.1'), address);
  t.equal(
    new Set([alice, address, accountIdOf({ account: '192.0.2.1' }, ''), accountIdOf(null, 'alice')])
      .size,
    4,
  );
});
