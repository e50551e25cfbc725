/** Failures that may be retried, and the pause that an upstream asks for. */
import type { Failure } from '../failure.ts';

/** Longest wait an upstream can impose: Binance bans for up to three days. */
export const maxRetryAfter = 259_200_000;

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
