/** What a server says of query parameters that a path does not have. */
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { request } from 'undici';
import { JsonText } from '../../../http/answers/json-text.ts';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import type { Params } from '../../../http/endpoints/route.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { call, echo, later, type Reply, reads, ready, startServer } from '../../support/http.ts';

const params = {
  exchange: { type: 'string', enum: ['binance', 'okx'], description: 'Test.' },
  symbol: { type: 'string', description: 'Test.' },
} as const satisfies Params;

/** One row of every kind. */
async function setUp(t: Test) {
  const data = ready('1');
  const rows = [
    echo({ path: '/view', params }),
    echo({ path: '/ask', params, from: later(async () => data) }),
    echo({ path: '/act', params, from: { act: async () => ({ status: 200, data: 1 }) } }),
    echo({ path: '/page', from: { raw: () => ({ contentType: 'text/plain', body: 'x' }) } }),
    echo({ path: '/failing', params, from: reads(() => apiError('upstream_failed')) }),
  ];
  const server = await startServer(t, rows);
  const get = (path: string, headers: Record<string, string> = {}) =>
    call(server.url + path, { headers });
  return { server, get, data };
}

const ignored = ({ headers }: Reply) => headers['ignored-parameters'];

t.test('they are ignored, and named on every answer', async (t) => {
  const { server, get, data } = await setUp(t);
  for (const path of ['/view', '/ask', '/act', '/page', '/failing']) {
    const status = path === '/failing' ? 502 : 200;
    const reply = await get(`${path}?exchnage=okx`);
    t.match(reply, { status, headers: { 'ignored-parameters': 'exchnage' } }, path);
    t.equal(ignored(await get(path)), undefined, `${path} without one`);
    const head = await call(`${server.url}${path}?foo`, { method: 'HEAD' });
    t.match(head, { status, headers: { 'ignored-parameters': 'foo' } }, `HEAD ${path}`);
  }
  const headers = { 'if-none-match': data.etag };
  t.match(await get('/ask?foo', headers), {
    status: 304,
    headers: { 'ignored-parameters': 'foo' },
  });
  t.match(await get('/view?exchange=x&foo'), {
    status: 400,
    headers: { 'ignored-parameters': 'foo' },
  });
  t.equal(ignored(await get('/view?exchange=OKX&symbol=a')), undefined);
});

t.test('the head of the body names them, in each coding and beside the age', async (t) => {
  const long = JSON.stringify('x'.repeat(3_000));
  const [small, large] = [ready('[1]'), snapshotOf(new JsonText(long, 5_000))];
  const rows = [
    echo({ path: '/small', params, from: reads(() => small) }),
    echo({ path: '/large', params, from: later(async () => large) }),
  ];
  const server = await startServer(t, rows);
  const get = (path: string, headers: Record<string, string> = {}) =>
    call(server.url + path, { headers });
  const known = { status: 'ok', timestamp: server.clock.now() };
  const named = await get('/small?exchnage=okx&a%22b&link=1');
  t.strictSame(JSON.parse(named.text), {
    ...known,
    unknown_parameters: ['exchnage', 'a"b'],
    data: [1],
  });
  const brief = (await get('/large?one&two')).text.replace(/x+/, 'x');
  const head = `{"status":"ok","timestamp":${known.timestamp},`;
  t.equal(brief, `${head}"unknown_parameters":["one","two"],"as_of":5000,"data":"x"}`);
  for (const [encoding, open] of Object.entries({ gzip: gunzipSync, zstd: zstdDecompressSync })) {
    const packed = await request(`${server.url}/large?one`, {
      headers: { 'accept-encoding': encoding },
    });
    t.equal(packed.headers['content-encoding'], encoding);
    const { unknown_parameters, data } = JSON.parse(
      open(await packed.body.arrayBuffer()).toString(),
    );
    t.strictSame([unknown_parameters, data.length], [['one'], 3_000]);
  }
  t.strictSame(JSON.parse((await get('/small?exchange=okx')).text), { ...known, data: [1] });
});

t.test('a name cannot say more than a name', async (t) => {
  const { get } = await setUp(t);
  t.equal(
    ignored(await get('/view?a%0d%0ax:%20y=1&b,c&%E2%82%AC')),
    'a%0D%0Ax%3A%20y, b%2Cc, %E2%82%AC',
  );
  t.equal(ignored(await get(`/view?${'z'.repeat(500)}`)), 'z'.repeat(64), 'cut');
  t.equal(ignored(await get(`/view?${'z'.repeat(63)}%F0%9F%98%80`)), `${'z'.repeat(63)}%EF%BF%BD`);
});

t.test('a client that prefers strict handling gets an error for unknown parameters', async (t) => {
  const { get } = await setUp(t);
  const strict = { prefer: 'handling=strict' };
  for (const path of ['/view', '/ask', '/act', '/failing']) {
    const reply = await get(`${path}?exchnage=okx&Simbol=a`, strict);
    t.match(reply, { status: 400, headers: { 'preference-applied': 'handling=strict' } }, path);
    t.match(JSON.parse(reply.text), {
      code: 'bad_parameter',
      message:
        'there is no parameter "exchnage", the nearest is exchange; there is no parameter "Simbol", the nearest is symbol',
    });
    t.equal(ignored(reply), undefined);
  }
  const page = await get('/page?v=1', strict);
  t.equal(JSON.parse(page.text).message, 'there is no parameter "v", this path takes none');
  for (const prefer of ['respond-async, handling="strict"; x=y', 'Handling = strict']) {
    t.equal((await get('/view?foo', { prefer })).status, 400, prefer);
  }
  for (const prefer of ['handling=lenient', 'handling=strictly', 'x-handling=strict', 'strict']) {
    t.equal((await get('/view?foo', { prefer })).status, 200, prefer);
  }
  t.equal((await get('/view?exchange=okx', strict)).status, 200, 'known ones only');
  for (const query of ['foo&strict=1', 'strict=1&foo=1']) {
    const reply = await get(`/view?${query}`);
    t.equal(reply.status, 400, query);
    t.match(JSON.parse(reply.text).message, 'there is no parameter "foo", the nearest is');
  }
  for (const query of ['strict=1', 'strict=1&symbol=a', 'foo&strict=0', 'foo&xstrict=1']) {
    t.equal((await get(`/view?${query}`)).status, 200, query);
  }
});
