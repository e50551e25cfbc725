/** The one connection over which all panels follow their answers. */
import { patched } from '../../../clients/typescript/src/patch.ts';
import { credentials, isOpen, mayRead, refused } from './access.ts';
import { base, call, momentOf, Refusal } from './api.ts';
import { become, isLive } from './link.ts';
import { type Path, to } from './request.ts';

/** What a panel hears of the answer that it follows. */
export interface Follower<D> {
  /**
   * The whole data; what has not changed is the same object as before. `at`: when the newest reading was received, Unix ms by this
   * machine.
   */
  data(data: D, at: number | null): void;
  /** It is missing for now, or refused: why. */
  missing?(message: string, code: string): void;
}

interface Subscription extends Follower<unknown> {
  path: string;
  every: number;
  mode: 'patch' | 'log';
  held: unknown;
  position: string | undefined;
}

interface Message {
  type: string;
  id?: number;
  position?: string;
  as_of?: number;
  data?: unknown;
  patch?: unknown;
  events?: unknown;
  code?: string;
  message?: string;
  timestamp?: number;
  wait?: number;
}

/** Refusals of a subscription that pass: it is asked for again after this time, ms. */
const passing = {
  codes: ['overloaded', 'store_unavailable', 'too_many_requests', 'upstream_failed'],
  after: 15_000,
};

/** Silence after which the connection is asked for a sign of life, and then given up, ms. */
const beat = 15_000;
const longestPause = 15_000;

const subscriptions = new Map<number, Subscription>();
let lastId = 0;
let socket: WebSocket | null = null;
let failures = 0;
let pause: number | null = null;
let silent = 0;
let returning: ReturnType<typeof setTimeout> | undefined;
/** The connection that is on its way; null while none is. */
let opening: symbol | null = null;

const send = (message: object): void => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};

function ask(id: number, { path, every, mode, position }: Subscription): void {
  const resume = mode === 'log' ? position : undefined;
  send({ op: 'subscribe', id, path, mode, every, resume });
}

function take(message: Message): void {
  silent = 0;
  if (message.type === 'reconnect') pause = message.wait ?? null;
  const id = message.id ?? 0;
  const of = subscriptions.get(id);
  if (of === undefined) return;
  if (message.type !== 'error') {
    hand(of, message);
    return;
  }
  const { code = '', message: words = '', timestamp } = message;
  of.missing?.(words, code);
  // With a time it is the answer that is missing for now, and comes by itself.
  if (timestamp !== undefined || !passing.codes.includes(code)) return;
  const on = socket;
  setTimeout(() => {
    // Another connection has asked for it already.
    if (socket === on && subscriptions.get(id) === of) ask(id, of);
  }, passing.after);
}

/** Hands on an answer, or what has changed of it. */
function hand(of: Subscription, message: Message): void {
  const { type } = message;
  failures = 0;
  of.position = message.position;
  if (type === 'events') {
    of.data(message.events, Date.now());
    return;
  }
  if (type === 'snapshot' || type === 'update') of.held = message.data;
  else if (type === 'patch') of.held = patched(of.held, message.patch);
  else return;
  of.data(of.held, momentOf(message.as_of, message.timestamp));
}

function lost(code: number): void {
  socket = null;
  if (code === 4401) {
    refused();
    return;
  }
  failures += 1;
  const wait = pause ?? Math.min(longestPause, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
  pause = null;
  become(failures > 1 ? 'offline' : 'connecting');
  returning = setTimeout(() => void open(), wait);
}

/** The query that lets a connection in: a ticket in place of the credential, where one is needed. */
async function ticketOf(): Promise<string> {
  if (isOpen) return '';
  const { data } = await call(to('POST /v1/auth/ticket', {}), { headers: credentials() });
  return `?ticket=${data.ticket}`;
}

async function open(): Promise<void> {
  clearTimeout(returning);
  returning = undefined;
  // A page without a stream shows the state of the connection, too; a service without accounts ends one that follows nothing.
  if (!mayRead() || (isOpen && subscriptions.size === 0)) return;
  if (!isLive()) become('connecting');
  const own = Symbol();
  opening = own;
  const query = await ticketOf().catch((error: Error) => error);
  // Somebody has signed in or out meanwhile.
  if (opening !== own) return;
  opening = null;
  if (query instanceof Error) {
    if (query instanceof Refusal && query.status === 401) refused();
    else lost(0);
    return;
  }
  const made = new WebSocket(`${base.replace(/^http/, 'ws')}v1/ws${query}`);
  socket = made;
  made.addEventListener('open', () => {
    silent = 0;
    become('live');
    for (const [id, one] of subscriptions) ask(id, one);
  });
  made.addEventListener('message', ({ data }) => {
    if (socket === made) take(JSON.parse(data));
  });
  made.addEventListener('close', ({ code }) => {
    if (socket === made) lost(code);
  });
}

function connect(): void {
  if (socket === null && opening === null && returning === undefined) void open();
}

setInterval(() => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  silent += 1;
  if (silent > 2) socket.close();
  else send({ op: 'ping' });
}, beat);

/**
 * Follows the answer of a path until the function that is returned is called. `every`: least time between two messages, ms. `log`:
 * each event once, as lists.
 */
export function follow<D>(
  path: Path<D>,
  follower: Follower<D>,
  { every = 1_000, mode = 'patch' as Subscription['mode'] } = {},
): () => void {
  lastId += 1;
  const id = lastId;
  const listener: Follower<unknown> = follower;
  const made: Subscription = {
    path,
    every,
    mode,
    held: undefined,
    position: undefined,
    data: (...news) => listener.data(...news),
    missing: (...why) => listener.missing?.(...why),
  };
  subscriptions.set(id, made);
  if (socket?.readyState === WebSocket.OPEN) ask(id, made);
  else connect();
  return () => {
    subscriptions.delete(id);
    send({ op: 'unsubscribe', id });
  };
}

/**
 * Waits for the first version of an answer, until the function that is returned is called. A request that is refused would be an
 * error in the console of the browser; here the service asks again by itself.
 */
export function once<D>(path: Path<D>, follower: Follower<D>): () => void {
  const end = follow(path, {
    ...follower,
    data(...news) {
      end();
      follower.data(...news);
    },
  });
  return end;
}

/** Ends the connection; what is followed is asked for again by whoever is signed in then. */
export function reconnect(): void {
  const former = socket;
  socket = null;
  former?.close();
  clearTimeout(returning);
  returning = undefined;
  opening = null;
  failures = 0;
  become('connecting');
  connect();
}
