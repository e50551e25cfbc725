/** Whether a number can be true: held against the last good one, other sources, and redundant fields of its own row. */

import { isAround } from '../digits.ts';

/** Largest share by which a number may move between two readings without a confirmation. */
const largestJump = 0.3;
/**
 * Two readings of one number that differ by more than this are in different units. Below it there are honest reasons: a
 * last trade of last week beside the bid and ask of today, a mean price of 24 h in which the coin crashed.
 */
const unitFactor = 50;

/** How far apart two readings of one number are: by more than 30 %, or by a wrong unit. */
export type Contradiction = 'value' | 'unit';

/** True when `value` is at most 30 % above or below `reference`; of zero only zero is near. */
export const isNear = (value: number, reference: number): boolean =>
  isAround(value, reference, largestJump);

/** True when `value` is within the range of the references, 30 % wider on both sides; also without any reference. */
export function isWithin(value: number, references: readonly number[]): boolean {
  const known = references.filter((reference) => reference > 0 && reference < Infinity);
  if (known.length === 0) return true;
  const least = Math.min(...known) * (1 - largestJump);
  return value >= least && value <= Math.max(...known) * (1 + largestJump);
}

/**
 * How the references contradict `value`; null when they do not, or are unknown (NaN, zero). Examples: 120 contracts of
 * 0.01 BTC against a stated 1.2 BTC agree; a last trade at 100 between a bid of 49 and an ask of 51 is off by its value;
 * 1.2 BTC against 1,200,000 BTC is off by its unit.
 */
export function contradiction(value: number, references: readonly number[]): Contradiction | null {
  if (!(value > 0) || isWithin(value, references)) return null;
  const known = references.filter((reference) => reference > 0 && reference < Infinity);
  const isUnit = value > Math.max(...known) * unitFactor || value < Math.min(...known) / unitFactor;
  return isUnit ? 'unit' : 'value';
}

/** What is known of a number beside itself. */
export interface Known {
  /** The last good value; null when there is none that is young enough. */
  last: number | null;
  /** The same number as other sources state it. */
  others: readonly number[];
  /** Related numbers of the same source, such as mark and index price. */
  own: readonly number[];
  /** How other fields of the same row contradict it; null when they do not. */
  contradicted: Contradiction | null;
}

/**
 * `good`: it can be published. `unconfirmed`: it moved by more than 30 % against its last good value; a second reading
 * may confirm it. `contradicted`: in addition its own source says otherwise, so repeating it proves nothing. A value
 * that is near its last good one, or near any other source, is good whatever related numbers its own source states. A first
 * value is good unless its own source states another unit: an average over all sources shows how far it is from them.
 *
 * Example: last 100, others 99 and 101: 102 is good, 50 is unconfirmed, 50 with a mark of 100 is contradicted; with
 * others at 51 it is good.
 */
export function judge(value: number, known: Known): 'good' | 'unconfirmed' | 'contradicted' {
  const { others, own, contradicted } = known;
  const last = known.last !== null && known.last > 0 ? known.last : null;
  if (last !== null && isNear(value, last)) return 'good';
  if (others.some((other) => isNear(value, other))) return 'good';
  const found = [contradicted, contradiction(value, own)];
  if (last === null) return found.includes('unit') ? 'contradicted' : 'good';
  return found.every((one) => one === null) ? 'unconfirmed' : 'contradicted';
}

/** A ticker's numbers beside its price, in one unit; null where they are unknown. */
export interface Beside {
  price: number;
  bid: number | null;
  ask: number | null;
  high: number | null;
  low: number | null;
  /** Percent, against the price 24 h ago. */
  change: number | null;
}

/** A quote further from the last trade than this factor is of another unit or another market. */
const quoteFactor = 2;
/** A high or low further than this factor from the prices at both ends of its window is no price of the window. */
const rangeFactor = 5;
/** The price 24 h ago that a change states; null where the change is unknown. */
const openOf = ({ price, change }: Beside): number | null =>
  change === null || change <= -100 ? null : price / (1 + change / 100);

const isFarQuote = (quote: number | null, price: number): boolean =>
  quote !== null && (quote > price * quoteFactor || quote < price / quoteFactor);

/** True where the best bid or ask is more than twice or less than half of the last price. Example: 49,999 beside 50. */
export const hasFarQuotes = ({ price, bid, ask }: Beside): boolean =>
  isFarQuote(bid, price) || isFarQuote(ask, price);

/**
 * True where the high is more than five times as high as the price now and the one 24 h ago, or the low as low. Example: a
 * price of 50 that rose by 900 % may have a low of 5, one that rose by 2 % may not.
 */
export function hasFarRange(beside: Beside): boolean {
  const { price, high, low } = beside;
  const open = openOf(beside) ?? price;
  return (
    (high !== null && high > Math.max(price, open) * rangeFactor) ||
    (low !== null && low < Math.min(price, open) / rangeFactor)
  );
}

/**
 * True where the price 24 h ago, as the change states it, is more than 30 % outside of the 24 h range: exchanges end the
 * two windows at different times. Example: price 50, range 48 to 52: a change of 400 % states a price of 10.
 */
export function hasWrongChange(beside: Beside): boolean {
  const open = openOf(beside);
  const { high, low } = beside;
  if (open === null || high === null || low === null) return false;
  return open < low * (1 - largestJump) || open > high * (1 + largestJump);
}

/** The sums of 24 h beside the prices of a ticker. */
export interface Traded extends Beside {
  /** Turnover in quote. */
  volume: number | null;
  /** Volume in base. */
  base: number | null;
}

/** Share by which a mean price may be outside of its range: exchanges round small amounts, and end the windows of 24 h apart. */
const meanTolerance = 0.1;

/**
 * True where the mean price, turnover by volume, is between low and high, or at most a tenth outside. Example: 2 BTC traded
 * between 48,000 and 52,000 are 100,000; 200,000 count both sides.
 */
export const isMeanWithin = (
  turnover: number,
  volume: number,
  { low, high }: { low: number; high: number },
): boolean =>
  turnover <= high * volume * (1 + meanTolerance) && turnover >= low * volume * (1 - meanTolerance);

/**
 * True where the mean price of 24 h, which is turnover by volume, is none of them: more than a tenth outside of high and low, or,
 * without these, more than five times away from the price now and the one 24 h ago. Nothing trades for nothing.
 */
export function hasWrongTurnover(traded: Traded): boolean {
  const { price, high, low, volume, base } = traded;
  if (volume === null || base === null || (volume === 0 && base === 0)) return false;
  if (volume === 0 || base === 0) return true;
  if (high !== null && low !== null) return !isMeanWithin(volume, base, { low, high });
  const mean = volume / base;
  const open = openOf(traded) ?? price;
  return mean > Math.max(price, open) * rangeFactor || mean < Math.min(price, open) / rangeFactor;
}
