/**
 * One follower for all processes of a host: it holds the topics in memory, and answers the reads of followers on a unix
 * socket as Redis would. Redis then sends every entry once to a host.
 */
import { createServer, type Server } from 'node:net';
import { type Clock, every, sleep, systemClock } from '../../kernel/clock.ts';
import type { Topic } from '../../topics/index.ts';
import { readNumber } from '../codec.ts';
import { type BusLog, reason, silent } from '../log.ts';
import type { BusContext } from '../loop.ts';
import { type Payload, Reader, type Sink } from '../reader.ts';
import { closeAtOnce, connect } from '../redis.ts';
import type { LogPosition } from '../resume.ts';
import { Connection, type Source } from './connection.ts';
import { HeldTopics } from './held-topics.ts';
import { type Held, takePlace, watchHolder } from './host-socket.ts';
import type { Reply } from './resp.ts';
import * as resp from './resp.ts';

export interface RelayOptions {
  /** Of the Redis that is followed; see `connect`. */
  url: string;
  /** See `BusOptions`. */
  process: string;
  /** Where the socket is. Its folder is for this user alone. */
  path: string;
  topics: readonly Topic[];
  clock?: Clock;
  log?: BusLog;
  random?: () => number;
}

export interface Relay {
  /** Whether this process relays, or another one of the host does. */
  state(): 'relaying' | 'standby';
  /** Followers that are connected. */
  followers(): number;
  stop(): Promise<void>;
}

/** How often waiting reads are looked at, and the place of the socket, ms. */
const pauses = { reads: 250, place: 1_000, failed: 1_000, takeOver: 50 } as const;

/** Follows Redis and serves what it has read, from the time it has the socket until it loses it. */
class Serving implements Sink, Source {
  readonly held: HeldTopics;
  readonly clock: Clock;
  readonly #context: BusContext;
  readonly #topics: readonly Topic[];
  readonly #connections = new Set<Connection>();
  readonly #server: Server;
  readonly #redis: ReturnType<typeof connect>;
  readonly #cancel: () => void;
  #reader: Reader | null = null;

  constructor(context: BusContext, topics: readonly Topic[]) {
    this.#context = context;
    this.clock = context.clock;
    this.#topics = topics;
    this.held = new HeldTopics(topics);
    const { url, process, log, random } = context;
    this.#redis = connect(url, { name: `${process}/relay`, log, random });
    this.#server = createServer((socket) => {
      const connection = new Connection(socket, this);
      this.#connections.add(connection);
      socket.once('close', () => this.#connections.delete(connection));
    });
    this.#cancel = every(context.clock, pauses.reads, () => {
      const now = context.clock.now();
      for (const one of this.#connections) one.check(now);
    });
  }

  get followers(): number {
    return this.#connections.size;
  }

  /** Rejects where the socket cannot be made. */
  async begin(path: string): Promise<Held> {
    const held = await takePlace(this.#server, path);
    this.#reader = new Reader(this.#context, this, { topics: this.#topics });
    return held;
  }

  async end(): Promise<void> {
    this.#cancel();
    this.#server.close();
    for (const one of this.#connections) one.end();
    closeAtOnce(this.#redis);
    await this.#reader?.stop();
  }

  isUp(): boolean {
    return this.#reader?.state === 'up';
  }

  async published(name: string): Promise<Reply> {
    const number = readNumber(await this.#redis.callBuffer('GET', name));
    return Number.isNaN(number) ? resp.nil : resp.text(`${number}`);
  }

  values(topic: Topic, values: ReadonlyMap<string, Buffer>, at: LogPosition): void {
    if (!this.held.replace(topic, values, at)) this.#cut();
  }

  entry(topic: Topic, entry: Payload, at: LogPosition): void {
    if (!this.held.add(topic, entry, at)) this.#cut();
  }

  skipped(topic: Topic, why: string): void {
    this.#context.log.warn({ topic, why }, 'stream entry skipped');
  }

  restarted(topic: Topic): void {
    this.held.restart(topic);
    this.#cut();
  }

  lost(topic: Topic, at: LogPosition): void {
    this.held.cutBack(topic, at);
    this.#cut();
  }

  settled(): void {
    const found = new Map<string, Reply | null>();
    for (const one of this.#connections) one.wake(found);
  }

  down(): void {
    this.#cut();
  }

  keys(topic: Topic, keys: ReadonlySet<string>): void {
    this.held.keep(topic, keys);
  }

  /** Ends the connections of all followers: they read the last values again once these are there. */
  #cut(): void {
    for (const one of this.#connections) one.cut();
  }
}

class HostRelay implements Relay {
  readonly #context: BusContext;
  readonly #options: RelayOptions;
  readonly #stop = new AbortController();
  #serving: Serving | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(context: BusContext, options: RelayOptions) {
    this.#context = context;
    this.#options = options;
  }

  state(): 'relaying' | 'standby' {
    return this.#serving === null ? 'standby' : 'relaying';
  }

  followers(): number {
    return this.#serving?.followers ?? 0;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  /** Resolves when this process or another has the socket; rejects where this one finds it free and cannot have it. */
  async begin(): Promise<void> {
    const settled = Promise.withResolvers<void>();
    this.#ended = this.#run(settled.resolve, settled.reject);
    await settled.promise;
  }

  async #run(onBegun: () => void, onFailed: (error: unknown) => void): Promise<void> {
    const { clock, log, random } = this.#context;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (await watchHolder(this.#options.path, clock, signal, onBegun)) {
        await sleep(clock, random() * pauses.takeOver, signal);
        continue;
      }
      try {
        await this.#relay(onBegun);
      } catch (error) {
        onFailed(error);
        log.warn({ error: reason(error) }, 'the socket of the relay cannot be made');
        await sleep(clock, pauses.failed, signal);
      }
    }
  }

  /** Relays until the socket in the place is another one, or this shall stop. */
  async #relay(onBegun: () => void): Promise<void> {
    const { clock, log } = this.#context;
    const { signal } = this.#stop;
    const serving = new Serving(this.#context, this.#options.topics);
    try {
      const held = await serving.begin(this.#options.path);
      this.#serving = serving;
      onBegun();
      log.info({ path: this.#options.path }, 'relaying Redis to this host');
      while (!signal.aborted && (await held.isOurs())) await sleep(clock, pauses.place, signal);
      await held.leave();
    } finally {
      this.#serving = null;
      await serving.end();
    }
  }
}

/**
 * Relays where no other process of the host does, and takes over when that one ends or hangs. Rejects where no socket can
 * be made at the path.
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { url, process, clock = systemClock, log = silent, random = Math.random } = options;
  const relay = new HostRelay({ url, process, clock, log, random }, options);
  try {
    await relay.begin();
  } catch (error) {
    await relay.stop();
    throw error;
  }
  return relay;
}
