/** The protocol by hand: what the specification says of requests that a good client never sends. */
import t, { type Test } from 'tap';
import { FakeClock } from '../../support/clock.ts';
import { call, echo, reads, ready, startServer } from '../../support/http.ts';
import { alice, gateOf, memoryQuota } from '../../support/quota.ts';

const version = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const prices = echo({ path: '/v1/prices', access: 'key', from: reads(() => ready('{"a":1}')) });

type Headers = Record<string, string>;

/** A server of one row; `send` posts a body as it is. */
async function serve(t: Test, more: Parameters<typeof startServer>[2] = {}) {
  const server = await startServer(t, [prices], more);
  const send = async (body: unknown, headers: Headers = {}) => {
    const {
      status,
      headers: got,
      text,
    } = await call(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status, headers: got, body: text === '' ? null : JSON.parse(text) };
  };
  return { ...server, send };
}

const request = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: meta },
});
const headersOf = (method: string, name?: string): Headers => ({
  'mcp-protocol-version': version,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

t.test('server/discover names versions and capabilities', async (t) => {
  const { send } = await serve(t);
  const { status, headers, body } = await send(
    request('server/discover'),
    headersOf('server/discover'),
  );
  t.equal(status, 200);
  t.equal(headers['content-type'], 'application/json');
  t.notOk('mcp-session-id' in headers);
  t.match(body, {
    jsonrpc: '2.0',
    id: 1,
    result: {
      resultType: 'complete',
      supportedVersions: [version],
      cacheScope: 'public',
      capabilities: { tools: {}, resources: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tidemark' } },
    },
  });
});

t.test('what is wrong with the headers or the version of a request', async (t) => {
  const { send } = await serve(t);
  const list = request('tools/list');
  const priced = request('tools/call', { name: 'price', arguments: {} });
  const cases: [what: string, body: unknown, headers: Headers, status: number, code: number][] = [
    ['no version header', list, { 'mcp-method': 'tools/list' }, 400, -32020],
    ['no method header', list, { 'mcp-protocol-version': version }, 400, -32020],
    ['another method', list, headersOf('tools/call'), 400, -32020],
    ['a method in other letters', list, headersOf('Tools/List'), 400, -32020],
    [
      'another version',
      list,
      { ...headersOf('tools/list'), 'mcp-protocol-version': '2025-06-18' },
      400,
      -32020,
    ],
    ['no name header', priced, headersOf('tools/call'), 400, -32020],
    ['another name', priced, headersOf('tools/call', 'funding'), 400, -32020],
    ['a broken base64 name', priced, headersOf('tools/call', '=?base64?*?='), 400, -32020],
    [
      'no _meta',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      headersOf('tools/list'),
      400,
      -32602,
    ],
    ['an unknown method', request('tools/buy'), headersOf('tools/buy'), 404, -32601],
    ['initialize without a handshake', request('initialize'), headersOf('initialize'), 404, -32601],
    [
      'an unknown tool',
      request('tools/call', { name: 'x' }),
      headersOf('tools/call', 'x'),
      200,
      -32602,
    ],
    ['no name', request('tools/call'), headersOf('tools/call'), 200, -32602],
    [
      'arguments that are a list',
      request('tools/call', { name: 'price', arguments: [1] }),
      headersOf('tools/call', 'price'),
      200,
      -32602,
    ],
    [
      'an unknown resource',
      request('resources/read', { uri: 'x:y' }),
      headersOf('resources/read', 'x:y'),
      200,
      -32602,
    ],
  ];
  for (const [what, body, headers, status, code] of cases) {
    const found = await send(body, headers);
    t.match([found.status, found.body.error?.code, found.body.id], [status, code, 1], what);
  }
  const half = { ...list, params: { _meta: { [Object.keys(meta)[0] ?? '']: version } } };
  t.match(await send(half, headersOf('tools/list')), {
    status: 400,
    body: { error: { code: -32602, message: /clientCapabilities/ } },
  });
  const old = {
    ...list,
    params: { _meta: { ...meta, [Object.keys(meta)[0] ?? '']: '1900-01-01' } },
  };
  t.match(await send(old, { 'mcp-protocol-version': '1900-01-01' }), {
    status: 400,
    body: { error: { code: -32022, data: { supported: [version], requested: '1900-01-01' } } },
  });
  const encoded = headersOf('tools/call', `=?base64?${Buffer.from('price').toString('base64')}?=`);
  t.match(await send(priced, encoded), { status: 200, body: { result: { isError: false } } });
  const session = { ...headersOf('tools/call', 'price'), 'mcp-session-id': 'x' };
  t.match(await send(priced, session), { status: 200 }, 'a session of before is ignored');
});

t.test('what is no message at all', async (t) => {
  const { send, url } = await serve(t);
  const cases: [what: string, body: unknown, code: number][] = [
    ['broken JSON', '{"jsonrpc":', -32700],
    ['no JSON in UTF-8', '\ufffd{', -32700],
    ['no body', '', -32700],
    ['a batch', [request('ping')], -32600],
    ['no version of JSON-RPC', { id: 1, method: 'ping' }, -32600],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, -32600],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['an id that is no whole number', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }, -32602],
    ['text', '"ping"', -32600],
  ];
  for (const [what, body, code] of cases)
    t.match(await send(body), { status: 400, body: { error: { code } } }, what);
  const typed = await send(request('ping'), { 'content-type': 'text/plain' });
  t.match([typed.status, typed.body.error.data], [415, { code: 'unsupported_media_type' }]);
  const large = await send(' '.repeat(65 * 1024));
  t.match([large.status, large.body.error.data], [413, { code: 'too_large' }]);
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT'] as const) {
    const { status, headers } = await call(`${url}/mcp`, { method });
    t.match([status, headers.allow], [405, 'POST, OPTIONS'], method);
  }
});

