/** A real HTTP server that misbehaves on request: what upstreams do on bad days, one path each. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface FaultyServer {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** `127.0.0.1:PORT` */
  host: string;
  /** Requests seen, as `METHOD path?query`, oldest first. */
  seen: string[];
  /** Bodies of the requests seen, once complete. */
  bodies: string[];
  /** Headers of the last request. */
  lastHeaders(): IncomingMessage['headers'];
  /** Open connections. */
  connections(): number;
  /** Answers `path` (without query) this way from now on. */
  on(path: string, handler: Handler): void;
  close(): Promise<void>;
}

/** Answers with JSON. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Answers with a text of any type. */
export const text =
  (body: string, status: number, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end(body);
  };

const page = '<!doctype html><title>secret-in-body</title>';
const megabyte = Buffer.alloc(2 ** 20, 0x20);

const send = (encoding: string, body: Buffer): Handler => {
  return (_, response) => {
    response.writeHead(200, { 'content-encoding': encoding, 'content-type': 'application/json' });
    response.end(body);
  };
};

/** 50 MB of blanks, as fast as the client reads. */
function flood(response: ServerResponse): void {
  let left = 50;
  const more = () => {
    while (left-- > 0) if (!response.write(megabyte)) return;
    response.end();
  };
  response.on('drain', more);
  more();
}

const routes: Record<string, Handler> = {
  '/ok': json({ ok: true }),
  '/hang': () => {},
  '/hang-body': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"half":');
  },
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/reset-body': (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half":');
    setTimeout(() => request.socket.resetAndDestroy(), 20);
  },
  '/short-body': (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{}');
    setTimeout(() => request.socket.end(), 20);
  },
  '/429': text('slow down', 429, { 'retry-after': '30' }),
  '/429-date': (_, response) => {
    response.writeHead(429, { 'retry-after': new Date(1_700_000_045_000).toUTCString() });
    response.end();
  },
  '/429-bare': text('slow down', 429),
  '/418': text('banned', 418, { 'retry-after': '7200' }),
  '/429-hang-body': (_, response) => {
    response.writeHead(429, { 'retry-after': '30' });
    response.write('slow');
  },
  '/500': text(page, 500),
  '/503': json({ busy: true }, 503, { 'retry-after': '2' }),
  '/408': text('', 408),
  '/403-html': text(page, 403),
  '/451': text(page, 451),
  '/404': text(page, 404),
  '/404-json': json({ error: 'no such path' }, 404),
  '/400-symbol': json({ code: -1121, msg: 'Invalid symbol.' }, 400),
  '/400-refused': json({ code: -1100, msg: 'Illegal characters.' }, 400),
  '/200-refused': json({ code: -1, msg: 'no' }),
  '/200-limited': json({ code: -1003, msg: 'slow down' }),
  '/200-busy': json({ code: -9, msg: 'maintenance' }),
  '/html': text(page, 200),
  '/broken': text('{"secret-in-body": [1, 2', 200),
  '/empty': text('', 200),
  '/redirect': text('', 302, { location: '/ok' }),
  '/big': (_, response) => {
    response.writeHead(200, { 'content-length': String(50 * 2 ** 20) });
    flood(response);
  },
  '/big-chunked': (_, response) => {
    response.writeHead(200);
    flood(response);
  },
  '/bomb': send('gzip', gzipSync(Buffer.alloc(50 * 2 ** 20, 0x20))),
  '/gzip': send('gzip', gzipSync('{"packed":"gzip"}')),
  '/br': send('br', brotliCompressSync('{"packed":"br"}')),
  '/deflate': send('deflate', deflateSync('{"packed":"deflate"}')),
  '/gzip-cut': send('gzip', gzipSync(JSON.stringify({ text: 'x'.repeat(999) })).subarray(0, 20)),
  '/gzip-false': send('gzip', Buffer.from('{"packed":false}')),
  '/zebra': send('zebra', Buffer.from('{}')),
};

export async function startFaultyServer(): Promise<FaultyServer> {
  const own = new Map(Object.entries(routes));
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  const bodies: string[] = [];
  let headers: IncomingMessage['headers'] = {};
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    headers = request.headers;
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => bodies.push(body));
    response.on('error', () => {});
    const path = (request.url ?? '').split('?')[0] ?? '';
    (own.get(path) ?? text(page, 404))(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    host,
    seen,
    bodies,
    lastHeaders: () => headers,
    connections: () => sockets.size,
    on: (path, handler) => void own.set(path, handler),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
