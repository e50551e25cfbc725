import { randomUUID } from 'node:crypto';
import { systemClock } from '../../actors/kernel/clock.ts';
import {
  type Check,
  type Config,
  ConfigError,
  loadConfig,
  loadEnvFile,
  strayNames,
} from '../../config/config.ts';
import { createLogger, type Logger, logStream } from '../../config/log.ts';
import { parseRedisUrl } from '../../config/redis-url.ts';

/** The context of a process. */
export interface ProcessContext {
  config: Config;
  log: Logger;
  /** Stops the process as SIGTERM does, and ends it with this exit status. */
  end(reason: string, status: number): void;
}

/** The options of one kind of process. */
export interface ProcessOptions {
  /** Rules for the settings beside those of the table. */
  checks?: readonly Check[];
  /** The file descriptor of the log; standard output when absent or null. */
  logTo?: (config: Config) => number | null;
  /** Its start is its work: a stop before the end of that has status 1. */
  isTask?: true;
}

/** The exit status of a process that cannot run with the settings it has. To start it again would not help. */
export const misconfigured = 2;

/** Longest time from the signal to the end of the process. */
const patience = 9_500;
/** Longest that a stop waits for a start to end. */
const startPatience = 2_000;

/**
 * Runs one process: reads the config (all faults are printed, exit status 2), starts, and stops on SIGTERM,
 * SIGINT or when the parent process has gone, with exit status 0 if that took less than ten seconds.
 * A bug that nothing caught ends the process with status 1, for its keeper to start it again.
 */
export async function runProcess(
  role: string,
  start: (context: ProcessContext) => Promise<() => Promise<void>>,
  options: ProcessOptions = {},
): Promise<void> {
  const { config, log } = prepare(role, options);
  const die = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error');
    process.exit(1);
  };
  process.on('uncaughtException', die).on('unhandledRejection', die);

  let stopping = false;
  const end = (reason: string, status: number) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => die(new Error('did not stop in time')), patience).unref();
    // A start that still waits for Redis has nothing to finish.
    const unfinished = new Promise<null>((resolve) => setTimeout(resolve, startPatience, null));
    Promise.race([running, unfinished])
      .then((stop) => stop?.())
      .then(() => process.exit(status))
      .catch(die);
  };
  const running = start({ config, log, end });
  const stop = (reason: string) => end(reason, options.isTask ? 1 : 0);
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.on('disconnect', () => stop('parent has gone'));
  // It may have gone while the modules of this process were loaded, before there was a listener.
  if (process.send && !process.connected) stop('parent has gone');
  await running.catch((error: unknown) => {
    if (!stopping) fail(error);
  });
}

function prepare(role: string, { checks, logTo }: ProcessOptions) {
  try {
    loadEnvFile();
    const config = loadConfig(undefined, checks);
    // The command that starts the others keeps the time of the system.
    if (config.replayed !== null && role !== 'local') systemClock.replay(config.replayed);
    const log = createLogger(config, role, logStream(logTo?.(config)));
    warnOfNames(log);
    return { config, log };
  } catch (error) {
    return fail(error);
  }
}

/** Names variables that look like settings and are none, once a start: a child has the environment of its parent. */
function warnOfNames(log: Logger): void {
  if (process.send) return;
  for (const { name, meant } of strayNames()) {
    const hint = meant === null ? 'see docs/configuration.md' : `did you mean ${meant}?`;
    log.warn({ name, meant }, `${name} is no setting: ${hint}`);
    // On a terminal the log goes to a file.
    if (process.stdout.isTTY) console.error(`  ${name} is no setting: ${hint}`);
  }
}

/** An error that its reader can mend is shown without a stack. */
function fail(error: unknown): never {
  const expected = error instanceof ConfigError || error instanceof StartError;
  console.error(expected ? error.message : error);
  process.exit(expected ? misconfigured : 1);
}

/** A start that cannot succeed; the message tells the operator what to do. */
export class StartError extends Error {
  override name = 'StartError';
}

/** An id that no other process has, on this machine or another. */
export const processId = (role: string): string => `${role}-${randomUUID().slice(0, 13)}`;

/** The Redis of a process that does not bring its own. */
export function needRedis(config: Pick<Config, 'redisUrl'>): string {
  if (config.redisUrl !== null) return config.redisUrl;
  throw new StartError(
    'REDIS_URL is not set: this process needs the Redis that its fellows use. `npm start` runs everything with one of its own.',
  );
}

/** A replica takes no writes. */
function needMaster(setting: string, url: string): void {
  const target = parseRedisUrl(url);
  if (target.kind !== 'group' || target.role === 'master') return;
  throw new StartError(
    `${setting}: role=replica leads to a server that takes no writes; it is for REDIS_READ_URL alone`,
  );
}

/** The rules of a process that brings no Redis of its own. */
export const redisChecks: readonly Check[] = [
  { env: 'REDIS_URL', check: (config) => needMaster('REDIS_URL', needRedis(config)) },
  {
    env: 'REDIS_BUS_URL',
    check: ({ redisBusUrl: url }) => url === null || needMaster('REDIS_BUS_URL', url),
  },
];
