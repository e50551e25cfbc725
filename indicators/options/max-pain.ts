/** Max pain: the settlement price at which the holders of all open options get least. */
import { less } from '../digits.ts';
import { type OptionRow, strikesOf } from './chain.ts';

/** A settlement price and what the holders of all options get there, US dollars. */
export interface Pain {
  price: number;
  pain: number;
}

/** What the holders of the options get when they settle at `price`, US dollars. */
export const painAt = (rows: readonly OptionRow[], price: number): number =>
  rows.reduce((sum, { type, strike, open_interest }) => {
    const inner = type === 'call' ? price - strike : strike - price;
    return inner > 0 ? sum + open_interest * inner : sum;
  }, 0);

/** The strike with the least pain, the lowest of several; null when nothing is open. Options of one expiry. */
export function maxPain(rows: readonly OptionRow[]): Pain | null {
  const open = rows.filter(({ open_interest }) => open_interest > 0);
  if (open.length === 0) return null;
  const [first = 0, ...others] = strikesOf(rows);
  let least: Pain = { price: first, pain: painAt(open, first) };
  for (const price of others) {
    const pain = painAt(open, price);
    if (less(pain, least.pain) < 0) least = { price, pain };
  }
  return least;
}

/** The same with its distance from a price, percent of that; null when nothing is open. */
export type PainAway = { [K in keyof Pain | 'distance']: number | null };

export function painAway(rows: readonly OptionRow[], from: number): PainAway {
  const found = maxPain(rows);
  if (found === null) return { price: null, pain: null, distance: null };
  return { ...found, distance: (found.price / from - 1) * 100 };
}
