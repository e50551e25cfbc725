/** One connection of a stream: it is opened and kept open until `close`, and opened again where data stop. */
import { type Failure, type FailureCode, failed } from '../../failure.ts';
import { type Backoff, fullJitter } from '../../kernel/backoff.ts';
import { type Cancel, type Clock, every, within } from '../../kernel/clock.ts';
import { socketUrl } from '../../upstream/gateway.ts';
import { Socket } from '../../upstream/socket.ts';
import type { InstrumentMap } from '../define.ts';
import { Pacer, sharedPacer } from './pacer.ts';
import { Session } from './session.ts';
import type { Wiring } from './stream.ts';

/** A connection as others see it. */
export interface Peer {
  /** Sends a message in its turn; does nothing while the connection is not open. */
  send(text: string): void;
}

export interface ConnectionsOptions {
  stream: Wiring;
  clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  /** Base URL that every connection goes through, or null. */
  gateway: string | null;
  /**
   * Takes the JSON of a frame, or its text where that is not JSON; `by` stays the same until it ends. True for a message with
   * data.
   */
  onMessage(message: unknown, by: Connection): boolean;
  /** So many messages have not come, by their numbers. */
  onMissed?(count: number): void;
  /** This connection brings no message until it has subscribed again. */
  onEnd?(by: Peer): void;
  /** A connection was lost, or did not open. */
  onLost?(failure: Failure): void;
  /** A connection has all of its subscriptions. */
  onReady?(): void;
  /**
   * A connection that is open, or a channel of it, has brought no data for so many milliseconds: it is opened again. Without it data
   * may be absent for any time.
   */
  onStarved?(quiet: number): void;
  /** A bug in one of these functions; the next message follows. */
  onError(error: unknown): void;
}

/** What the owner of a connection knows of it, and is told. */
export interface Hooks {
  /** Channels that the upstream is known to refuse. */
  unknown(): number;
  /** It has its subscriptions, or the time for them is over. */
  settled(): void;
  /** It will end: by its age, or as the upstream has announced. */
  due(): void;
}

/** Between attempts, in ms. */
const reconnectDelay: Backoff = { floor: 100, base: 500, cap: 30_000 };
/** Time open, ms, after which a connection counts as good: the delay starts small again. */
const healthy = 30_000;
/** In which a connection must be open, and in which it closes; ms. */
const timeouts = { connect: 10_000, close: 1_000 };
/** A connection is replaced after this share of its life, and up to a fiftieth earlier. */
const share = 0.98;
/** Connections to a host in a minute where it states no other limit, and the time between two of them, ms. */
const connecting = { most: 60, gap: 350 };
/** Connections in a row without data, after which the time until the next one does not double any more. */
const mostBarren = 6;

export class Connection implements Peer {
  markets: InstrumentMap;
  state: 'connecting' | 'open' | 'waiting' | 'closed' = 'connecting';
  /** What is subscribed to; null while the connection is not open. */
  session: Session | null = null;
  readonly #options: ConnectionsOptions;
  readonly #hooks: Hooks;
  readonly #clock: Clock;
  readonly #host: string;
  /** Names the upstream in messages. */
  readonly #label: string;
  readonly #pacer: Pacer | null;
  #socket: Socket | null = null;
  #attempts = 0;
  #barren = 0;
  #opened = Number.POSITIVE_INFINITY;
  #lastMessage = 0;
  /** The turn to connect, the deadline of that, the next attempt, or the next look for silence. */
  #timer: Cancel = () => {};
  /** What else is planned for the socket. */
  #plans: Cancel[] = [];
  #closing: Promise<void> | null = null;

  /** Throws TypeError for a URL that is not ws or wss. */
  constructor(markets: InstrumentMap, options: ConnectionsOptions, hooks: Hooks) {
    const { stream, clock } = options;
    const { protocol, host, pathname } = new URL(stream.url);
    if (protocol !== 'wss:' && protocol !== 'ws:')
      throw new TypeError(`the URL of a stream of ${host} must begin with wss:// or ws://`);
    this.markets = markets;
    this.#options = options;
    this.#hooks = hooks;
    this.#clock = clock;
    this.#host = host;
    this.#label = `WebSocket ${host}${pathname}`;
    const { pace: gap, paceOf } = stream;
    const name = `messages ${host}`;
    if (gap === undefined) this.#pacer = null;
    else
      this.#pacer =
        paceOf === 'host' ? sharedPacer(clock, name, { gap }) : new Pacer(clock, { gap });
    this.#open();
  }

  send(text: string): void {
    this.session?.send(text);
  }

