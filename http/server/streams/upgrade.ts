/** The opening of a WebSocket. */
import type { HttpRequest, HttpResponse, us_socket_context_t } from 'uWebSockets.js';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import { names } from '../../wire/header-names.ts';
import { clientOf, missing } from '../admission-check.ts';
import { beginVisit, headOf, type Shared } from '../handling.ts';
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
  { address, identity: { caller } }: Pick<Opener, 'address' | 'identity'>,
  error: ApiError,
): void {
  const admission = refusalOf(shared, { caller, address }, error);
  sender.error(res, { head: headOf(shared, req), admission, notes: '' }, error);
}

/** The client; null where it has no key though `needsKey`, or a wrong one: that is answered. */
export function openerOf(opening: Opening, needsKey: boolean): Opener | null {
  const { shared, res, req } = opening;
  shared.counters.begin();
  beginVisit(shared, res, req);
  const address = clientOf(shared.guard, res, req);
  const ticket = new URLSearchParams(req.getQuery() ?? '').get('ticket') ?? '';
  const found = identityOf(shared, { key: req.getHeader(names.key), ticket }, address);
  const isUnknown = needsKey && shared.guard.gate !== undefined && found === anonymous;
  const known = isUnknown ? missing.key : found;
  if (isApiError(known)) {
    refuseOpening(opening, { address, identity: anonymous }, known);
    return null;
  }
  return known instanceof Promise
    ? { address, identity: anonymous, checking: known }
    : { address, identity: known, checking: null };
}

/** The subprotocols that a client offers. */
export const offeredBy = ({ req }: Opening): string => req.getHeader('sec-websocket-protocol');

/** Opens the WebSocket with the data of its connection. */
export function upgrade<Data>(
  opening: Opening,
  context: us_socket_context_t,
  { data, protocol = offeredBy(opening) }: { data: Data; protocol?: string },
): void {
  const { res, req } = opening;
  const [key, more] = [
    req.getHeader('sec-websocket-key'),
    req.getHeader('sec-websocket-extensions'),
  ];
  res.upgrade(data, key, protocol, more, context);
}
