/** Shared by the option lists of all venues: names, expiries, prices, and the required fields of a row. */
import { hour } from '../../config/time.ts';
import { dayOf } from '../../indicators/market/days.ts';
import type { OptionType } from '../../indicators/options/black76.ts';
import { positive, required } from '../read.ts';
import type { OptionRow } from '../topics/index.ts';

/** Options expire at 08:00 UTC, on Deribit and on OKX. */
const expiryHour = 8 * hour;

/**
 * Reads the days of expiry of one list, Unix ms, NaN for anything that is not a day; each day is read once. `dateOf` gives the
 * `YYYY-MM-DD` of the venue's word.
 */
export function expiryReader(dateOf: (word: string) => string): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const found = known.get(word) ?? dayOf(dateOf(word)) + expiryHour;
    known.set(word, found);
    return found;
  };
}

/** The type in the last letter of a name. */
export const typeOf = (letter: string | undefined): OptionType => (letter === 'C' ? 'call' : 'put');

/** A price in dollars, null where there is none; `dollars` is what one unit of the wire is worth. */
export function priceIn(value: unknown, dollars: number): number | null {
  const price = positive(value) * dollars;
  return price > 0 && price < Infinity ? price : null;
}

/** A number that may be absent and is never negative; null then. */
export function countOf(value: unknown): number | null {
  const number = required(value);
  return number >= 0 ? number : null;
}

/** A volatility as a fraction, null where there is none, which venues write as 0; `unit` is 0.01 for percent. */
export function volatilityOf(value: unknown, unit = 1): number | null {
  const volatility = positive(value) * unit;
  return volatility > 0 && volatility < Infinity ? volatility : null;
}

/** The row, or null where it is not known what is open, at which terms and at which forward. */
export function optionOf(row: OptionRow): OptionRow | null {
  const { symbol, expiry, strike, open_interest, underlying } = row;
  const named = symbol !== '' && expiry > 0 && strike > 0;
  const value = open_interest * underlying;
  return named && underlying > 0 && value >= 0 && value < Infinity ? row : null;
}
