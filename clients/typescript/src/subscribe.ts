/** An answer that is followed over a WebSocket, with connections that come back. */
import { backoff, isRecord, pause } from './transport.ts';

/** A version of an answer. */
export interface Update<T> {
  data: T;
  version: string;
  /** When the newest reading in the data was received, Unix ms; null where it has no age. */
  asOf: number | null;
  /** When it was sent, Unix ms. */
  timestamp: number;
}

interface Subscribing {
  url: string;
  key: string;
  /** The path of the answer with its query. */
  path: string;
  every?: number;
  signal?: AbortSignal;
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
/** The key is not valid any more. */
const unauthorized = 4401;

/** One connection. What has arrived and was not taken: the newest version, a failure, its end. */
class Connection<T> {
  update: Update<T> | null = null;
  failure: Error | null = null;
  closed = false;
  readonly #socket: WebSocket;
  #wake = () => {};
  /** How long to wait before the next connection, ms, where the service says it. */
  #wait: number | null = null;

  constructor({ url, key, path, every }: Subscribing, resume: string) {
    const wishes = { ...(every !== undefined && { every }), ...(resume !== '' && { resume }) };
    this.#socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws`);
    this.#socket.addEventListener('open', () => {
      if (key !== '') this.#send({ op: 'auth', key });
      this.#send({ op: 'subscribe', id: 1, path, ...wishes });
    });
    this.#socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
    this.#socket.addEventListener('close', ({ code, reason }) => {
      if (code === unauthorized) this.failure = new SubscriptionError('unauthorized', reason);
      this.closed = true;
      this.#wake();
    });
  }

  /** Resolves when there is something to take. */
  async filled(): Promise<void> {
    // Not every message is something to take: the answer to the key is none.
    while (this.update === null && this.failure === null && !this.closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The pause before the next connection, ms. */
  pauseAfter(failures: number): number {
    return this.#wait ?? backoff(failures);
  }

  readonly close = (): void => this.#socket.close();

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  #take(message: unknown): void {
    if (!isRecord(message)) return;
    const { type, data, version, as_of, timestamp, code } = message;
    if (type === 'reconnect') this.#wait = Number(message.wait);
    else if (type === 'snapshot' || type === 'update') {
      const asOf = typeof as_of === 'number' ? as_of : null;
      const times = { version: String(version), asOf, timestamp: Number(timestamp) };
      this.update = { data: data as T, ...times };
    } else if (type === 'error' && !passing.has(String(code))) {
      this.failure = new SubscriptionError(String(code), String(message.message));
    }
    this.#wake();
  }
}

/** An answer, then each new version of it, until the signal aborts or the service refuses. */
export async function* subscribe<T>(
  about: Subscribing,
): AsyncGenerator<Update<T>, void, undefined> {
  const { signal = new AbortController().signal } = about;
  let [version, failures] = ['', 0];
  while (!signal.aborted) {
    const connection = new Connection<T>(about, version);
    signal.addEventListener('abort', connection.close, { once: true });
    try {
      for (;;) {
        await connection.filled();
        if (signal.aborted) return;
        const { update } = connection;
        connection.update = null;
        if (update === null) break;
        [version, failures] = [update.version, 0];
        yield update;
      }
      if (connection.failure !== null) throw connection.failure;
    } finally {
      signal.removeEventListener('abort', connection.close);
      connection.close();
    }
    failures += 1;
    await pause(connection.pauseAfter(failures), signal).catch(() => {});
  }
}
