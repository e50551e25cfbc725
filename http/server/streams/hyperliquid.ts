/**
 * Public channels in the form of Hyperliquid's own WebSocket: /compat/hyperliquid/ws. Keys, quotas and bounds are those of all streams;
 * frames come from the exchange as they are.
 */
import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_socket_context_t,
  WebSocket,
} from 'uWebSockets.js';
import { publicSubscription, subscriptionTypes } from '../../../actors/topics/hyperliquid-info.ts';
import type { RelayedChannels } from '../../answers/relayed.ts';
import { isApiError } from '../../wire/errors.ts';
import { Sender } from '../sender.ts';
import { closeCodes, keyFault } from './close-codes.ts';
import type { Connection, Live } from './live.ts';
import { mostSubscriptions, type Session, type Transport } from './session.ts';
import { count, shareOf, tooManySubscriptions } from './share.ts';
import { type Opener, openerOf, upgrade } from './upgrade.ts';

const path = '/compat/hyperliquid/ws';
/** Bytes of a message of a client, bytes that may wait for it, and messages of it that are worked on at once. */
const most = { message: 16 * 1024, waiting: 1024 * 1024, busy: 32 } as const;

interface SocketData extends Opener {
  connection: (Connection & { session: Session }) | null;
  /** What ends each subscription, by its normal form. */
  following: Map<string, () => void>;
  busy: number;
  open: boolean;
}

type Socket = WebSocket<SocketData>;

const refusedType = `only public channels are here: ${subscriptionTypes.join(', ')}, each with its documented fields and books ungrouped; ask Hyperliquid itself for users and orders`;

function say(socket: Socket, text: string): void {
  if (socket.getUserData().open) socket.send(text);
}

const transportOf = (socket: Socket): Transport => ({
  get full() {
    return socket.getBufferedAmount() > 0;
  },
  // Its channels are no subscriptions of the session.
  write() {},
  fail() {},
  end: (code, reason) => void socket.end(code, reason),
});

/** The group of all who are sent the frames of a subscription. */
const groupOf = (name: string): string => `hyperliquid ${name}`;

interface Message {
  method?: unknown;
  subscription?: unknown;
}

