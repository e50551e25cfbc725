/** One upstream of the wallets, asked on demand with the client of the process; answers are parsed on arrival. */
import { type Failure, failed, type Result, ShapeError, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream/request.ts';

/** The account and the deadline (monotonic ms) of the query that a request belongs to. */
export interface QuestionScope {
  until: number;
  account: string;
}

export interface Source {
  /** As people write it. */
  name: string;
  client: Pick<HttpClient, 'send'>;
  clock: Clock;
  /** Abandons all that is under way. */
  signal: AbortSignal;
}

/** One request. Upstream trouble is a value; `read` throws ShapeError where the body is not what is documented. */
export async function ask<T>(
  { name, client, clock, signal }: Source,
  request: UpstreamRequest,
  { until, account }: QuestionScope,
  read: (answer: UpstreamAnswer) => T,
): Promise<Result<T>> {
  const deadline = until - clock.monotonic();
  const result = await client.send(request, { deadline, signal, account });
  if (!result.ok) return result;
  try {
    return success(read(result.value));
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return failed('shape', `${name}: ${error.message}`);
  }
}

const closing: ReadonlySet<Failure['code']> = new Set([
  'rate_limited',
  'banned',
  'blocked',
  'over_budget',
]);
/** Unauthorized, payment required, forbidden, gone. */
const closingStatuses: ReadonlySet<number> = new Set([401, 402, 403, 410]);

/**
 * True where a service is not to be had by us: a wrong key, a quota used up, too many requests, an address or a path
 * that is not served any more. It works, and asking again does not help; other failures are failures of the service.
 */
export const isClosed = ({ code, status }: Failure): boolean =>
  closing.has(code) || (code === 'refused' && closingStatuses.has(status ?? 0));
