/** The meaning of a reply: an answer, a definite refusal, a host that fails, or an API that wants a pause. */
import { type Failure, type FailureCode, failed, type Result, success } from '../failure.ts';
import { header, type Reply } from './exchange.ts';
import { asksForSilence, readFault, statusCode } from './faults.ts';
import type { Api, UpstreamAnswer } from './request.ts';

/** Longest wait an upstream can impose, ms: Binance bans for up to three days. */
export const maxRetryAfter = 259_200_000;

/** The subject of a reply's outcome. */
export type Concern =
  /** The host works; the result stands, good or bad. */
  | 'request'
  /** This host fails; another may not. */
  | 'host'
  /** All hosts together: they share the quota of our address. */
  | 'api'
  /** None of them: the request was abandoned before its outcome was known. */
  | 'none';

export interface Verdict {
  result: Result<UpstreamAnswer>;
  concern: Concern;
}

/** The properties of an API that its errors are read with. */
type FaultReader = Pick<Api, 'faults' | 'headers'>;

/** The API's own error table goes first; 429 and 418 mean a pause, whatever the body contains. */
export function judge(reply: Reply, api: FaultReader, label: string): Verdict {
  const { status, problem, body, asked, received } = reply;
  const readable = problem === null || (status === 404 && problem.code === 'shape');
  const fault = status !== null && readable ? faultOf(api, status, body) : null;
  const failure = failureOf(reply, fault);
  if (failure === null) {
    const age = ageOf(reply);
    const answer = { body, asked, received, ...(age > 0 && { age }) };
    return { result: success(answer), concern: 'request' };
  }
  const { code, message, ...more } = failure;
  const result = failed(code, `${label}: ${message}`, more);
  return { result, concern: concernOf(code, fault !== null) };
}

/** Milliseconds that a cache has held a reply (RFC 9111 section 5.1); 0 where no cache says so. */
const ageOf = ({ headers }: Reply): number =>
  /^\d{1,9}$/.test(header(headers, 'age') ?? '') ? Number(header(headers, 'age')) * 1_000 : 0;

/** A body that its own reader cannot read is not of the documented shape. */
function faultOf(api: FaultReader, status: number, body: unknown): Failure | null {
  try {
    const fault = readFault(api, status, body);
    return fault && { ...fault, message: withoutSecrets(fault.message, api.headers) };
  } catch {
    return { code: 'shape', message: 'the body is not of the documented shape' };
  }
}

function failureOf(reply: Reply, fault: Failure | null): Failure | null {
  const { status, problem, headers, received } = reply;
  if (status === null) return problem;
  const byStatus = statusCode(status);
  const plain = byStatus ? { code: byStatus, message: `status ${status}` } : problem;
  const silent = asksForSilence(byStatus) && !asksForSilence(fault?.code);
  if ((problem?.code === 'stopped' || problem?.code === 'over_budget') && !silent) return problem;
  const failure = silent ? plain : (fault ?? plain);
  if (failure === null) return null;
  const wait = fault?.retryAfter ?? retryAfter(header(headers, 'retry-after'), received);
  return {
    code: failure.code,
    message: failure.message,
    status,
    ...(wait !== undefined && { retryAfter: wait }),
  };
}

function concernOf(code: FailureCode, stated: boolean): Concern {
  // A body had to go for others' sake, or this process did not hear it.
  if (code === 'stopped' || code === 'over_budget' || code === 'unanswered') return 'none';
  if (asksForSilence(code)) return 'api';
  return stated && (code === 'refused' || code === 'unknown_instrument') ? 'request' : 'host';
}

/**
 * True for failures that may pass by themselves within seconds: a broken connection, a try cut by its time, and
 * `unavailable` (5xx, 408, 425). Every request is a read, POST included, so a repeat does no harm.
 */
export const isRetryable = ({ code }: Pick<Failure, 'code'>): boolean =>
  code === 'network' || code === 'timeout' || code === 'unavailable';

/**
 * Milliseconds that a Retry-After header asks for, at most `maxRetryAfter`; undefined when it is absent,
 * unreadable or already over. Both forms of RFC 9110 section 10.2.3; `now` is Unix ms.
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : httpDate(text) - now;
  return wait > 0 ? Math.min(Math.ceil(wait), maxRetryAfter) : undefined;
}

/** Unix ms, or NaN. The oldest of the three forms names no zone and means GMT. */
function httpDate(text: string): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

/** Shorter words are no credentials, and may occur in any message. */
const shortestSecret = 8;

/**
 * The message with stars for the values of an API's headers and for every word of them: an upstream may quote the key that it
 * refuses, without the `Bearer` in front of it.
 */
export function withoutSecrets(message: string, headers: Api['headers'] = {}): string {
  return Object.values(headers)
    .flatMap((value) => [value, ...value.split(/[ ,;="]+/)])
    .filter((word) => word.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, '***'), message);
}
