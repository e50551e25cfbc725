/** The one connection over which all panels follow their answers. */
import { patched } from '../../../clients/typescript/src/patch.ts';
import { credentials, isOpen, mayRead, refused } from './access.ts';
import { base, call, Refusal } from './api.ts';

/** What a panel hears of the answer that it follows. */
export interface Follower {
  /** The whole data; what has not changed is the same object as before. `asOf`: Unix ms. */
  data(data: unknown, asOf: number | null): void;
  /** It is missing for now, or refused: why. */
  missing?(message: string, code: string): void;
}

interface Subscription extends Follower {
  path: string;
  every: number;
  mode: 'patch' | 'log';
  held: unknown;
  position: string | undefined;
}

/** The connection as people read it. */
export type LinkState = 'live' | 'connecting' | 'offline';

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
let state: LinkState = 'offline';
let listener: (state: LinkState) => void = () => {};

function become(next: LinkState): void {
  state = next;
  listener(state);
}

/** Calls back with each state of the connection. */
export function onLink(tell: (state: LinkState) => void): void {
  listener = tell;
  tell(state);
}

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
  const of = subscriptions.get(message.id ?? 0);
  if (of === undefined) return;
  if (message.type === 'error') of.missing?.(message.message ?? '', message.code ?? '');
  else hand(of, message);
}

/** Hands on an answer, or what has changed of it. */
function hand(of: Subscription, message: Message): void {
  const { type, as_of = null, timestamp = null } = message;
  failures = 0;
  of.position = message.position;
  if (type === 'events') {
    of.data(message.events, timestamp);
    return;
  }
  if (type === 'snapshot' || type === 'update') of.held = message.data;
  else if (type === 'patch') of.held = patched(of.held, message.patch);
  else return;
  of.data(of.held, as_of);
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
  const headers = credentials();
  const { data } = await call('/v1/auth/ticket', { method: 'POST', headers });
  return `?ticket=${(data as { ticket: string }).ticket}`;
}

async function open(): Promise<void> {
  clearTimeout(returning);
  returning = undefined;
  if (subscriptions.size === 0 || !mayRead()) {
    become('offline');
    return;
  }
  if (state !== 'live') become('connecting');
  let query: string;
  try {
    query = await ticketOf();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) refused();
    else lost(0);
    return;
  }
  const made = new WebSocket(`${base.replace(/^http/, 'ws')}v1/ws${query}`);
  socket = made;
  made.addEventListener('open', () => {
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

/** The only reason for a first connection, or another one, to be under way. */
let opening = false;
function connect(): void {
  if (socket !== null || opening || returning !== undefined) return;
  opening = true;
  void open().finally(() => {
    opening = false;
  });
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
export function follow(
  path: string,
  follower: Follower,
  { every = 1_000, mode = 'patch' as Subscription['mode'] } = {},
): () => void {
  lastId += 1;
  const id = lastId;
  const made: Subscription = {
    path,
    every,
    mode,
    held: undefined,
    position: undefined,
    data: (...news) => follower.data(...news),
    missing: (...why) => follower.missing?.(...why),
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
export function once(path: string, follower: Follower): () => void {
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
  failures = 0;
  become('offline');
  connect();
}
