/** A WebSocket that stays: connects, subscribes, notices silence, reconnects, and hands over one message at a time. */
import type { Failure, FailureCode } from '../failure.ts';
import { type Backoff, fullJitter } from '../kernel/backoff.ts';
import { type Cancel, type Clock, systemClock, within } from '../kernel/clock.ts';
import { processBodies } from './budget.ts';
import { Connection } from './connection.ts';
import type { Codec } from './frames.ts';
import { socketUrl } from './gateway.ts';
import { Inbox } from './inbox.ts';

/** `waiting`: for the next attempt to connect. `closed`: for good, by `close`. */
export type SocketState = 'connecting' | 'open' | 'waiting' | 'closed';

export interface SocketOptions {
  /** `wss://HOST/PATH`. */
  url: string;
  /** Base URL that every connection goes through, or null. */
  gateway: string | null;
  /** Messages to send after every connect; asked each time, so that the list may change. */
  subscribe: () => readonly string[];
  /** The next message waits until the promise settles. A throw goes to `onError`, and the next message follows. */
  onMessage: (text: string) => void | Promise<void>;
  /** `failure` is the reason that an attempt or a connection ended. */
  onState?: (state: SocketState, failure?: Failure) => void;
  /** A bug in `onMessage`, `subscribe` or `ping`. When absent it is an uncaught exception. */
  onError?: (error: unknown) => void;
  /** Milliseconds without any message after which the connection is dead. Pings of the protocol are no message. */
  silence: number;
  /** A keep-alive message of the upstream's protocol, or null for a ping of WebSocket itself, and its interval in ms. */
  ping?: { every: number; message: () => string | null };
  /** Writes the time of our clock, Unix ms, into a message that is sent, where the upstream wants it. */
  stamp?: ((text: string, now: number) => string) | undefined;
  clock?: Clock;
  /** Uniform in [0, 1). */
  random?: () => number;
  /** Most messages that wait for `onMessage`; 1,024 when absent. Beyond it the oldest is dropped and counted. */
  maxQueue?: number;
  /** Milliseconds in which a connection must be open; 10,000 when absent. */
  connectTimeout?: number;
  /** Largest message in bytes, after decompression; 4 MiB when absent. A larger one ends the connection. */
  maxMessage?: number | undefined;
  /** How binary frames are compressed; `text` when absent. A frame that is not so ends the connection. */
  codec?: Codec;
}

export interface Socket {
  readonly state: SocketState;
  /** Messages dropped since the start because `onMessage` did not keep up. */
  readonly dropped: number;
  /** Sends a text message; does nothing while there is no open connection. */
  send(text: string): void;
  /** Ends the connection and hands over nothing more. Waits for the message in hand, 1 s at most. Idempotent. */
  close(): Promise<void>;
}

/** Between attempts, in ms: `floor` and full jitter. */
const floor = 100;
const reconnectDelay: Backoff = { base: 500, cap: 30_000 };
/** Time open, ms, after which a connection counts as good: the delay starts small again. */
const healthy = 30_000;
const closeDeadline = 1_000;

/** Opens the connection and keeps it open until `close`. Throws TypeError for a URL that is not ws or wss. */
export function createSocket(options: SocketOptions): Socket {
  return new LastingSocket(options);
}

class LastingSocket implements Socket {
  readonly #options: SocketOptions;
  readonly #clock: Clock;
  readonly #url: string;
  /** Names the upstream in messages. */
  readonly #label: string;
  readonly #inbox: Inbox;
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

  constructor(options: SocketOptions) {
    const { url, gateway, clock = systemClock, maxQueue = 1_024, onMessage } = options;
    const { protocol, host, pathname } = new URL(url);
    if (protocol !== 'wss:' && protocol !== 'ws:') {
      throw new TypeError(`the URL of socket ${host} must begin with wss:// or ws://`);
    }
    this.#options = options;
    this.#clock = clock;
    this.#url = socketUrl(url, gateway);
    this.#label = `WebSocket ${host}${pathname}`;
    this.#inbox = new Inbox({
      capacity: maxQueue,
      budget: processBodies,
      handle: onMessage,
      onError: (error) => this.#report(error),
    });
    this.#connect();
  }

  get state(): SocketState {
    return this.#state;
  }

  get dropped(): number {
    return this.#inbox.dropped;
  }

  send(text: string): void {
    const { stamp } = this.#options;
    this.#connection?.send(stamp === undefined ? text : stamp(text, this.#clock.now()));
  }

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
    const done = Promise.all([this.#inbox.close(), connection?.ended]);
    await within(this.#clock, closeDeadline, done);
    connection?.kill();
    this.#enter('closed');
  }

  #connect(): void {
    const { connectTimeout = 10_000, maxMessage = 4 * 2 ** 20, codec = 'text' } = this.#options;
    this.#enter('connecting');
    // A callback may have called `close`; here and below.
    if (this.#closing !== null) return;
    this.#timer = this.#clock.after(connectTimeout, () =>
      this.#lose('timeout', 'not open in time'),
    );
    this.#connection = new Connection({
      url: this.#url,
      connectTimeout,
      maxMessage,
      codec,
      onOpen: () => this.#opened(),
      onText: (text) => {
        if (text === null) return this.#lose('shape', `a frame is not ${codec}`);
        this.#lastMessage = this.#clock.now();
        this.#inbox.push(text);
      },
      onEnd: (code) => this.#lose('network', `the connection ended (${code})`),
    });
  }

  #opened(): void {
    const now = this.#clock.now();
    this.#stopTimers();
    this.#openSince = now;
    this.#lastMessage = now;
    this.#enter('open');
    for (const message of this.#ours(this.#options.subscribe) ?? []) this.send(message);
    if (this.#closing !== null) return;
    this.#watch();
    this.#ping();
  }

  /** One timer per `silence`, not one per message. */
  #watch(): void {
    const left = this.#lastMessage + this.#options.silence - this.#clock.now();
    if (left <= 0) this.#lose('timeout', `silent for ${this.#options.silence} ms`);
    else this.#timer = this.#clock.after(left, () => this.#watch());
  }

  #ping(): void {
    const { ping } = this.#options;
    if (!ping) return;
    this.#pingTimer = this.#clock.after(ping.every, () => {
      const message = this.#ours(ping.message);
      if (message === null) this.#connection?.ping();
      else if (message !== undefined) this.send(message);
      this.#ping();
    });
  }

  #lose(code: FailureCode, why: string): void {
    if (this.#state === 'closed') return;
    const { random = Math.random } = this.#options;
    this.#stopTimers();
    this.#connection?.kill();
    this.#connection = null;
    const lived = this.#openSince === null ? 0 : this.#clock.now() - this.#openSince;
    this.#openSince = null;
    if (lived >= healthy) this.#attempts = 0;
    const delay = floor + fullJitter(this.#attempts++, reconnectDelay, random);
    this.#timer = this.#clock.after(delay, () => this.#connect());
    this.#enter('waiting', { code, message: `${this.#label}: ${why}` });
  }

  #enter(state: SocketState, failure?: Failure): void {
    this.#state = state;
    this.#ours(() => this.#options.onState?.(state, failure));
  }

  #stopTimers(): void {
    this.#timer();
    this.#pingTimer();
  }

  /** The result of one of our own functions; undefined when it throws, which is reported. */
  #ours<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #report(error: unknown): void {
    const { onError } = this.#options;
    if (onError) onError(error);
    else {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
