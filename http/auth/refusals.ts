/** All errors of keys and tokens, made once, so that a refusal is as cheap as an answer. */
import { apiError } from '../wire/errors.ts';
import { mostReplaced } from './scripts.ts';

const retryAfter = 2;

/** Malformed, unknown or revoked: the client does not learn which. */
export const badKey = Object.freeze(
  apiError('unauthorized', 'the API key is not valid: send an active key in the X-API-Key header'),
);

/** Unknown, used or too old: the client does not learn which. */
export const badTicket = Object.freeze(
  apiError('unauthorized', 'the ticket is not valid: each works once, within a minute'),
);

/** Unknown, used or too old: the client does not learn which. */
export const badCode = Object.freeze(
  apiError('unauthorized', 'the code is not valid: each works once, within an hour'),
);

export const keysUnavailable = Object.freeze(
  apiError('overloaded', 'API keys cannot be checked at the moment, try again shortly', {
    retryAfter,
  }),
);

export const noToken = Object.freeze(
  apiError('unauthorized', 'a bearer token is required: send Authorization: Bearer TOKEN'),
);

/** A cookie alone names nothing: any page could cause a request that has it. */
export const noSession = Object.freeze(
  apiError('unauthorized', 'no session is named: send X-API-Key: session with its cookie'),
);

export const badToken = Object.freeze(apiError('unauthorized', 'the bearer token is not valid'));

export const expiredToken = Object.freeze(apiError('unauthorized', 'the bearer token has expired'));

export const noProvider = Object.freeze(
  apiError('unauthorized', 'bearer tokens are not accepted: no identity provider is configured'),
);

export const providerUnavailable = Object.freeze(
  apiError('overloaded', 'bearer tokens cannot be checked at the moment, try again shortly', {
    retryAfter,
  }),
);

export const storeUnavailable = Object.freeze(
  apiError('overloaded', 'the key store did not confirm in time, try again shortly', {
    retryAfter,
  }),
);

export const revocationUnconfirmed = Object.freeze(
  apiError(
    'overloaded',
    'the key store has not confirmed the revocation yet and goes on trying: repeat the request to be sure',
    { retryAfter },
  ),
);

export const noSuchKey = Object.freeze(apiError('not_found', 'you have no key with this id'));

export const badName = Object.freeze(
  apiError(
    'bad_parameter',
    'name must be 1 to 64 characters once trimmed, without control characters',
  ),
);

export const badIdempotencyKey = Object.freeze(
  apiError('bad_parameter', 'Idempotency-Key must be 1 to 255 printable ASCII characters'),
);

/** 422, as draft-ietf-httpapi-idempotency-key-header-07, 2.7, requires. */
export const idempotencyMismatch = Object.freeze(
  apiError('not_enough_data', 'this Idempotency-Key was used with another name'),
);

export const tooManyKeys = (limit: number) =>
  apiError('forbidden', `your plan allows ${limit} active API keys: revoke one first`);

/** Sessions and replaced keys end by themselves. */
export const endsAlready = Object.freeze(
  apiError('not_found', 'you have no key with this id that could be replaced: it may end already'),
);

export const tooManyReplaced = Object.freeze(
  apiError('forbidden', `${mostReplaced} replaced keys still work: revoke one first`),
);
