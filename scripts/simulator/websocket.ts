/**
 * The server side of RFC 6455 over an upgraded node:http socket: text frames, fragments, ping, pong and close.
 * Extensions are not offered. Messages are at most 1 MiB, and a client that does not read is cut off at 4 MiB.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const most = 1024 * 1024;
/** Bytes that are kept back until the end of a turn of the event loop. */
const gathered = 64 * 1024;
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One open WebSocket. */
export interface Connection {
  send(text: string): void;
  /** Sends a binary message. */
  sendBytes(bytes: Buffer): void;
  /** Sends a close frame and ends the socket; calling it twice does nothing. */
  close(code?: number): void;
}

export interface ConnectionHandlers {
  text(message: string, connection: Connection): void;
  closed?(): void;
}

interface Frame {
  fin: boolean;
  opcode: number;
  payload: Buffer;
  /** Bytes that the frame took. */
  size: number;
}

/** Violations end the connection with this close code. */
class ProtocolError extends Error {
  override name = 'ProtocolError';
  readonly code: number;
  constructor(code: number) {
    super(`close ${code}`);
    this.code = code;
  }
}

/** Length of a frame's head without the mask, and of its payload; null while the head is incomplete. */
function readHead(buffer: Buffer): { head: number; length: number } | null {
  const short = buffer.readUInt8(1) & 0x7f;
  if (short < 126) return { head: 2, length: short };
  const head = short === 126 ? 4 : 10;
  if (buffer.length < head) return null;
  const length = short === 126 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
  return { head, length };
}

/** The first frame of a buffer, unmasked, or null while it is incomplete. */
function readFrame(buffer: Buffer): Frame | null {
  if (buffer.length < 2) return null;
  const first = buffer.readUInt8(0);
  const masked = buffer.readUInt8(1) >= 0x80;
  if ((first & 0x70) !== 0 || !masked) throw new ProtocolError(1002);
  const sizes = readHead(buffer);
  if (!sizes) return null;
  const start = sizes.head + 4;
  const size = start + sizes.length;
  if (sizes.length > most) throw new ProtocolError(1009);
  if (buffer.length < size) return null;
  const mask = buffer.subarray(sizes.head, start);
  const payload = buffer.subarray(start, size).map((byte, i) => byte ^ (mask[i & 3] ?? 0));
  return { fin: first >= 0x80, opcode: first & 0x0f, payload: Buffer.from(payload), size };
}

/** A frame of a text in UTF-8, or of bytes. */
function writeFrame(opcode: number, payload: string | Buffer): Buffer {
  const length = Buffer.byteLength(payload);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x80 | opcode;
  frame[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head === 4) frame.writeUInt16BE(length, 2);
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  if (typeof payload === 'string') frame.write(payload, head);
  else payload.copy(frame, head);
  return frame;
}

class ServerConnection implements Connection {
  readonly #socket: Duplex;
  readonly #handlers: ConnectionHandlers;
  #input: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #closing = false;

  constructor(socket: Duplex, handlers: ConnectionHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('data', (chunk: Buffer) => this.#data(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.on('close', () => handlers.closed?.());
  }

  send(text: string): void {
    this.#message(opcodes.text, text);
  }

  sendBytes(bytes: Buffer): void {
    this.#message(opcodes.binary, bytes);
  }

  #message(opcode: number, payload: string | Buffer): void {
    if (this.#closing) return;
    this.#write(opcode, payload);
    if (this.#socket.writableLength > 4 * most) this.#socket.destroy();
  }

  close(code = 1000): void {
    if (this.#closing) return;
    this.#closing = true;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#write(opcodes.close, payload);
    this.#socket.end();
  }

  /** The frames of one turn of the event loop are handed to the system together: each hand-over costs more than a frame. */
  #write(opcode: number, payload: string | Buffer): void {
    const socket = this.#socket;
    if (!socket.writable) return;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(writeFrame(opcode, payload));
    if (socket.writableLength > gathered) socket.uncork();
  }

  #data(chunk: Buffer): void {
    if (this.#closing) return;
    this.#input = Buffer.concat([this.#input, chunk]);
    try {
      for (let frame = readFrame(this.#input); frame; frame = readFrame(this.#input)) {
        this.#input = this.#input.subarray(frame.size);
        this.#frame(frame);
        if (this.#closing) return;
      }
    } catch (error) {
      this.close(error instanceof ProtocolError ? error.code : 1011);
    }
  }

  #frame({ fin, opcode, payload }: Frame): void {
    if (opcode === opcodes.ping) this.#write(opcodes.pong, payload);
    else if (opcode === opcodes.close) this.close();
    else if (opcode !== opcodes.pong) this.#part(fin, opcode, payload);
  }

  #part(fin: boolean, opcode: number, payload: Buffer): void {
    const starts = opcode === opcodes.text;
    if (!starts && opcode !== opcodes.continuation) throw new ProtocolError(1003);
    if (starts === this.#parts.length > 0) throw new ProtocolError(1002);
    this.#parts.push(payload);
    if (this.#parts.reduce((sum, part) => sum + part.length, 0) > most) {
      throw new ProtocolError(1009);
    }
    if (!fin) return;
    const message = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#handlers.text(message, this);
  }
}

/** Answers an upgrade request, or refuses it with 400 and returns null. */
export function acceptUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  handlers: ConnectionHandlers,
): Connection | null {
  const key = request.headers['sec-websocket-key'];
  const version = request.headers['sec-websocket-version'];
  if (request.method !== 'GET' || !key || version !== '13') {
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    return null;
  }
  const accept = createHash('sha1').update(`${key}${magic}`).digest('base64');
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n' +
      `sec-websocket-accept: ${accept}\r\n\r\n`,
  );
  return new ServerConnection(socket, handlers);
}
