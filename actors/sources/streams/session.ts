/** What is subscribed to on one socket, from its opening to its end: wanted channels, acknowledged ones, and when each brought data. */
import type { Cancel, Clock } from '../../kernel/clock.ts';
import { messageOf, wideMessageOf } from '../../upstream/frames.ts';
import type { Socket } from '../../upstream/socket.ts';
import type { InstrumentMap } from '../define.ts';
import { Beats } from './beats.ts';
import { channelsIn, ending, without } from './channels.ts';
import type { Pacer } from './pacer.ts';
import type { Wiring } from './stream.ts';

export interface SessionOptions {
  stream: Wiring;
  clock: Clock;
  socket: Socket;
  /** Gives the turns of messages; null where they need none. */
  pacer: Pacer | null;
  markets: InstrumentMap;
  /** The connection that it belongs to, as others know it. */
  by: object;
  /** Takes a message; true for one with data. */
  onMessage(message: unknown): boolean;
  /** So many messages have not come, by their numbers. */
  onMissed?: ((count: number) => void) | undefined;
  /** Channels that the upstream is known to refuse. */
  unknown(): number;
  /** It has its subscriptions, or the time for them is over. */
  onSettled(): void;
  /** The upstream has announced the end of the connection. */
  onDue(): void;
}

/** In which its last subscription is acknowledged or brings data, ms. */
const readyMs = 10_000;

export class Session {
  /** Refusals after which the rest was subscribed to again. */
  refused = 0;
  /** All subscriptions are there, as far as the upstream lets us know. */
  isReady = false;
  readonly beats: Beats;
  readonly #options: SessionOptions;
  #markets: InstrumentMap;
  /** The channels that are wanted, and the messages that have subscribed to them. */
  #wanted: ReadonlySet<string> = new Set();
  #sent: readonly string[] = [];
  #acknowledged = 0;
  /** Messages that wait for their turn. */
  readonly #queue = new Map<string, Cancel>();
  #hasBegun = false;
  #isOverdue = false;
  #isOver = false;
  /** Number of the newest message. */
  #number: number | null = null;
  /** The pause before the first subscription, then the time for the acknowledgements. */
  #timer: Cancel = () => {};

  constructor(options: SessionOptions) {
    const { stream, clock, markets } = options;
    const { opening = [], settle = 0 } = stream;
    this.#options = options;
    this.#markets = markets;
    this.beats = new Beats(clock.monotonic());
    for (const message of opening) this.send(message, true);
    if (settle > 0) this.#timer = clock.after(settle, () => this.#begin());
    else this.#begin();
  }

