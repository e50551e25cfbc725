/** Funding rates of perpetuals. */
import { hour } from '../../config/time.ts';

/** A funding rate as it may be published. */
export interface ValidFunding {
  /** Fraction per `hours`. */
  rate: number | null;
  hours: number | null;
  /** Why one of the two was given and is not used; null when both are usable or absent. */
  refused: 'bad_funding_rate' | 'bad_funding_interval' | null;
}

/** Hours between fundings that the followed exchanges document. */
const fundingHours: readonly number[] = [1, 2, 4, 8];
/** Largest possible rate, a fraction an hour of either sign: caps of exchanges are below it. */
const mostAnHour = 0.05;
/** The longest interval, for a rate whose interval is not known. */
const longest = 8;

/**
 * A funding rate with its interval, each NaN or null where it is not known: null where the interval is none that
 * exchanges have, and with it the rate, or where the rate is beyond 5 % an hour.
 */
export function validFunding(rate: number | null, hours: number | null): ValidFunding {
  const [stated, interval] = [known(rate), known(hours)];
  if (interval !== null && !fundingHours.includes(interval)) {
    return { rate: null, hours: null, refused: 'bad_funding_interval' };
  }
  if (stated !== null && Math.abs(stated) > mostAnHour * (interval ?? longest)) {
    return { rate: null, hours: interval, refused: 'bad_funding_rate' };
  }
  return { rate: stated, hours: interval, refused: null };
}

const known = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null);

/** A rate of `hours` as the rate of eight hours, without interest on interest. */
export const rateOf8Hours = (rate: number, hours: number): number => (rate * 8) / hours;

/** A rate of `hours` as the rate of 365 days, without interest on interest. Example: 0.0001 of 8 hours is 0.1095. */
export const annualRate = (rate: number, hours: number): number => (rate * 24 * 365) / hours;

/**
 * The hours that a settled rate is for: those since the one before it, to the nearest of 1, 2, 4 and 8. Times are Unix ms.
 * Null where one of them is NaN. Example: 0:00 and 8:00 are 8.
 */
export const hoursSince = (before: number, time: number): number | null =>
  nearest((time - before) / hour);

/** Of two at the same distance the shorter one. */
function nearest(hours: number): number | null {
  if (hours > 6) return 8;
  if (hours > 3) return 4;
  if (hours > 1.5) return 2;
  return hours <= 1.5 ? 1 : null;
}
