/** Who opens a stream: by an API key, or by a ticket in its place. */
import type { Caller } from '../../auth/caller.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
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

/** `address` is the client's, as the quotas have it. Never rejects. */
export async function identityOf(
  { guard }: Pick<Shared, 'guard'>,
  { key, ticket }: Credential,
  address: string,
): Promise<Identity | ApiError> {
  const { gate } = guard;
  if (gate === undefined) return anonymous;
  if (ticket !== '') return gate.byTicket(ticket, address);
  if (key === '') return anonymous;
  const caller = await gate.byKey(key, address);
  return isApiError(caller) ? caller : { caller, key };
}
