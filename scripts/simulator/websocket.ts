/**
 * The server side of RFC 6455 over an upgraded node:http socket: whole text frames, ping, pong and close. Extensions and
 * fragments are not taken: no client of an exchange sends them. Messages are at most 1 MiB, and a client that does not
 * read is cut off at 4 MiB.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const most = 1024 * 1024;
/** Bytes that are kept back until the end of a turn of the event loop. */
const gathered = 64 * 1024;
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

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
  /** Of the first byte: the end of a message, no extension, and what it is. */
  first: number;
  payload: Buffer;
  /** Bytes that the frame took. */
  size: number;
}

/** The first frame of a buffer, unmasked; null while it is incomplete. Throws for one that is too long or not masked. */
function readFrame(buffer: Buffer): Frame | null {
  if (buffer.length < 2) return null;
  const [first, second] = [buffer.readUInt8(0), buffer.readUInt8(1)];
  const short = second & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (buffer.length < head) return null;
  const length =
    head === 2 ? short : head === 4 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
  if (second < 0x80 || length > most) throw new RangeError('not masked, or too long');
  const start = head + 4;
  const size = start + length;
  if (buffer.length < size) return null;
  const mask = buffer.subarray(head, start);
  const payload = buffer.subarray(start, size).map((byte, i) => byte ^ (mask[i & 3] ?? 0));
  return { first, payload: Buffer.from(payload), size };
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
    this.#write(opcodes.text, text);
  }

  sendBytes(bytes: Buffer): void {
    this.#write(opcodes.binary, bytes);
  }

  close(code = 1000): void {
    if (this.#closing) return;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#write(opcodes.close, payload);
    this.#closing = true;
    this.#socket.end();
  }

  /** The frames of one turn of the event loop are handed to the system together: each hand-over costs more than a frame. */
  #write(opcode: number, payload: string | Buffer): void {
    const socket = this.#socket;
    if (this.#closing || !socket.writable) return;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(writeFrame(opcode, payload));
    if (socket.writableLength > gathered) socket.uncork();
    if (socket.writableLength > 4 * most) socket.destroy();
  }

  #data(chunk: Buffer): void {
    this.#input = Buffer.concat([this.#input, chunk]);
    try {
      while (!this.#closing) {
        const frame = readFrame(this.#input);
        if (frame === null) return;
        this.#input = this.#input.subarray(frame.size);
        this.#take(frame);
      }
    } catch {
      this.close(1002);
    }
  }

  #take({ first, payload }: Frame): void {
    if (first === (0x80 | opcodes.text)) this.#handlers.text(payload.toString(), this);
    else if (first === (0x80 | opcodes.ping)) this.#write(opcodes.pong, payload);
    else if (first === (0x80 | opcodes.close)) this.close();
    else if (first !== (0x80 | opcodes.pong)) this.close(1003);
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
