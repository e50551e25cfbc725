/** Rows of `/v1/status`: how they begin, and what failures make of them. */
import type { Failure } from '../failure.ts';
import type { FeedStatus } from '../topics.ts';

/** A feed that was not asked yet. */
export const waiting = ({
  source,
  topic,
  part,
}: Pick<FeedStatus, 'source' | 'topic' | 'part'>): FeedStatus => ({
  source,
  topic,
  part,
  state: 'waiting',
  last_success: null,
  last_attempt: null,
  latency_ms: null,
  last_error: null,
  breaker: 'closed',
  next_poll: null,
  rows: 0,
  dropped: {},
  failures: 0,
});

/** What one more failure, at `at` (Unix ms), changes of a feed. */
export function failing(
  before: Pick<FeedStatus, 'failures' | 'last_error'>,
  { code, message }: Failure,
  at: number,
): Pick<FeedStatus, 'state' | 'failures' | 'last_error'> {
  // That the breaker is open says less than what opened it.
  const known = code === 'breaker_open' && before.failures > 0 && before.last_error !== null;
  const last_error = known ? before.last_error : { code, message, at };
  return { state: 'failing', failures: before.failures + 1, last_error };
}

/** The error of a feed whose actor crashed. */
export const crash = (at: number): NonNullable<FeedStatus['last_error']> => ({
  code: 'crash',
  message: 'a bug in this program; its log has the stack',
  at,
});
