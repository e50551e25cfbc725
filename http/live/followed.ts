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

/** The error where the answer at a path, or its log, cannot be followed; null where it can. */
export function followFault(
  topics: Pick<Topics, 'resolve'>,
  path: string,
  mode: 'full' | 'log',
): ApiError | null {
  const target = topics.resolve(path, mode);
  if (isApiError(target)) return target;
  if (mode === 'full') return null;
  const query = logOf(target, '');
  return isApiError(query) ? query : null;
}
