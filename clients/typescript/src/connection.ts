/** The connection that all subscriptions of a client share. */
import { SubscriptionError } from './errors.ts';
import { isRecord } from './record.ts';
import { backoff, type ClientOptions, type Socket } from './transport.ts';
import type { ErrorCode } from './types.ts';

export type Message = Readonly<Record<string, unknown>>;

/** A subscription as the connection sees it. */
export interface Member {
  /** What it asks for, whenever a connection opens. */
  wishes(): object;
  take(message: Message): void;
  /** It has ended, and no other connection would mend that. */
  fail(error: SubscriptionError): void;
}

/** Errors of the service that may pass. */
const passing = new Set(['warming_up', 'overloaded', 'store_unavailable', 'upstream_failed']);
export const mayPass = (code: unknown): boolean => passing.has(String(code));

export const errorOf = ({ code, message }: Message): SubscriptionError =>
  new SubscriptionError(code as ErrorCode, String(message));

/** The code of the end of a connection whose key is not valid any more. */
const unauthorized = 4401;

/** `readyState` of a connection that is open. */
const open = 1;

/** How often a connection is looked at, ms. The service answers a ping at once, so that a silence has a bound. */
const beat = 15_000;

/** It is open while it has members, and comes back when it is lost: then each member is asked for again. */
export class Connection {
  readonly #options: ClientOptions;
  /** By the id of their subscription, which is never used again. */
  readonly #members = new Map<number, Member>();
  #lastId = 0;
  /** Ids that were sent, and that no message has named yet. */
  readonly #unheard = new Set<number>();
  #socket: Socket | null = null;
  /** The service has taken the key. */
  #isReady = false;
  /** Connections since the last message of a subscription. */
  #failures = 0;
  /** How long to wait before the next connection, ms, where the service says it. */
  #wait: number | null = null;
  /** Beats since the last message. */
  #silent = 0;
  #beats: ReturnType<typeof setInterval> | undefined;
  #return: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Subscribes; gives the id of the subscription. Throws where no connection can be made. */
  add(member: Member): number {
    if (this.#socket === null && this.#return === undefined) this.#open();
    this.#lastId += 1;
    this.#members.set(this.#lastId, member);
    if (this.#isReady) this.#subscribe(this.#lastId, member);
    return this.#lastId;
  }

  /** Subscribes anew in place of an earlier subscription. */
  renew(id: number, member: Member): number {
    this.#members.delete(id);
    if (this.#isReady) this.#send({ op: 'unsubscribe', id });
    return this.add(member);
  }

  /** Ends a subscription; the last one ends the connection. */
  remove(id: number): void {
    if (!this.#members.delete(id)) return;
    if (this.#members.size === 0) this.#close();
    else if (this.#isReady) this.#send({ op: 'unsubscribe', id });
  }

  #open(): void {
    const { url, key = '', WebSocket: Class = globalThis.WebSocket } = this.#options;
    if (Class === undefined) {
      throw new SubscriptionError('no_websocket', 'no global WebSocket: give one as an option');
    }
    const socket: Socket = new Class(`${url.replace(/\/+$/, '').replace(/^http/, 'ws')}/v1/ws`);
    this.#socket = socket;
    this.#silent = 0;
    this.#beats = setInterval(() => this.#beat(), beat);
    // What an earlier connection still tells is about nothing that is here.
    const isHere = () => this.#socket === socket;
    // The end that follows tells it as well; without a listener the package `ws` throws.
    socket.addEventListener('error', () => {});
    socket.addEventListener('open', () => {
      if (isHere() && key !== '') this.#send({ op: 'auth', key });
      else if (isHere()) this.#ready();
    });
    socket.addEventListener('message', ({ data }) => {
      if (isHere()) this.#heard(String(data));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (!isHere()) return;
      if (code === unauthorized) this.#failAll(new SubscriptionError('unauthorized', reason));
      else this.#lost();
    });
  }

  #ready(): void {
    this.#isReady = true;
    for (const [id, member] of this.#members) this.#subscribe(id, member);
  }

  #subscribe(id: number, member: Member): void {
    this.#unheard.add(id);
    this.#send({ op: 'subscribe', id, ...member.wishes() });
  }

  #send(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #heard(text: string): void {
    this.#silent = 0;
    try {
      this.#take(JSON.parse(text));
    } catch (error) {
      const message = `a message cannot be read: ${error}`;
      this.#failAll(new SubscriptionError('internal', message, error));
    }
  }

  #take(message: unknown): void {
    if (!isRecord(message)) return;
    const { type, id } = message;
    if (type === 'authenticated') this.#ready();
    else if (type === 'reconnect') this.#wait = Number(message.wait);
    else if (id !== undefined) this.#handOn(Number(id), message);
    else if (type !== 'error') return;
    else if (mayPass(message.code)) this.#lost();
    else this.#failAll(errorOf(message));
  }

  #handOn(id: number, message: Message): void {
    const member = this.#members.get(id);
    const isError = message.type === 'error';
    if (!isError) this.#failures = 0;
    if (member !== undefined) {
      this.#unheard.delete(id);
      member.take(message);
    } else if (!isError && this.#unheard.delete(id) && message.type !== 'unsubscribed') {
      // The service had not begun it when it was asked to end it, and knew no such subscription then.
      this.#send({ op: 'unsubscribe', id });
    }
  }

  #failAll(error: SubscriptionError): void {
    const members = [...this.#members.values()];
    this.#members.clear();
    this.#close();
    for (const member of members) member.fail(error);
  }

  #close(): void {
    const socket = this.#socket;
    clearInterval(this.#beats);
    clearTimeout(this.#return);
    this.#return = undefined;
    this.#socket = null;
    this.#isReady = false;
    this.#unheard.clear();
    socket?.close();
  }

  #lost(): void {
    this.#close();
    this.#failures += 1;
    const wait = this.#wait ?? backoff(this.#failures);
    this.#wait = null;
    this.#return = setTimeout(() => {
      this.#return = undefined;
      this.#open();
    }, wait);
  }

  /**
   * Of a connection that is lost without a word no event tells. One that was silent for a whole beat is pinged; one that is still
   * silent at the next beat, or has not opened by then, has ended.
   */
  #beat(): void {
    this.#silent += 1;
    if (this.#silent > 2) this.#lost();
    else if (this.#silent === 2 && this.#socket?.readyState === open) this.#send({ op: 'ping' });
  }
}
