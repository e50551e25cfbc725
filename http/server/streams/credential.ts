/** Who opens a stream: by an API key, or by a ticket in its place. */
import type { Caller } from '../../auth/caller.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import { quotaLines } from '../../wire/form.ts';
import { Admission } from '../admission.ts';
import type { Shared } from '../handling.ts';

/** One of the two; the other is empty. */
export interface Credential {
  key: string;
  ticket: string;
}

/** The caller, and the text by which the gate knows whether the key holds still; nothing of it where all access is open. */
export interface Identity {
  caller: Caller | null;
  key: string;
}

export const anonymous: Identity = { caller: null, key: '' };

/** `address` is the client's, as the quotas have it. A promise where Redis must be asked; it never rejects. */
export function identityOf(
  { guard }: Pick<Shared, 'guard'>,
  { key, ticket }: Credential,
  address: string,
): Identity | ApiError | Promise<Identity | ApiError> {
  const { gate } = guard;
  if (gate === undefined) return anonymous;
  if (ticket !== '') return gate.byTicket(ticket, address);
  if (key === '') return anonymous;
  const of = (caller: Caller | ApiError) => (isApiError(caller) ? caller : { caller, key });
  const found = gate.byKey(key, address);
  return found instanceof Promise ? found.then(of) : of(found);
}

/** A request for a stream that is refused, with the quota of its account, or of its address without one: it is not counted. */
export function refusalOf(
  { guard: { quota } }: Pick<Shared, 'guard'>,
  { caller, address }: { caller: Caller | null; address: string },
  error: ApiError,
): Admission {
  if (quota === undefined) return new Admission(error, caller, '');
  const lines =
    caller === null ? quota.peek(address) : quotaLines(quota.account(caller).state(false));
  return new Admission(error, caller, lines);
}
