/** Answers and logs that are followed over a WebSocket, with connections that come back. */
import { patched } from './patch.ts';
import { backoff, type ClientOptions, isRecord, pause, type Socket } from './transport.ts';

/** A version of an answer. */
export interface Update<T> {
  data: T;
  version: string;
  /** When the newest reading in the data was received, Unix ms; null where it has no age. */
  asOf: number | null;
  /** When it was sent, Unix ms. */
  timestamp: number;
}

/** Events of a log, in its order. */
export interface Events<E> {
  /** Empty where a connection begins and there is nothing new. */
  events: readonly E[];
  /** The place after them, for `resume`. */
  position: string;
  /**
   * In the first message of a connection that goes on at a position: whether no event since then is missing. Null in all
   * other messages.
   */
  recovered: boolean | null;
  /** When it was sent, Unix ms. */
  timestamp: number;
}

export interface SubscribeOptions {
  /** Least milliseconds between two messages. */
  every?: number;
  /** The version or position that is known already, of an earlier subscription to the same path. */
  resume?: string;
  signal?: AbortSignal;
}

/** How the messages of a mode are read. */
interface Form<U> {
  mode: 'full' | 'patch' | 'log';
  /** How many messages wait for the loop at most; beyond that the newest replaces them, or the connection ends. */
  waiting: { most: number; beyond: 'replace' | 'end' };
  /** Null for a message that has no data; `lost` for one that says what has changed since a version that is not here. */
  read(message: Readonly<Record<string, unknown>>): U | null | 'lost';
  position(update: U): string;
}

function updateOf<T>(message: Readonly<Record<string, unknown>>, data: unknown): Update<T> {
  const { version, as_of, timestamp } = message;
  const asOf = typeof as_of === 'number' ? as_of : null;
  return { data: data as T, version: String(version), asOf, timestamp: Number(timestamp) };
}

/** The versions of an answer, of which the newest counts. */
export const versions = <T>(): Form<Update<T>> => ({
  mode: 'full',
  waiting: { most: 1, beyond: 'replace' },
  read(message) {
    const { type, data } = message;
    return type === 'snapshot' || type === 'update' ? updateOf(message, data) : null;
  },
  position: ({ version }) => version,
});

/** The same, of which the service sends what has changed. */
export function patches<T>(): Form<Update<T>> {
  let known: Update<T> | null = null;
  return {
    ...versions<T>(),
    mode: 'patch',
    read(message) {
      const { type, data, from, patch } = message;
      if (type === 'patch') {
        if (known === null || known.version !== from) return 'lost';
        known = updateOf(message, patched(known.data, patch));
      } else if (type === 'snapshot' || type === 'update') known = updateOf(message, data);
      else return null;
      return known;
    },
  };
}

/** The events of a log, of which each counts. */
export const events = <E>(): Form<Events<E>> => ({
  mode: 'log',
  waiting: { most: 100, beyond: 'end' },
  read({ type, events: list, position, recovered = null, timestamp }) {
    if (type !== 'events') return null;
    const about = { position: String(position), timestamp: Number(timestamp) };
    return { events: list as E[], recovered: recovered as boolean | null, ...about };
  },
  position: ({ position }) => position,
});

interface Subscribing<U> extends SubscribeOptions {
  WebSocket: ClientOptions['WebSocket'];
  url: string;
  key: string;
  /** The path of the answer with its query. */
  path: string;
  form: Form<U>;
}

/** A refusal that another connection would not mend. */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Errors of the service that may pass: the subscription goes on. */
const passing = new Set(['warming_up', 'overloaded', 'store_unavailable', 'upstream_failed']);
/** The service may still count the connection that was lost. */
const passingLater = 'too_many_requests';
/** The key is not valid any more. */
const unauthorized = 4401;

/** `readyState` of a connection that is open. */
const open = 1;

/** How often a connection is looked at, ms. The service answers a ping at once, so that a silence has a bound. */
const beat = 15_000;

/** One connection. What has arrived and was not taken: updates, a failure, its end. */
class Connection<U> {
  failure: Error | null = null;
  readonly #socket: Socket;
  readonly #form: Form<U>;
  /** It goes on where an earlier one was. */
  readonly #resumes: boolean;
  readonly #updates: U[] = [];
  readonly #beats: ReturnType<typeof setInterval>;
  #closed = false;
  /** What is here is not the version whose changes the service sends. */
  #isLost = false;
  /** Beats since the last message. */
  #silent = 0;
  #wake = () => {};
  /** How long to wait before the next connection, ms, where the service says it. */
  #wait: number | null = null;

