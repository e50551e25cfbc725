/** The meaning of a reply: an answer, a definite refusal, a host that fails, or an API that wants a pause. */
import { type Failure, type FailureCode, failed, type Result, success } from '../failure.ts';
import { header, type Reply } from './exchange.ts';
import { asksForSilence, readFault, statusCode } from './faults.ts';
import { withoutSecrets } from './headers.ts';
import type { Api, UpstreamAnswer } from './request.ts';
import { retryAfter } from './retry.ts';

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
  if (failure === null) return { result: success({ body, asked, received }), concern: 'request' };
  const { code, message, ...more } = failure;
  const result = failed(code, `${label}: ${message}`, more);
  return { result, concern: concernOf(code, fault !== null) };
}

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

/** Whether a host may be to blame: not for a body that had to go for others' sake, nor for what this process did not hear. */
export const isOfHost = (code: FailureCode): boolean =>
  code !== 'stopped' && code !== 'over_budget' && code !== 'unanswered';

function concernOf(code: FailureCode, stated: boolean): Concern {
  if (!isOfHost(code)) return 'none';
  if (asksForSilence(code)) return 'api';
  return stated && (code === 'refused' || code === 'unknown_instrument') ? 'request' : 'host';
}
