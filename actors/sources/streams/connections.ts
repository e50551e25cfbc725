/** The connections of a stream: its markets divided over them, each opened again when it is lost, and replaced without a gap before it ends. */
import type { Failure } from '../../failure.ts';
import { type Backoff, fullJitter } from '../../kernel/backoff.ts';
import { type Cancel, every } from '../../kernel/clock.ts';
import type { Instrument } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { connectTurn } from './pacer.ts';
import { channelsIn, type Share, Suspects } from './subscriptions.ts';

export interface ConnectionsOptions extends ConnectionOptions {
  /** This connection brings no message any more: it was lost or did not open, or, without a failure, another one has taken over. */
  onEnd(by: Connection, failure: Failure | null): void;
  /** A connection has all of its subscriptions. */
  onReady(): void;
}

/** A share with its connections: the last one is to stay, one before it will end. */
interface Line extends Share {
  markets: Map<string, Instrument>;
  channels: Set<string>;
  connections: Connection[];
  /** A turn to open one is waited for. */
  isOpening: boolean;
}

/** Between attempts, in ms. */
const reconnectDelay: Backoff = { floor: 100, base: 500, cap: 30_000 };
/** Between two looks at what is due, ms. */
const tickMs = 1_000;

export class Connections {
  readonly #options: ConnectionsOptions;
  #lines: Line[] = [];
  readonly #ticking: Cancel;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#ticking = every(options.clock, tickMs, () => {
      for (const { connections } of this.#lines) for (const one of [...connections]) one.tick();
    });
  }

  /** Those that are open, without those that are to replace one and have not taken over. */
  get open(): Connection[] {
    return this.#lines.flatMap(({ connections }) => connections.find((one) => one.isOpen) ?? []);
  }

  /** How many are wanted. */
  get size(): number {
    return this.#lines.length;
  }

  /** Whether all of them have all of their subscriptions; false without any. */
  get subscribed(): boolean {
    const isReady = ({ connections }: Line) => connections.some((one) => one.isReady);
    return this.size > 0 && this.#lines.every(isReady);
  }

  /**
   * Subscribes to the channels of these markets and no others: what stays is not touched, and what is new goes to a connection that
   * has room. A market without channels goes to none.
   */
  subscribe(instruments: InstrumentMap): void {
    const before = this.#lines;
    this.#lines = this.#divided(instruments);
    for (const { markets, connections } of before)
      for (const one of connections) {
        if (markets.size === 0) this.#end(one);
        else one.subscribe();
      }
    for (const line of this.#lines) if (!before.includes(line)) this.#open(line);
  }

  close(): void {
    this.#ticking();
    this.subscribe(new Map());
  }

  /** The lines with these markets: those of before, and new ones for what they have no room for. */
  #divided(instruments: InstrumentMap): Line[] {
    const left = new Map(instruments);
    for (const line of this.#lines) {
      line.markets = new Map([...left].filter(([market]) => line.markets.has(market)));
      line.channels = new Set([...line.markets.values()].flatMap((one) => this.#channelsOf(one)));
      for (const market of line.markets.keys()) left.delete(market);
    }
    const lines = [...this.#lines];
    for (const market of left.values()) this.#place(market, lines);
    return lines.filter(({ markets }) => markets.size > 0);
  }

  #place(market: Instrument, lines: Line[]): void {
    const { perConnection = Number.POSITIVE_INFINITY } = this.#options.stream;
    const channels = this.#channelsOf(market);
    if (channels.length === 0) return;
    const found = lines.find((one) => {
      const added = channels.filter((channel) => !one.channels.has(channel));
      return one.channels.size + added.length <= perConnection;
    });
    const line: Line = found ?? {
      markets: new Map(),
      channels: new Set(),
      connections: [],
      isOpening: false,
      attempts: 0,
      partial: 0,
      isBehind: false,
      suspects: new Suspects(),
    };
    if (!found) lines.push(line);
    line.markets.set(market.market, market);
    for (const channel of channels) line.channels.add(channel);
  }

  #channelsOf(market: Instrument): string[] {
    return this.#options.stream.channels(new Map([[market.market, market]])).flatMap(channelsIn);
  }

  /** Opens a connection in its turn, unless there is one that is to stay. */
  #open(line: Line): void {
    const { clock, shared, stream: first } = this.#options;
    const stream = (line.isBehind && first.behind) || first;
    const { url, connects: most } = stream;
    // One that is due and not ready asks with each message: its turns would hold up all other connections to the host.
    if (line.isOpening) return;
    line.isOpening = true;
    void connectTurn(new URL(url).host, { clock, shared, most }, () => {
      line.isOpening = false;
      if (!this.#lines.includes(line) || line.connections.some((one) => !one.isDue)) return false;
      const options = { ...this.#options, stream };
      line.connections.push(new Connection(line, options, (by) => this.#changed(line, by)));
      return true;
    });
  }

  #changed(line: Line, by: Connection): void {
    const { clock, random, onEnd, onReady } = this.#options;
    if (by.failure) {
      line.connections = line.connections.filter((one) => one !== by);
      line.isBehind = !by.isBehind && this.#options.stream.behind !== undefined;
      const delay = fullJitter(line.attempts - 1, reconnectDelay, random);
      if (line.connections.every((one) => one.isDue)) clock.after(delay, () => this.#open(line));
      onEnd(by, by.failure);
      return;
    }
    if (by.isDue && by === line.connections.at(-1)) {
      line.isBehind = false;
      this.#open(line);
    }
    // It takes over from the one before once it has its subscriptions, or should have them.
    const before = line.connections.indexOf(by);
    if (by.isReady || by.isOverdue)
      for (const old of line.connections.splice(0, before)) this.#end(old);
    if (by.isReady) onReady();
  }

  #end(one: Connection): void {
    one.close();
    this.#options.onEnd(one, null);
  }
}
