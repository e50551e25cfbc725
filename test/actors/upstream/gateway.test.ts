import t from 'tap';
import { httpTarget, isPlainPath, socketUrl } from '../../../actors/upstream/gateway.ts';

t.test('a host is asked directly without a gateway', async (t) => {
  t.same(httpTarget('https://api.example.com', null), {
    origin: 'https://api.example.com',
    prefix: '',
    name: 'api.example.com',
  });
});

t.test('a gateway takes the host as the first part of the path', async (t) => {
  const target = httpTarget('https://api.example.com:8443', 'http://127.0.0.1:9900');
  t.same(target, {
    origin: 'http://127.0.0.1:9900',
    prefix: '/api.example.com:8443',
    name: 'api.example.com:8443',
  });
  const deep = httpTarget('https://api.example.com/', 'https://proxy.example.com/out/');
  t.equal(deep.origin, 'https://proxy.example.com');
  t.equal(deep.prefix, '/out/api.example.com');
});

t.test('credentials and paths of a host stay out of its name', async (t) => {
  const { name, origin, prefix } = httpTarget('https://user:pw@rpc.example.com/v2/secret', null);
  t.equal(name, 'rpc.example.com');
  t.equal(origin, 'https://rpc.example.com');
  t.equal(prefix, '/v2/secret');
});

t.test('a URL that is not http is refused', async (t) => {
  t.throws(() => httpTarget('api.example.com', null), /must be a URL/);
  t.throws(() => httpTarget('ftp://api.example.com', null), /http:\/\//);
});

t.test('sockets go through the gateway in its own scheme', async (t) => {
  const url = 'wss://ws.example.com:9443/stream?x=1';
  t.equal(socketUrl(url, null), url);
  t.equal(
    socketUrl(url, 'http://127.0.0.1:9900'),
    'ws://127.0.0.1:9900/ws.example.com:9443/stream?x=1',
  );
  t.equal(
    socketUrl('wss://ws.example.com/', 'https://proxy.example.com/out'),
    'wss://proxy.example.com/out/ws.example.com/',
  );
});

t.test('a path that could change the endpoint is not plain', async (t) => {
  for (const path of ['/', '/api/v3/depth', '/products/BTC-USD/book', '/a.b/c%20d', '/a/..b']) {
    t.ok(isPlainPath(path), path);
  }
  const bad = [
    '',
    'api',
    '//host/x',
    '/a?b',
    '/a#b',
    '/a b',
    '/a\n',
    '/a/../b',
    '/..',
    '/a/%2E%2e/b',
  ];
  for (const path of bad) t.notOk(isPlainPath(path), JSON.stringify(path));
});
