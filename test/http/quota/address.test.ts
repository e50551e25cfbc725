import t from 'tap';
import { createAddressOf, createIsLocal, parseProxies } from '../../../http/quota/address.ts';

const bytes = (...values: number[]) => new Uint8Array(values).buffer;
const v4 = (text: string) => bytes(...text.split('.').map(Number));
const v6 = (hex: string) => new Uint8Array(Buffer.from(hex.padEnd(32, '0'), 'hex')).buffer;
const mappedV4 = bytes(...Array<number>(10).fill(0), 255, 255, 192, 0, 2, 1);

t.test('without proxies the address of the connection counts, whatever headers say', async (t) => {
  const of = createAddressOf([]);
  const forwarded = () => {
    throw new Error('not read');
  };
  const peers = [
    v4('192.0.2.1'),
    v4('192.0.2.1'),
    mappedV4,
    v6('20010db8000000010000000000000001'),
    v6('20010db80000000100ff'),
    v6('20010db800000002'),
  ];
  t.strictSame(
    peers.map((peer) => of({ peer, forwarded })),
    [
      ...Array<string>(3).fill('192.0.2.1'),
      ...['2001:db8:0:1::/64', '2001:db8:0:1::/64', '2001:db8:0:2::/64'],
    ],
  );
});

t.test(
  'a connection that was reset has no address: a client of its own, and not a local one',
  async (t) => {
    const gone = { peer: bytes(), forwarded: () => [] };
    t.equal(createAddressOf([])(gone), '0:0:0:0::/64');
    t.equal(createAddressOf(['10.0.0.0/8'])(gone), '0:0:0:0::/64');
    t.equal(createIsLocal([])(gone), false);
  },
);

const proxy = v4('10.0.0.1');
const behind: readonly [peer: ArrayBuffer, lines: string[], client: string, why?: string][] = [
  [v4('203.0.113.5'), ['198.51.100.1'], '203.0.113.5', 'a peer that is no proxy'],
  [v4('192.0.2.8'), ['198.51.100.1'], '192.0.2.8'],
  [proxy, [], '10.0.0.1', 'no header'],
  [proxy, ['198.51.100.1'], '198.51.100.1'],
  [v4('192.0.2.9'), ['198.51.100.1'], '198.51.100.1'],
  [v6('fd00'), ['198.51.100.1'], '198.51.100.1'],
  [proxy, ['1.1.1.1, 198.51.100.1'], '198.51.100.1', 'an entry of the client itself'],
  [proxy, ['1.1.1.1', '198.51.100.1, 10.2.3.4'], '198.51.100.1', 'two lines'],
  [proxy, ['10.1.1.1, 10.2.2.2'], '10.1.1.1', 'proxies only'],
  [proxy, ['1.1.1.1, unknown, 10.2.2.2'], '10.2.2.2', 'an invalid entry ends the search'],
  [proxy, ['198.51.100.1:4711'], '198.51.100.1'],
  [proxy, ['2001:DB8::1:0:0:1'], '2001:db8:0:0::/64'],
  [proxy, ['2001:db8:1:2:3:4:5:6'], '2001:db8:1:2::/64'],
  [proxy, ['2001:db8:7::'], '2001:db8:7:0::/64'],
  [proxy, ['1:2::3:4:5:6:7'], '1:2:0:3::/64', 'one group is left out'],
  [proxy, ['[2001:db8:1:2::1]:443'], '2001:db8:1:2::/64'],
  [proxy, ['[2001:db8:1:2::1%eth0]'], '2001:db8:1:2::/64', 'a zone'],
  [proxy, ['::ffff:198.51.100.1'], '198.51.100.1'],
  [proxy, ['1.1.1.1, fd12::1'], '1.1.1.1'],
  [proxy, [''], '10.0.0.1'],
];
for (const [peer, lines, client, why = client] of behind) {
  t.test(`behind proxies: ${lines.join(' / ')}: ${why}`, async (t) => {
    const of = createAddressOf(['10.0.0.0/8', '192.0.2.9', 'fd00::/8']);
    t.equal(of({ peer, forwarded: () => lines }), client);
  });
}

const v6End = (...end: number[]) => bytes(...Array<number>(16 - end.length).fill(0), ...end);
const locals: readonly [peer: ArrayBuffer, lines: string[], local: boolean, why: string][] = [
  [v4('127.0.0.1'), [], true, 'this machine'],
  [v4('127.9.9.9'), [], true, 'this machine'],
  [v6End(1), [], true, 'this machine'],
  [v6End(0xff, 0xff, 127, 0, 0, 1), [], true, 'IPv4-mapped'],
  [v6End(2), [], false, 'another machine'],
  [v4('192.0.2.1'), [], false, 'another machine'],
  [proxy, ['127.0.0.1'], false, 'a proxy on another machine'],
  [v4('127.0.0.1'), ['127.0.0.1'], false, 'a proxy here that is not trusted'],
  [v4('127.0.0.2'), ['127.0.0.1'], true, 'a trusted proxy here'],
  [v4('127.0.0.2'), ['127.0.0.1, 192.0.2.1'], false, 'a client on another machine'],
  [v4('127.0.0.2'), ['127.0.0.1, 127.0.0.3', '::1'], true, 'clients and proxies here'],
  [v4('127.0.0.2'), ['unknown'], false, 'an invalid entry'],
  [v6End(1), ['::1'], true, 'a trusted proxy here by IPv6'],
];
t.test('whether a client is on this machine', async (t) => {
  const isLocal = createIsLocal(['10.0.0.1', '127.0.0.2', '::1']);
  for (const [peer, lines, local, why] of locals)
    t.equal(isLocal({ peer, forwarded: () => lines }), local, why);
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
