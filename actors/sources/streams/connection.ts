/** One connection of a stream, from its opening to its end: wanted channels, acknowledged ones, and when each brought data. */
import { type Failure, type FailureCode, failed } from '../../failure.ts';
import { type Cancel, type Clock, every } from '../../kernel/clock.ts';
import { messageOf, wideMessageOf } from '../../upstream/frames.ts';
import { socketUrl } from '../../upstream/gateway.ts';
import { Socket } from '../../upstream/socket.ts';
import type { InstrumentMap } from '../define.ts';
import { Beats } from './beats.ts';
import { channelsIn, ending, without } from './channels.ts';
import { Pacer, sharedPacer } from './pacer.ts';
import type { Wiring } from './stream.ts';

export interface ConnectionOptions {
  stream: Wiring;
  clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  /** Base URL that every connection goes through, or null. */
  gateway: string | null;
  /**
   * What comes as long as all is well, or the connection is opened again: data of any channel, or of each that brought them
   * regularly; nothing where data may be absent for any time.
   */
  expects: 'nothing' | 'data' | 'channels';
  /** Takes the JSON of a frame, or its text where that is not JSON. True for a message with data. */
  onMessage(message: unknown, by: Connection): boolean;
  /** A bug in a function of the stream or of its owner; the next message follows. */
  onError(error: unknown): void;
}

/** Who opens connections, and is told of them. */
interface Owner {
  /** It has its subscriptions, or the time for them is over. */
  settled(by: Connection): void;
  /** It will end: by its age, or as the upstream has announced. */
  due(by: Connection): void;
  /** It has ended, or did not open. `wasGood`: it was open for a while, and not without the data that should come. */
  lost(by: Connection, failure: Failure, wasGood: boolean): void;
}

/** In which a connection must be open, and in which its last subscription is acknowledged or brings data; ms. */
const timeouts = { connect: 10_000, ready: 10_000 };
/** Time open, ms, after which a connection counts as good. */
const healthy = 30_000;
/** A connection is replaced after this share of its life, and up to a fiftieth earlier. */
const share = 0.98;

export class Connection {
  /** All subscriptions are there, as far as the upstream lets us know. */
  isReady = false;
  /** Refusals after which the rest was subscribed to again. */
  refused = 0;
  readonly beats = new Beats();
  readonly #options: ConnectionOptions;
  readonly #owner: Owner;
  readonly #socket: Socket;
  /** Gives the turns of messages; null where they need none. */
  #pacer: Pacer | null = null;
  #state: 'connecting' | 'open' | 'over' = 'connecting';
  #markets: InstrumentMap;
  /** The channels that are wanted, and the messages that have subscribed to them. */
  #wanted: ReadonlySet<string> = new Set();
  #sent: readonly string[] = [];
  #acknowledged = 0;
  /** Messages that wait for their turn. */
  readonly #queue = new Set<string>();
  /** How long the first data may take, ms. */
  readonly #patience: number;
  #opened = Number.POSITIVE_INFINITY;
  #lastMessage = 0;
  /** The deadline of the opening, then the next look for silence. */
  #timer: Cancel;
  #isOverdue = false;
  /** What else is planned. */
  #plans: Cancel[] = [];

