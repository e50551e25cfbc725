/** Prints a token of the development issuer, and nothing else, on standard output. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig, loadEnvFile } from '../../config/config.ts';
import type { Plans } from '../../config/plans.ts';
import { developmentIssuer, hasIssuer, type TokenClaims } from './issuer.ts';
import { StartError } from './process.ts';

const usage = `usage: npm run -s token -- --sub ACCOUNT [--plan PLAN] [--email ADDRESS] [--expires 1h]`;

/** Seconds of each unit, and the longest life. */
const units = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
]);
const longest = 365 * 86_400;

/** The claims that the arguments ask for; null where help is asked for. Throws StartError when they do not say. */
function claimsOf(args: string[], plans: Plans): TokenClaims | null {
  const { sub, plan, email, expires = '1h', help } = parse(args);
  if (help === true) return null;
  if (sub === undefined || sub === '' || sub.length > 255) {
    throw new StartError(`--sub must be 1 to 255 characters\n${usage}`);
  }
  return { sub, plan: planOf(plan, plans), email, expires: secondsOf(expires) };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    const help = { type: 'boolean' } as const;
    return parseArgs({ args, options: { sub: text, plan: text, email: text, expires: text, help } })
      .values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function planOf(text: string | undefined, plans: Plans): string | undefined {
  if (text === undefined || plans.has(text)) return text;
  throw new StartError(`--plan must be one of ${plans.names.join(', ')}\n${usage}`);
}

function secondsOf(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (units.get(unit) ?? Number.NaN);
  if (seconds > 0 && seconds <= longest) return seconds;
  throw new StartError(
    `--expires must be a time such as 30s, 15m, 1h or 7d, at most 365d\n${usage}`,
  );
}

/** Prints the token. */
async function run(): Promise<void> {
  loadEnvFile();
  const { dataDir, nodeEnv, authJwksUrl, plans } = loadConfig();
  const claims = claimsOf(process.argv.slice(2), plans);
  if (claims === null) {
    console.log(usage);
    return;
  }
  if (authJwksUrl !== null) {
    throw new StartError('AUTH_JWKS_URL is set: tokens come from that identity provider');
  }
  if (!hasIssuer(dataDir)) {
    throw new StartError(
      `nothing has run with the data folder ${resolve(dataDir)} yet: start the service first (npm start), or set DATA_DIR to the folder of the one that runs`,
    );
  }
  const issuer = await developmentIssuer(dataDir, nodeEnv);
  console.log(await issuer.token(claims));
}

try {
  await run();
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
