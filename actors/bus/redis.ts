/** Connections to Redis: they reconnect without limit, never throw outside of a call and never queue without bound. */

import { isIP } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisTarget, type SentinelGroup } from '../../config/redis-url.ts';
import { fullJitter } from '../kernel/backoff.ts';
import { type BusLog, reason, silent } from './log.ts';

export type { Redis } from 'ioredis';

/**
 * ioredis has a class that extends String. V8 (12.4, of Node 22) then keeps the methods of strings in a slow form:
 * compiled code that reads texts by `charCodeAt` takes four times as long. Reading a method of a String object often enough
 * makes the form fast again, and it stays so.
 */
for (let i = 0; i < 1_000; i++) Object('').charCodeAt(0);

export interface ConnectOptions {
  /** Shown in CLIENT LIST. */
  name?: string;
  /** Longest BLOCK, in ms, of a connection for blocking reads; 0 when absent. */
  blocking?: number;
  /** Uniform in [0, 1). */
  random?: () => number;
  log?: BusLog;
}

/** Milliseconds within which a command is answered or rejects. */
export const commandDeadline = 2_000;

/** Between two attempts to connect, ms: a group has another master within seconds. */
const longestPause = { server: 2_000, socket: 2_000, group: 500 };

/** Pause before attempt `times` (from 1), in ms: full jitter, capped at 2 s. */
export const pause = (times: number, random: () => number): number =>
  Math.ceil(fullJitter(times, { base: 50, cap: 2_000 }, random));

/**
 * Connects to a URL of Redis, see `parseRedisUrl`: to a server, or to the master or a replica of a Sentinel group, which after
 * a fail-over is another server.
 *
 * There is no offline queue: while Redis is away a command rejects at once, and those in flight reject when the
 * connection is lost; none is sent twice. A peer that is silent while it owes an answer (2 s beyond BLOCK) is
 * dead: the connection is dropped and opened again. Errors are logged once per outage.
 *
 * Throws RangeError when `url` is none of these.
 */
export function connect(url: string, options: ConnectOptions = {}): Redis {
  const { blocking = 0, random = Math.random, log = silent } = options;
  const target = parseRedisUrl(url);
  const redis = new Redis({
    ...place(target, random),
    ...(options.name === undefined ? {} : { connectionName: options.name }),
    connectTimeout: commandDeadline,
    disconnectTimeout: commandDeadline,
    protocol: 2,
    disableClientInfo: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    maxLoadingRetryTime: commandDeadline,
    retryStrategy: (times) => Math.min(pause(times, random), longestPause[target.kind]),
    // After a failover the name leads to the new primary, the open connection to the old one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  dropSilent(redis, blocking + commandDeadline);
  logOutages(redis, options.name ?? 'redis', log);
  if (target.kind === 'group') reviveAfterEnd(redis);
  return redis;
}

/** Between two looks at what a connection has received, ms. */
const look = 500;

/**
 * Drops a connection whose peer owes an answer and sends nothing for `limit` ms. Time counts in looks, of which a process that
 * was held up has missed all but one, and what came meanwhile is read before the last of them: ioredis' own
 * `socketTimeout` asks the clock alone, and drops a healthy connection whose answer waits to be read.
 */
function dropSilent(redis: Redis, limit: number): void {
  redis.on('connect', () => {
    const { stream } = redis;
    let [read, silent] = [0, 0];
    const owes = () => redis.commandQueue.length > 0 && stream.bytesRead === read;
    const timer = setInterval(() => {
      silent = owes() ? silent + look : 0;
      read = stream.bytesRead;
      if (silent <= limit) return;
      setImmediate(() => {
        if (owes()) stream.destroy(new Error(`no answer for ${limit} ms`));
      });
    }, look).unref();
    stream.once('close', () => clearInterval(timer));
  });
}

/** Connections that shall not be opened again. */
const closed = new WeakSet<Redis>();

/**
 * ioredis gives a connection up when Sentinel announces a new master just while it asks for the master: news of the old
 * connection end the new attempt. It is begun again.
 */
function reviveAfterEnd(redis: Redis): void {
  redis.on('end', () => {
    if (!closed.has(redis)) redis.connect().catch(() => {});
  });
}

/** The options of ioredis that lead to a target; `random` spreads the attempts to reach a Sentinel. */
function place(target: RedisTarget, random: () => number): RedisOptions {
  const { db, username, password } = target;
  const access: RedisOptions = { db };
  if (username !== undefined) access.username = username;
  if (password !== undefined) access.password = password;
  if (target.kind === 'socket') return { ...access, path: target.path };
  if (target.kind === 'group') return { ...access, ...group(target, random) };
  const { host, port, tls } = target;
  return { ...access, host, port, ...(tls ? { tls: isIP(host) ? {} : { servername: host } } : {}) };
}

/** Sentinel support of ioredis: https://github.com/redis/ioredis#sentinel */
function group(target: SentinelGroup, random: () => number): RedisOptions {
  const { sentinels, name, role, tls, sentinelUsername, sentinelPassword } = target;
  const options: RedisOptions = {
    ...{ sentinels, name, role: role === 'replica' ? 'slave' : 'master' },
    sentinelCommandTimeout: commandDeadline,
    sentinelRetryStrategy: (times) => pause(times, random),
    sentinelReconnectStrategy: (times) => pause(times, random),
    // A former master may still answer: what the Sentinels say decides.
    failoverDetector: true,
  };
  if (sentinelUsername !== undefined) options.sentinelUsername = sentinelUsername;
  if (sentinelPassword !== undefined) options.sentinelPassword = sentinelPassword;
  return tls ? { ...options, tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : options;
}

function logOutages(redis: Redis, connection: string, log: BusLog): void {
  let reported = false;
  const report = (error: string): void => {
    if (reported) return;
    reported = true;
    log.warn({ connection, error }, 'Redis is away');
  };
  redis.on('error', (error: unknown) => report(reason(error)));
  redis.on('reconnecting', () => report('connection closed'));
  redis.on('ready', () => {
    if (reported) log.info({ connection }, 'Redis is back');
    reported = false;
  });
}

/** True once the connection can be used, false once `signal` aborts. */
export function whenReady(redis: Redis, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  if (redis.status === 'ready') return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (): void => {
      redis.off('ready', settle);
      signal.removeEventListener('abort', settle);
      resolve(!signal.aborted);
    };
    redis.on('ready', settle);
    signal.addEventListener('abort', settle);
  });
}

/** Settles when the first attempt to connect has ended, either way; where no Sentinel answers, there is an error alone. */
export function firstAttempt(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['ready', 'close', 'end', 'error']) redis.once(event, () => resolve());
  });
}

/** Ends a connection at once, also one that is between two attempts or half open. */
export function closeAtOnce(redis: Redis): void {
  closed.add(redis);
  redis.disconnect();
  // Absent until the first attempt has begun.
  redis.stream?.destroy();
}
