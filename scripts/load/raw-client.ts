/** A WebSocket client that counts messages and does little else: ten thousand of them run in one process. RFC 6455. */
import net from 'node:net';

const handshake = (headers: readonly string[]) =>
  [
    'GET /v1/ws HTTP/1.1',
    'host: localhost',
    'upgrade: websocket',
    'connection: upgrade',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '\r\n',
  ].join('\r\n');

/** What a frame begins with; a client must mask, and a mask of zeros leaves the bytes as they are. */
export function frame(payload: Buffer, first = 0x81): Buffer {
  const { length } = payload;
  const size =
    length < 126
      ? Buffer.from([0x80 | length])
      : length < 65_536
        ? Buffer.from([0xfe, length >> 8, length & 0xff])
        : Buffer.from([
            0xff,
            0,
            0,
            0,
            0,
            length >>> 24,
            (length >> 16) & 0xff,
            (length >> 8) & 0xff,
            length & 0xff,
          ]);
  return Buffer.concat([Buffer.from([first]), size, Buffer.alloc(4), payload]);
}

interface Listening {
  headers?: readonly string[];
  onMessage?(): void;
  /** Called once when an open connection has ended. */
  onClose?(): void;
  /** Keeps the text of each message until the next one. */
  keeps?: boolean;
}

export class RawClient {
  /** Messages that have come. */
  count = 0;
  /** The last message of a client that keeps them, as text. */
  text = '';
  readonly #socket: net.Socket;
  readonly #onMessage: () => void;
  readonly #keeps: boolean;
  /** Bytes of the present frame that are still to come, and bytes of a head that is not whole. */
  #rest = 0;
  #head = Buffer.alloc(0);
  #parts: Buffer[] = [];
  /** Whether the handshake is done and the connection has not ended. */
  isOpen = false;
  /** Bytes that have come after the handshake. */
  received = 0;
  /** The present frame is none that controls the connection. */
  #isMessage = true;

  private constructor(socket: net.Socket, { onMessage = () => {}, keeps = false }: Listening) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    this.#keeps = keeps;
  }

  /** Resolves with an open connection; rejects when there is none. */
  static open(port: number, listening: Listening = {}): Promise<RawClient> {
    const { headers = [], onClose } = listening;
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write(handshake(headers)));
      const client = new RawClient(socket, listening);
      socket.on('error', reject);
      socket.on('close', () => {
        if (client.isOpen) onClose?.();
        client.isOpen = false;
        reject(new Error('the connection was closed'));
      });
      socket.on('data', (bytes) => {
        if (client.isOpen) client.#take(bytes);
        else client.#begin(bytes, resolve, reject);
      });
    });
  }

  /** Reads nothing until `resume` is called. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  say(message: object): void {
    this.write(frame(Buffer.from(JSON.stringify(message))));
  }

  /** Sends bytes as they are; false where they have to wait. */
  write(bytes: Buffer): boolean {
    return this.#socket.writable && this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Reads the head of the answer, which may come in parts. */
  #begin(part: Buffer, resolve: (client: RawClient) => void, reject: (error: Error) => void): void {
    const bytes = Buffer.concat([this.#head, part]);
    const end = bytes.indexOf('\r\n\r\n');
    this.#head = end < 0 ? bytes : Buffer.alloc(0);
    if (end < 0) return;
    if (!bytes.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) {
      reject(new Error(bytes.toString()));
      return;
    }
    this.isOpen = true;
    // Whoever opened it knows it before the first message.
    setImmediate(() => this.#take(bytes.subarray(end + 4)));
    resolve(this);
  }

  #take(bytes: Buffer): void {
    this.received += bytes.length;
    let left = this.#head.length > 0 ? Buffer.concat([this.#head, bytes]) : bytes;
    this.#head = Buffer.alloc(0);
    while (left.length > 0) {
      if (this.#rest === 0) {
        const head = this.#headOf(left);
        if (head === null) {
          this.#head = Buffer.from(left);
          return;
        }
        left = left.subarray(head);
      }
      const part = left.subarray(0, this.#rest);
      if (this.#keeps) this.#parts.push(part);
      this.#rest -= part.length;
      left = left.subarray(part.length);
      if (this.#rest === 0) this.#arrived();
    }
  }

  /** Length of the head of a frame, of which the rest is noted; null where it is not whole. Pings are answered. */
  #headOf(bytes: Buffer): number | null {
    const short = (bytes[1] ?? 0) & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < Math.max(2, head)) return null;
    this.#rest =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : bytes.readUInt32BE(6);
    const opcode = (bytes[0] ?? 0) & 0x0f;
    this.#isMessage = opcode < 8;
    if (opcode === 9) this.#socket.write(frame(Buffer.alloc(0), 0x8a));
    return head;
  }

  #arrived(): void {
    if (!this.#isMessage) {
      this.#parts = [];
      return;
    }
    this.count += 1;
    if (this.#keeps) this.text = Buffer.concat(this.#parts).toString();
    this.#parts = [];
    this.#onMessage();
  }
}
