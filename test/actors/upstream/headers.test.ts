/** Constant headers of an API on real sockets: the hosts that get them; their values are shown nowhere. */
import t from 'tap';
import { yahoo } from '../../../actors/providers/yahoo.ts';
import { createHttpClient } from '../../../actors/upstream/client.ts';
import type { Faults } from '../../../actors/upstream/faults.ts';
import { withoutSecrets } from '../../../actors/upstream/verdict.ts';
import { json, startFaultyServer, text } from '../../support/faulty-server.ts';
import { failureOf, testClient } from '../../support/upstream.ts';

const server = await startFaultyServer();
const second = await startFaultyServer();
t.teardown(() => Promise.all([server.close(), second.close()]));

const key = 'k3y-0f-0ur-0wn';
const headers = { 'x-api-key': key, authorization: `Bearer ${key}-2` };

t.test('every request has them, on every host, of this API alone', async (t) => {
  const budgets = { default: { weight: 9, per: 1_000 } };
  const rest = { hosts: [server.url, second.url], budgets } as const;
  const client = createHttpClient({
    source: 'test',
    gateway: null,
    apis: { keyed: { ...rest, headers }, open: rest },
  });
  const send = (api: string, path: string, body?: object) =>
    client.send({ api, path, ...(body && { method: 'POST', body }) }, { deadline: 10_000 });
  second.on('/500', json({ from: 'second' }));
  t.ok((await send('keyed', '/ok')).ok);
  t.match(server.lastHeaders(), { ...headers, 'user-agent': 'tidemark' });
  t.equal(server.lastHeaders()['accept-encoding'], 'gzip, br, deflate');
  t.ok((await send('keyed', '/500', { q: 1 })).ok);
  t.match(server.lastHeaders(), { ...headers, 'content-type': 'application/json' });
  t.match(second.lastHeaders(), headers, 'the host that stands in');
  await send('open', '/ok');
  t.notHas(server.lastHeaders(), { 'x-api-key': key });
  t.notHas(server.lastHeaders(), { authorization: headers.authorization });
});

t.test('they go through a gateway; a user-agent and an accept replace ours', async (t) => {
  const own = { 'user-agent': 'Mozilla/5.0 (compatible; test)', accept: 'application/vnd.x+json' };
  const client = testClient(t, ['https://api.example.com'], {
    gateway: server.url,
    api: { headers: { ...headers, ...own } },
  });
  server.on('/api.example.com/v1/x', json({ ok: true }));
  t.ok((await client.get('/v1/x')).ok);
  t.match(server.lastHeaders(), { ...headers, ...own });
});

t.test('Yahoo is asked with the name of a browser', async (t) => {
  const client = createHttpClient({ source: 'yahoo', apis: yahoo.apis, gateway: server.url });
  const [request] = yahoo.polls.closes.requests({ now: 0, items: ['gold'] });
  if (!request) throw new Error('no request');
  const path = `/query1.finance.yahoo.com${request.path}`;
  server.on(path, json({ chart: { error: null } }));
  t.ok((await client.send(request, { deadline: 10_000 })).ok);
  t.match(server.lastHeaders()['user-agent'], /^Mozilla\/5\.0 \(compatible; tidemark\)$/);
});

/** Quotes the code of the body, which may be anything. */
const quoting: Faults = { name: 'Quoting', at: 'msg', means: 'refused' };

t.test('no failure, log or state contains a secret that the upstream quotes', async (t) => {
  const told: unknown[] = [];
  const tell = (fields: object, message: string) => void told.push({ fields, message });
  const log = { info: tell, warn: tell };
  server.on('/echo-json', (request, response) =>
    json({ msg: `bad key ${request.headers['x-api-key']} ${key}-2` }, 401)(request, response),
  );
  server.on('/echo-page', (request, response) =>
    text(`<p>${request.headers['x-api-key']}`, 401)(request, response),
  );
  const paths = ['/500', '/403-html', '/reset', '/reset-body', '/redirect', '/429', '/big'];
  for (const path of ['/echo-json', '/echo-page', ...paths]) {
    const api = { headers, faults: quoting, maxBody: 10_000 };
    const client = testClient(t, [server.url], { api, log, limits: { failures: 1 } });
    told.push(failureOf(await client.get(path)), failureOf(await client.get(`${path}/after`)));
    told.push(client.state('a'));
    t.equal(server.lastHeaders()['x-api-key'], key, path);
  }
  const all = JSON.stringify(told);
  t.match(all, 'bad key *** ***');
  t.match(all, /upstream host failed/, 'the log was heard');
  t.match(all, /upstream asks for silence/);
  t.match(all, /breaker_open/);
  t.notMatch(all, key);
});

t.test('words of a value in a message', async (t) => {
  t.equal(withoutSecrets('bad 12345678 and x', { a: '12345678', b: 'x' }), 'bad *** and x');
  t.equal(withoutSecrets('bad 123456789', { a: '12345678', b: '123456789' }), 'bad ***');
  t.equal(withoutSecrets('bad abcdefgh', { a: 'Token token="abcdefgh"' }), 'bad ***');
  t.equal(withoutSecrets('bad ab=cd=efg', { a: 'ab=cd=efg' }), 'bad ***');
  t.equal(withoutSecrets('bad'), 'bad');
});
