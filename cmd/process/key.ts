/**
 * Makes another API key for the operator, and prints only that key on standard output. With `--restore` it writes the
 * keys and accounts of the copy in the data folder back into a Redis that was emptied.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, loadConfig, loadEnvFile } from '../../config/config.ts';
import { createLogger } from '../../config/log.ts';
import { flagsIn } from './arguments.ts';
import { restoreCopy } from './key-copy.ts';
import { anotherLocalKey } from './local-key.ts';
import { misconfigured, StartError } from './process.ts';
import { socketPath } from './redis.ts';

/** How long Redis may take to answer, ms. */
const patience = 5_000;

const usage = {
  line: 'npm run key -- [--restore]',
  options: {
    restore:
      'Writes the keys and accounts of the copy in the data folder into a Redis that was emptied.',
  },
} as const;

/** Prints a new key, or what was restored. */
async function issue(restore: boolean): Promise<void> {
  loadEnvFile();
  const { dataDir, redisUrl } = loadConfig();
  const socket = socketPath(dataDir);
  if (redisUrl === null && !existsSync(socket)) {
    throw new StartError(
      `nothing runs with the data folder ${resolve(dataDir)}: start the service first (npm start), or set DATA_DIR or REDIS_URL to those of the one that runs`,
    );
  }
  const log = createLogger({ logLevel: 'silent' }, 'key');
  const url = redisUrl ?? `unix://${socket}`;
  const issued = restore
    ? restoreCopy({ redisUrl: url, dataDir, log })
    : anotherLocalKey(url, log, patience);
  console.log(
    await issued.catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new StartError(`its Redis does not answer (${why}): is the service running?`);
    }),
  );
}

try {
  const flags = flagsIn(process.argv.slice(2), usage);
  if (flags !== null) await issue(flags.restore === true);
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = misconfigured;
}
