import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../actors/kernel/clock.ts';
import { isPlanName, type PlanName } from '../../config/plans.ts';
import { type ApiError, isApiError } from '../errors.ts';
import { Jwks, KeysUnavailable } from './jwks.ts';
import type { AuthLog } from './log.ts';
import { badToken, expiredToken, noToken, providerUnavailable } from './refusals.ts';

/** The identity provider whose tokens are believed. */
export interface IdentityProvider {
  /** Where its public keys are: `https:`, `http:`, or `file:` for the development issuer. */
  jwksUrl: string;
  /** `iss` of its tokens, exactly. */
  issuer: string;
  /** `aud` of the tokens that are meant for this service. */
  audience: string;
}

/** What a verified token says. */
export interface Identity {
  /** `sub`. */
  account: string;
  /** `plan`, or free. */
  plan: PlanName;
  /** `iat`, Unix seconds. */
  issued: number;
  email?: string;
}

/** Signatures that only the holder of a private key can make: with no shared secret, a public key proves nothing. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Seconds by which the clocks of provider and service may differ. */
const clockTolerance = 30;

/** Longest token; the server's header limit of 4 KiB comes first. */
const longest = 8_192;
/** OpenID Connect Core 2: a subject has 255 characters at most. */
const longestSubject = 255;
/** RFC 5321, 4.5.3.1. */
const longestEmail = 320;

const bearer = /^Bearer +([\w-]+\.[\w-]*\.[\w-]*)$/i;

/** Verifies the bearer tokens of one identity provider (RFC 7519, RFC 8725). */
export class Verifier {
  readonly #provider: IdentityProvider;
  readonly #clock: Clock;
  readonly #log: Pick<AuthLog, 'warn' | 'debug'>;
  readonly #jwks: Jwks;
  /** Plans that tokens have and this service has not, each logged once. */
  readonly #strange = new Set<string>();

  /** Throws TypeError when the key set's URL is none. */
  constructor(provider: IdentityProvider, clock: Clock, log: Pick<AuthLog, 'warn' | 'debug'>) {
    this.#provider = provider;
    this.#clock = clock;
    this.#log = log;
    this.#jwks = new Jwks(provider.jwksUrl, clock, log);
  }

  /** Whom the text of `Authorization` names. Never rejects. */
  async verify(authorization: string): Promise<Identity | ApiError> {
    if (authorization === '') return noToken;
    const token = authorization.length <= longest ? bearer.exec(authorization)?.[1] : undefined;
    if (token === undefined) return badToken;
    const payload = await this.#payload(token);
    return isApiError(payload) ? payload : this.#identity(payload);
  }

  async #payload(token: string): Promise<JWTPayload | ApiError> {
    try {
      const { payload } = await jwtVerify(token, (header, jws) => this.#jwks.find(header, jws), {
        issuer: this.#provider.issuer,
        audience: this.#provider.audience,
        algorithms,
        clockTolerance,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['sub', 'exp', 'iat'],
      });
      return payload;
    } catch (error) {
      if (error instanceof KeysUnavailable) return providerUnavailable;
      // jose's errors carry the claims: the code alone is told.
      const code = error instanceof errors.JOSEError ? error.code : 'not a token';
      this.#log.debug({ code }, 'bearer token refused');
      return error instanceof errors.JWTExpired ? expiredToken : badToken;
    }
  }

  #identity({ sub = '', iat = 0, plan, email }: JWTPayload): Identity | ApiError {
    if (sub === '' || sub.length > longestSubject) return badToken;
    const identity: Identity = { account: sub, plan: this.#planOf(plan), issued: iat };
    if (typeof email === 'string' && email.length <= longestEmail) identity.email = email;
    return identity;
  }

  #planOf(claim: unknown): PlanName {
    if (claim === undefined) return 'free';
    if (typeof claim === 'string' && isPlanName(claim)) return claim;
    const strange = JSON.stringify(claim).slice(0, 64);
    if (!this.#strange.has(strange) && this.#strange.size < 100) {
      this.#strange.add(strange);
      this.#log.warn({ plan: strange }, 'tokens have a plan that is not known: it counts as free');
    }
    return 'free';
  }
}
