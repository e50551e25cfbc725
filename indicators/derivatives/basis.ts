/** What a future costs above its index. */
import { day, hour } from '../../config/time.ts';
import { changePct } from '../market/statistics.ts';

/** A basis; the annual one for contracts that expire. */
export interface Basis {
  /** Mark over index, less one, percent; null without an index. */
  basis_percent: number | null;
  /** The same for 365 days, simple interest; null for perpetuals, and where less than an hour is left. */
  annualized_percent: number | null;
  /** Null for perpetuals. */
  days_to_expiry: number | null;
}

/** In the last hour the annual basis of a rounding error is hundreds of percent. */
const shortest = hour;

/** Mark over index, less one, percent; null without an index. */
export const basisPercent = (mark: number, index: number | null): number | null =>
  changePct(index, mark);

/**
 * The basis of a contract at `now`; `expiry` is null for perpetuals. Times are Unix ms. Example: mark 101, index 100, 73 days:
 * 1 %, 5 % a year.
 */
export function basisOf(
  { mark, index, expiry }: { mark: number; index: number | null; expiry: number | null },
  now: number,
): Basis {
  const basis_percent = basisPercent(mark, index);
  if (expiry === null) return { basis_percent, annualized_percent: null, days_to_expiry: null };
  const days_to_expiry = (expiry - now) / day;
  const hasTime = expiry - now >= shortest;
  return {
    basis_percent,
    annualized_percent:
      basis_percent === null || !hasTime ? null : (basis_percent * 365) / days_to_expiry,
    days_to_expiry,
  };
}
