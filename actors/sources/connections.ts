/** The connections of a stream: its channels divided over them, and each replaced without a gap when that is due. */
import type { ActorContext } from '../kernel/actor.ts';
import type { Cancel } from '../kernel/clock.ts';
import { messageOf } from '../upstream/frames.ts';
import type { InstrumentMap } from './define.ts';
import { Spoken } from './spoken.ts';
import { type ConnectionsOptions, Subscribed } from './subscribed.ts';

/** Between the first attempts of two connections to one host, ms: OKX allows three a second. */
const spread = 350;

/** The channels of each connection. */
function chunks(channels: readonly string[], size = Infinity): (readonly string[])[] {
  if (channels.length === 0) return [];
  if (channels.length <= size) return [channels];
  const count = Math.ceil(channels.length / size);
  return Array.from({ length: count }, (_, at) => channels.slice(at * size, (at + 1) * size));
}

/** Whether both subscribe to the same: the order of markets follows their turnover, which changes all the time. */
function equal(a: readonly string[], b: readonly string[]): boolean {
  const known = new Set(a);
  return a.length === b.length && b.every((one) => known.has(one));
}

/** One connection, and while it is replaced its successor. */
class Line {
  readonly #options: ConnectionsOptions;
  readonly #onText: (text: string, by: Subscribed) => void;
  #wanted: readonly string[];
  #current: Subscribed | null = null;
  #next: Subscribed | null = null;
  #cancel: Cancel = () => {};

  constructor(
    channels: readonly string[],
    delay: number,
    options: ConnectionsOptions,
    onText: (text: string, by: Subscribed) => void,
  ) {
    this.#options = options;
    this.#onText = onText;
    this.#wanted = channels;
    if (delay > 0) this.#cancel = options.clock.after(delay, () => this.#begin());
    else this.#begin();
  }

  get isOpen(): boolean {
    return this.#current?.socket.state === 'open';
  }

  get isReady(): boolean {
    return this.isOpen && this.#current?.isReady === true;
  }

