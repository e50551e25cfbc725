/** The Puell multiple of David Puell, 2019: a day's issue against its mean of a year, in US dollars. */
import type { DayClose } from './days.ts';
import { type IssuanceDay, subsidyAt } from './issuance.ts';
import { enough, movingMeans, newest } from './statistics.ts';

/** Days of the mean, the current one included. */
export const puellDays = 365;
/** Days over which the smoothed value means its numerator: counts of blocks vary by 8 % from day to day. */
const smoothing = 7;

/** Where miners' income stands; a value on an edge belongs to the zone above it. */
export const puellZones = [
  { below: 0.5, zone: 'undervalued', signal: 'buy' },
  { below: 2, zone: 'normal', signal: 'hold' },
  { below: 4, zone: 'elevated', signal: 'caution' },
  { below: Infinity, zone: 'overvalued', signal: 'sell' },
] as const;

/** The days that have both a close and an issue, in their order. */
function incomes(closes: readonly DayClose[], issuance: readonly IssuanceDay[]) {
  const prices = new Map(closes.map(({ day, close }) => [day, close]));
  return issuance.flatMap((issued) => {
    const close = prices.get(issued.day);
    return close === undefined ? [] : [{ ...issued, usd: issued.issuance_btc * close }];
  });
}

/**
 * `issue x close / mean of the last 365 of them`, a ratio: subsidies only, no fees; days that are over only. One
 * point a day from the 365th that has both on.
 */
export function puellSeries(closes: readonly DayClose[], issuance: readonly IssuanceDay[]) {
  const days = incomes(
    closes.filter(({ provisional }) => !provisional),
    issuance,
  );
  const dollars = days.map(({ usd }) => usd);
  const averages = movingMeans(dollars, puellDays);
  const weeks = movingMeans(dollars, smoothing).slice(puellDays - smoothing);
  return days.slice(puellDays - 1).map((row, at) => {
    const average = averages[at] ?? Number.NaN;
    return {
      timestamp: row.day,
      value: row.usd / average,
      value_smoothed: (weeks[at] ?? Number.NaN) / average,
      daily_issuance_btc: row.issuance_btc,
      daily_issuance_usd: row.usd,
      average_365d_usd: average,
      blocks: row.blocks,
      subsidy_btc: subsidyAt(row.height),
    };
  });
}

/** The multiple of the last day that has both a close and an issue. */
export function puell(closes: readonly DayClose[], issuance: readonly IssuanceDay[]) {
  const has = Math.min(closes.length, issuance.length);
  const found = newest(puellSeries(closes, issuance), puellDays, has);
  if (!found.ok) return found;
  const { zone, signal } = puellZoneOf(found.value.value);
  return enough({ ...found.value, zone, signal });
}

/** The zone of a value. */
export const puellZoneOf = (value: number): (typeof puellZones)[number] =>
  puellZones.find(({ below }) => value < below) ?? puellZones[3];
