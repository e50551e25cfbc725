/** One WebSocket over undici, from its handshake to its end. It can be killed, which `WebSocket` itself cannot. */

import type { Socket as RawSocket } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, ping, WebSocket } from 'undici';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { textOf } from './frames.ts';

export interface SocketOptions {
  /** `ws:` or `wss:`. */
  url: string;
  /** Sent with the handshake. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for TCP and TLS; the caller's own deadline covers the handshake as well. */
  timeoutMs: number;
  /** Largest message in bytes, after decompression. */
  maxMessage: number;
  onOpen(): void;
  /** The text of a frame; null for one that is damaged or too large. */
  onText(text: string | null): void;
  /** Once, when it has ended for any reason but `kill`; `code` is the close code, 1006 without a close frame. */
  onEnd(code: number): void;
}

/** The most reads of a flooded connection within a number of ms; after them, data waits until that time has passed since the last read. */
const maxReads = 4;
const gap = 5;

/**
 * From now on the socket is read at most four times in 5 ms: of a flood much is read together, at most 5 ms later than it could
 * be. One with fewer frames, as that of a stream of prices, is read as soon as something comes. Ends with the socket.
 */
export function readInBatches(socket: Readable, clock: Clock): void {
  let began = Number.NEGATIVE_INFINITY;
  let reads = 0;
  socket.on('data', () => {
    const now = clock.monotonic();
    if (now - began >= gap) [began, reads] = [now, 0];
    reads += 1;
    // Whoever has paused it goes on with it.
    if (reads < maxReads || socket.isPaused()) return;
    socket.pause();
    clock.after(gap, () => {
      if (!socket.destroyed) socket.resume();
    });
  });
}

export class Socket {
  readonly #socket: WebSocket;
  readonly #agent: Agent;
  #raw: RawSocket | null = null;
  #over = false;

  constructor(options: SocketOptions) {
    const { url, headers, timeoutMs, maxMessage, onOpen, onText, onEnd } = options;
    const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
    // Its own agent and the raw socket: `WebSocket.close` waits for a peer that may never answer.
    this.#agent = new Agent({
      allowH2: false,
      webSocket: { maxPayloadSize: maxMessage },
      connect: (at, callback) =>
        connect(at, (error, socket) => {
          if (error) return callback(error, null);
          this.#raw = socket;
          if (this.#over) socket.destroy();
          callback(null, socket);
        }),
    });
    const socket = new WebSocket(url, { dispatcher: this.#agent, headers: { ...headers } });
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      if (this.#over) return;
      if (this.#raw) readInBatches(this.#raw, systemClock);
      onOpen();
    };
    socket.onmessage = ({ data }) => {
      if (!this.#over) onText(textOf(data, maxMessage));
    };
    // Every error is followed by a close.
    socket.onerror = () => {};
    socket.onclose = ({ code }) => {
      const killed = this.#over;
      this.kill();
      if (!killed) onEnd(code);
    };
    this.#socket = socket;
  }

  /** Does nothing once the connection is closing. */
  send(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  /** Sends a ping of the protocol. */
  ping(): void {
    if (this.#socket.readyState === WebSocket.OPEN) ping(this.#socket);
  }

  /** Ends it at once, without a closing handshake. No callback comes after that. */
  kill(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.close();
    this.#raw?.destroy();
    void this.#agent.destroy();
  }
}
