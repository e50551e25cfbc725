/** One connection of a stream with its subscriptions. */
import type { Failure } from '../../failure.ts';
import type { Cancel, Clock } from '../../kernel/clock.ts';
import { messageOf, wideMessageOf } from '../../upstream/frames.ts';
import { Socket, type SocketState } from '../../upstream/socket.ts';
import type { Wiring } from './stream.ts';

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
  onMessage(message: unknown, by: Peer): boolean;
  /** So many messages have not come, by their numbers. */
  onMissed?(count: number): void;
  /** This connection brings no message until it has subscribed again. */
  onEnd?(by: Peer): void;
  /** A connection was lost, or did not open. */
  onLost?(failure: Failure): void;
  /** A connection has all of its subscriptions. */
  onReady?(): void;
  onError(error: unknown): void;
}

/** A connection as others see it. */
export interface Peer {
  /** Sends a message; does nothing while the connection is not open. */
  send(text: string): void;
}

/** Time after its last subscription in which the subscriptions of a connection are acknowledged or bring data, ms. */
const timeoutMs = 10_000;

/** The subscriptions that messages ask for: the longest list within each, as upstreams take several names in one. */
function namesIn(messages: readonly string[]): number {
  return messages.reduce((sum, message) => sum + longestList(messageOf(message)), 0);
}

/** The length of the longest list in a message, 1 without any. */
function longestList(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const own = Array.isArray(value) ? value.length : 1;
  return Object.values(value).reduce((max, inner) => Math.max(max, longestList(inner)), own);
}

/** A connection is replaced after this share of its life, and up to a fiftieth earlier. */
const share = 0.98;

/** What the owner of a connection knows of it, and is told. */
interface Hooks {
  /** Names that the upstream is known to refuse. */
  unknown(): number;
  /** It has its subscriptions, or the time for them is over. */
  settled(): void;
  /** It will end: by its age, or as the upstream has announced. */
  due(): void;
}

/** A socket with its subscriptions. Everything but the names is about the connection that is open now. */
export class Subscribed implements Peer {
  /** Subscriptions that the upstream has acknowledged. */
  acknowledged = 0;
  /** Refusals after which the rest was subscribed to again. */
  refused = 0;
  /** All subscriptions are there, as far as the upstream lets us know. */
  isReady = false;
  readonly #channels: readonly string[];
  /** Subscriptions that its messages ask for. */
  readonly #names: number;
  readonly #options: ConnectionsOptions;
  readonly #hooks: Hooks;
  readonly #socket: Socket;
  /** The messages that subscribe; all of them have been sent. */
  #sent: readonly string[] = [];
  #isComplete = false;
  /** The time in which subscriptions are acknowledged, or bring data, is over. */
  #isOverdue = false;
  /** Number of the newest message. */
  #number = Infinity;
  /** The end of its life, the next message that subscribes, and the end of the time for acknowledgements. */
  #lifeTimer: Cancel = () => {};
  #paceTimer: Cancel = () => {};
  #readyTimer: Cancel = () => {};

  constructor(channels: readonly string[], options: ConnectionsOptions, hooks: Hooks) {
    const { stream, clock, random, gateway, onError } = options;
    const { url, silence, keepAlive, codec, maxMessage, stamp, pace, opening = [] } = stream;
    this.#channels = channels;
    this.#names = namesIn(channels.slice(opening.length));
    this.#options = options;
    this.#hooks = hooks;
    this.#socket = new Socket({
      url,
      gateway,
      silence,
      codec,
      maxMessage,
      stamp,
      clock,
      random,
      ping: keepAlive,
      subscribe: pace === undefined ? channels : [],
      onMessage: (text) => this.#look(this.#take(text)),
      onState: (state, failure) => this.#entered(state, failure),
      onError,
    });
  }

  get isOpen(): boolean {
    return this.#socket.state === 'open';
  }

  /** Names that the upstream has not acknowledged, where it has any. */
  get unknown(): number {
    return this.acknowledged > 0 ? this.#names - this.acknowledged : 0;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(): Promise<void> {
    this.#stop();
    this.#options.onEnd?.(this);
    return this.#socket.close();
  }

  /** True for a text with data. */
  #take(text: string): boolean {
    const { stream, onMessage } = this.#options;
    this.#count(text);
    if (stream.concerns && !stream.concerns(text)) return false;
    const message = stream.wide ? wideMessageOf(text) : messageOf(text);
    const reply = stream.reply?.(message) ?? null;
    if (reply !== null) this.send(reply);
    this.acknowledged += stream.acknowledges?.(message) ?? 0;
    this.#refuse(message);
    if (stream.ends?.(message)) this.#hooks.due();
    return onMessage(message, this);
  }

  /** Looks for a hole in the numbers of the messages. */
  #count(text: string): void {
    const found = this.#options.stream.numberIn?.exec(text)?.[1];
    if (found === undefined) return;
    const number = Number(found);
    const missed = number - this.#number - 1;
    if (missed > 0) this.#options.onMissed?.(missed);
    this.#number = this.#number === Infinity ? number : Math.max(this.#number, number);
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
  #look(hasData: boolean): void {
    if (this.isReady) return;
    this.isReady = this.#hasAll(hasData);
    if (this.isReady) this.#readyTimer();
    if (this.isReady || this.#isOverdue) this.#hooks.settled();
  }

  /**
   * As many acknowledgements as it has asked for, but for the names that the upstream is known to refuse; data, where it asks for
   * one. After the deadline some acknowledgements do. Where the upstream acknowledges nothing, data or the deadline.
   */
  #hasAll(hasData: boolean): boolean {
    if (!this.#isComplete) return false;
    if (!this.#options.stream.acknowledges) return this.#isOverdue || hasData;
    if (hasData && (this.#isOverdue || this.#names === 1)) return true;
    const expected = this.#isOverdue ? 1 : Math.max(1, this.#names - this.#hooks.unknown());
    return this.acknowledged >= expected;
  }

  #entered(state: SocketState, failure: Failure | undefined): void {
    this.#stop();
    this.acknowledged = 0;
    this.refused = 0;
    this.isReady = false;
    this.#isOverdue = false;
    this.#isComplete = this.#options.stream.pace === undefined;
    this.#sent = this.#channels;
    this.#number = Infinity;
    if (state === 'open') this.#opened();
    if (!failure) return;
    this.#options.onLost?.(failure);
    this.#options.onEnd?.(this);
  }

  #opened(): void {
    const { stream, clock, random } = this.#options;
    const { lifetime = Infinity, pace, settle = 0 } = stream;
    if (pace !== undefined && settle === 0) this.#subscribe(pace);
    else if (pace !== undefined) this.#paceTimer = clock.after(settle, () => this.#subscribe(pace));
    if (lifetime < Infinity)
      this.#lifeTimer = clock.after(lifetime * (share - 0.02 * random()), this.#hooks.due);
    const deadline = settle + (pace ?? 0) * this.#channels.length + timeoutMs;
    this.#readyTimer = clock.after(deadline, () => {
      this.#isOverdue = true;
      this.#look(false);
    });
  }

  #stop(): void {
    this.#lifeTimer();
    this.#paceTimer();
    this.#readyTimer();
  }

  /** Subscribes to one channel after another. */
  #subscribe(pace: number, at = 0): void {
    const channel = this.#channels[at];
    if (channel === undefined) {
      this.#isComplete = true;
      return;
    }
    this.send(channel);
    this.#paceTimer = this.#options.clock.after(pace, () => this.#subscribe(pace, at + 1));
  }
}
