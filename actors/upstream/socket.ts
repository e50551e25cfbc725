/** One WebSocket, from its handshake to its end. How long the handshake may take is up to its owner, who kills it. */
import { gunzipSync } from 'node:zlib';
import { WebSocket } from 'ws';

export interface SocketOptions {
  /** `ws:` or `wss:`. */
  url: string;
  /** Sent with the handshake. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Largest message in bytes, after decompression. */
  maxMessage: number;
  onOpen(): void;
  /** The text of a frame; null for one that is damaged or too large. */
  onText(text: string | null): void;
  /** Once, when it has ended for any reason but `kill`; `code` is the close code, 1006 without a close frame. */
  onEnd(code: number): void;
}

/** The first two bytes of gzip, which no text begins with. https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1 */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

/**
 * Room in bytes for what a gzip frame holds, by the length that stands at its end, which is believed up to a bound: zlib takes
 * 16 KB for each frame else, most of which are far smaller.
 */
const roomFor = (bytes: Buffer): number =>
  Math.min(Math.max(64, bytes.readUInt32LE(bytes.length - 4) + 1), 65_536);

/** The text of a frame, which is text or gzip; null for gzip that is damaged or holds more than `maxOutputLength` bytes. */
function textOf(bytes: Buffer, maxOutputLength: number): string | null {
  if (!isGzip(bytes)) return bytes.toString();
  try {
    return gunzipSync(bytes, { maxOutputLength, chunkSize: roomFor(bytes) }).toString();
  } catch {
    return null;
  }
}

export class Socket {
  readonly #socket: WebSocket;
  #isOver = false;

  constructor(options: SocketOptions) {
    const { url, headers = {}, maxMessage, onOpen, onText, onEnd } = options;
    // Compression of the protocol would delay each frame by the turns of a thread.
    const socket = new WebSocket(url, {
      headers,
      maxPayload: maxMessage,
      perMessageDeflate: false,
    });
    socket.on('open', () => {
      if (!this.#isOver) onOpen();
    });
    // Without the setting of another type, whole messages come as one buffer.
    socket.on('message', (data) => {
      if (!this.#isOver && Buffer.isBuffer(data)) onText(textOf(data, maxMessage));
    });
    // Every error is followed by a close.
    socket.on('error', () => {});
    socket.on('close', (code) => {
      if (this.#isOver) return;
      this.#isOver = true;
      onEnd(code);
    });
    this.#socket = socket;
  }

  /** Does nothing once the connection is closing. */
  send(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /** Sends a ping of the protocol. */
  ping(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  /** Ends it at once, without a closing handshake. No callback comes after that. */
  kill(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.terminate();
  }
}
