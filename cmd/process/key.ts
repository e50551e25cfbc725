/**
 * Makes another API key for the operator, or with `--link` the address that signs a browser in, and prints only that. With `--restore` it writes the
 * keys and accounts of the copy in the data folder back into a Redis that was emptied.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, loadConfig, loadEnvFile } from '../../config/config.ts';
import { createLogger } from '../../config/log.ts';
import { flagsIn } from './arguments.ts';
import { restoreCopy } from './key-copy.ts';
import { anotherLocalKey, signInLink } from './local-key.ts';
import { misconfigured, StartError } from './process.ts';
import { socketPath } from './redis.ts';

/** How long Redis may take to answer, ms. */
const patience = 5_000;

const usage = {
  line: 'npm run key -- [--restore] [--link]',
  options: {
    link: 'Prints an address that signs one browser in to the dashboard, once and within an hour, instead of a key.',
    restore:
      'Writes the keys and accounts of the copy in the data folder into a Redis that was emptied.',
  },
} as const;

/** Prints a new key, or what was restored. */
async function issue({ restore, link }: { restore: boolean; link: boolean }): Promise<void> {
  loadEnvFile();
  const { dataDir, redisUrl, host, port } = loadConfig();
  const socket = socketPath(dataDir);
  if (redisUrl === null && !existsSync(socket)) {
    throw new StartError(
      `nothing runs with the data folder ${resolve(dataDir)}: start the service first (npm start), or set DATA_DIR or REDIS_URL to those of the one that runs`,
    );
  }
  const log = createLogger({ logLevel: 'silent' }, 'key');
  const url = redisUrl ?? `unix://${socket}`;
  const of = { redisUrl: url, log, patience };
  const issued = restore
    ? restoreCopy({ redisUrl: url, dataDir, log })
    : link
      ? signInLink(`http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`, of)
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
  if (flags !== null) await issue({ restore: flags.restore === true, link: flags.link === true });
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = misconfigured;
}
