/** A WebSocket that stays: connects, subscribes, notices silence, reconnects, and hands over every message at once. */

import type { Socket as RawSocket } from 'node:net';
import { Agent, buildConnector, ping, WebSocket } from 'undici';
import type { Failure, FailureCode } from '../failure.ts';
import { type Backoff, fullJitter } from '../kernel/backoff.ts';
import { type Cancel, type Clock, every, systemClock, within } from '../kernel/clock.ts';
import { readInBatches } from './batched-reads.ts';
import { type Codec, textOf } from './frames.ts';
import { socketUrl } from './gateway.ts';

interface ConnectionOptions {
  url: string;
  /** Milliseconds for TCP and TLS; the caller's own deadline covers the handshake as well. */
  timeoutMs: number;
  /** Largest message in bytes, after decompression. */
  maxMessage: number;
  codec: Codec;
  onOpen(): void;
  /** The text of a frame; null for one that is not of the codec. */
  onText(text: string | null): void;
  /** Once, when it has ended for any reason but `kill`; `code` is the close code, 1006 without a close frame. */
  onEnd(code: number): void;
}

/** One connection over undici, from its handshake to its end. It can be killed, which WebSocket cannot. */
class Connection {
  /** Settles when the connection has ended or was killed. */
  readonly ended: Promise<void>;
  readonly #socket: WebSocket;
  readonly #agent: Agent;
  #raw: RawSocket | null = null;
  #over = false;

