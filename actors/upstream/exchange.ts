/** One HTTP exchange over undici, from the request to the body as JSON or text, cut by its signal at any point. */
import type { Dispatcher } from 'undici';
import type { FailureCode } from '../failure.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import { messageOf } from '../read.ts';
import { BodyError, jsonOf, matchesIn, readBody, textOf } from './body.ts';
import type { Target } from './gateway.ts';
import type { Api, Around, SocketQuestion, UpstreamRequest } from './request.ts';
import { Socket } from './socket.ts';

const userAgent = 'tidemark';

const words = {
  timeout: 'no answer before the deadline',
  unanswered: 'this process is too busy to hear an answer before the deadline',
  stopped: 'abandoned',
};

/** The reason of an abort signal that cuts an exchange; `unanswered` where this process was too busy to hear an answer in time. */
export class AbortReason extends Error {
  override name = 'Cut';
  readonly code: keyof typeof words;

  constructor(code: keyof typeof words) {
    super(words[code]);
    this.code = code;
  }
}

/** Why a signal was aborted. */
export const reasonOf = ({ reason }: AbortSignal): AbortReason =>
  reason instanceof AbortReason ? reason : new AbortReason('stopped');

/** Aborts after `ms`: where timers are late, answers are read late as well. */
export function cutAfter(
  { clock, limits }: Pick<Around, 'clock' | 'limits'>,
  ms: number,
  cut: AbortController,
): Cancel {
  const due = clock.monotonic() + ms;
  return clock.after(ms, () => {
    const isLate = clock.monotonic() - due > limits.lag;
    cut.abort(new AbortReason(isLate ? 'unanswered' : 'timeout'));
  });
}

/** One exchange. */
export interface ExchangeOptions {
  dispatcher: Dispatcher;
  clock: Clock;
  target: Target;
  request: UpstreamRequest;
  /** Constant headers of the API. */
  headers: Api['headers'];
  /** Largest body, in bytes after decompression. */
  maxBody: number;
  /** Its reason, an AbortReason, is the code of the failure. */
  signal: AbortSignal;
}

/** The raw outcome of an exchange. */
export interface Reply {
  /** Unix ms before the first byte went out and after the last one came in. */
  asked: number;
  received: number;
  /** Null when no headers came. */
  status: number | null;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined unless all of it came and was JSON, or the text that was asked for. */
  body: unknown;
  /** The error that prevented headers or body, or made the body unreadable; null without one. */
  problem: { code: FailureCode; message: string } | null;
}

/** First value of a response header. */
export function header(headers: Reply['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Asks one host once. Never rejects: what goes wrong is the reply's `problem`. Follows no redirect. */
export async function exchange(options: ExchangeOptions): Promise<Reply> {
  const { clock, signal } = options;
  const asked = clock.now();
  const none = { asked, received: asked, status: null, headers: {}, body: undefined };
  const reply: Reply = { ...none, problem: null };
  let body: Buffer | null = null;
  try {
    const response = await orAborted(signal, request(options));
    reply.status = response.statusCode;
    reply.headers = response.headers;
    const encoding = header(reply.headers, 'content-encoding') ?? 'identity';
    const { maxBody: cap } = options;
    const { scan: pattern } = options.request;
    if (pattern && response.statusCode === 200) {
      reply.body = await orAborted(signal, matchesIn(response.body, encoding, { cap, pattern }));
    } else body = await orAborted(signal, readBody(response.body, encoding, cap));
  } catch (error) {
    reply.problem = problemOf(error, signal);
  }
  reply.received = clock.now();
  if (body) read(body, reply, options.request);
  return reply;
}

function request({ dispatcher, target, request, headers, signal }: ExchangeOptions) {
  const { method = 'GET', path, query = {}, body, text, bytes } = request;
  const pairs = Object.entries(query).map(([key, value]): [string, string] => [key, `${value}`]);
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  return dispatcher.request({
    origin: target.origin,
    path: `${target.prefix}${path}${search}`,
    method,
    signal,
    headers: {
      accept: text || bytes ? 'text/csv, text/plain, */*;q=0.5' : 'application/json',
      'accept-encoding': 'gzip, br, deflate',
      'user-agent': userAgent,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

/** undici sees an abort only once the request has a connection; a caller shall not wait for that. */
function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}

/** A whole body is decoded once and parsed once. */
function read(bytes: Buffer, reply: Reply, { text, bytes: isFile }: UpstreamRequest): void {
  if (isFile) {
    reply.body = bytes;
    return;
  }
  try {
    reply.body = text ? textOf(bytes, header(reply.headers, 'content-type')) : jsonOf(bytes);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    reply.problem = { code: error.code, message: error.message };
  }
}

function problemOf(error: unknown, signal: AbortSignal): Reply['problem'] {
  if (signal.aborted) {
    const { code, message } = reasonOf(signal);
    return { code, message };
  }
  if (error instanceof BodyError) return { code: error.code, message: error.message };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // Codes only: messages of sockets and of undici may hold addresses and header text.
  const detail = typeof code === 'string' ? ` (${code})` : '';
  const timeout = code === 'UND_ERR_CONNECT_TIMEOUT';
  return {
    code: timeout ? 'timeout' : 'network',
    message: timeout ? 'no connection in time' : `the connection failed${detail}`,
  };
}

/** Says what is to be said once the connection is open; the first message that is an answer is the body of the reply. Never rejects. */
export function socketExchange(
  { say, isAnswer }: SocketQuestion,
  { clock, target, request: { path }, maxBody, signal }: Omit<ExchangeOptions, 'dispatcher'>,
): Promise<Reply> {
  const asked = clock.now();
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const end = (more: Partial<Reply>) => {
    socket.kill();
    signal.removeEventListener('abort', abandon);
    const none = { status: null, headers: {}, body: undefined, problem: null };
    resolve({ asked, received: clock.now(), ...none, ...more });
  };
  const abandon = () => {
    const { code, message } = reasonOf(signal);
    end({ problem: { code, message } });
  };
  const socket = new Socket({
    url: `${target.origin.replace(/^http/, 'ws')}${target.prefix}${path}`,
    maxMessage: maxBody,
    onOpen: () => socket.send(say),
    onText(text) {
      const message = text === null ? null : messageOf(text);
      if (isAnswer(message)) end({ status: 200, body: message });
    },
    onEnd: (code) =>
      end({ problem: { code: 'network', message: `the connection ended (${code})` } }),
  });
  signal.addEventListener('abort', abandon, { once: true });
  if (signal.aborted) abandon();
  return promise;
}
