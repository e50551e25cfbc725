/** Topics and queries over Redis Streams. */
import type { Result } from '../failure.ts';
import { type Clock, every, systemClock } from '../kernel/clock.ts';
import type { LeaseStore } from '../kernel/lease.ts';
import type { SharedWindows } from '../kernel/shared-window.ts';
import type {
  MarketRows,
  MarketTopic,
  Query,
  QueryName,
  Reading,
  ReplyOf,
  Topic,
  Topics,
} from '../topics/index.ts';
import { budgetScripts, createBudgets } from './budgets.ts';
import { readNumber } from './codec.ts';
import { type Follower, type FollowOptions, follow, type Handlers } from './follow.ts';
import { beat, markKey, markLife } from './keys.ts';
import { createLeases, fenceOf, leaseScripts } from './leases.ts';
import { livenessScripts, Presence } from './liveness.ts';
import { type BusLog, silent } from './log.ts';
import type { BusContext } from './loop.ts';
import {
  type Fence,
  forget,
  keysOf,
  last,
  lastOf,
  type Published,
  Publisher,
  publishScript,
} from './published.ts';
import { Querier, type QueryOptions, queryScript } from './query.ts';
import { closeAtOnce, connect } from './redis.ts';
import { type RedisLatency, RedisTime } from './redis-time.ts';
import type { Answers, AnyAnswers, Serving } from './respond.ts';
import { Commands } from './script.ts';
import { finishScript, QueryServer } from './serve.ts';

export type { Follower, Handlers, LogPosition } from './follow.ts';
export type { BusLog } from './log.ts';
export type { Fence, Published } from './published.ts';
export type { QueryOptions } from './query.ts';
export type { RedisLatency } from './redis-time.ts';
export type { Answer, Answers, AnyAnswers, Serving } from './respond.ts';

export interface BusOptions {
  /** See `connect`. */
  url: string;
  /** Unique among all processes that share the Redis, and different after a restart. */
  process: string;
  clock?: Clock;
  log?: BusLog;
  /** Queries that may be open at once, 1 to 32,000; 4,096 when absent. */
  inFlight?: number;
  /** Uniform in [0, 1), for the jitter of reconnects. */
  random?: () => number;
  /** Called about every second with the time of Redis, Unix ms, and the monotonic time of this process at which it was so. */
  onTime?: (time: number, at: number) => void;
}

export interface Bus {
  /**
   * Leaves at the end of the turn of the event loop, with all that is published in it. Never rejects; with `lease`, a publisher that
   * has lost it is refused.
   */
  publish<T extends MarketTopic>(
    topic: T,
    key: string,
    value: Reading<MarketRows[T]>,
    lease?: Fence,
  ): Promise<Published>;
  publish<T extends Topic>(
    topic: T,
    key: string,
    value: Topics[T],
    lease?: Fence,
  ): Promise<Published>;
  /** Every key's last value. Rejects when Redis is away. */
  last<T extends Topic>(topic: T): Promise<Map<string, Topics[T]>>;
  /** The keys that have a last value. Rejects when Redis is away. */
  keys(topic: Topic): Promise<string[]>;
  /** Removes the last values of keys; followers that have read them are not told. Rejects when Redis is away. */
  forget(topic: Topic, keys: readonly string[]): Promise<void>;
  /** One key's last value. Rejects when Redis is away. */
  lastOf<T extends MarketTopic>(topic: T, key: string): Promise<Reading<MarketRows[T]> | undefined>;
  lastOf<T extends Topic>(topic: T, key: string): Promise<Topics[T] | undefined>;
  /**
   * Calls handlers with every key's last value, then with each that is published, until stopped; of a log with every entry
   * that Redis still has.
   */
  follow(handlers: Handlers, options?: FollowOptions): Follower;
  /**
   * Never rejects. Failures of the bus itself: `unanswered` after `deadline` ms (that of `deadlineOf` when absent),
   * `over_budget` at once when too many are open, `redis_away` when it is or goes away or takes no writes, `stopped`, `shape`.
   */
  query<N extends QueryName>(query: Query<N>, options?: QueryOptions): Promise<Result<ReplyOf<N>>>;
  /**
   * Whether a process serves a source, as seen within the last second: one with a sign of life within three seconds. Rejects when
   * Redis is away.
   */
  served(source: string): Promise<boolean>;
  /**
   * Answers the queries of a source until stopped. `concurrency` is 256 when absent; no account has more of it in
   * progress than it leaves free. Processes that serve one source share its queries. Throws when this bus serves it already.
   */
  serve(source: string, answers: Answers, options?: { concurrency?: number }): Serving;
  serve(source: string, answers: AnyAnswers, options?: { concurrency?: number }): Serving;
  /**
   * Leases of this Redis, for publications to it; to another one where `seen` says the newest fencing number there, see
   * `createLeases`.
   */
  leases(seen?: (name: string) => Promise<number>): LeaseStore;
  /** The newest fencing number with which there was a publication under a lease; 0 without one. Rejects when Redis is away. */
  fence(lease: string): Promise<number>;
  /** Budgets of upstreams, for all processes of this Redis whose requests leave from the address of that name. */
  budgets(address: string | null): SharedWindows;
  /**
   * `up`: Redis answered within about the last three seconds; `slow`: so it did, but after more than 500 ms, twice of
   * three times; `read_only`: it refused the last write.
   */
  state(): 'up' | 'slow' | 'read_only' | 'down';
  /** Why Redis is away or refuses writes; null while nothing is known to be wrong. */
  fault(): Error | null;
  /** Leaves a time, Unix ms, under the name of this process for a minute. Rejects when Redis is away. */
  mark(at: number): Promise<void>;
  /** The time that a process has left here, or on the master of this replica; null without one. Rejects when Redis is away. */
  marked(process: string): Promise<number | null>;
  /** How long Redis takes to answer; null before the first answer. */
  latency(): RedisLatency | null;
  /** Stops everything that was started through this bus and ends its connections. Open queries fail as `stopped`. */
  close(): Promise<void>;
}

