/**
 * Makes another API key for the operator, with paths one for a spreadsheet that reads these alone, or with `--link` the address that signs
 * a browser in, and prints only that. With `--restore` it writes the keys and accounts of the copy in the data folder back into a Redis
 * that was emptied.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig, loadEnvFile } from '../../config/config.ts';
import { createLogger } from '../../config/log.ts';
import { arePaths, badPaths } from '../../http/auth/link.ts';
import { Given, runCommand } from './command.ts';
import { restoreCopy } from './key-copy.ts';
import { anotherLocalKey, signInLink } from './local-key.ts';
import { ownUrl } from './port.ts';
import { StartError } from './process.ts';
import { socketPath } from './redis.ts';

/** How long Redis may take to answer, ms. */
const patience = 5_000;

const usage = `usage: npm run key -- [--restore] [--link] [PATH…]
  PATH        Makes a key for URLs (link=tm_link_…) that reads this path alone, such as '/v1/bars?symbol=BTC&interval=1d'.
  --link      Prints an address that signs one browser in to the dashboard, once and within an hour, instead of a key.
  --restore   Writes the keys and accounts of the copy in the data folder into a Redis that was emptied.
  --help      Prints this.`;

/** Prints a new key, or what was restored. */
async function issue(args: readonly string[]): Promise<void> {
  const given = new Given(args, usage, { flags: ['restore', 'link'], more: true });
  const paths = given.more;
  const restore = given.has('restore');
  const link = given.has('link');
  if (paths.length > 0 && (restore || link || !arePaths(paths)))
    throw given.fault(badPaths.message);
  loadEnvFile();
  const config = loadConfig();
  const { dataDir, redisUrl } = config;
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
      ? signInLink(ownUrl(config), of)
      : anotherLocalKey(of, paths);
  console.log(
    await issued.catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new StartError(`its Redis does not answer (${why}): is the service running?`);
    }),
  );
}

await runCommand(usage, issue);
