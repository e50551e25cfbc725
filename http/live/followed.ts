/** Whether an answer, or the log of one, can be followed. */
import type { LogQuery } from '../answers/numbered-log.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import type { Target } from './paths.ts';
import type { Topics } from './topics.ts';

const noLog = apiError(
  'bad_parameter',
  'mode=log is for the newest liquidations, trades and events of alerts',
);

/** The log of an answer; the error where it has none. `account` as `accountIdOf` gives it. */
export function logOf({ endpoint, values }: Target, account: string): LogQuery | ApiError {
  return endpoint.run.log?.(values, account) ?? noLog;
}

/** Errors of what is asked for; others pass. */
const asked: ReadonlySet<string> = new Set([
  'bad_parameter',
  'not_found',
  'unknown_symbol',
  'unknown_exchange',
]);

/** The error of an answer from memory that there will not be; null where there is one, or may be. */
function askedFault({ endpoint: { run }, values }: Target): ApiError | null {
  const answer = 'now' in run ? run.now(values) : null;
  return answer !== null && isApiError(answer) && asked.has(answer.error) ? answer : null;
}

/** The error where the answer at a path, or its log, cannot be followed; null where it can. */
export function followFault(
  topics: Pick<Topics, 'resolve'>,
  path: string,
  mode: 'full' | 'log',
): ApiError | null {
  const target = topics.resolve(path, mode);
  if (isApiError(target)) return target;
  if (mode === 'full') return askedFault(target);
  const query = logOf(target, '');
  return isApiError(query) ? query : null;
}
