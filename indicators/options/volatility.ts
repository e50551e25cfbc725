/** Realised volatility by window, and implied volatility between expiries. */
import { deviation, logReturns, quantile } from '../market/statistics.ts';
import type { Expiry } from './chain.ts';
import { atTheMoney, skewOf, smileOf, type TermPoint } from './surface.ts';

/** Windows of the cone, days. */
export const coneWindows = [7, 14, 30, 60, 90, 180] as const;
/** Crypto trades on every day of the year. */
const daysAYear = 365;

/**
 * Standard deviations of the logarithmic returns of consecutive daily closes over windows of `days` returns, annualised by
 * the square root of 365, fractions; oldest first, none where there are too few closes.
 */
export function realizedVolatilities(closes: readonly number[], days: number): number[] {
  const returns = logReturns(closes);
  return Array.from({ length: Math.max(0, returns.length - days + 1) }, (_, first) =>
    deviation(returns.slice(first, first + days)),
  ).map((one) => one * Math.sqrt(daysAYear));
}

/** Where the volatility of each window stands among those of its history, of daily closes, oldest first; windows without enough closes, or that never moved, are left out. */
export function volatilityCone(closes: readonly number[]) {
  return coneWindows.flatMap((days) => {
    const all = realizedVolatilities(closes, days);
    const current = all.at(-1);
    if (current === undefined || !(Math.min(...all) > 0)) return [];
    const sorted = all.toSorted((a, b) => a - b);
    return [
      {
        days,
        current,
        min: quantile(sorted, 0),
        p25: quantile(sorted, 0.25),
        median: quantile(sorted, 0.5),
        p75: quantile(sorted, 0.75),
        max: quantile(sorted, 1),
        windows: all.length,
      },
    ];
  });
}

/**
 * The volatility at a tenor: the total variance (volatility squared times years) is linear in time between the two expiries
 * around it. Null before the first and after the last expiry, where the surface says nothing. `term` soonest first.
 */
export function volatilityAt(term: readonly TermPoint[], years: number): number | null {
  const after = term.findIndex((point) => point.years >= years);
  const far = term[after];
  if (far === undefined) return null;
  if (far.years === years) return far.volatility;
  const near = term[after - 1];
  if (near === undefined) return null;
  const variance = ({ volatility, years }: TermPoint) => volatility ** 2 * years;
  const part = (years - near.years) / (far.years - near.years);
  const total = variance(near) + part * (variance(far) - variance(near));
  return Math.sqrt(total / years);
}

/**
 * Volatilities by expiry, soonest first: at the money, and of the call and the put with a delta of 25 %; expiries without a volatility
 * are left out of each.
 */
export function termsOf(expiries: readonly Expiry[]) {
  const shapes = expiries.map((one) => {
    const smile = smileOf(one);
    const { call, put } = skewOf(smile, one);
    return { years: one.years, middle: atTheMoney(smile, one.forward), call, put };
  });
  const term = (of: 'middle' | 'call' | 'put') =>
    shapes.flatMap(({ years, [of]: volatility }) =>
      volatility === null ? [] : [{ years, volatility }],
    );
  return { middle: term('middle'), call: term('call'), put: term('put') };
}
export type SurfaceTerms = ReturnType<typeof termsOf>;

/** Volatility at the money and skew (put less call, at deltas of 25 %) at a tenor, fractions a year; each null where it is unknown. */
export interface Tenor {
  atm: number | null;
  skew: number | null;
}

/** A surface at a tenor of so many days: the variance of each of the three is interpolated (`volatilityAt`). */
export function tenorOf({ middle, call, put }: SurfaceTerms, days: number): Tenor {
  const years = days / daysAYear;
  const [high, low] = [volatilityAt(put, years), volatilityAt(call, years)];
  return {
    atm: volatilityAt(middle, years),
    skew: high === null || low === null ? null : high - low,
  };
}

/** Implied less realised variance of equal tenor, fractions a year squared: what sellers of volatility are paid for. */
export const variancePremium = (implied: number | null, realized: number | null): number | null =>
  implied === null || realized === null ? null : implied ** 2 - realized ** 2;
