const retryAfter = '\r\nretry-after: ';

/** The lines with another `retry-after`, in whole seconds. */
export const withRetryAfter = (lines: string, after: number): string =>
  lines.slice(0, lines.lastIndexOf(retryAfter)) + retryAfter + after;

/** Statuses whose `retry-after` is not that of the quota: the cause may end long before the window does. */
const passing = new Set([502, 503]);

/**
 * The quota headers with the `retry-after` of an error. With quotas it is the one of the quota (specification 8),
 * except where the service has failed.
 */
export function retryLines(quota: string, status: number, after: number | undefined): string {
  if (after === undefined) return quota;
  if (quota === '') return `${retryAfter}${after}`;
  return passing.has(status) ? withRetryAfter(quota, after) : quota;
}
