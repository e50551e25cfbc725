/** The connections of a stream: its markets divided over them, and each replaced without a gap when that is due. */
import type { Instrument } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import { channelsIn } from './channels.ts';
import { Connection, type ConnectionsOptions } from './connection.ts';
import type { Session } from './session.ts';

/** The channels of a market; those that it shares with others are among them. */
type ChannelsOf = (market: Instrument) => readonly string[];

/** A connection with its markets, and while it is replaced its successor. */
class Line {
  /** The channels of its markets. */
  channels = new Set<string>();
  current: Connection | null = null;
  readonly #options: ConnectionsOptions;
  #markets = new Map<string, Instrument>();
  #next: Connection | null = null;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#markets.size === 0;
  }

  get markets(): string[] {
    return [...this.#markets.keys()];
  }

  /** Whether it can take channels beside its own. */
  hasRoom(channels: readonly string[], most: number): boolean {
    const added = channels.filter((one) => !this.channels.has(one)).length;
    return this.channels.size + added <= most;
  }

  /** Goes on with those of its markets that are listed. */
  keep(listed: InstrumentMap, channelsOf: ChannelsOf): void {
    const left = [...this.#markets.keys()].flatMap((market) => listed.get(market) ?? []);
    this.#markets.clear();
    this.channels.clear();
    for (const market of left) this.add(market, channelsOf(market));
  }

  add(market: Instrument, channels: readonly string[]): void {
    this.#markets.set(market.market, market);
    for (const channel of channels) this.channels.add(channel);
  }

  /** Subscribes to what it has now. */
  apply(): void {
    const markets = new Map(this.#markets);
    if (this.current === null) this.current = this.#open(markets);
    else for (const one of [this.current, this.#next]) one?.want(markets);
  }

  async close(): Promise<void> {
    await Promise.all([this.current?.close(), this.#next?.close()]);
  }

  #open(markets: InstrumentMap): Connection {
    const made: Connection = new Connection(markets, this.#options, {
      unknown: () => (made === this.#next ? (this.current?.session?.unknown ?? 0) : 0),
      settled: () => this.#settled(made),
      due: () => {
        if (made === this.current) this.#next ??= this.#open(made.markets);
      },
    });
    return made;
  }

  /** A successor takes over once it has its subscriptions, or should have them. */
  #settled(made: Connection): void {
    if (made === this.#next) {
      void this.current?.close();
      this.current = made;
      this.#next = null;
    }
    if (made.session?.isReady && made === this.current) this.#options.onReady?.();
  }
}

/** The connections of one stream. */
export class Connections {
  readonly #options: ConnectionsOptions;
  #lines: readonly Line[] = [];

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** False before `subscribe` and after `close`. */
  get exist(): boolean {
    return this.#lines.length > 0;
  }

  /** Whether all of them are open, or some. */
  get open(): 'all' | 'some' | 'none' {
    const open = this.#lines.filter(({ current }) => current?.session).length;
    if (open === 0) return 'none';
    return open === this.#lines.length ? 'all' : 'some';
  }

  /** Whether all of them have all of their subscriptions. */
  get subscribed(): boolean {
    return this.exist && this.#lines.every(({ current }) => current?.session?.isReady === true);
  }

  /** Refusals after which the rest of a message was subscribed to again, on the connections that are open. */
  get refused(): number {
    return this.#sum(({ refused }) => refused);
  }

  /** Subscriptions that the upstream has acknowledged; null for a stream whose upstream does not acknowledge. */
  get acknowledged(): number | null {
    return this.#options.stream.acknowledges ? this.#sum((one) => one.acknowledged) : null;
  }

  /** Markets that have brought data on the connections that are open. */
  get heard(): number {
    return this.#sum(({ beats }) => beats.markets);
  }

  /**
   * Subscribes to the channels of these markets and no others: what stays is not touched, and what is new goes to a connection that
   * has room.
   */
  subscribe(instruments: InstrumentMap): void {
    const lines = [...this.#lines];
    for (const line of lines) line.keep(instruments, this.#channelsOf);
    const known = new Set(lines.flatMap((line) => line.markets));
    for (const market of instruments.values())
      if (!known.has(market.market)) this.#place(market, lines);
    this.#lines = lines.filter((line) => !line.isEmpty);
    for (const line of this.#lines) line.apply();
    for (const line of lines) if (line.isEmpty) void line.close();
  }

  /** Gives a market to the first connection that has room, else to a new one; one without channels to none. */
  #place(market: Instrument, lines: Line[]): void {
    const { perConnection = Number.POSITIVE_INFINITY } = this.#options.stream;
    const channels = this.#channelsOf(market);
    if (channels.length === 0) return;
    const roomy = lines.find((line) => line.hasRoom(channels, perConnection));
    const line = roomy ?? new Line(this.#options);
    if (!roomy) lines.push(line);
    line.add(market, channels);
  }

  async close(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    await Promise.all(lines.map((line) => line.close()));
  }

  /** Where a message replaces the one before it, all markets share it. */
  readonly #channelsOf: ChannelsOf = (market) => {
    const { channels, replaces } = this.#options.stream;
    const messages = channels(new Map([[market.market, market]]));
    return messages.flatMap((one) => (replaces ? '' : channelsIn(one)));
  };

  #sum(of: (session: Session) => number): number {
    return this.#lines.reduce(
      (sum, { current }) => sum + (current?.session ? of(current.session) : 0),
      0,
    );
  }
}
