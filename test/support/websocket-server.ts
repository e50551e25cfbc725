/** A minimal WebSocket server (RFC 6455): small unfragmented frames, no extensions; it can misbehave on request. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Peer {
  url: string;
  /** Of the handshake. */
  headers: IncomingHttpHeaders;
  /** Text frames received. */
  received: string[];
  /** Ping frames received. */
  pings: number;
  send(text: string | Buffer): void;
  /** A close frame, then the end of the connection. */
  close(code?: number): void;
  /** Ends the connection without a word. */
  reset(): void;
  readonly open: boolean;
}

export interface WebSocketServer {
  /** `ws://127.0.0.1:PORT` */
  url: string;
  host: string;
  /** Every connection that was upgraded, oldest first. */
  peers: Peer[];
  /** Upgrades asked for. */
  readonly attempts: number;
  /** `accept` is the default; `hang` never answers the upgrade; `refuse` answers 503. */
  mode: 'accept' | 'hang' | 'refuse';
  /** When false, close frames of the client are not answered. */
  polite: boolean;
  connections(): number;
  stop(): Promise<void>;
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcodes = { text: 1, binary: 2, close: 8, ping: 9 };

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? Buffer.alloc(2) : Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** Takes whole masked frames with payloads under 64 KiB off the front; what is left comes back. */
function readFrames(data: Buffer, each: (opcode: number, payload: Buffer) => void): Buffer {
  let rest = data;
  while (rest.length >= 6) {
    const short = (rest[1] ?? 0) & 0x7f;
    const start = short === 126 ? 4 : 2;
    const length = short === 126 ? rest.readUInt16BE(2) : short;
    const end = start + 4 + length;
    if (rest.length < end) break;
    const mask = rest.subarray(start, start + 4);
    const payload = Buffer.from(rest.subarray(start + 4, end)).map(
      (byte, i) => byte ^ (mask[i % 4] ?? 0),
    );
    each((rest[0] ?? 0) & 0x0f, Buffer.from(payload));
    rest = rest.subarray(end);
  }
  return rest;
}

type Handshake = Pick<Peer, 'url' | 'headers'>;

function serve(socket: Socket, handshake: Handshake, polite: () => boolean): Peer {
  const peer: Peer = {
    ...handshake,
    received: [],
    pings: 0,
    send: (data) =>
      void socket.write(
        typeof data === 'string'
          ? frame(opcodes.text, Buffer.from(data))
          : frame(opcodes.binary, data),
      ),
    close: (code = 1000) => {
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(code);
      socket.end(frame(opcodes.close, payload));
    },
    reset: () => void socket.resetAndDestroy(),
    get open() {
      return !socket.destroyed;
    },
  };
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.from(
      readFrames(Buffer.concat([rest, chunk]), (opcode, payload) => {
        if (opcode === opcodes.ping) peer.pings++;
        if (opcode === opcodes.text) peer.received.push(payload.toString());
        if (opcode === opcodes.close && polite()) socket.end(frame(opcodes.close, payload));
      }),
    );
  });
  return peer;
}

export async function startWebSocketServer(): Promise<WebSocketServer> {
  const sockets = new Set<Socket>();
  let attempts = 0;
  const http = createServer((_, response) => response.writeHead(404).end());
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    // Sockets of an HTTP server may stay half open.
    socket.on('end', () => socket.end());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const server: WebSocketServer = {
    url: `ws://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    peers: [],
    get attempts() {
      return attempts;
    },
    mode: 'accept',
    polite: true,
    connections: () => sockets.size,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };
  http.on('upgrade', (request, stream) => {
    attempts++;
    stream.resume();
    if (server.mode === 'hang') return;
    if (server.mode === 'refuse') {
      stream.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const key = `${request.headers['sec-websocket-key']}${guid}`;
    const accept = createHash('sha1').update(key).digest('base64');
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    const { url = '', headers, socket } = request;
    server.peers.push(serve(socket, { url, headers }, () => server.polite));
  });
  return server;
}
