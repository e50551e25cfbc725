import { randomUUID } from 'node:crypto';
import { type Config, ConfigError, loadConfig, loadEnvFile } from '../config/config.ts';
import { createLogger, type Logger } from '../config/log.ts';

/** What a process works with. */
export interface ProcessContext {
  config: Config;
  log: Logger;
}

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
): Promise<void> {
  const context = prepare(role);
  const { log } = context;
  const die = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error');
    process.exit(1);
  };
  process.on('uncaughtException', die).on('unhandledRejection', die);

  const running = start(context);
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => die(new Error('did not stop in time')), patience).unref();
    // A start that still waits for Redis has nothing to finish.
    const unfinished = new Promise<null>((resolve) => setTimeout(resolve, startPatience, null));
    Promise.race([running, unfinished])
      .then((end) => end?.())
      .then(() => process.exit(0))
      .catch(die);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  if (process.channel) process.on('disconnect', () => stop('parent has gone'));
  await running.catch((error: unknown) => {
    if (!stopping) fail(error);
  });
}

function prepare(role: string): ProcessContext {
  try {
    loadEnvFile();
    const config = loadConfig();
    return { config, log: createLogger(config, role) };
  } catch (error) {
    return fail(error);
  }
}

/** An error that its reader can mend is shown without a stack. */
function fail(error: unknown): never {
  const expected = error instanceof ConfigError || error instanceof StartError;
  console.error(expected ? error.message : error);
  process.exit(expected ? 2 : 1);
}

/** A start that cannot succeed as things are; the message says what to do. */
export class StartError extends Error {
  override name = 'StartError';
}

/** An id that no other process has, on this machine or another. */
export const processId = (role: string): string => `${role}-${randomUUID().slice(0, 13)}`;

/** The Redis of a process that does not bring its own. */
export function needRedis(config: Config): string {
  if (config.redisUrl !== null) return config.redisUrl;
  throw new StartError(
    'REDIS_URL is not set: this process needs the Redis that its fellows use. `npm start` runs everything with one of its own.',
  );
}
