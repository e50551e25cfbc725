/** Long averages of Bitcoin's daily closes that charts of its cycle are made of. */
import { type DayClose, dayLength } from './days.ts';
import { type Enough, mean } from './statistics.ts';

/** Days of the two-year average (Philip Swift's investor tool, 2017). */
export const twoYearDays = 730;
/** Weeks of the long average. */
export const longWeeks = 200;
/** Days of the average of the golden ratio multiplier (Philip Swift, 2019). */
export const goldenDays = 350;
/** Multiples of that average: the golden ratio, two, and the Fibonacci numbers. */
export const goldenMultiples = [1.6, 2, 3, 5, 8, 13, 21] as const;

const closesOf = (closes: readonly DayClose[], days: number): number[] =>
  closes.slice(-days).map(({ close }) => close);

const missing = (needs: number, closes: readonly DayClose[]) =>
  ({ ok: false, needs, has: closes.length }) as const;

/** The investor tool on the last day, US dollars. */
export interface TwoYearAverage {
  price: number;
  two_year_ma: number;
  /** Five times the average: near tops of the past. */
  multiplier_5x: number;
  state: 'below_average' | 'between' | 'above_multiplier';
}

/** The two-year average and five times it. `closes` has every day once. */
export function twoYearAverage(closes: readonly DayClose[]): Enough<TwoYearAverage> {
  const price = closes.at(-1)?.close;
  if (price === undefined || closes.length < twoYearDays) return missing(twoYearDays, closes);
  const average = mean(closesOf(closes, twoYearDays));
  const multiplier_5x = average * 5;
  const state =
    price < average ? 'below_average' : price > multiplier_5x ? 'above_multiplier' : 'between';
  return { ok: true, value: { price, two_year_ma: average, multiplier_5x, state } };
}

/** The 200-week average on the last day, US dollars. */
export interface TwoHundredWeeks {
  price: number;
  ma_200_week: number;
  /** Price above the average, percent. */
  distance_percent: number;
}

/** The mean of the closes of the last 200 weeks: those of every seventh day, the last day included. */
export function twoHundredWeeks(closes: readonly DayClose[]): Enough<TwoHundredWeeks> {
  const needs = (longWeeks - 1) * 7 + 1;
  const last = closes.at(-1);
  if (last === undefined || closes.length < needs) return missing(needs, closes);
  const weekly = closes.slice(-needs).filter(({ day }) => ((last.day - day) / dayLength) % 7 === 0);
  const average = mean(weekly.map(({ close }) => close));
  const distance_percent = (last.close / average - 1) * 100;
  return { ok: true, value: { price: last.close, ma_200_week: average, distance_percent } };
}

/** The golden ratio multiplier on the last day, US dollars. */
export interface GoldenRatio {
  price: number;
  ma_350_day: number;
  /** Each multiple of the average. */
  multiples: Record<string, number>;
  /** The largest multiple that the price is at or above; null below all of them. */
  reached: number | null;
}

/** The 350-day average and its multiples. */
export function goldenRatio(closes: readonly DayClose[]): Enough<GoldenRatio> {
  const price = closes.at(-1)?.close;
  if (price === undefined || closes.length < goldenDays) return missing(goldenDays, closes);
  const average = mean(closesOf(closes, goldenDays));
  const multiples = Object.fromEntries(goldenMultiples.map((each) => [each, average * each]));
  const reached = goldenMultiples.findLast((each) => price >= average * each) ?? null;
  return { ok: true, value: { price, ma_350_day: average, multiples, reached } };
}

/** On how many days a purchase would be in profit today. */
export interface ProfitableDays {
  price: number;
  days: number;
  profitable_days: number;
  /** Fraction. */
  share: number;
}

/** The days before the last one whose close is below its price. */
export function profitableDays(closes: readonly DayClose[]): Enough<ProfitableDays> {
  const price = closes.at(-1)?.close;
  if (price === undefined || closes.length < 2) return missing(2, closes);
  const days = closes.length - 1;
  const profitable = closes.slice(0, -1).filter(({ close }) => close < price).length;
  return {
    ok: true,
    value: { price, days, profitable_days: profitable, share: profitable / days },
  };
}
