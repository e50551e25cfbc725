/** Topics and asks over Redis Streams: what actors and front know of each other. */
import type { Result } from '../failure.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { LeaseStore } from '../kernel/lease.ts';
import type { Ask, Asks, Topic, Topics } from '../topics.ts';
import { type Answering, answer, finishScript } from './answer.ts';
import { Asker, askScript } from './ask.ts';
import { type Follower, follow, type Handlers } from './follow.ts';
import { beat, mostInFlight } from './keys.ts';
import { createLeases, leaseScripts } from './leases.ts';
import { livenessScripts } from './liveness.ts';
import { type BusLog, silent } from './log.ts';
import type { BusContext } from './loop.ts';
import { type Fence, last, lastOf, type Published, publish, publishScript } from './publish.ts';
import { connect, hangUp } from './redis.ts';
import type { Answers } from './respond.ts';
import { Commands } from './script.ts';

export type { AnswerCounts, Answering } from './answer.ts';
export type { FollowCounts, Follower, Handlers } from './follow.ts';
export type { BusLog } from './log.ts';
export type { Fence, Published } from './publish.ts';
export type { Answers } from './respond.ts';

export interface BusOptions {
  /** See `connect`. */
  url: string;
  /** Unique among all processes that share the Redis, and different after a restart. */
  process: string;
  clock?: Clock;
  log?: BusLog;
  /** Asks that may be open at once, 1 to 32,000; 4,096 when absent. */
  inFlight?: number;
  /** Uniform in [0, 1), for the jitter of reconnects. */
  random?: () => number;
}

export interface Bus {
  /** Never rejects; with `lease`, a publisher that has lost it is refused. */
  publish<T extends Topic>(
    topic: T,
    key: string,
    value: Topics[T],
    lease?: Fence,
  ): Promise<Published>;
  /** Every key's last value. Rejects when Redis is away. */
  last<T extends Topic>(topic: T): Promise<Map<string, Topics[T]>>;
  /** One key's last value. Rejects when Redis is away. */
  lastOf<T extends Topic>(topic: T, key: string): Promise<Topics[T] | undefined>;
  /** Calls handlers with every key's last value, then with each that is published, until stopped. */
  follow(handlers: Handlers): Follower;
  /**
   * Never rejects. Failures of the bus itself: `timeout` after `deadline` ms (the service's own when absent),
   * `over_budget` at once when too many are open, `unavailable` when Redis is or goes away, `stopped`, `shape`.
   * Throws RangeError when `deadline` is not a positive number.
   */
  ask<A extends Ask>(
    service: A,
    request: Asks[A]['request'],
    options?: { deadline?: number },
  ): Promise<Result<Asks[A]['reply']>>;
  /** Asks that wait for a reply. */
  open(): number;
  /** `concurrency` is 256 when absent. At most one answerer per service and bus. */
  answer(answers: Answers, options?: { concurrency?: number }): Answering;
  leases(): LeaseStore;
  /** Whether Redis answered within about the last three seconds. */
  state(): 'up' | 'down';
  /** Stops everything that was started through this bus and ends its connections. Open asks fail as `stopped`. */
  close(): Promise<void>;
}

/** Connects, or goes on trying to. Throws RangeError when an option is not what it should be. */
export function createBus(options: BusOptions): Bus {
  const { url, process, inFlight = 4_096 } = options;
  const { clock = systemClock, log = silent, random = Math.random } = options;
  if (process === '') throw new RangeError('bus: process must be an id, not empty');
  if (!Number.isInteger(inFlight) || inFlight < 1 || inFlight > mostInFlight) {
    throw new RangeError(`bus: inFlight must be a whole number from 1 to ${mostInFlight}`);
  }
  const context: BusContext = { url, process, clock, log, random };
  const redis = connect(url, { name: process, log, random });
  const scripts = [publishScript, askScript, finishScript, ...leaseScripts, ...livenessScripts];
  const commands = new Commands(redis, scripts);
  const asker = new Asker(context, commands, inFlight);
  const running = new Set<{ stop(): Promise<void> }>();
  const run = <R extends { stop(): Promise<void> }>(one: R): R => {
    running.add(one);
    return one;
  };
  const stopPings = ping(commands, clock);
  return {
    publish: (topic, key, value, lease) => publish(commands, log, { topic, key, value, lease }),
    last: (topic) => last(commands, topic),
    lastOf: (topic, key) => lastOf(commands, topic, key),
    follow: (handlers) => run(follow(context, handlers)),
    ask: (service, request, { deadline } = {}) => asker.ask(service, request, deadline),
    open: () => asker.open,
    answer: (answers, { concurrency = 256 } = {}) =>
      run(answer(context, commands, answers, concurrency)),
    leases: () => createLeases(commands),
    state: () => (redis.status === 'ready' ? 'up' : 'down'),
    async close() {
      stopPings();
      await Promise.all([asker.close(), ...[...running].map((one) => one.stop())]);
      hangUp(redis);
    },
  };
}

/** Owed an answer each second, a dead peer is found out, and the connection made anew. */
function ping(commands: Commands, clock: Clock): () => void {
  let cancel = (): void => {};
  const next = (): void => {
    cancel = clock.after(beat, next);
    if (commands.redis.status === 'ready') commands.send('PING').catch(() => {});
  };
  next();
  return () => cancel();
}
