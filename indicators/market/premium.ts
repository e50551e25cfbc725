/** What one exchange's price is above those of others. */
import { consensus } from './prices.ts';
import { median } from './statistics.ts';

/**
 * The premium of a price over the mean of others; null without others. As everywhere, prices more than 10 % from the
 * median of three or more are not part of the mean. Example: 101 over [100, 100, 150] is 1 %.
 */
export function premiumOver(price: number, others: readonly number[]) {
  if (others.length === 0) return null;
  const { mean, count } = consensus(others);
  return { percent: (price / mean - 1) * 100, mean, count };
}

/** Closes of a market by the start of their interval. */
type Closes = ReadonlyMap<number, number>;

/** The markets of a premium over time. */
export interface PremiumMarkets {
  /** In US dollars. */
  own: Closes;
  /** In a quote of which one is worth `rates` US dollars. */
  others: readonly Closes[];
  /** Of each market that has one; of none the quote counts as a dollar. */
  rates: readonly Closes[];
}

const at = (all: readonly Closes[], time: number): number[] =>
  all.flatMap((one) => one.get(time) ?? []);

/** The premium of each interval of `own`, as `premiumOver` has it; the rate is the median of `rates` in that interval. */
export const premiums = ({ own, others, rates }: PremiumMarkets) =>
  [...own].map(([timestamp, price]) => {
    const known = at(rates, timestamp);
    const rate = rates.length === 0 ? 1 : known.length > 0 ? median(known) : null;
    const prices = rate === null ? [] : at(others, timestamp).map((close) => close * rate);
    return { timestamp, price, rate, premium: premiumOver(price, prices) };
  });