  /** Subscriptions that the upstream has acknowledged. */
  get acknowledged(): number {
    return Math.min(this.#acknowledged, this.#wanted.size);
  }

  /** Channels that the upstream has not acknowledged, where it has any. */
  get unknown(): number {
    return this.#acknowledged > 0 ? this.#wanted.size - this.acknowledged : 0;
  }

  /** Whether channels are those of single markets: one of all markets says nothing of one of them. */
  get isByMarket(): boolean {
    return this.#wanted.size >= this.#markets.size;
  }

  /** Sends a message in its turn, or at once where it cannot wait. */
  send(text: string, isUrgent = false): void {
    const { pacer, socket } = this.#options;
    if (isUrgent) pacer?.count();
    if (isUrgent || pacer === null) socket.send(this.#stamped(text));
    else if (!this.#queue.has(text)) this.#enter(text, pacer);
  }

  #enter(text: string, pacer: Pacer): void {
    const { socket } = this.#options;
    this.#queue.set(text, () => {});
    const cancel = pacer.enter(() => {
      this.#queue.delete(text);
      socket.send(this.#stamped(text));
      if (this.#queue.size === 0) this.#await();
    });
    if (this.#queue.has(text)) this.#queue.set(text, cancel);
  }

  /** Subscribes to the channels of these markets that are new, and ends those that are not wanted any more. */
  want(markets: InstrumentMap): void {
    const { stream } = this.#options;
    const added = beyond(markets, this.#markets);
    const gone = beyond(this.#markets, markets);
    this.#markets = markets;
    this.beats.keep(markets);
    if (!this.#hasBegun || added.size + gone.size === 0) return;
    const before = this.#wanted;
    this.#wanted = this.#channelsOf(markets);
    if (stream.replaces) {
      this.#subscribe(stream.channels(markets));
      return;
    }
    for (const message of this.#endings(gone)) this.send(message);
    const isWanted = (channel: string) => this.#wanted.has(channel);
    this.#sent = this.#sent.filter((one) => channelsIn(one).some(isWanted));
    const stay = [...before].filter(isWanted).length;
    this.#acknowledged = Math.min(this.#acknowledged, stay);
    const isKnown = (channel: string) => before.has(channel);
    this.#subscribe(stream.channels(added).flatMap((one) => without(one, isKnown) ?? []));
  }

  /** Takes the text of a frame. */
  take(text: string): void {
    const { stream, clock, onMessage, onDue } = this.#options;
    this.#count(text);
    if (stream.concerns && !stream.concerns(text)) return;
    const message = stream.wide ? wideMessageOf(text) : messageOf(text);
    const reply = stream.reply?.(message) ?? null;
    if (reply !== null) this.send(reply, true);
    this.#acknowledged += stream.acknowledges?.(message) ?? 0;
    this.#refuse(message);
    if (stream.ends?.(message)) onDue();
    const hasData = onMessage(message);
    if (hasData) this.beats.noteAny(clock.monotonic());
    this.#settle(hasData);
  }

  /** Takes back what waits. */
  end(): void {
    this.#isOver = true;
    this.#timer();
    for (const cancel of this.#queue.values()) cancel();
    this.#queue.clear();
  }

  #begin(): void {
    const messages = this.#options.stream.channels(this.#markets);
    this.#hasBegun = true;
    this.#wanted = this.#channelsOf(this.#markets);
    this.#subscribe(messages);
    if (this.#queue.size === 0) this.#await();
  }

  #channelsOf(markets: InstrumentMap): ReadonlySet<string> {
    const { channels, replaces } = this.#options.stream;
    return new Set(replaces ? channels(markets) : channels(markets).flatMap(channelsIn));
  }

  #subscribe(messages: readonly string[]): void {
    this.#sent = this.#options.stream.replaces ? messages : [...this.#sent, ...messages];
    for (const message of messages) this.send(message);
  }

  #endings(gone: InstrumentMap): readonly string[] {
    const { stream, by } = this.#options;
    if (stream.unsubscribe) return stream.unsubscribe(gone, by);
    return stream.channels(gone).flatMap((message) => {
      const rest = without(message, (channel) => this.#wanted.has(channel));
      return (rest && ending(rest)) ?? [];
    });
  }

  /** All messages are sent: subscriptions that are not there soon will not come. */
  #await(): void {
    if (this.isReady || this.#isOverdue) return;
    this.#timer();
    this.#timer = this.#options.clock.after(readyMs, () => {
      this.#isOverdue = true;
      this.#settle(false);
    });
  }

  /** Looks for a hole in the numbers of the messages. */
  #count(text: string): void {
    const found = this.#options.stream.numberIn?.exec(text)?.[1];
    if (found === undefined) return;
    const number = Number(found);
    const missed = number - (this.#number ?? number) - 1;
    if (missed > 0) this.#options.onMissed?.(missed);
    this.#number = Math.max(this.#number ?? 0, number);
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
    if (this.isReady || this.#isOver) return;
    this.isReady = this.#hasAll(hasData);
    if (this.isReady) this.#timer();
    if (this.isReady || this.#isOverdue) this.#options.onSettled();
  }

  /**
   * As many acknowledgements as it has asked for, but for the names that the upstream is known to refuse; data, where it asks for
   * one. After the deadline some acknowledgements do. Where the upstream acknowledges nothing, data or the deadline.
   */
  #hasAll(hasData: boolean): boolean {
    const { stream, unknown } = this.#options;
    if (!this.#hasBegun || this.#queue.size > 0) return false;
    if (!stream.acknowledges) return this.#isOverdue || hasData;
    if (hasData && (this.#isOverdue || this.#wanted.size === 1)) return true;
    const expected = this.#isOverdue ? 1 : Math.max(1, this.#wanted.size - unknown());
    return this.#acknowledged >= expected;
  }

  #stamped(text: string): string {
    const { stream, clock } = this.#options;
    return stream.stamp?.(text, clock.now()) ?? text;
  }
}

/** The markets of the first list that are not in the second. */
const beyond = (some: InstrumentMap, others: InstrumentMap): InstrumentMap =>
  new Map([...some].filter(([market]) => !others.has(market)));
