/** Streams by WebSocket: /v1/ws. */
import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t } from 'uWebSockets.js';
import { mostWaiting } from '../../live/audience.ts';
import { formats, idMember } from '../../live/message.ts';
import { type ApiError, apiError, isApiError, kindOf } from '../../wire/errors.ts';
import { Sender } from '../sender.ts';
import { closeCodes, keyFault, reasonOf } from './close-codes.ts';
import { anonymous, type Identity, identityOf } from './credential.ts';
import type { Live } from './live.ts';
import { type Request, requestOf } from './request.ts';
import type { Session } from './session.ts';
import {
  errorText,
  type Socket,
  type SocketData,
  sendText,
  transportOf,
  weigh,
} from './socket-data.ts';
import { offeredBy, openerOf, refuseOpening, upgrade } from './upgrade.ts';

/** What a client may do with a connection. */
export const socketLimits = {
  /** Bytes of one of its messages. */
  message: 16 * 1024,
  /** Beyond this a connection is closed: the largest answer, of 16 MiB, and what may wait before it. */
  buffered: 17 * 1024 * 1024,
  /** Messages of one client that are worked on at once. */
  requests: 32,
  /** Messages and pings of a client that does not read, before its connection ends. */
  unread: 256,
  /** Pings of the protocol within a second, before its connection ends: each is answered. */
  pings: 100,
  /** Time in which a client must authenticate or subscribe, ms. */
  introduction: 10_000,
  /** Connections of one client address that have not subscribed to anything yet. */
  unsubscribed: 256,
} as const;

const tooMany = apiError('too_many_requests', 'too many connections without a subscription');

const unsubscribedOf = (address: string): string => `unsubscribed:${address}`;

function leaveUnsubscribed({ context }: Live, place: SocketData): void {
  if (place.isUnsubscribed) context.shared.inFlight.leave(unsubscribedOf(place.address));
  place.isUnsubscribed = false;
}

/** The session of a connection, made at its first use: a client may say its key in its first message. */
function sessionOf(socket: Socket, live: Live): Session | ApiError {
  const place = socket.getUserData();
  if (place.connection !== null) return place.connection.session;
  const { address, identity } = place;
  const session = live.open({ address, ...identity }, transportOf(socket, live));
  if (isApiError(session)) return session;
  leaveUnsubscribed(live, place);
  place.connection = { transport: 'socket', session, look: () => weigh(socket, place, live) };
  live.add(place.connection);
  return session;
}

const lateKey = apiError('bad_parameter', 'auth must be the first message of a connection');

async function enter(
  socket: Socket,
  live: Live,
  { id, credential }: Extract<Request, { op: 'auth' }>,
): Promise<void> {
  const place = socket.getUserData();
  const isFirst = place.connection === null;
  const found = isFirst
    ? await identityOf(live.context.shared, credential, place.address)
    : lateKey;
  if (isApiError(found)) return sendText(socket, errorText(found, id));
  place.identity = found;
  sendText(socket, `{"type":"authenticated"${idMember(id)}}`);
}

async function answer(socket: Socket, live: Live, request: Request): Promise<string | null> {
  const { op, id } = request;
  const place = socket.getUserData();
  if (op === 'ping') return `{"type":"pong"${idMember(id)}}`;
  if (op === 'auth') place.entering = enter(socket, live, request);
  await place.entering;
  if (op === 'auth' || !place.open) return null;
  const session = sessionOf(socket, live);
  if (isApiError(session)) return errorText(session, id);
  if (op === 'unsubscribe') {
    const known = session.unsubscribe(id);
    const unknown = apiError('bad_parameter', `there is no subscription ${JSON.stringify(id)}`);
    return known ? `{"type":"unsubscribed"${idMember(id)}}` : errorText(unknown, id);
  }
  const refusal = await session.subscribe(id, request.path, request.options);
  return refusal === null ? null : errorText(refusal, id);
}

/** Counts what a client sends while it reads nothing; true when that was too much, and its connection ends. */
function isUnread(socket: Socket, { context }: Live): boolean {
  const place = socket.getUserData();
  if (socket.getBufferedAmount() <= mostWaiting) return false;
  place.unread += 1;
  if (place.unread <= socketLimits.unread) return false;
  context.shared.counters.streams.closed('unread');
  // A closing handshake would wait behind what is not read.
  socket.close();
  return true;
}

function end(
  socket: Socket,
  { context }: Live,
  [code, reason]: readonly [code: number, reason: string],
): void {
  const why = reasonOf(code);
  if (why !== undefined) context.shared.counters.streams.closed(why);
  socket.end(code, reason);
}

