/** Prints a token of the development issuer, and nothing else, on standard output. */
import { resolve } from 'node:path';
import { loadConfig, loadEnvFile } from '../../config/config.ts';
import type { Plans } from '../../config/plans.ts';
import { Given, runCommand } from './command.ts';
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

/** The claims that the arguments ask for. Throws StartError when they do not say. */
function claimsOf(args: readonly string[], plans: Plans): TokenClaims {
  const given = new Given(args, usage, { values: ['sub', 'plan', 'email', 'expires'] });
  const sub = given.get('sub') ?? '';
  const plan = given.get('plan');
  const expires = secondsOf(given.get('expires') ?? '1h');
  if (sub === '' || sub.length > 255) throw given.fault('--sub must be 1 to 255 characters');
  if (plan !== undefined && !plans.has(plan))
    throw given.fault(`--plan must be one of ${plans.names.join(', ')}`);
  if (expires === null)
    throw given.fault('--expires must be a time such as 30s, 15m, 1h or 7d, at most 365d');
  return { sub, plan, email: given.get('email'), expires };
}

function secondsOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (units.get(unit) ?? Number.NaN);
  return seconds > 0 && seconds <= longest ? seconds : null;
}

/** Prints the token. */
async function run(args: readonly string[]): Promise<void> {
  loadEnvFile();
  const { dataDir, nodeEnv, authJwksUrl, plans } = loadConfig();
  const claims = claimsOf(args, plans);
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

await runCommand(usage, run);
