/** Whether an answer, or the log of one, can be followed. */
import type { LogQuery } from '../answers/numbered-log.ts';
import { Snapshot } from '../answers/snapshots.ts';
import type { Looked } from '../endpoints/route.ts';
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

/** Most answers of a pattern that are looked at, those that are there and all; and most entries of a log. */
const mostLooked = { answers: 20, tried: 200, entries: 1_000 } as const;

/** The newest event of a log; none where it has none. */
async function newestEvent(target: Target, path: string): Promise<Looked[]> {
  const query = logOf(target, '');
  if (isApiError(query) || (await query.log.ready()) !== undefined) return [];
  const { next } = query.log.end();
  for (let at = next - 1; at >= next - mostLooked.entries; at--) {
    const items = query.log.read(at)?.events.flatMap((event) => query.item(event) ?? []) ?? [];
    const last = items.at(-1);
    if (last !== undefined) return [{ path, data: last, asOf: null }];
  }
  return [];
}

const answerOf = async ({ endpoint: { run }, values }: Target, account: string) => {
  if ('now' in run) return run.now(values);
  return 'later' in run ? run.later(values, account) : null;
};

/**
 * The answers at a path as they are now, of a pattern some, and of a log its newest event; those that cannot be had are left out.
 * Questions are sent for `account`.
 */
export async function answersAt(
  topics: Pick<Topics, 'resolve' | 'paths'>,
  [path, mode]: [path: string, mode: 'full' | 'log'],
  account: string,
): Promise<Looked[]> {
  const found: Looked[] = [];
  const paths = topics.paths(path, mostLooked.tried);
  for (const one of isApiError(paths) ? [] : paths) {
    const target = topics.resolve(one, mode);
    if (isApiError(target)) continue;
    if (mode === 'log') return newestEvent(target, one);
    const answer = await answerOf(target, account);
    if (!(answer instanceof Snapshot)) continue;
    found.push({ path: one, data: JSON.parse(answer.dataText), asOf: answer.asOf });
    if (found.length === mostLooked.answers) break;
  }
  return found;
}
