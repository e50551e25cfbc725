/** Messages of the Model Context Protocol between lines of text and POST /mcp of a server. */
import { isRecord } from '../../config/values.ts';
import {
  codes,
  errorReply,
  idIn,
  isRpcError,
  messageOf,
  type RpcError,
  type RpcId,
  type RpcMessage,
  rpcError,
} from '../../http/mcp/json-rpc.ts';
import { headersOf } from '../../http/mcp/versions.ts';

/** Largest answer, bytes. The largest that the server makes, its description, has a tenth of that. */
const longestAnswer = 16 * 2 ** 20;

export interface RelayOptions {
  /** Of POST /mcp. */
  url: URL;
  /** The key of the API; null without one. */
  key: string | null;
  /** Longest time from a message to the end of its answer, ms. */
  deadline: number;
  /** Messages that wait for their answers; more lines stay unread. */
  inFlight: number;
  /** Takes an answer, without the end of its line. */
  write(answer: string): void;
  /** Takes what no answer can say. */
  warn(text: string): void;
}

/** The lines of a text without their ends. */
export async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** The text of a body; an error where it is larger than an answer may be. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > longestAnswer) throw new Error(`its answer has more than ${longestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The JSON-RPC message in the body of an answer; null where there is none. */
function answerIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value.jsonrpc === '2.0' ? value : null;
  } catch {
    return null;
  }
}

/** Why a request failed: fetch says it in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message !== '' || !('code' in cause) ? cause.message : String(cause.code);
}

/** Relays the messages of one client. */
export class McpRelay {
  readonly #options: RelayOptions;
  /** The version that `initialize` agreed upon. */
  #version = '';
  readonly #open = new Map<RpcId, AbortController>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Relays each line. Resolves when there are no more and the last answer is written. */
  async relay(lines: AsyncIterable<string>): Promise<void> {
    for await (const line of lines) {
      this.#take(line);
      if (this.#running.size >= this.#options.inFlight) await Promise.race(this.#running);
    }
    await Promise.all(this.#running);
  }

  #take(line: string): void {
    if (line.trim() === '') return;
    const bytes = Buffer.from(line);
    const message = messageOf(bytes);
    if (isRpcError(message)) this.#fail(message, idIn(bytes));
    else if (message.method === 'notifications/cancelled') this.#cancel(message);
    else {
      const running = this.#send(message, line);
      this.#running.add(running);
      void running.finally(() => this.#running.delete(running));
    }
  }

  #fail(error: RpcError, id: RpcId | null): void {
    this.#options.write(errorReply(0, error, id).body ?? '');
  }

  /** The server sees that the connection ends. A cancelled request has no answer. */
  #cancel({ params: { requestId } }: RpcMessage): void {
    if (typeof requestId === 'string' || typeof requestId === 'number')
      this.#open.get(requestId)?.abort();
  }

  /** Never rejects. */
  async #send(message: RpcMessage, body: string): Promise<void> {
    const { url, deadline, warn } = this.#options;
    const { id } = message;
    const cancelled = new AbortController();
    if (id !== undefined) this.#open.set(id, cancelled);
    const limit = AbortSignal.timeout(deadline);
    try {
      const signal = AbortSignal.any([cancelled.signal, limit]);
      const response = await this.#post(message, body, signal);
      this.#answer(message, response, await textOf(response));
    } catch (error) {
      if (cancelled.signal.aborted) return;
      const why = limit.aborted ? `no answer within ${deadline / 1_000} s` : reasonOf(error);
      const text = `${url.origin}: ${why}`;
      if (id === undefined) warn(`${message.method}: ${text}`);
      else this.#fail(rpcError(codes.internal, text), id);
    } finally {
      if (id !== undefined && this.#open.get(id) === cancelled) this.#open.delete(id);
    }
  }

  #post(message: RpcMessage, body: string, signal: AbortSignal): Promise<Response> {
    const { url, key } = this.#options;
    const { version, method, name } = headersOf(message, this.#version);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(version !== '' && { 'mcp-protocol-version': version }),
      ...(method !== '' && { 'mcp-method': method }),
      ...(name !== '' && { 'mcp-name': name }),
    };
    // The key goes nowhere else.
    return fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  }

  #answer({ id, method }: RpcMessage, { status }: Response, text: string): void {
    const answer = answerIn(text);
    if (id === undefined) {
      if (status >= 400) this.#options.warn(`${method}: HTTP ${status}`);
      return;
    }
    if (answer === null) {
      const { origin } = this.#options.url;
      this.#fail(rpcError(status, `${origin} answers HTTP ${status} without JSON-RPC`), id);
      return;
    }
    const { result } = answer;
    if (method === 'initialize' && isRecord(result) && typeof result.protocolVersion === 'string')
      this.#version = result.protocolVersion;
    // A refusal of the service, such as that of a bad key, knows no id: the client would wait for its own.
    this.#options.write(JSON.stringify({ ...answer, id }));
  }
}
