/** One WebSocket, from its handshake to its end. How long the handshake may take is up to its owner, who kills it. */
import { WebSocket } from 'ws';
import { textOf } from './frames.ts';

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