  constructor(options: ConnectionOptions) {
    const { url, timeoutMs, maxMessage, codec, onOpen, onText, onEnd } = options;
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
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const socket = new WebSocket(url, { dispatcher: this.#agent });
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      if (this.#over) return;
      if (this.#raw) readInBatches(this.#raw, systemClock);
      onOpen();
    };
    socket.onmessage = ({ data }) => {
      if (!this.#over) onText(textOf(data, codec, maxMessage));
    };
    // Every error is followed by a close.
    socket.onerror = () => {};
    socket.onclose = ({ code }) => {
      const killed = this.#over;
      this.kill();
      resolve();
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

  /** Starts the closing handshake: no text comes any more. `ended` settles when it is done, which a peer may delay without limit. */
  end(): void {
    this.#socket.close(1000);
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

/** `waiting`: for the next attempt to connect. `closed`: for good, by `close`. */
export type SocketState = 'connecting' | 'open' | 'waiting' | 'closed';

export interface SocketOptions {
  /** `wss://HOST/PATH`. */
  url: string;
  /** Base URL that every connection goes through, or null. */
  gateway: string | null;
  /** Messages to send after every connect. */
  subscribe: readonly string[];
  onMessage: (text: string) => void;
  /** `failure` is the reason that an attempt or a connection ended. */
  onState: (state: SocketState, failure?: Failure) => void;
  /** A bug in `onMessage` or `onState`; the next message follows. */
  onError: (error: unknown) => void;
  /** Milliseconds without any message after which the connection is dead. Pings of the protocol are no message. */
  silence: number;
  /** A keep-alive message of the upstream's protocol, or null for a ping of WebSocket itself, and its interval in ms. */
  ping?: { every: number; message: string | null } | undefined;
  /** Writes the time of our clock, Unix ms, into a message that is sent, where the upstream wants it. */
  stamp?: ((text: string, now: number) => string) | undefined;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Largest message in bytes, after decompression; 4 MiB when absent. A larger one ends the connection. */
  maxMessage?: number | undefined;
  /** How binary frames are compressed; `text` when absent. A frame that is not so ends the connection. */
  codec?: Codec | undefined;
}

/** Between attempts, in ms. */
const reconnectDelay: Backoff = { floor: 100, base: 500, cap: 30_000 };
/** Time open, ms, after which a connection counts as good: the delay starts small again. */
const healthy = 30_000;
/** In which a connection must be open. */
const connectTimeoutMs = 10_000;
const closeTimeoutMs = 1_000;

/** A WebSocket that is opened at once and kept open until `close`. */
export class Socket {
  readonly #options: SocketOptions;
  readonly #clock: Clock;
  readonly #url: string;
  /** Names the upstream in messages. */
  readonly #label: string;
  #state: SocketState = 'waiting';
  #connection: Connection | null = null;
  #attempts = 0;
  /** When the connection opened; null while there is none. */
  #openSince: number | null = null;
  #lastMessage = 0;
  /** The connect deadline or the next attempt; then the watch for silence. */
  #timer: Cancel = () => {};
  #pingTimer: Cancel = () => {};
  #closing: Promise<void> | null = null;

  /** Throws TypeError for a URL that is not ws or wss. */
  constructor(options: SocketOptions) {
    const { url, gateway, clock } = options;
    const { protocol, host, pathname } = new URL(url);
    if (protocol !== 'wss:' && protocol !== 'ws:') {
      throw new TypeError(`the URL of socket ${host} must begin with wss:// or ws://`);
    }
    this.#options = options;
    this.#clock = clock;
    this.#url = socketUrl(url, gateway);
    this.#label = `WebSocket ${host}${pathname}`;
    this.#connect();
  }

  get state(): SocketState {
    return this.#state;
  }

  /** Sends a text message; does nothing while there is no open connection. */
  send(text: string): void {
    const { stamp } = this.#options;
    this.#connection?.send(stamp === undefined ? text : stamp(text, this.#clock.now()));
  }

  /** Ends the connection and hands over nothing more. Waits for the peer, 1 s at most. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    this.#state = 'closed';
    this.#stopTimers();
    connection?.end();
    if (connection) await within(this.#clock, closeTimeoutMs, connection.ended);
    connection?.kill();
    this.#enter('closed');
  }

  #connect(): void {
    const { maxMessage = 4 * 2 ** 20, codec = 'text', onMessage } = this.#options;
    this.#enter('connecting');
    // A callback may have called `close`; here and below.
    if (this.#closing !== null) return;
    this.#timer = this.#clock.after(connectTimeoutMs, () =>
      this.#lose('timeout', 'not open in time'),
    );
    this.#connection = new Connection({
      url: this.#url,
      timeoutMs: connectTimeoutMs,
      maxMessage,
      codec,
      onOpen: () => this.#opened(),
      onText: (text) => {
        if (text === null) return this.#lose('shape', `a frame is not ${codec}`);
        this.#lastMessage = this.#clock.monotonic();
        this.#call(() => onMessage(text));
      },
      onEnd: (code) => this.#lose('network', `the connection ended (${code})`),
    });
  }

  #opened(): void {
    const now = this.#clock.monotonic();
    this.#stopTimers();
    this.#openSince = now;
    this.#lastMessage = now;
    this.#enter('open');
    if (this.#closing !== null) return;
    for (const message of this.#options.subscribe) this.send(message);
    this.#watch();
    this.#ping();
  }

  /** One timer per `silence`, not one per message. */
  #watch(): void {
    const left = this.#lastMessage + this.#options.silence - this.#clock.monotonic();
    if (left <= 0) this.#lose('timeout', `silent for ${this.#options.silence} ms`);
    else this.#timer = this.#clock.after(left, () => this.#watch());
  }

  #ping(): void {
    const { ping } = this.#options;
    if (!ping) return;
    this.#pingTimer = every(this.#clock, ping.every, () => {
      if (ping.message === null) this.#connection?.ping();
      else this.send(ping.message);
    });
  }

  #lose(code: FailureCode, why: string): void {
    if (this.#state === 'closed') return;
    const { random } = this.#options;
    this.#stopTimers();
    this.#connection?.kill();
    this.#connection = null;
    const lived = this.#openSince === null ? 0 : this.#clock.monotonic() - this.#openSince;
    this.#openSince = null;
    if (lived >= healthy) this.#attempts = 0;
    const delay = fullJitter(this.#attempts++, reconnectDelay, random);
    this.#timer = this.#clock.after(delay, () => this.#connect());
    this.#enter('waiting', { code, message: `${this.#label}: ${why}` });
  }

  #enter(state: SocketState, failure?: Failure): void {
    this.#state = state;
    this.#call(() => this.#options.onState(state, failure));
  }

  #stopTimers(): void {
    this.#timer();
    this.#pingTimer();
  }

  /** Calls a function of the owner; an exception is reported. */
  #call(own: () => void): void {
    try {
      own();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