  /** `patience`: how long the first data may take, ms. */
  constructor(markets: InstrumentMap, options: ConnectionOptions, owner: Owner, patience: number) {
    const { stream, gateway, clock } = options;
    const { url, headers, maxMessage = 4 * 2 ** 20 } = stream;
    this.#markets = markets;
    this.#options = options;
    this.#owner = owner;
    this.#patience = patience;
    this.#timer = clock.after(timeouts.connect, () => this.#lose('timeout', 'not open in time'));
    this.#socket = new Socket({
      headers,
      maxMessage,
      timeoutMs: timeouts.connect,
      url: socketUrl(url, gateway),
      onOpen: () => this.#begin(),
      onText: (text) =>
        text === null
          ? this.#lose('shape', 'a compressed frame is damaged or too large')
          : this.#call(() => this.#take(text)),
      onEnd: (code) => this.#lose('network', `the connection ended (${code})`),
    });
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Subscriptions that the upstream has acknowledged. */
  get acknowledged(): number {
    return Math.min(this.#acknowledged, this.#wanted.size);
  }

  /** A market has brought data of a topic. */
  note(market: string, topic = 'data'): void {
    if (this.#markets.has(market)) this.beats.note(this.#options.clock.monotonic(), topic, market);
  }

  /** Sends a message in its turn, once where it waits already, or at once where it cannot wait; does nothing unless it is open. */
  send(text: string | null, isUrgent = false): void {
    if (this.#state !== 'open' || text === null) return;
    if (isUrgent || this.#pacer === null) {
      this.#pacer?.count();
      this.#write(text);
    } else if (!this.#queue.has(text)) {
      this.#queue.add(text);
      this.#pacer.enter(() => {
        const isWanted = this.#queue.delete(text);
        if (isWanted) this.#write(text);
        return isWanted;
      });
    }
  }

  /** Subscribes to the channels of these markets that are new, and ends those that are not wanted any more. */
  want(markets: InstrumentMap): void {
    const { channels, unsubscribe } = this.#options.stream;
    const gone = new Map([...this.#markets].filter(([market]) => !markets.has(market)));
    this.#markets = markets;
    this.beats.keep(markets);
    if (this.#state !== 'open') return;
    const messages = channels(markets);
    const before = this.#wanted;
    const wanted = new Set(messages.flatMap(channelsIn));
    const left = [...before].filter((channel) => wanted.has(channel)).length;
    if (left === before.size && left === wanted.size) return;
    this.#wanted = wanted;
    this.#acknowledged = Math.min(this.#acknowledged, left);
    const isWanted = (channel: string) => wanted.has(channel);
    if (unsubscribe) for (const message of unsubscribe(gone, this)) this.send(message);
    else for (const message of this.#sent) this.send(ending(without(message, isWanted)));
    const stay = this.#sent.filter((one) => channelsIn(one).some(isWanted));
    const isKnown = (channel: string) => before.has(channel);
    const added = messages.flatMap((message) => without(message, isKnown) ?? []);
    this.#sent = [...stay, ...added];
    for (const message of added) this.send(message);
  }

  /** Ends it at once; no callback comes any more. Idempotent. */
  close(): void {
    this.#state = 'over';
    this.isReady = false;
    for (const cancel of [this.#timer, ...this.#plans]) cancel();
    this.#queue.clear();
    this.#socket.kill();
  }

  #begin(): void {
    const { stream, clock, random } = this.#options;
    const { opening = [], keepAlive, lifetime, pace: gap, paceOf, settle: rest = 0 } = stream;
    const name = `messages ${new URL(stream.url).host}`;
    if (gap !== undefined)
      this.#pacer =
        paceOf === 'host' ? sharedPacer(clock, name, { gap }) : new Pacer(clock, { gap, rest });
    this.#timer();
    this.#state = 'open';
    this.#opened = clock.monotonic();
    this.#lastMessage = this.#opened;
    const life = lifetime !== undefined && lifetime * (share - 0.02 * random());
    if (life) this.#plans.push(clock.after(life, () => this.#owner.due(this)));
    if (keepAlive)
      this.#plans.push(every(clock, keepAlive.every, () => this.#ping(keepAlive.message)));
    this.#watch();
    this.#call(() => {
      for (const message of opening) this.send(message, true);
      this.want(this.#markets);
    });
    // Subscriptions that are not there soon after they are sent will not come.
    const sending = this.#queue.size * (gap ?? 0);
    this.#plans.push(clock.after(sending + timeouts.ready, () => this.#call(() => this.#late())));
  }

  #late(): void {
    this.#isOverdue = true;
    this.#settle(false);
  }

  #ping(message: string | null): void {
    if (message === null) this.#socket.ping();
    else this.send(message, true);
  }

  /** Takes the text of a frame. */
  #take(text: string): void {
    const { stream, clock, onMessage } = this.#options;
    this.#lastMessage = clock.monotonic();
    if (stream.concerns && !stream.concerns(text)) return;
    const message = stream.wide ? wideMessageOf(text) : messageOf(text);
    const reply = stream.reply?.(message) ?? null;
    if (reply !== null) this.send(reply, true);
    this.#acknowledged += stream.acknowledges?.(message) ?? 0;
    this.#refuse(message);
    if (stream.ends?.(message)) this.#owner.due(this);
    const hasData = onMessage(message, this);
    if (hasData) this.beats.note(this.#lastMessage);
    this.#settle(hasData);
  }

  /** Subscribes again to what a refusal has taken along. Each time a message becomes shorter, so that this ends. */
  #refuse(message: unknown): void {
    const found = this.#options.stream.refuses?.(message, this.#sent) ?? null;
    if (found === null || (found.rest?.length ?? 0) >= found.of.length) return;
    const { of, rest } = found;
    this.refused += 1;
    this.#sent = this.#sent.flatMap((one) => (one === of ? (rest ?? []) : one));
    if (rest !== null) this.send(rest);
  }

  /** Looks whether all subscriptions are there now. */
  #settle(hasData: boolean): void {
    if (this.isReady || this.#state !== 'open') return;
    this.isReady = this.#hasAll(hasData);
    if (this.isReady || this.#isOverdue) this.#owner.settled(this);
  }

  /**
   * As many acknowledgements as it has asked for; data, where it asks for one. After the deadline some acknowledgements do. Where the upstream acknowledges nothing, data or the deadline.
   */
  #hasAll(hasData: boolean): boolean {
    if (this.#queue.size > 0) return false;
    if (!this.#options.stream.acknowledges) return this.#isOverdue || hasData;
    if (hasData && (this.#isOverdue || this.#wanted.size === 1)) return true;
    return this.#acknowledged >= Math.max(1, this.#isOverdue ? 1 : this.#wanted.size);
  }

  /** Looks for silence a few times in the time that is allowed, and when that is over. */
  #watch(): void {
    const { stream, clock } = this.#options;
    const left = this.#lastMessage + stream.silence - clock.monotonic();
    const quiet = this.#quiet();
    if (left <= 0) this.#lose('timeout', `silent for ${stream.silence} ms`);
    else if (quiet !== null) this.#lose('timeout', `no data for ${quiet} ms`, this.beats.areSteady);
    else this.#timer = clock.after(Math.min(left, stream.silence / 4), () => this.#watch());
  }

  /** For how long data are absent that should come, ms; null while none are. */
  #quiet(): number | null {
    const { stream, clock, expects } = this.#options;
    if (expects === 'nothing') return null;
    const now = clock.monotonic();
    const since = now - (this.beats.last ?? this.#opened);
    if (!this.beats.areSteady && since >= this.#patience) return since;
    // A channel of all markets says nothing of one of them.
    const isByMarket = expects === 'channels' && this.#wanted.size >= this.#markets.size;
    return this.beats.quiet(now, stream.silence, isByMarket);
  }

  #lose(code: FailureCode, why: string, isGood = true): void {
    const { stream, clock } = this.#options;
    const { host, pathname } = new URL(stream.url);
    const { failure } = failed(code, `WebSocket ${host}${pathname}: ${why}`);
    const isLong = clock.monotonic() - this.#opened >= healthy;
    this.close();
    this.#call(() => this.#owner.lost(this, failure, isGood && isLong));
  }

  #write(text: string): void {
    const { stream, clock } = this.#options;
    this.#socket.send(stream.stamp?.(text, clock.now()) ?? text);
  }

  /** Calls what calls functions of the stream; an exception is reported. */
  #call(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