  get dropped(): number {
    return (this.#current?.dropped ?? 0) + (this.#next?.dropped ?? 0);
  }

  get acknowledged(): number {
    return this.#current?.acknowledged ?? 0;
  }

  get refused(): number {
    return this.#current?.refused ?? 0;
  }

  /** Subscribes to other channels, on a connection of their own. */
  want(channels: readonly string[]): void {
    if (equal(channels, this.#wanted)) return;
    this.#wanted = channels;
    if (this.#current !== null) this.#succeed();
  }

  async close(): Promise<void> {
    this.#cancel();
    await Promise.all([this.#current?.close(), this.#next?.close()]);
  }

  #begin(): void {
    this.#current = this.#open();
  }

  /** Opens a successor, which takes over once it brings what this one has brought. */
  #succeed(): void {
    this.#cancel();
    void this.#next?.close();
    this.#next = this.#open();
  }

  /**
   * Whether a connection that has received this text has all subscriptions: as many acknowledgements as it has asked for, but for
   * those that the connection before it was refused; data, where it asks for one. After the deadline some of them do, since an
   * upstream may refuse names. Where the upstream acknowledges nothing, data or the deadline.
   */
  #has(made: Subscribed, text: string): boolean {
    const { acknowledges, channelIn } = this.#options.stream;
    if (!made.complete) return false;
    if (!acknowledges) return made.isOverdue || (channelIn?.test(text) ?? true);
    if ((made.isOverdue || made.names === 1) && channelIn?.test(text)) return true;
    const before = made === this.#next ? this.#current : null;
    const refused = before && before.acknowledged > 0 ? before.names - before.acknowledged : 0;
    return made.acknowledged >= (made.isOverdue ? 1 : Math.max(1, made.names - refused));
  }

  /** Looks whether the connection has its subscriptions now, and takes over with it. */
  #look(made: Subscribed, text: string): void {
    if (made.isReady) return;
    if (this.#has(made, text)) made.settled();
    if (this.#next === made && (made.isReady || made.isOverdue)) this.#promote(made);
    if (made.isReady && this.#current === made) this.#options.onSubscribed?.();
  }

  #promote(next: Subscribed): void {
    if (this.#next !== next) return;
    const old = this.#current;
    this.#cancel();
    this.#current = next;
    this.#next = null;
    void old?.close();
  }

  #open(): Subscribed {
    const made: Subscribed = new Subscribed(this.#wanted, this.#options, {
      overdue: () => this.#look(made, ''),
      text: (text) => {
        this.#onText(text, made);
        this.#look(made, text);
      },
      due: () => {
        if (this.#current === made && this.#next === null) this.#succeed();
      },
    });
    return made;
  }
}

/** The connections of one stream. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #spoken: Spoken;
  #lines: Line[] = [];
  /** Those of all connections. */
  #channels: readonly string[] = [];

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#spoken = new Spoken(options.stream.channelIn);
  }

  /** False before `subscribe` and after `close`. */
  get exist(): boolean {
    return this.#lines.length > 0;
  }

  /** Whether all of them are open, or some. */
  get open(): 'all' | 'some' | 'none' {
    const open = this.#lines.filter(({ isOpen }) => isOpen).length;
    if (open === 0) return 'none';
    return open === this.#lines.length ? 'all' : 'some';
  }

  /** Whether all of them have all of their subscriptions. */
  get subscribed(): boolean {
    return this.exist && this.#lines.every(({ isReady }) => isReady);
  }

  /** Messages that came faster than they were read, or never came. */
  get dropped(): number {
    return this.#lines.reduce((sum, { dropped }) => sum + dropped, 0);
  }

  /** Refusals after which the rest of a message was subscribed to again, on the connections that are open. */
  get refused(): number {
    return this.#lines.reduce((sum, { refused }) => sum + refused, 0);
  }

  /**
   * Subscriptions that the upstream has acknowledged, and how many of them have brought no data yet: upstreams
   * acknowledge names that they do not know. Null for a stream whose upstream does not acknowledge.
   */
  get subscriptions(): { acknowledged: number; silent: number } | null {
    if (!this.#options.stream.acknowledges) return null;
    const acknowledged = this.#acknowledged;
    return { acknowledged, silent: Math.max(0, acknowledged - this.#spoken.count) };
  }

  /** Subscribes to the channels of these markets. A connection whose channels have not changed stays. */
  subscribe(instruments: InstrumentMap): void {
    const { channels, perConnection, opening = [] } = this.#options.stream;
    const all = channels(instruments);
    if (this.exist && equal(all, this.#channels)) return;
    this.#channels = all;
    const parts = chunks(all, perConnection);
    const wanted = parts.map((part) => [...opening, ...part]);
    for (const line of this.#lines.splice(wanted.length)) void line.close();
    for (const [at, part] of wanted.entries()) {
      const line = this.#lines[at];
      if (line) line.want(part);
      else this.#lines.push(this.#line(part, at * spread));
    }
  }

  async close(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    await Promise.all(lines.map((line) => line.close()));
  }

  #line(channels: readonly string[], delay: number): Line {
    return new Line(channels, delay, this.#options, (text, by) => this.#take(text, by));
  }

  get #acknowledged(): number {
    let sum = 0;
    for (const { acknowledged } of this.#lines) sum += acknowledged;
    return sum;
  }

  #take(text: string, by: Subscribed): void {
    const { stream, onMessage } = this.#options;
    this.#spoken.note(text, this.#acknowledged);
    by.count(text);
    if (stream.concerns && !stream.concerns(text)) return;
    const message = messageOf(text);
    const reply = stream.reply?.(message) ?? null;
    if (reply !== null) by.send(reply);
    by.acknowledged += stream.acknowledges?.(message) ?? 0;
    by.refuse(message);
    if (stream.ends?.(message)) by.retire();
    onMessage(message, by);
  }
}

/** `open`: there are instruments. `tick`: publish what there is. `crash`: a bug outside of a message's parser. */
export type StreamerMessage = 'open' | 'tick' | { crash: unknown };

/** The connections of a stream's actor. An exception in them crashes the actor; after that, and after its end, it gets no message. */
export function connectionsOf(
  { clock, self, signal }: ActorContext<StreamerMessage>,
  { stream, gateway, random }: Pick<ConnectionsOptions, 'stream' | 'gateway' | 'random'>,
  {
    onMessage,
    ...on
  }: Pick<ConnectionsOptions, 'onMessage' | 'onState' | 'onEnd' | 'onSubscribed'>,
): Connections {
  let crashed = false;
  return new Connections({
    ...{ stream, gateway, clock, random, ...on },
    onMessage: (message, by) => {
      if (!signal.aborted && !crashed) onMessage(message, by);
    },
    onError: (error) => {
      // Reported once: messages in the mailbox survive the crash.
      if (!crashed) self.tell({ crash: error });
      crashed = true;
    },
  });
}
