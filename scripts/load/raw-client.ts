/** A WebSocket client that counts messages, can stop reading, and can send any bytes. */
import net from 'node:net';
import { WebSocket } from 'ws';

/** A frame that begins with `first`; a client must mask, and a mask of zeros leaves the bytes as they are. */
export function frame(payload: Buffer, first = 0x81): Buffer {
  const { length } = payload;
  const size = Buffer.alloc(length < 126 ? 1 : length < 65_536 ? 3 : 9);
  size[0] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (size.length === 3) size.writeUInt16BE(length, 1);
  if (size.length === 9) size.writeBigUInt64BE(BigInt(length), 1);
  return Buffer.concat([Buffer.from([first]), size, Buffer.alloc(4), payload]);
}

interface Listening {
  headers?: Readonly<Record<string, string>>;
  protocol?: string;
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
  readonly #client: WebSocket;

  private constructor(socket: net.Socket, client: WebSocket, listening: Listening) {
    this.#socket = socket;
    this.#client = client;
    client.on('message', (bytes) => {
      this.count += 1;
      if (listening.keeps) this.text = String(bytes);
      listening.onMessage?.();
    });
    client.on('close', () => listening.onClose?.());
  }

  /** Resolves with an open connection; rejects when there is none. */
  static open(port: number, listening: Listening = {}): Promise<RawClient> {
    const { headers, protocol } = listening;
    const socket = net.connect(port, '127.0.0.1');
    return new Promise((resolve, reject) => {
      const client = new WebSocket(`ws://127.0.0.1:${port}/v1/ws`, protocol, {
        createConnection: () => socket,
        perMessageDeflate: false,
        skipUTF8Validation: true,
        ...(headers && { headers }),
      });
      client.on('error', reject);
      client.on('open', () => resolve(new RawClient(socket, client, listening)));
    });
  }

  get isOpen(): boolean {
    return this.#client.readyState === WebSocket.OPEN;
  }

  /** Bytes that have come. */
  get received(): number {
    return this.#socket.bytesRead;
  }

  /** Reads nothing until `resume` is called. */
  pause(): void {
    this.#client.pause();
  }

  resume(): void {
    this.#client.resume();
  }

  say(message: object): void {
    this.#client.send(JSON.stringify(message));
  }

  /** Sends bytes as they are; false where they have to wait. */
  write(bytes: Buffer): boolean {
    return this.#socket.writable && this.#socket.write(bytes);
  }

  close(): void {
    this.#client.terminate();
  }
}
