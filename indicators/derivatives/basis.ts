/** What a future costs above its index. */
import { day, hour } from '../../config/time.ts';
import { changePct } from '../market/statistics.ts';

/** In the last hour the annual basis of a rounding error is hundreds of percent. */
const shortest = hour;

/** Mark over index, less one, percent; null without an index. */
export const basisPercent = (mark: number, index: number | null): number | null =>
  changePct(index, mark);

/**
 * The basis of a contract at `now`, percent, and for 365 days, simple interest: null for perpetuals, whose `expiry` is null, and where less than an hour is left. Times are Unix ms. Example: mark 101, index 100, 73 days:
 * 1 %, 5 % a year.
 */
export function basisOf(
  { mark, index, expiry }: { mark: number; index: number | null; expiry: number | null },
  now: number,
) {
  const basis_percent = basisPercent(mark, index);
  const days_to_expiry = expiry === null ? null : (expiry - now) / day;
  const isAnnual = expiry !== null && expiry - now >= shortest;
  const annualized_percent =
    basis_percent === null || days_to_expiry === null || !isAnnual
      ? null
      : (basis_percent * 365) / days_to_expiry;
  return { basis_percent, annualized_percent, days_to_expiry };
}
