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

/** Whether an exchange can charge by so many hours: a whole number that divides a day. False for NaN. */
export const isInterval = (hours: number): boolean =>
  hours >= 1 && Number.isInteger(hours) && 24 % hours === 0;
/** Largest possible rate, a fraction an hour of either sign: caps of exchanges are below it. */
const mostAnHour = 0.05;
/** The longest interval, for a rate whose interval is not known. */
const longest = 8;

/**
 * A funding rate with its interval, each NaN or null where it is not known: null where the interval is no
 * whole number of hours that divides a day, and with it the rate, or where the rate is beyond 5 % an hour.
 */
export function validFunding(rate: number | null, hours: number | null): ValidFunding {
  const [stated, interval] = [known(rate), known(hours)];
  if (interval !== null && !isInterval(interval)) {
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
 * The hours that settled rates are for, by the times of the settlements: Unix ms, ascending. They are those since the settlement before
 * it. A gap that is no interval, or is longer than those around it, lacks settlements: its hours are those around it that divide it, of
 * two the longer. One that is no interval before a longer interval is the part of that which was left at the change: 3:00 to 8:00 are
 * of 8 hours. The first settlement has the hours of the second. `running` are the hours after the last one; null where they are not
 * known, as is a result that nothing decides. Example: 0:00, 8:00, 0:00, 8:00, 16:00 and 17:00 are 8, 8, 8, 8, 8 and 1.
 */
export function settledHours(
  times: readonly number[],
  running: number | null,
): readonly (number | null)[] {
  const gaps = times
    .slice(1)
    .map((time, i) => Math.max(1, Math.round((time - (times[i] ?? time)) / hour)));
  let before: number | null = null;
  const hours = gaps.map((gap, i) => {
    const found = intervalOf(gap, before, gaps[i + 1] ?? running);
    before = found ?? before;
    return found;
  });
  return times.length === 0 ? [] : [hours[0] ?? running, ...hours];
}

/** The interval at the end of a gap between two others, hours. */
function intervalOf(gap: number, before: number | null, after: number | null): number | null {
  const isLonger = before !== null && gap > before && gap > (after ?? 0);
  if (isInterval(gap) && !isLonger) return gap;
  if (before !== null && after !== null && before < gap && gap < after) return after;
  const around = [before ?? 0, after ?? 0].filter((each) => isInterval(each) && gap % each === 0);
  if (around.length > 0) return Math.max(...around);
  return isInterval(gap) ? gap : null;
}
