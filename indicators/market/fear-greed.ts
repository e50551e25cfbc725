/** The Fear and Greed Index: the vendor's unchanged, and an own index for when the vendor does not answer. */
import { type DayClose, dayLength } from './days.ts';
import { deviation, logReturns, mean, movingMeans } from './statistics.ts';

/** The classes from the lowest. */
export const fearGreedClasses = [
  { upTo: 24, classification: 'extreme_fear', label: 'Extreme Fear' },
  { upTo: 44, classification: 'fear', label: 'Fear' },
  { upTo: 55, classification: 'neutral', label: 'Neutral' },
  { upTo: 74, classification: 'greed', label: 'Greed' },
  { upTo: 100, classification: 'extreme_greed', label: 'Extreme Greed' },
] as const;

/** One of the five classes. */
export type FearGreedClass = (typeof fearGreedClasses)[number]['classification'];

/** The class that the vendor's label names: its edges vary, its label counts. By the value when it is another text. */
export function classOf(value: number, label = ''): FearGreedClass {
  const named = fearGreedClasses.find((row) => row.label.toLowerCase() === label.toLowerCase());
  const found = named ?? fearGreedClasses.find(({ upTo }) => value <= upTo);
  return (found ?? fearGreedClasses[4]).classification;
}

/** The index of one UTC day, 0 to 100. */
export interface FearGreedPoint {
  timestamp: number;
  value: number;
  classification: FearGreedClass;
}

/** The current index out of its days, ascending; null of none. */
export function fearGreed(history: readonly FearGreedPoint[]) {
  const last = history.at(-1);
  if (!last) return null;
  const before = (days: number) =>
    history.findLast(({ timestamp }) => timestamp === last.timestamp - days * dayLength)?.value ??
    null;
  const { label = '' } =
    fearGreedClasses.find((row) => row.classification === last.classification) ?? {};
  return {
    ...last,
    classification_label: label,
    previous_close: before(1),
    week_ago: before(7),
    month_ago: before(30),
  };
}

/** Days in which a component is ranked. */
const ranked = 365;

/** What the index of our own is made of: daily, ascending, all ending on the same day. */
export interface HouseInputs {
  closes: readonly DayClose[];
  /** 24 h volumes in any one unit. */
  volumes: readonly number[];
  /** Shares of Bitcoin in percent. */
  dominance: readonly number[];
}

/** The parts of our own index with what they weigh; `inverted` ones count 100 less their rank. */
export const houseParts = [
  { name: 'momentum', weight: 0.3, inverted: false },
  { name: 'unrest', weight: 0.3, inverted: true },
  { name: 'volume', weight: 0.2, inverted: false },
  { name: 'dominance', weight: 0.2, inverted: true },
] as const;

/** Share of the values before the last that are below it, percent; ties count half. */
function rank(values: readonly number[]): number | null {
  const window = values.slice(-ranked);
  const last = window.at(-1);
  if (last === undefined || window.length < ranked) return null;
  const others = window.slice(0, -1);
  const score = others.reduce((sum, each) => sum + (each < last ? 1 : each === last ? 0.5 : 0), 0);
  return (score / others.length) * 100;
}

/** Close / mean of 90 closes - 1. */
function momenta(prices: readonly number[]): number[] {
  const means = movingMeans(prices, 90);
  return prices.slice(89).map((price, at) => price / (means[at] ?? Number.NaN) - 1);
}

/** Deviation of 30 daily log returns / that of 90. */
function unrest(prices: readonly number[]): number[] {
  const returns = logReturns(prices);
  return returns
    .slice(89)
    .map(
      (_, at) => deviation(returns.slice(at + 60, at + 90)) / deviation(returns.slice(at, at + 90)),
    );
}

/** Volume / mean of 30, with the sign of the day's return. */
function pressure(prices: readonly number[], volumes: readonly number[]): number[] {
  const aligned = prices.slice(-volumes.length);
  return volumes.slice(30).map((volume, at) => {
    const average = mean(volumes.slice(at + 1, at + 31));
    const change = (aligned[at + 30] ?? Number.NaN) - (aligned[at + 29] ?? Number.NaN);
    return (Math.sign(change) * volume) / average;
  });
}

/** Change of a share within 30 days, points. */
const drift = (shares: readonly number[]): number[] =>
  shares.slice(30).map((share, at) => share - (shares[at] ?? Number.NaN));

/**
 * The index of our own, 0 to 100: 30 % momentum, 30 % unrest turned over, 20 % volume, 20 % change of Bitcoin's share
 * turned over; each by its rank among its own last 365 days. A part with fewer days is left out and the others
 * weigh more; null when neither momentum nor unrest can be ranked, which takes 455 closes.
 */
export function houseIndex({ closes, volumes, dominance }: HouseInputs) {
  const needed = ranked + 90;
  const prices = closes.slice(-needed).map(({ close }) => close);
  const ranks = {
    momentum: rank(momenta(prices)),
    unrest: rank(unrest(prices)),
    volume: rank(pressure(prices, volumes.slice(-prices.length))),
    dominance: rank(drift(dominance)),
  };
  if (ranks.momentum === null || ranks.unrest === null) return null;
  let weight = 0;
  let sum = 0;
  for (const part of houseParts) {
    const own = ranks[part.name];
    if (own === null) continue;
    weight += part.weight;
    sum += part.weight * (part.inverted ? 100 - own : own);
  }
  const value = Math.round(sum / weight);
  return { value, classification: classOf(value), weight, ranks };
}
