/** Makes another API key for the operator, and prints only that key on standard output. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, loadConfig, loadEnvFile } from '../../config/config.ts';
import { createLogger } from '../../config/log.ts';
import { anotherLocalKey } from './local-key.ts';
import { misconfigured, StartError } from './process.ts';
import { socketPath } from './redis.ts';

/** How long Redis may take to answer, ms. */
const patience = 5_000;

try {
  loadEnvFile();
  const { dataDir, redisUrl } = loadConfig();
  const socket = socketPath(dataDir);
  if (redisUrl === null && !existsSync(socket)) {
    throw new StartError(
      `nothing runs with the data folder ${resolve(dataDir)}: start the service first (npm start), or set DATA_DIR or REDIS_URL to those of the one that runs`,
    );
  }
  const log = createLogger({ logLevel: 'silent' }, 'key');
  const issued = anotherLocalKey(redisUrl ?? `unix://${socket}`, log, patience);
  console.log(
    await issued.catch(() => {
      throw new StartError('its Redis does not answer: is the service running?');
    }),
  );
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = misconfigured;
}
