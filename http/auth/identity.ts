import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../actors/kernel/clock.ts';
import type { Plans } from '../../config/plans.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import { Jwks, KeysUnavailable } from './jwks.ts';
import type { AuthLog } from './log.ts';
import { badToken, expiredToken, noToken, providerUnavailable } from './refusals.ts';

/** The identity provider whose tokens are accepted. */
export interface IdentityProvider {
  /** URL of its public keys: `https:`, `http:`, or `file:` for the development issuer. */
  jwksUrl: string;
  /** `iss` of its tokens, exactly. */
  issuer: string;
  /** `aud` of the tokens that are meant for this service. */
  audience: string;
}

/** The claims of a verified token. */
export interface Identity {
  /** `sub`. */
  account: string;
  /** `plan`; `free` for an unknown plan, null when the token states none. */
  plan: string | null;
  /** `iat`, Unix seconds. */
  issued: number;
  /** `exp`, Unix ms. */
  until: number;
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
  readonly #plans: Plans;
  readonly #jwks: Jwks;
  /** Plans of tokens that this service does not know; each is logged once. */
  readonly #unknownPlans = new Set<string>();

  /** Throws TypeError when the URL of the key set is invalid. */
  constructor(
    provider: IdentityProvider,
    plans: Plans,
    clock: Clock,
    log: Pick<AuthLog, 'warn' | 'debug'>,
  ) {
    this.#provider = provider;
    this.#plans = plans;
    this.#clock = clock;
    this.#log = log;
    this.#jwks = new Jwks(provider.jwksUrl, clock, log);
  }

  /** The identity in the text of `Authorization`, or an error. Never rejects. */
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
      // The errors of jose contain the claims: only the code is logged.
      const code = error instanceof errors.JOSEError ? error.code : 'not a token';
      this.#log.debug({ code }, 'bearer token refused');
      return error instanceof errors.JWTExpired ? expiredToken : badToken;
    }
  }

  /** The signature proves the issuer of the claims, not that they have the types of RFC 7519. */
  #identity({ sub, iat = 0, exp = 0, plan, email }: JWTPayload): Identity | ApiError {
    if (!isSubject(sub)) return badToken;
    const facts = { account: sub, plan: this.#planOf(plan), issued: iat };
    const identity: Identity = { ...facts, until: exp * 1000 };
    if (typeof email === 'string' && email.length <= longestEmail) identity.email = email;
    return identity;
  }

  #planOf(claim: unknown): string | null {
    if (claim === undefined) return null;
    if (typeof claim === 'string' && this.#plans.has(claim)) return claim;
    const unknownPlan = JSON.stringify(claim).slice(0, 64);
    if (!this.#unknownPlans.has(unknownPlan) && this.#unknownPlans.size < 100) {
      this.#unknownPlans.add(unknownPlan);
      this.#log.warn(
        { plan: unknownPlan },
        'tokens have a plan that is not known: it counts as free',
      );
    }
    return 'free';
  }
}

/** A lone surrogate has no UTF-8 form: two such subjects would be one account in Redis. */
const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && sub.length <= longestSubject && sub.isWellFormed();
