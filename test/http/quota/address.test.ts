import t from 'tap';
import { createAddressOf, parseProxies } from '../../../http/quota/address.ts';

const bytes = (...values: number[]) => new Uint8Array(values).buffer;
const v4 = (text: string) => bytes(...text.split('.').map(Number));
const v6 = (hex: string) => new Uint8Array(Buffer.from(hex.padEnd(32, '0'), 'hex')).buffer;
const mappedV4 = bytes(...Array<number>(10).fill(0), 255, 255, 192, 0, 2, 1);

t.test('without proxies the connection tells, whatever headers say', async (t) => {
  const of = createAddressOf([]);
  const forwarded = () => {
    throw new Error('not read');
  };
  t.equal(of({ peer: v4('192.0.2.1'), forwarded }), '192.0.2.1');
  t.equal(of({ peer: mappedV4, forwarded }), '192.0.2.1');
  t.equal(of({ peer: v6('20010db8000000010000000000000001'), forwarded }), '2001:db8:0:1::/64');
  t.equal(of({ peer: v6('20010db80000000100ff'), forwarded }), '2001:db8:0:1::/64');
  t.equal(of({ peer: v6('20010db800000002'), forwarded }), '2001:db8:0:2::/64');
});

t.test('behind proxies', async (t) => {
  const of = createAddressOf(['10.0.0.0/8', '192.0.2.9', 'fd00::/8']);
  const behind = (peer: ArrayBuffer, ...lines: string[]) => of({ peer, forwarded: () => lines });
  const proxy = v4('10.0.0.1');
  t.equal(behind(v4('203.0.113.5'), '198.51.100.1'), '203.0.113.5', 'a stranger is not believed');
  t.equal(behind(v4('192.0.2.8'), '198.51.100.1'), '192.0.2.8');
  t.equal(behind(proxy), '10.0.0.1', 'no header');
  t.equal(behind(proxy, '198.51.100.1'), '198.51.100.1');
  t.equal(behind(v4('192.0.2.9'), '198.51.100.1'), '198.51.100.1');
  t.equal(behind(v6('fd00'), '198.51.100.1'), '198.51.100.1');
  t.equal(behind(proxy, '1.1.1.1, 198.51.100.1'), '198.51.100.1', 'what the client made up');
  t.equal(behind(proxy, '1.1.1.1', '198.51.100.1, 10.2.3.4'), '198.51.100.1', 'two lines');
  t.equal(behind(proxy, '10.1.1.1, 10.2.2.2'), '10.1.1.1', 'proxies only');
  t.equal(behind(proxy, '1.1.1.1, unknown, 10.2.2.2'), '10.2.2.2', 'the walk ends at nonsense');
  t.equal(behind(proxy, '198.51.100.1:4711'), '198.51.100.1');
  t.equal(behind(proxy, '2001:DB8::1:0:0:1'), '2001:db8:0:0::/64');
  t.equal(behind(proxy, '[2001:db8:1:2::1]:443'), '2001:db8:1:2::/64');
  t.equal(behind(proxy, '::ffff:198.51.100.1'), '198.51.100.1');
  t.equal(behind(proxy, '1.1.1.1, fd12::1'), '1.1.1.1');
  t.equal(behind(proxy, ''), '10.0.0.1');
});

t.test('lists of proxies', async (t) => {
  t.ok(parseProxies(['10.0.0.0/8']).check('10.9.9.9'));
  t.ok(parseProxies(['2001:db8::/32']).check('2001:db8::5', 'ipv6'));
  for (const entry of [
    '',
    'proxy',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/x',
    '::/129',
    '10.0.0.0/',
  ]) {
    t.throws(() => parseProxies([entry]), {
      name: 'RangeError',
      message: `${entry} is not an IP address or CIDR range`,
    });
  }
});
