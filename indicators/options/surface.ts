/** Implied volatility by expiry and strike: at the money, skew, term structure. */
import { mean } from '../market/statistics.ts';
import { greeksOf, type OptionType } from './black76.ts';
import { type Expiry, type OptionRow, strikesOf } from './chain.ts';

/** Implied volatilities of one strike, fractions a year, mean over the exchanges; null where none states one. */
export interface SmilePoint {
  strike: number;
  call: number | null;
  put: number | null;
}

function ivOf(rows: readonly OptionRow[], type: OptionType): number | null {
  const known = rows.flatMap((row) => (row.type === type && row.iv !== null ? [row.iv] : []));
  return known.length === 0 ? null : mean(known);
}

/** The volatilities of an expiry by strike, lowest first; strikes without any are left out. */
export function smileOf({ rows }: Pick<Expiry, 'rows'>): SmilePoint[] {
  const byStrike = Map.groupBy(rows, ({ strike }) => strike);
  return strikesOf(rows).flatMap((strike) => {
    const own = byStrike.get(strike) ?? [];
    const point = { strike, call: ivOf(own, 'call'), put: ivOf(own, 'put') };
    return point.call === null && point.put === null ? [] : [point];
  });
}

/** Mean of call and put, or the one that there is. */
export const middleOf = ({ call, put }: SmilePoint): number | null =>
  call !== null && put !== null ? (call + put) / 2 : (call ?? put);

/** The volatility of the strike nearest to the forward, the lower of two; null without any. */
export function atTheMoney(smile: readonly SmilePoint[], forward: number): number | null {
  const [first, ...others] = smile;
  if (first === undefined) return null;
  const distance = ({ strike }: SmilePoint) => Math.abs(strike - forward);
  return middleOf(
    others.reduce((best, one) => (distance(one) < distance(best) ? one : best), first),
  );
}

/** Where a smile is read. */
export interface SmileAt {
  forward: number;
  years: number;
}

/**
 * The volatility at which an option of the type has a delta of this size, linear in delta between the two strikes around
 * it; null where the strikes do not reach so far.
 */
export function volatilityAtDelta(
  smile: readonly SmilePoint[],
  { forward, years }: SmileAt,
  type: OptionType,
  size: number,
): number | null {
  const points = smile
    .flatMap((point) => {
      const volatility = point[type];
      if (volatility === null) return [];
      const greeks = greeksOf({ type, strike: point.strike, forward, volatility, years });
      return greeks === null ? [] : [{ volatility, delta: Math.abs(greeks.delta) }];
    })
    .sort((a, b) => a.delta - b.delta);
  const after = points.findIndex(({ delta }) => delta >= size);
  const [below, above] = [points[after - 1], points[after]];
  if (above === undefined) return null;
  if (above.delta === size) return above.volatility;
  if (below === undefined) return null;
  const part = (size - below.delta) / (above.delta - below.delta);
  return below.volatility + part * (above.volatility - below.volatility);
}

/**
 * The smile at deltas of 25 %, fractions a year; null where the strikes do not reach so far. The skew is put less call, the butterfly the
 * mean of both less at the money.
 */
export function skewOf(smile: readonly SmilePoint[], at: SmileAt) {
  const call = volatilityAtDelta(smile, at, 'call', 0.25);
  const put = volatilityAtDelta(smile, at, 'put', 0.25);
  const middle = atTheMoney(smile, at.forward);
  if (call === null || put === null) return { call, put, skew: null, butterfly: null };
  const butterfly = middle === null ? null : (call + put) / 2 - middle;
  return { call, put, skew: put - call, butterfly };
}

/** Volatility until an expiry. */
export interface TermPoint {
  years: number;
  volatility: number;
}

/** The volatility between two expiries; null where the later variance is the lesser. */
export function forwardVolatility(near: TermPoint, far: TermPoint): number | null {
  const between = far.years - near.years;
  const variance = (far.volatility ** 2 * far.years - near.volatility ** 2 * near.years) / between;
  return between > 0 && variance >= 0 ? Math.sqrt(variance) : null;
}

interface Term {
  years: number;
  atm: number | null;
}

function between(near: Term | undefined, far: Term): number | null {
  if (near === undefined || near.atm === null || far.atm === null) return null;
  return forwardVolatility(
    { years: near.years, volatility: near.atm },
    { years: far.years, volatility: far.atm },
  );
}

/** The volatilities of expiries, soonest first; the forward one is that between the expiry before and this one, null where one has none. */
export function shapesOf(expiries: readonly Expiry[]) {
  const shapes = expiries.map((one) => {
    const smile = smileOf(one);
    return { ...one, smile, atm: atTheMoney(smile, one.forward), ...skewOf(smile, one) };
  });
  return shapes.map((one, at) => ({ ...one, forwardVolatility: between(shapes[at - 1], one) }));
}
export type Shape = ReturnType<typeof shapesOf>[number];
