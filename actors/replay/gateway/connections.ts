/** The recorded connections of an exchange, and the sockets of the service that get what they brought. */
import type { WebSocket } from 'ws';
import type { OpenLine } from '../../sources/recording/format.ts';
import { channelsIn } from '../../sources/streams/subscriptions.ts';

/** A recorded connection that is open at the time of the replay. */
export interface OpenConnection {
  number: number;
  /** Host and path. */
  place: string;
  stream: string;
  /** What it has subscribed to. */
  channels: Set<string>;
  /** What it has heard besides data, before its file began. */
  earlier: readonly string[];
  /** The line of its file at which it is first there, and when it was opened, Unix microseconds. */
  line: number;
  since: number;
  sockets: Set<PlayedSocket>;
}

/** Host and path of a URL. */
export const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** Each channel of a message with what the message says besides, without numbers and times, which may differ. */
export function subscriptionsIn(text: string): string[] {
  const channels = channelsIn(text);
  const rest = channels.reduce((left, one) => left.replace(one, ''), text);
  return channels.map(
    (one) => `${rest.replaceAll(/[\d,]+/g, '')} ${one.replaceAll(/\d{10,}/g, '')}`,
  );
}

/** A socket of the service. */
export class PlayedSocket {
  readonly place: string;
  /** What it has subscribed to. */
  readonly channels = new Set<string>();
  of: OpenConnection | null = null;
  readonly #client: WebSocket;
  /** What waits until all that came before has been sent; null where nothing does. */
  #waiting: string[] | null = null;

  constructor(place: string, client: WebSocket) {
    this.place = place;
    this.#client = client;
  }

  push(text: string): void {
    if (this.#waiting) this.#waiting.push(text);
    else this.#client.send(text);
  }

  /** Sends what came before; what is pushed meanwhile comes after it. */
  async begin(earlier: AsyncIterable<string>): Promise<void> {
    const waiting: string[] = [];
    this.#waiting = waiting;
    for await (const text of earlier) this.#client.send(text);
    if (this.#waiting !== waiting) return;
    this.#waiting = null;
    for (const text of waiting) this.#client.send(text);
  }

  end(): void {
    this.#client.terminate();
  }
}

/** How many channels of a socket a connection has as well. */
const common = (socket: PlayedSocket, { channels }: OpenConnection): number =>
  [...socket.channels].filter((channel) => channels.has(channel)).length;

export class OpenConnections {
  readonly #open = new Map<number, OpenConnection>();
  readonly #sockets = new Set<PlayedSocket>();

  get(number: number): OpenConnection | undefined {
    return this.#open.get(number);
  }

  /** A connection is open. */
  open({ c: number, stream, url, t, since = t, sent = [], earlier = [] }: OpenLine, line: number) {
    const known = this.#open.get(number);
    const place = placeOf(url);
    const sockets = known?.sockets ?? new Set();
    const channels = new Set(sent.flatMap(subscriptionsIn));
    const made = { number, place, stream, channels, earlier, line, since, sockets };
    this.#open.set(number, made);
    for (const socket of sockets) socket.of = made;
  }

  /** A connection has ended: its sockets go on with another one that has the same subscriptions, or end. */
  end(number: number): void {
    const ended = this.#open.get(number);
    this.#open.delete(number);
    for (const socket of ended?.sockets ?? []) {
      socket.of = null;
      if (this.#find(socket) === undefined) socket.end();
    }
  }

  /** A connection has sent a text. */
  sent(number: number, text: string): void {
    const one = this.#open.get(number);
    for (const channel of subscriptionsIn(text)) one?.channels.add(channel);
  }

  /** Their sockets end; these connections have ended as well. */
  lose(isOver: (one: OpenConnection) => boolean): void {
    for (const one of this.#open.values()) {
      for (const socket of one.sockets) socket.end();
      if (isOver(one)) this.#open.delete(one.number);
    }
  }

  add(socket: PlayedSocket): void {
    this.#sockets.add(socket);
  }

  remove(socket: PlayedSocket): void {
    this.#sockets.delete(socket);
    socket.of?.sockets.delete(socket);
  }

  /** Gives a connection to sockets that have none, and names those that have got one. */
  matched(): PlayedSocket[] {
    return [...this.#sockets].filter((socket) => {
      const found = socket.of === null ? this.#find(socket) : undefined;
      if (found === undefined) return false;
      socket.of = found;
      found.sockets.add(socket);
      return true;
    });
  }

  /** The connection that has most of the channels of a socket; undefined where none has any. */
  #find(socket: PlayedSocket): OpenConnection | undefined {
    return [...this.#open.values()]
      .filter((one) => one.place === socket.place && common(socket, one) > 0)
      .sort((a, b) => common(socket, b) - common(socket, a) || a.sockets.size - b.sockets.size)[0];
  }
}
