/** What is known of the connection of a client by WebSocket, and how it is reached. */
import type { WebSocket } from 'uWebSockets.js';
import type { Cancel } from '../../../actors/kernel/clock.ts';
import { mostWaiting } from '../../live/audience.ts';
import { encoded, type Format, type Id, idMember } from '../../live/message.ts';
import { type ApiError, errorMembers } from '../../wire/errors.ts';
import { closeCodes, reconnectWithin } from './close-codes.ts';
import type { Connection, Live } from './live.ts';
import type { Session, Transport } from './session.ts';
import type { Opener } from './upgrade.ts';

/** The data of a connection. */
export interface SocketData extends Opener {
  format: Format;
  connection: (Connection & { session: Session }) | null;
  /** The check of its key, for which the messages after it wait. */
  entering: Promise<void>;
  /** It has subscribed to nothing yet. */
  isUnsubscribed: boolean;
  /** Bytes that are counted as waiting for the client: those beyond what a connection may have. */
  held: number;
  /** Messages and pings that came since the client has stopped reading. */
  unread: number;
  pings: { count: number; since: number };
  /** Ends the wait for its key or first subscription. */
  introduced: Cancel;
  /** Messages that are worked on. */
  busy: number;
  open: boolean;
}

export type Socket = WebSocket<SocketData>;

export const errorText = (error: ApiError, id: Id | null): string =>
  `{"type":"error"${idMember(id)},${errorMembers(error)}}`;

/** Sends a message that is about no answer. */
export function sendText(socket: Socket, text: string): void {
  const { open, format } = socket.getUserData();
  if (open) socket.send(encoded(text, format), format === 'msgpack');
}

/**
 * Counts what waits for the client, and says whether that is more than a connection may have. It ends the connection of one for which
 * too much waits, over all its connections.
 */
export function weigh(socket: Socket, place: SocketData, { context }: Live): boolean {
  const waiting = socket.getBufferedAmount();
  const now = waiting > mostWaiting ? waiting : 0;
  if (now === place.held) return now > 0;
  const { unsent } = context.shared;
  unsent.release(place.address, place.held);
  const isHeld = unsent.hold(place.address, now);
  place.held = isHeld ? now : 0;
  if (isHeld) return now > 0;
  context.shared.counters.streams.closed('unsent');
  // A closing handshake would wait behind what is not read.
  socket.close();
  return true;
}

export function transportOf(socket: Socket, live: Live): Transport {
  const place = socket.getUserData();
  return {
    get full() {
      return socket.getBufferedAmount() > mostWaiting;
    },
    groups: {
      format: place.format,
      join: (group) => void socket.subscribe(group),
      leave: (group) => void (place.open && socket.unsubscribe(group)),
    },
    write({ id, options }, message, path) {
      const format = options.format ?? place.format;
      const bytes = message.bytes(id, path, format);
      const sent = socket.send(bytes, format === 'msgpack');
      live.context.shared.counters.streams.sent('socket', bytes.length);
      if (sent !== 1 && place.open) weigh(socket, place, live);
    },
    fail({ id }, error) {
      sendText(socket, errorText(error, id));
    },
    end(code, reason) {
      if (code === closeCodes.restart[0]) {
        const wait = Math.round(Math.random() * reconnectWithin);
        sendText(socket, `{"type":"reconnect","wait":${wait},"message":"${reason}"}`);
      }
      socket.end(code, reason);
    },
  };
}
