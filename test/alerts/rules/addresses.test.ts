import t from 'tap';
import { checkUrl, isPublicAddress } from '../../../alerts/rules/addresses.ts';
import hostile from '../../fixtures/hostile-receivers.json' with { type: 'json' };

t.test('hostile URLs of receivers are refused by what they say', async (t) => {
  t.ok(hostile.length >= 200);
  const taken = hostile.filter(({ url }) => typeof checkUrl(url, new Set()) !== 'string');
  t.strictSame(taken, []);
});

t.test('URLs on the internet are taken', async (t) => {
  for (const url of [
    'https://hooks.example.com/a?b=c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/',
    'https://bücher.de/',
  ])
    t.match(checkUrl(url, new Set()), { isAllowed: false }, url);
});

t.test("hosts of one's own are taken, by http too, with the port that is named", async (t) => {
  const allowed = new Set(['127.0.0.1:8080', 'alerts.lan']);
  for (const url of ['http://127.0.0.1:8080/a', 'https://alerts.lan/', 'http://alerts.lan:99/'])
    t.match(checkUrl(url, allowed), { isAllowed: true }, url);
  for (const url of [
    'http://127.0.0.1:8081/',
    'http://127.0.0.1/',
    'http://x.alerts.lan/',
    'ftp://alerts.lan/',
    'http://u@alerts.lan/',
  ])
    t.type(checkUrl(url, allowed), 'string', url);
});

t.test('addresses: the neighbours of networks that are not public are', async (t) => {
  const open = [
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::',
    '2001:200::1',
    '2003::1',
    '2606:4700::1111',
    '3ffe::1',
  ];
  t.strictSame(
    open.filter((address) => !isPublicAddress(address)),
    [],
  );
  for (const address of ['', 'x', '1.2.3', '2606:4700::1111%eth0'])
    t.notOk(isPublicAddress(address), address);
});