t.test('notifications are accepted without an answer', async (t) => {
  const { send } = await serve(t);
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const { status, headers, body } = await send(note);
  t.match({ status, body }, { status: 202, body: null });
  t.equal(headers['content-length'], '0', 'a client does not wait for more');
  t.match(await send({ ...note, params: { _meta: meta } }), { status: 202, body: null });
});

t.test('clients of the versions before begin with initialize', async (t) => {
  const { send } = await serve(t);
  const begin = (protocolVersion: string) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    return send({ jsonrpc: '2.0', id: 'a', method: 'initialize', params });
  };
  for (const [asked, got] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    // https://github.com/punkpeye/mcp-remote/issues/66
    ['2024-11-05', '2024-11-05'],
    ['2030-01-01', '2025-11-25'],
  ] as const) {
    const { status, headers, body } = await begin(asked);
    t.match([status, body.id, body.result.protocolVersion], [200, 'a', got], asked);
    t.notOk('mcp-session-id' in headers);
    t.notOk('resultType' in body.result);
  }
  const ask = (method: string, headers: Headers = {}) =>
    send({ jsonrpc: '2.0', id: 2, method }, headers);
  t.same((await ask('ping')).body, { jsonrpc: '2.0', id: 2, result: {} });
  // Clients in PHP write an empty object as a list: https://github.com/elgorro/aiquila/issues/442
  for (const method of ['ping', 'tools/list', 'prompts/list'])
    for (const params of [null, []])
      t.match(
        await send({ jsonrpc: '2.0', id: 2, method, params }),
        { status: 200, body: { id: 2, result: {} } },
        `${method} with params ${JSON.stringify(params)}`,
      );
  const call = { name: 'search_endpoints', arguments: [] };
  t.match(
    await send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }),
    { status: 200, body: { result: { isError: true, content: [{ text: /^query must be/ }] } } },
    'arguments that are an empty list: none',
  );
  t.match(
    await send({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { ...call, arguments: ['x'] },
    }),
    { status: 200, body: { error: { code: -32602 } } },
  );
  const { body } = await ask('tools/list', { 'mcp-protocol-version': '2025-06-18' });
  t.match(body.result.tools, [{ name: 'price' }]);
  t.notOk('ttlMs' in body.result);
  t.match(await ask('tools/list', { 'mcp-protocol-version': '2019-01-01' }), { status: 400 });
  t.match(await ask('logging/setLevel'), { status: 200, body: { error: { code: -32601 } } });
  const missing = { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: 'x:y' } };
  t.match(await send(missing), { status: 200, body: { error: { code: -32002 } } });
});

