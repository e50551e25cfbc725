/** The identity provider that the settings name. */
import type { Check, Config } from '../../config/config.ts';
import type { IdentityProvider } from '../../http/auth/identity.ts';
import { StartError } from './process.ts';

/**
 * The configured identity provider; null when there is none. Throws StartError when only a part of it is set, and
 * when it is the development issuer (a `file:` key set) in production.
 */
export function providerOf(
  settings: Pick<Config, 'authJwksUrl' | 'authIssuer' | 'authAudience' | 'nodeEnv'>,
): IdentityProvider | null {
  const { authJwksUrl, authIssuer, authAudience } = settings;
  if (authJwksUrl === null && authIssuer === null && authAudience === null) return null;
  if (authJwksUrl === null || authIssuer === null || authAudience === null) {
    throw new StartError(
      'AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE go together: set all three, or none',
    );
  }
  if (authJwksUrl.startsWith('file:')) refuseInProduction(settings.nodeEnv);
  return { jwksUrl: authJwksUrl, issuer: authIssuer, audience: authAudience };
}

/** The rule for the settings of the identity provider. */
export const providerCheck: Check = {
  env: 'AUTH_JWKS_URL',
  check: (config) => config.authMode === 'open' || providerOf(config),
};

/** Throws StartError where the development issuer must not run. */
export function refuseInProduction(nodeEnv: string | null): void {
  if (nodeEnv !== 'production') return;
  throw new StartError(
    'the development issuer does not run when NODE_ENV is production: set AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE of your identity provider',
  );
}