/** uWebSockets.js has answered a ping: its pong waits for the client like any message. */
function onPing(socket: Socket, live: Live): void {
  const { context } = live;
  if (isUnread(socket, live)) return;
  const { pings } = socket.getUserData();
  const now = context.shared.clock.monotonic();
  if (now - pings.since >= 1_000) Object.assign(pings, { count: 0, since: now });
  pings.count += 1;
  if (pings.count > socketLimits.pings) end(socket, live, closeCodes.flood);
}

/** Ends the connection of a client that neither authenticates nor subscribes. */
function expectIntroduction(socket: Socket, live: Live): void {
  const place = socket.getUserData();
  place.introduced = live.context.shared.clock.after(socketLimits.introduction, () => {
    const isUnknown = place.connection === null && place.identity === anonymous;
    if (place.open && isUnknown) end(socket, live, closeCodes.idle);
  });
}

async function onMessage(socket: Socket, live: Live, bytes: ArrayBuffer): Promise<void> {
  const place = socket.getUserData();
  if (isUnread(socket, live)) return;
  const request = requestOf(Buffer.from(bytes).toString());
  if (isApiError(request)) return sendText(socket, errorText(request, request.id));
  if (place.busy >= socketLimits.requests)
    return sendText(socket, errorText(apiError('overloaded'), request.id));
  place.busy++;
  try {
    const text = await answer(socket, live, request);
    if (text !== null) sendText(socket, text);
  } catch (error) {
    live.context.shared.log.error({ route: '/v1/ws', err: error }, 'handler threw');
    sendText(socket, errorText(apiError('internal'), request.id));
  } finally {
    place.busy--;
  }
}

/** The subprotocol of a list that a client offers: the form of its messages; empty where it offers none of ours. */
const protocolOf = (offered: string): string =>
  offered
    .split(',')
    .map((name) => name.trim())
    .find((name) => formats.some((format) => format === name)) ?? '';

/** Ends a connection whose request had a key or ticket that is refused. */
async function check(
  socket: Socket,
  live: Live,
  checking: Promise<Identity | ApiError>,
): Promise<void> {
  const place = socket.getUserData();
  const found = await checking;
  if (!isApiError(found)) place.identity = found;
  else if (place.open) {
    sendText(socket, errorText(found, null));
    end(socket, live, keyFault(found));
  }
}

/**
 * Accepts a connection. A key in its request that is not in memory is checked after that: uWebSockets.js accepts a connection only inside
 * the handler of its request without a write outside of `cork`, and inside `cork` takes it for an HTTP response afterwards.
 */
function onUpgrade(
  { live, sender }: { live: Live; sender: Sender },
  res: HttpResponse,
  req: HttpRequest,
  context: us_socket_context_t,
): void {
  const { shared } = live.context;
  const opening = { shared, sender, res, req };
  const opener = openerOf(opening, false);
  if (opener === null) return;
  const { inFlight } = shared;
  if (!inFlight.enter(unsubscribedOf(opener.address), socketLimits.unsubscribed)) {
    refuseOpening(opening, opener, tooMany);
    return;
  }
  const protocol = protocolOf(offeredBy(opening));
  const data: SocketData = {
    ...opener,
    format: protocol === 'msgpack' ? protocol : 'json',
    connection: null,
    entering: Promise.resolve(),
    isUnsubscribed: true,
    held: 0,
    unread: 0,
    pings: { count: 0, since: 0 },
    introduced: () => {},
    busy: 0,
    open: true,
  };
  upgrade(opening, context, { data, protocol });
}

/** Serves /v1/ws. */
export function mountSocket(app: TemplatedApp, live: Live): void {
  const { shared } = live.context;
  const noEnvelope = {
    error: (error: ApiError) => ({ status: kindOf(error).status, body: errorText(error, null) }),
    errors: {},
  };
  const slot = shared.counters.socket;
  const sender = new Sender(shared, { slot, method: 'GET', access: 'key', noEnvelope });
  app.ws<SocketData>('/v1/ws', {
    maxPayloadLength: socketLimits.message,
    maxBackpressure: socketLimits.buffered,
    closeOnBackpressureLimit: true,
    idleTimeout: 60,
    upgrade: (...asked) => onUpgrade({ live, sender }, ...asked),
    message: (socket, bytes) => void onMessage(socket, live, bytes),
    open(socket) {
      const place = socket.getUserData();
      expectIntroduction(socket, live);
      if (place.checking !== null) place.entering = check(socket, live, place.checking);
    },
    ping: (socket) => onPing(socket, live),
    drain(socket) {
      const place = socket.getUserData();
      if (weigh(socket, place, live)) return;
      place.unread = 0;
      place.connection?.session.flush();
    },
    close(socket) {
      const place = socket.getUserData();
      place.open = false;
      place.introduced();
      live.context.shared.unsent.release(place.address, place.held);
      leaveUnsubscribed(live, place);
      if (place.connection !== null) live.remove(place.connection);
    },
  });
}