const counted = (name: string, given: object = {}) =>
  [request('tools/call', { name, arguments: given }), headersOf('tools/call', name)] as const;

t.test('keys and quotas are those of every path', async (t) => {
  const clock = new FakeClock();
  const { quota } = memoryQuota(clock);
  const gate = gateOf({ good: alice });
  const server = await serve(t, { clock, gate, quota });
  const [body, headers] = counted('price');
  const send = (more: Headers) => server.send(body, { ...headers, ...more });
  const absent = await send({});
  t.match(
    [absent.status, absent.body.error.data, absent.headers['www-authenticate']],
    [401, { code: 'unauthorized' }, /^Bearer /],
  );
  t.match(await send({ 'x-api-key': 'bad' }), { status: 401 });
  t.match(await send({ authorization: 'Bearer bad' }), { status: 401 });
  t.match(await send({ authorization: 'Basic good' }), { status: 401 });
  const used = (reply: { headers: Record<string, unknown> }) =>
    Number(/;r=(\d+)/.exec(String(reply.headers.ratelimit))?.[1]);
  const first = await send({ authorization: 'Bearer good' });
  t.equal(first.status, 200);
  const second = await send({ 'x-api-key': 'good' });
  t.equal(used(first) - used(second), 1, 'a call that reads one path is one request');
  while ((await send({ 'x-api-key': 'good' })).status === 200);
  const over = await send({ 'x-api-key': 'good' });
  t.match([over.status, over.body.error.data], [429, { code: 'too_many_requests' }]);
  t.ok(Number(over.headers['retry-after']) > 0);
});

t.test('a call costs as many requests as it reads paths', async (t) => {
  const clock = new FakeClock();
  const { quota } = memoryQuota(clock);
  const rows = ['/v1/bars', '/v1/indicators'].map((path) => ({ ...prices, path }));
  const server = await startServer(t, rows, { clock, quota, gate: gateOf({ good: alice }) });
  const send = async (given: object) => {
    const [body, headers] = counted('candles_with_indicators', given);
    const { headers: got, text } = await call(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'good', ...headers },
      body: JSON.stringify(body),
    });
    return { left: Number(/;r=(\d+)/.exec(String(got.ratelimit))?.[1]), body: JSON.parse(text) };
  };
  const one = await send({ view: 'candles' });
  const two = await send({ view: 'both' });
  t.equal(one.left - two.left, 2);
  t.same(Object.keys(two.body.result.structuredContent.answers), ['/v1/bars', '/v1/indicators']);
  let last = two;
  while (last.left > 1) last = await send({ view: last.left > 2 ? 'both' : 'candles' });
  const over = await send({ view: 'both' });
  t.match(over.body.result, { isError: true, content: [{ text: /too_many_requests/ }] });
});

t.test('web pages of other origins are refused, whatever the name is bound to', async (t) => {
  const cors = { origins: ['*', 'https://good.example'] };
  const { send, url } = await serve(t, { cors });
  const ask = async (origin: string) =>
    (await send(request('tools/list'), { ...headersOf('tools/list'), origin })).status;
  for (const origin of [
    'https://good.example',
    'http://localhost:6274',
    'http://127.0.0.1',
    'http://[::1]:80',
  ])
    t.equal(await ask(origin), 200, origin);
  for (const origin of [
    ...['https://evil.example', 'http://localhost.evil.example', 'null', 'http://127.0.0.1.evil'],
    url,
  ])
    t.equal(await ask(origin), origin === url ? 200 : 403, origin);
  const pre = await call(`${url}/mcp`, { method: 'OPTIONS' });
  t.match(
    pre.headers['access-control-allow-headers'],
    /mcp-protocol-version, mcp-method, mcp-name/,
  );
});
