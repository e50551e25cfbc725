/** The connections of a stream: its channels divided over them, and each replaced without a gap when that is due. */
import type { Cancel } from '../../kernel/clock.ts';
import type { InstrumentMap } from '../define.ts';
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
  #wanted: readonly string[];
  #current: Subscribed | null = null;
  #next: Subscribed | null = null;
  #cancel: Cancel = () => {};

  constructor(channels: readonly string[], delay: number, options: ConnectionsOptions) {
    this.#options = options;
    this.#wanted = channels;
    const begin = () => {
      this.#current = this.#open();
    };
    if (delay > 0) this.#cancel = options.clock.after(delay, begin);
    else begin();
  }

  get isOpen(): boolean {
    return this.#current?.isOpen === true;
  }

  get isReady(): boolean {
    return this.#current?.isReady === true;
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

  /** Opens a successor, which takes over once it has its subscriptions, or should have them. */
  #succeed(): void {
    void this.#next?.close();
    this.#next = this.#open();
  }

  #open(): Subscribed {
    const made: Subscribed = new Subscribed(this.#wanted, this.#options, {
      unknown: () => (made === this.#next ? (this.#current?.unknown ?? 0) : 0),
      settled: () => this.#settled(made),
      due: () => {
        if (this.#current === made && this.#next === null) this.#succeed();
      },
    });
    return made;
  }

  #settled(made: Subscribed): void {
    if (made === this.#next) {
      void this.#current?.close();
      this.#current = made;
      this.#next = null;
    }
    if (made.isReady && made === this.#current) this.#options.onReady?.();
  }
}

/** The connections of one stream. */
export class Connections {
  readonly #options: ConnectionsOptions;
  #lines: Line[] = [];
  /** Those of all connections. */
  #channels: readonly string[] = [];

  constructor(options: ConnectionsOptions) {
    this.#options = options;
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

  /** Refusals after which the rest of a message was subscribed to again, on the connections that are open. */
  get refused(): number {
    return this.#lines.reduce((sum, { refused }) => sum + refused, 0);
  }

  /** Subscriptions that the upstream has acknowledged; null for a stream whose upstream does not acknowledge. */
  get acknowledged(): number | null {
    if (!this.#options.stream.acknowledges) return null;
    return this.#lines.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
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
      else this.#lines.push(new Line(part, at * spread, this.#options));
    }
  }

  async close(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    await Promise.all(lines.map((line) => line.close()));
  }
}
