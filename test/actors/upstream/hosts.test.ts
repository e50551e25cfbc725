import t from 'tap';
import { httpTarget } from '../../../actors/upstream/gateway.ts';
import { Hosts } from '../../../actors/upstream/hosts.ts';
import { FakeClock } from '../../support/clock.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => httpTarget(`https://${name}`, null));
if (!a || !b || !c) throw new Error('three hosts');

function stage() {
  const clock = new FakeClock();
  const hosts = new Hosts(
    [a, b, c].filter((x) => x !== undefined),
    clock,
  );
  const order = () =>
    hosts
      .order()
      .map(({ name }) => name)
      .join('');
  return { clock, hosts, order };
}

t.test('stays with the host that works', async (t) => {
  const { hosts, order } = stage();
  t.equal(order(), 'abc');
  hosts.failed(a);
  t.equal(order(), 'bca');
  hosts.worked(c);
  t.equal(order(), 'cab');
  t.equal(hosts.current, 'c');
});

t.test('the failure of a host that is not current moves nothing', async (t) => {
  const { hosts, order } = stage();
  hosts.failed(a);
  hosts.failed(a);
  hosts.failed(c);
  t.equal(order(), 'bca');
});

t.test('one request leads with the first host when the return is due', async (t) => {
  const { clock, hosts, order } = stage();
  hosts.failed(a);
  hosts.worked(b);
  await clock.advance(59_999);
  t.equal(order(), 'bca');
  await clock.advance(1);
  t.equal(order(), 'abc', 'the one that tries');
  t.equal(order(), 'bca', 'the others go on');
  hosts.failed(a);
  t.equal(hosts.current, 'b');
  await clock.advance(60_000);
  t.equal(order(), 'abc');
  hosts.worked(a);
  t.equal(hosts.current, 'a');
  t.equal(order(), 'abc');
});
