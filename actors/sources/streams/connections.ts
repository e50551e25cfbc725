/** The connections of a stream: its markets divided over them, each opened again when it is lost, and replaced without a gap before it ends. */
import type { Failure } from '../../failure.ts';
import { type Backoff, fullJitter } from '../../kernel/backoff.ts';
import type { Cancel } from '../../kernel/clock.ts';
import type { Instrument } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import { channelsIn } from './channels.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { sharedPacer } from './pacer.ts';

export interface ConnectionsOptions extends ConnectionOptions {
  /** This connection brings no message any more: it has ended, or another one has taken over. */
  onEnd(by: Connection): void;
  /** A connection was lost, did not open, or brought no data that should come. */
  onLost(failure: Failure): void;
  /** A connection has all of its subscriptions. */
  onReady(): void;
}

/** Between attempts, in ms. */
const reconnectDelay: Backoff = { floor: 100, base: 500, cap: 30_000 };
/** Connections to a host in a minute where it states no other limit, and the time between two of them, ms. */
const connecting = { most: 60, gap: 350 };
/** Attempts after which the time for the first data does not double any more. */
const mostPatient = 6;

/** A connection with its markets, which is opened again when it is lost, and while it is replaced its successor. */
class Line {
  /** With the channels of each; those that it shares with others are among them. */
  markets = new Map<Instrument, readonly string[]>();
  current: Connection | null = null;
  readonly #options: ConnectionsOptions;
  #next: Connection | null = null;
  #attempts = 0;
  #isOpening = false;
  #isClosed = false;
  #timer: Cancel = () => {};

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Whether it can take channels beside its own. */
  hasRoom(channels: readonly string[]): boolean {
    const { perConnection } = this.#options.stream;
    if (perConnection === undefined) return true;
    return new Set([...this.markets.values(), channels].flat()).size <= perConnection;
  }

  /** Subscribes to what it has now. */
  apply(): void {
    for (const one of [this.current, this.#next]) one?.want(this.#wanted());
  }

  close(): void {
    this.#isClosed = true;
    this.#timer();
    for (const one of [this.current, this.#next]) if (one) this.#end(one);
    this.current = null;
    this.#next = null;
  }

  /** A successor takes over once it has its subscriptions, or should have them. */
  settled(by: Connection): void {
    if (by === this.#next) {
      if (this.current) this.#end(this.current);
      this.current = by;
      this.#next = null;
    }
    if (by.isReady && by === this.current) this.#options.onReady();
  }

  due(by: Connection): void {
    if (by === this.current) this.open();
  }

  lost(by: Connection, failure: Failure, wasGood: boolean): void {
    const { random, clock, onLost } = this.#options;
    const wasNext = by === this.#next;
    if (!wasNext) this.current = this.#next;
    this.#next = null;
    if (wasGood) this.#attempts = 0;
    const delay = fullJitter(this.#attempts++, reconnectDelay, random);
    if (wasNext || this.current === null) this.#timer = clock.after(delay, () => this.open());
    onLost(failure);
    this.#end(by);
  }

  /** Opens a connection in its turn. */
  open(): void {
    const { stream, clock } = this.#options;
    const { url, connects: most = connecting.most, silence } = stream;
    if (this.#isOpening || this.#next) return;
    this.#isOpening = true;
    const turns = sharedPacer(clock, `connects ${new URL(url).host}`, { ...connecting, most });
    turns.enter(() => {
      this.#isOpening = false;
      if (this.#isClosed) return false;
      const patience = silence * 2 ** Math.min(this.#attempts, mostPatient);
      const made = new Connection(this.#wanted(), this.#options, this, patience);
      if (this.current) this.#next = made;
      else this.current = made;
      return true;
    });
  }

  #wanted(): InstrumentMap {
    return new Map([...this.markets.keys()].map((one) => [one.market, one]));
  }

  #end(one: Connection): void {
    one.close();
    this.#options.onEnd(one);
  }
}

/** The connections of one stream. */
export class Connections {
  readonly #options: ConnectionsOptions;
  #lines: readonly Line[] = [];

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Those that are open. */
  get open(): Connection[] {
    return this.#lines.flatMap(({ current }) => (current?.isOpen ? current : []));
  }

  /** How many are wanted. */
  get size(): number {
    return this.#lines.length;
  }

  /** Whether all of them have all of their subscriptions; false without any. */
  get subscribed(): boolean {
    return this.size > 0 && this.#lines.every(({ current }) => current?.isReady);
  }

  /**
   * Subscribes to the channels of these markets and no others: what stays is not touched, and what is new goes to a connection that
   * has room. A market without channels goes to none.
   */
  subscribe(instruments: InstrumentMap): void {
    const before = this.#lines;
    const lines = [...before];
    const left = new Map(instruments);
    for (const line of before) {
      const names = [...line.markets.keys()].map(({ market }) => market);
      const own = names.flatMap((name) => left.get(name) ?? []);
      line.markets = new Map(own.map((market) => [market, this.#channelsOf(market)]));
      for (const name of names) left.delete(name);
    }
    for (const market of left.values()) this.#place(market, lines);
    this.#lines = lines.filter(({ markets }) => markets.size > 0);
    for (const line of lines) {
      if (line.markets.size === 0) line.close();
      else if (before.includes(line)) line.apply();
      else line.open();
    }
  }

  #place(market: Instrument, lines: Line[]): void {
    const channels = this.#channelsOf(market);
    if (channels.length === 0) return;
    const roomy = lines.find((line) => line.hasRoom(channels));
    const line = roomy ?? new Line(this.#options);
    if (!roomy) lines.push(line);
    line.markets.set(market, channels);
  }

  close(): void {
    for (const line of this.#lines) line.close();
    this.#lines = [];
  }

  #channelsOf(market: Instrument): readonly string[] {
    return this.#options.stream.channels(new Map([[market.market, market]])).flatMap(channelsIn);
  }
}