  constructor({ url, key, path, every, form, WebSocket: Given }: Subscribing<U>, resume: string) {
    this.#form = form;
    this.#resumes = resume !== '';
    const wishes = { ...(every !== undefined && { every }), ...(this.#resumes && { resume }) };
    const Class = Given ?? globalThis.WebSocket;
    if (Class === undefined) {
      throw new SubscriptionError('no_websocket', 'no global WebSocket: give one as an option');
    }
    this.#socket = new Class(`${url.replace(/^http/, 'ws')}/v1/ws`);
    this.#beats = setInterval(() => this.#beat(), beat);
    // The end that follows tells it as well; without a listener the package `ws` throws.
    this.#socket.addEventListener('error', () => {});
    this.#socket.addEventListener('open', () => {
      if (key !== '') this.#send({ op: 'auth', key });
      this.#send({ op: 'subscribe', id: 1, path, mode: form.mode, ...wishes });
    });
    this.#socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
    this.#socket.addEventListener('close', ({ code, reason }) => {
      if (code === unauthorized) this.failure = new SubscriptionError('unauthorized', reason);
      this.close();
    });
  }

  /** The next update; undefined where there is none and none will come. */
  async next(): Promise<U | undefined> {
    // Not every message is something to take: the answer to the key is none.
    while (this.#updates.length === 0 && this.failure === null && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#updates.shift();
  }

  /** Where the next connection goes on after the last update that was taken. Throws what another connection would not mend. */
  resumeAfter(position: string): string {
    if (this.failure !== null) throw this.failure;
    return this.#isLost ? '' : position;
  }

  /** The pause before the next connection, ms. */
  pauseAfter(failures: number): number {
    return this.#wait ?? backoff(failures);
  }

  /** Takes nothing more. */
  readonly close = (): void => {
    this.#closed = true;
    clearInterval(this.#beats);
    this.#socket.close();
    this.#wake();
  };

  /**
   * Of a connection that is lost without a word no event tells. One that was silent for a whole beat is pinged; one that is still
   * silent at the next beat, or has not opened by then, has ended.
   */
  #beat(): void {
    this.#silent += 1;
    if (this.#silent > 2) this.close();
    else if (this.#silent === 2 && this.#socket.readyState === open) this.#send({ op: 'ping' });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  #take(message: unknown): void {
    this.#silent = 0;
    if (!isRecord(message) || this.#closed) return;
    if (message.type === 'reconnect') this.#wait = Number(message.wait);
    else if (message.type === 'error') this.#refused(message);
    const update = this.#form.read(message);
    if (update === 'lost') {
      this.#isLost = true;
      this.close();
    } else if (update !== null) this.#put(update);
    this.#wake();
  }

  #put(update: U): void {
    const { most, beyond } = this.#form.waiting;
    const isFull = this.#updates.length >= most;
    if (isFull && beyond === 'replace') this.#updates.length = 0;
    if (!isFull || beyond === 'replace') this.#updates.push(update);
    // What comes from here on is asked for again, after the last update that was taken.
    else this.close();
  }

  #refused({ code, message, timestamp }: Readonly<Record<string, unknown>>): void {
    const mayPass = passing.has(String(code)) || (this.#resumes && code === passingLater);
    if (!mayPass) this.failure = new SubscriptionError(String(code), String(message));
    // Without a time it is the subscription that was refused, not an answer that is missing for now.
    else if (timestamp === undefined) this.close();
  }
}

/** What is at a path, then what is new there, until the signal aborts or the service refuses. */
export async function* subscribe<U>(about: Subscribing<U>): AsyncGenerator<U, void, undefined> {
  const { signal = new AbortController().signal, resume = '', form } = about;
  let [position, failures] = [resume, 0];
  while (!signal.aborted) {
    const connection = new Connection(about, position);
    signal.addEventListener('abort', connection.close, { once: true });
    try {
      for (;;) {
        const update = await connection.next();
        if (signal.aborted) return;
        if (update === undefined) break;
        [position, failures] = [form.position(update), 0];
        yield update;
      }
      position = connection.resumeAfter(position);
    } finally {
      signal.removeEventListener('abort', connection.close);
      connection.close();
    }
    failures += 1;
    await pause(connection.pauseAfter(failures), signal).catch(() => {});
  }
}
