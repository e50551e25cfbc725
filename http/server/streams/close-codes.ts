import type { CloseReason } from '../../endpoints/stream-counts.ts';
import { type ApiError, kindOf } from '../../wire/errors.ts';

/** Clients of a server that restarts come back within this time, each after a random part of it, ms. */
export const reconnectWithin = 10_000;

/** Reasons for the end of a connection. Codes from 4000 on are ours (RFC 6455, 7.4.2). */
export const closeCodes = {
  restart: [1012, 'the server restarts: connect again'],
  lost: [1012, 'frames of the exchange may be missing: connect again'],
  unauthorized: [4401, 'the API key is not valid'],
  unchecked: [1013, 'the API key cannot be checked at present: connect again'],
  idle: [4400, 'no key and no subscription within 10 seconds'],
  flood: [4429, 'more than 100 pings within a second'],
  slow: [4408, 'the client has read nothing for 30 seconds'],
  behind: [4409, 'the client reads more slowly than events come: some are not kept any more'],
} as const;

/** How a connection ends whose key is refused, or cannot be checked at present. */
export const keyFault = (error: ApiError): readonly [code: number, reason: string] =>
  kindOf(error).status < 500 ? closeCodes.unauthorized : closeCodes.unchecked;

/** The reason of a code. */
export const reasonOf = (code: number): CloseReason | undefined =>
  (Object.keys(closeCodes) as (keyof typeof closeCodes)[]).find(
    (name) => closeCodes[name][0] === code,
  );