function messageOf(bytes: ArrayBuffer): Message | null {
  try {
    return Object(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return null;
  }
}

/** As those of the exchange with what it is about behind it, by which clients tell whose error it is. */
function errorText(sentence: string, message: Message | null = null): string {
  const about = sentence.startsWith('Already') ? message?.subscription : message;
  const data = about ? `${sentence}: ${JSON.stringify(about)}` : sentence;
  return JSON.stringify({ channel: 'error', data });
}

/** Serves the path out of what is passed on. */
export class HyperliquidSockets {
  readonly #live: Live;
  readonly #channels: RelayedChannels;
  readonly #sender: Sender;
  readonly #open = new Set<Socket>();

  constructor(live: Live, channels: RelayedChannels) {
    this.#live = live;
    this.#channels = channels;
    const { shared } = live.context;
    const slot = shared.counters.socket;
    this.#sender = new Sender(shared, { slot, method: 'GET', access: 'key' });
  }

  mount(app: TemplatedApp): void {
    const { streams } = this.#live.context.shared.counters;
    this.#channels.onFrame = (name, text) => {
      const members = app.numSubscribers(groupOf(name));
      app.publish(groupOf(name), text);
      streams.sent('socket', Buffer.byteLength(text), members);
    };
    this.#channels.onLost = () => {
      for (const socket of [...this.#open])
        if (socket.getUserData().following.size > 0) socket.end(...closeCodes.lost);
    };
    app.ws<SocketData>(path, {
      maxPayloadLength: most.message,
      maxBackpressure: most.waiting,
      closeOnBackpressureLimit: true,
      idleTimeout: 120,
      upgrade: (...asked) => this.#upgrade(...asked),
      open: (socket) => {
        this.#open.add(socket);
        void this.#begin(socket);
      },
      message: (socket, bytes) => void this.#hear(socket, messageOf(bytes)),
      close: (socket) => this.#end(socket),
    });
  }

  #upgrade(res: HttpResponse, req: HttpRequest, context: us_socket_context_t): void {
    const { shared } = this.#live.context;
    const opening = { shared, sender: this.#sender, res, req };
    const opener = openerOf(opening, true);
    if (opener === null) return;
    const data: SocketData = {
      ...opener,
      connection: null,
      following: new Map(),
      busy: 0,
      open: true,
    };
    upgrade(opening, context, { data });
  }

  /** The session of a connection, or null where it may have none: then it ends. */
  async #begin(socket: Socket): Promise<Session | null> {
    const data = socket.getUserData();
    const identity = (await data.checking) ?? data.identity;
    if (!data.open) return null;
    if (data.connection) return data.connection.session;
    if (isApiError(identity)) {
      socket.end(...keyFault(identity));
      return null;
    }
    const client = { address: data.address, ...identity };
    const session = this.#live.open(client, transportOf(socket));
    if (isApiError(session)) {
      say(socket, errorText(session.message));
      socket.end(1008, session.message);
      return null;
    }
    data.connection = { transport: 'socket', session, look: () => session.full };
    this.#live.add(data.connection);
    return session;
  }

  async #hear(socket: Socket, message: Message | null): Promise<void> {
    const data = socket.getUserData();
    if (message?.method === 'ping') return say(socket, '{"channel":"pong"}');
    const name = publicSubscription(message?.subscription);
    const { method } = message ?? {};
    if (name === null || (method !== 'subscribe' && method !== 'unsubscribe'))
      return say(socket, errorText(refusedType, message));
    if (data.busy >= most.busy) return say(socket, errorText('too many messages at once', message));
    data.busy += 1;
    const session = await this.#begin(socket);
    const refusal = session && (await this.#done(socket, { session, method, name }));
    data.busy -= 1;
    if (session === null) return;
    if (refusal) return say(socket, errorText(refusal, message));
    const { subscription } = message ?? {};
    say(
      socket,
      JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }),
    );
    if (method === 'subscribe') this.#follow(socket, name);
  }

  /** Does what a message asks for but for following the channel; the sentence with which it is refused, or null. */
  async #done(
    socket: Socket,
    { session, method, name }: { session: Session; method: string; name: string },
  ): Promise<string | null> {
    const { following } = socket.getUserData();
    const end = following.get(name);
    if (method === 'unsubscribe') {
      end?.();
      return end ? null : 'Already unsubscribed';
    }
    if (end) return 'Already subscribed';
    if (following.size >= mostSubscriptions)
      return `a connection takes ${mostSubscriptions} subscriptions`;
    const { context } = this.#live;
    const { client, account } = session;
    const refusal =
      (await count(context, client, 1)) ?? (await this.#channels.refusal(name, account));
    if (refusal) return refusal.message;
    if (following.has(name)) return 'Already subscribed';
    const share = shareOf(context, client);
    return context.shared.inFlight.enter(share.name, share.most)
      ? this.#place(socket, name, share.name)
      : tooManySubscriptions.message;
  }

  /** A subscription has its place, which `following` gives up. */
  #place(socket: Socket, name: string, share: string): null {
    const { following, open } = socket.getUserData();
    const { shared } = this.#live.context;
    const end = () => {
      if (!following.delete(name)) return;
      this.#channels.leave(name);
      if (socket.getUserData().open) socket.unsubscribe(groupOf(name));
      shared.inFlight.leave(share);
      shared.counters.streams.subscriptions -= 1;
    };
    if (!open) shared.inFlight.leave(share);
    else {
      following.set(name, end);
      shared.counters.streams.subscriptions += 1;
    }
    return null;
  }

  #follow(socket: Socket, name: string): void {
    const { open, following } = socket.getUserData();
    if (!open || !following.has(name)) return;
    const newest = this.#channels.follow(name);
    socket.subscribe(groupOf(name));
    if (newest !== null) say(socket, newest);
  }

  #end(socket: Socket): void {
    const data = socket.getUserData();
    data.open = false;
    this.#open.delete(socket);
    for (const end of [...data.following.values()]) end();
    if (data.connection) this.#live.remove(data.connection);
  }
}
