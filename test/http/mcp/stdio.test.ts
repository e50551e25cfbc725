/** The relay between lines of text and POST /mcp, against a server that misbehaves. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import t, { type Test } from 'tap';
import { linesOf, McpRelay, type RelayOptions } from '../../../cmd/process/mcp-relay.ts';
import { runCommand } from '../../support/command.ts';

type Handler = (req: IncomingMessage, res: ServerResponse, body: string) => void;

/** A relay to a server with this handler; `said` gives the next answer. */
async function stage(t: Test, handler: Handler, more: Partial<RelayOptions> = {}) {
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    handler(req, res, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const input = new PassThrough();
  const written: unknown[] = [];
  const warned: string[] = [];
  const relay = new McpRelay({
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    key: 'tm_live_x',
    deadline: 30_000,
    inFlight: 4,
    write: (answer) => {
      t.notMatch(answer, '\n', 'one line');
      written.push(JSON.parse(answer));
    },
    warn: (text) => warned.push(text),
    ...more,
  });
  const ended = relay.relay(linesOf(input.setEncoding('utf8')));
  const send = (...messages: object[]) =>
    input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  /** Ends the input, and waits for the last answer. */
  const end = async () => {
    input.end();
    await ended;
    return written;
  };
  return { input, send, end, written, warned };
}

const request = (id: number | string, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

t.test('lines, whatever the chunks are', async (t) => {
  const text = 'a\n\nlonger\r\nwäre\u2028\nno end';
  for (const size of [1, 3, 100]) {
    const input = new PassThrough();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
    input.end();
    const lines: string[] = [];
    for await (const line of linesOf(input.setEncoding('utf8'))) lines.push(line);
    t.same(lines, text.split('\n'), `chunks of ${size}`);
  }
});

t.test('the key and the headers of the version go with each message', async (t) => {
  const seen: object[] = [];
  const { send, end, warned } = await stage(
    t,
    ({ headers }, res, body) => {
      const { id, method } = JSON.parse(body);
      t.match(headers, {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer tm_live_x',
      });
      seen.push([headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']]);
      if (id === undefined) res.writeHead(202).end();
      else {
        const result = method === 'initialize' ? { protocolVersion: '2025-06-18' } : {};
        res.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }
    },
    { inFlight: 1 },
  );
  send(
    request(1, 'tools/call', { name: 'price', _meta: meta }),
    request(2, 'resources/read', { uri: 'x://ä', _meta: meta }),
    request(3, 'tools/list', { _meta: meta }),
    request(4, 'initialize', { protocolVersion: '2025-06-18' }),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    request('five', 'tools/call', { name: 'price' }),
  );
  const answers = await end();
  t.same(seen, [
    ['2026-07-28', 'tools/call', 'price'],
    // base64 of the UTF-8 of x://ä
    ['2026-07-28', 'resources/read', '=?base64?eDovL8Ok?='],
    ['2026-07-28', 'tools/list', undefined],
    [undefined, undefined, undefined],
    ['2025-06-18', undefined, undefined],
    ['2025-06-18', undefined, undefined],
  ]);
  t.same(
    answers.map((answer) => Object(answer).id),
    [1, 2, 3, 4, 'five'],
    'none to the notification',
  );
  t.same(warned, []);
});

t.test('what the server does not say becomes an error with the id of the request', async (t) => {
  const { send, end, input, warned } = await stage(t, (req, res, body) => {
    const { method } = JSON.parse(body);
    if (method === 'refused') {
      const error = { code: 401, message: 'no key' };
      res.writeHead(401).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    } else if (method === 'page') res.writeHead(502).end('<html>\n');
    else if (method === 'moved') res.writeHead(307, { location: '/elsewhere' }).end();
    else if (method === 'half') {
      res.writeHead(200, { 'content-length': '100' }).write('{');
      setImmediate(() => req.socket.destroy());
    } else req.socket.destroy();
  });
  input.write('{"jsonrpc":\n[]\n \n');
  for (const method of ['refused', 'page', 'moved', 'half', 'gone']) send(request(method, method));
  send({ jsonrpc: '2.0', method: 'notifications/gone' });
  const answers = await end();
  const of = (id: string | null) => answers.filter((answer) => Object(answer).id === id);
  t.match(of('refused'), [{ error: { code: 401, message: 'no key' } }]);
  t.match(of('page'), [{ error: { code: 502, message: /answers HTTP 502 without JSON-RPC/ } }]);
  for (const id of ['moved', 'half', 'gone'])
    t.match(of(id), [{ error: { code: -32603, message: /^http:\/\/127\.0\.0\.1:\d+: \w/ } }], id);
  t.match(of(null), [{ error: { code: -32700 } }, { error: { code: -32600, message: /batches/ } }]);
  t.equal(answers.length, 7);
  t.match(warned, [/^notifications\/gone: http/]);
});

t.test('a server that never answers: the deadline, a cancelled request', async (t) => {
  const open = new Set<ServerResponse>();
  const late = await stage(t, () => {}, { deadline: 20 });
  late.send(request(1, 'ping'));
  t.match(await late.end(), [
    { id: 1, error: { code: -32603, message: /no answer within 0.02 s/ } },
  ]);

  const asked = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const { send, end } = await stage(t, (_req, res) => {
    res.once('close', closed.resolve);
    open.add(res);
    asked.resolve();
  });
  send(request(7, 'tools/list'));
  await asked.promise;
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
  await closed.promise;
  t.same(await end(), [], 'no answer, and nothing of it reaches the server');
  t.equal(open.size, 1);
});

t.test('no more than so many requests at once; the others follow', async (t) => {
  const open: (() => void)[] = [];
  let most = 0;
  let full = Promise.withResolvers<void>();
  const { send, end } = await stage(
    t,
    (_req, res, body) => {
      const { id } = JSON.parse(body);
      open.push(() => res.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} })));
      most = Math.max(most, open.length);
      if (open.length === 3) full.resolve();
    },
    { inFlight: 3 },
  );
  send(...Array.from({ length: 9 }, (_, id) => request(id, 'ping')));
  const ended = end();
  for (let round = 0; round < 3; round++) {
    await full.promise;
    full = Promise.withResolvers();
    for (const answer of open.splice(0)) answer();
  }
  t.equal((await ended).length, 9);
  t.equal(most, 3);
});

t.test('an address that is none ends the command with its usage', async (t) => {
  for (const [url, message] of [
    ['ftp://x', /--url must be an address/],
    ['http://me:secret@x', /may not have a name or password/],
  ] as const) {
    const { out, err, code } = await runCommand('cmd/mcp.ts', ['--url', url], {});
    t.equal(code, 2);
    t.equal(out, '');
    t.match(err, message);
    t.notMatch(err, /secret/);
  }
});