  /** A market has brought data of a topic. */
  note(market: string, topic: string): void {
    if (this.markets.has(market)) this.session?.beats.note(market, topic, this.#clock.monotonic());
  }

  /** Changes what is wanted, by difference. */
  want(markets: InstrumentMap): void {
    this.markets = markets;
    this.session?.want(markets);
  }

  /** Ends the connection and hands over nothing more. Waits for the peer, 1 s at most. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const socket = this.#socket;
    this.#leave('closed');
    this.#call(() => this.#options.onEnd?.(this));
    socket?.end();
    if (socket) await within(this.#clock, timeouts.close, socket.ended);
    socket?.kill();
  }

  /** Waits for a turn to connect. */
  #open(): void {
    const { connects: most = connecting.most } = this.#options.stream;
    this.state = 'connecting';
    const turns = sharedPacer(this.#clock, `connects ${this.#host}`, { ...connecting, most });
    const cancel = turns.enter(() => this.#connect());
    if (this.#socket === null) this.#timer = cancel;
  }

  #connect(): void {
    const { gateway, stream } = this.#options;
    const { url, headers, maxMessage = 4 * 2 ** 20, codec = 'text' } = stream;
    this.#plan(timeouts.connect, () => this.#lose('timeout', 'not open in time'));
    const socket: Socket = new Socket({
      ...{ headers, maxMessage, codec, timeoutMs: timeouts.connect },
      url: socketUrl(url, gateway),
      onOpen: () => this.#begin(socket),
      onText: (text) => {
        if (this.#socket !== socket) return;
        if (text === null) return this.#lose('shape', `a frame is not ${codec}`);
        this.#lastMessage = this.#clock.monotonic();
        this.#call(() => this.session?.take(text));
      },
      onEnd: (code) => {
        if (this.#socket === socket) this.#lose('network', `the connection ended (${code})`);
      },
    });
    this.#socket = socket;
  }

  #begin(socket: Socket): void {
    if (this.#socket !== socket) return;
    const { stream, clock, random, onMessage, onMissed } = this.#options;
    const { keepAlive, lifetime } = stream;
    this.#cancel();
    this.state = 'open';
    this.#opened = clock.monotonic();
    this.#lastMessage = clock.monotonic();
    this.session = new Session({
      ...{ stream, clock, socket, onMissed, pacer: this.#pacer, markets: this.markets, by: this },
      onMessage: (message) => onMessage(message, this),
      unknown: this.#hooks.unknown,
      onSettled: () => this.#call(this.#hooks.settled),
      onDue: this.#hooks.due,
    });
    const life = lifetime !== undefined && lifetime * (share - 0.02 * random());
    if (life) this.#plans.push(clock.after(life, this.#hooks.due));
    if (keepAlive) this.#plans.push(every(clock, keepAlive.every, () => this.#ping(socket)));
    this.#watch();
  }

  #ping(socket: Socket): void {
    const message = this.#options.stream.keepAlive?.message ?? null;
    if (message === null) socket.ping();
    else this.session?.send(message, true);
  }

  /** Looks for silence a few times in the time that is allowed, and when that is over. */
  #watch(): void {
    const { silence } = this.#options.stream;
    const left = this.#lastMessage + silence - this.#clock.monotonic();
    const quiet = this.#quiet();
    if (left <= 0) this.#lose('timeout', `silent for ${silence} ms`);
    else if (quiet !== null) this.#reopen(quiet);
    else this.#plan(Math.min(left, silence / 4), () => this.#watch());
  }

  /** For how long data are absent that should come, ms; null while none are. */
  #quiet(): number | null {
    const { stream, onStarved } = this.#options;
    const { silence: least, mends } = stream;
    const session = this.session;
    if (!onStarved || session === null) return null;
    if (session.beats.isSteady) this.#barren = 0;
    const each = mends !== true && session.isByMarket;
    return session.beats.quiet(this.#clock.monotonic(), {
      least,
      first: least * 2 ** this.#barren,
      each,
    });
  }

  /** Opens it again at once: the server answers, but data have stopped. */
  #reopen(quiet: number): void {
    this.#barren = Math.min(this.#barren + 1, mostBarren);
    this.#drop();
    this.#open();
    this.#call(() => {
      this.#options.onEnd?.(this);
      this.#options.onStarved?.(quiet);
    });
  }

  #lose(code: FailureCode, why: string): void {
    const { random, onLost, onEnd } = this.#options;
    if (this.#clock.monotonic() - this.#opened >= healthy) this.#attempts = 0;
    this.#drop();
    this.#plan(fullJitter(this.#attempts++, reconnectDelay, random), () => this.#open());
    this.#call(() => {
      onLost?.(failed(code, `${this.#label}: ${why}`).failure);
      onEnd?.(this);
    });
  }

  #drop(): void {
    this.#socket?.kill();
    this.#leave('waiting');
  }

  /** Forgets the socket, and what was planned for it. */
  #leave(state: 'waiting' | 'closed'): void {
    this.#cancel();
    this.session?.end();
    this.session = null;
    this.#socket = null;
    this.#opened = Number.POSITIVE_INFINITY;
    this.state = state;
  }

  #plan(ms: number, call: () => void): void {
    this.#timer = this.#clock.after(ms, call);
  }

  #cancel(): void {
    this.#timer();
    for (const cancel of this.#plans.splice(0)) cancel();
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
