/** The opening of a WebSocket by a client with a key or a ticket. */
import type { HttpRequest, HttpResponse, us_socket_context_t } from 'uWebSockets.js';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import { names } from '../../wire/header-names.ts';
import { clientOf, missing } from '../admission-check.ts';
import { headOf, type Shared } from '../handling.ts';
import type { Sender } from '../sender.ts';
import { anonymous, type Identity, identityOf, refusalOf } from './credential.ts';

/** Who opens it. */
export interface Opener {
  address: string;
  /** Anonymous while its key is checked. */
  identity: Identity;
  /** The check of its key, where Redis must be asked. */
  checking: Promise<Identity | ApiError> | null;
}

/** A request for a WebSocket, and what answers it where it is refused. */
export interface Opening {
  shared: Shared;
  sender: Sender;
  res: HttpResponse;
  req: HttpRequest;
}

/** Answers with an error in place of the WebSocket. */
export function refuseOpening(
  { shared, sender, res, req }: Opening,
  address: string,
  error: ApiError,
): void {
  const admission = refusalOf(shared, { caller: null, address }, error);
  sender.error(res, { head: headOf(shared, req), admission, notes: '' }, error);
}

/** The client; null where it has no key though one is needed, or a wrong one: that is answered. */
export function openerOf(opening: Opening): Opener | null {
  const { shared, res, req } = opening;
  const address = clientOf(shared.guard, res, req);
  const ticket = new URLSearchParams(req.getQuery() ?? '').get('ticket') ?? '';
  const found = identityOf(shared, { key: req.getHeader(names.key), ticket }, address);
  const isUnknown = shared.guard.gate !== undefined && found === anonymous;
  const known = isUnknown ? missing.key : found;
  if (isApiError(known)) {
    refuseOpening(opening, address, known);
    return null;
  }
  return known instanceof Promise
    ? { address, identity: anonymous, checking: known }
    : { address, identity: known, checking: null };
}

/** Opens the WebSocket with the data of its connection. */
export function upgrade<Data>(
  { res, req }: Opening,
  context: us_socket_context_t,
  data: Data,
): void {
  const header = (name: string) => req.getHeader(`sec-websocket-${name}`);
  res.upgrade(data, header('key'), header('protocol'), header('extensions'), context);
}
