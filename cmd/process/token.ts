/** Prints a token of the development issuer, and nothing else, on standard output. */
import { resolve } from 'node:path';
import { loadConfig, loadEnvFile } from '../../config/config.ts';
import { runCommand } from './command.ts';
import { developmentIssuer, hasIssuer } from './issuer.ts';
import { StartError } from './process.ts';
import { claimsOf, usage } from './token-claims.ts';

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