/** Loaded on every connect. */
const scripts = [publishScript, queryScript, finishScript, ...budgetScripts, ...livenessScripts];

/** Connects, retrying without limit. Throws RangeError when `url` is no URL of Redis. */
export function createBus(options: BusOptions): Bus {
  const { url, process, inFlight = 4_096 } = options;
  const { clock = systemClock, log = silent, random = Math.random } = options;
  const context: BusContext = { url, process, clock, log, random };
  const redis = connect(url, { name: process, log, random });
  const commands = new Commands(redis, scripts, log);
  // Leases and signs of life do not wait behind what is published.
  let leasing: Commands | null = null;
  const vital = () => {
    const name = `${process}/leases`;
    leasing ??= new Commands(connect(url, { name, log, random }), leaseScripts);
    return leasing;
  };
  const querier = new Querier(context, commands, inFlight);
  const time = new RedisTime(clock, options.onTime);
  const server = new QueryServer({ ...context, vital }, commands, time);
  const publisher = new Publisher(commands, log);
  const presence = new Presence(commands, clock);
  const running = new Set<Follower>();
  const run = (follower: Follower): Follower => {
    running.add(follower);
    return follower;
  };
  const stopTime = keepTime(commands, clock, time);
  let closed = false;
  return {
    publish: publisher.publish,
    last: (topic) => last(commands, topic),
    keys: (topic) => keysOf(commands, topic),
    forget: (topic, keys) => forget(commands, topic, keys),
    lastOf: <T extends Topic>(topic: T, key: string) => lastOf(commands, topic, key),
    follow: (handlers, options) => run(follow(context, handlers, options)),
    query: (query, options) => querier.query(query, options),
    served: (source) => presence.served(source),
    serve: (
      source: string,
      answers: Answers | AnyAnswers,
      { concurrency = 256 }: { concurrency?: number } = {},
    ) => server.serve(source, answers, concurrency),
    leases: (seen) => createLeases(vital(), seen),
    fence: (lease) => fenceOf(commands, lease),
    budgets: (address) => createBudgets(commands, address),
    // The client says `ready` until its socket has reported the end.
    state: () => (closed ? 'down' : stateOf(commands, time)),
    fault: () => commands.fault,
    mark: async (at) => void (await commands.send('SET', markKey(process), at, 'PX', markLife)),
    marked: async (name) => readNumber(await commands.send('GET', markKey(name))) || null,
    latency: () => time.latency(),
    async close() {
      closed = true;
      stopTime();
      publisher.flush();
      const followers = [...running].map((one) => one.stop());
      await Promise.all([querier.close(), server.close(), ...followers]);
      closeAtOnce(redis);
      if (leasing) closeAtOnce(leasing.redis);
    },
  };
}

const stateOf = ({ redis, takesWrites }: Commands, time: RedisTime): ReturnType<Bus['state']> => {
  if (redis.status !== 'ready') return 'down';
  if (!takesWrites) return 'read_only';
  return time.isSlow() ? 'slow' : 'up';
};

/** Asks for the time of Redis when there is a connection, and each second, which also detects a dead peer. */
function keepTime(commands: Commands, clock: Clock, time: RedisTime): () => void {
  const ask = (): void => {
    if (commands.redis.status === 'ready') time.ask(commands).catch(() => {});
  };
  commands.redis.on('ready', ask);
  return every(clock, beat, ask);
}
