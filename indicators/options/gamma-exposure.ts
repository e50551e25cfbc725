/**
 * Gamma exposure: how many dollars of the underlying the hedgers of all open options must trade when it moves by 1 %.
 * Convention of SqueezeMetrics, "Gamma exposure" (2016): dealers are long the calls and short the puts.
 */
import { gammaOf, yearsBetween } from './black76.ts';
import { type Expiry, type OptionRow, strikesOf } from './chain.ts';

/** The exposure of options at `now` (Unix ms), US dollars per 1 % of the price, with the forward of each at `price` instead where it is given. */
export function gammaExposure(
  rows: readonly OptionRow[],
  now: number,
  moved: (forward: number) => number = (forward) => forward,
) {
  let [calls, puts] = [0, 0];
  for (const { type, strike, iv, expiry, underlying, open_interest } of rows) {
    if (open_interest === 0 || iv === null) continue;
    const forward = moved(underlying);
    const years = yearsBetween(now, expiry);
    const gamma = gammaOf({ type, strike, forward, volatility: iv, years });
    if (gamma === null) continue;
    const dollars = gamma * open_interest * forward * forward * 0.01;
    if (type === 'call') calls += dollars;
    else puts -= dollars;
  }
  return { calls, puts, net: calls + puts };
}
export type Exposure = ReturnType<typeof gammaExposure>;

/** Moves that are tried for the flip, as parts of the price: 1 % each, up to 30 % either way. */
const reach = 30;

/**
 * The move of the underlying nearest to none at which the net exposure changes its sign, as a factor of the price, linear
 * between two steps of 1 %; volatilities stay with their strikes. Null where there is none within 30 %.
 */
export function gammaFlip(rows: readonly OptionRow[], now: number): number | null {
  const netAt = (percent: number) =>
    gammaExposure(rows, now, (forward) => forward * (1 + percent / 100)).net;
  const nets = Array.from({ length: 2 * reach + 1 }, (_, i) => ({
    percent: i - reach,
    net: netAt(i - reach),
  }));
  // Shortly before an expiry an exposure far from its strikes is too small for a number: that is no other sign.
  const known = nets.filter(({ net }) => net !== 0);
  const flips = known.slice(1).flatMap(({ percent, net }, i) => {
    const before = known[i] ?? { percent, net };
    if (before.net > 0 === net > 0) return [];
    const share = before.net / (before.net - net);
    return [before.percent + share * (percent - before.percent)];
  });
  const [nearest] = flips.sort((a, b) => Math.abs(a) - Math.abs(b));
  return nearest === undefined ? null : 1 + nearest / 100;
}

/** The exposure of some expiries together, of each, and of each strike, lowest first, with the flip of all (`gammaFlip`). */
export function exposuresOf(expiries: readonly Expiry[], now: number) {
  const rows = expiries.flatMap((one) => one.rows);
  const byStrike = Map.groupBy(rows, ({ strike }) => strike);
  return {
    ...gammaExposure(rows, now),
    flip: gammaFlip(rows, now),
    expiries: expiries.map((one) => ({ ...one, ...gammaExposure(one.rows, now) })),
    strikes: strikesOf(rows).map((strike) => ({
      strike,
      ...gammaExposure(byStrike.get(strike) ?? [], now),
    })),
  };
}
