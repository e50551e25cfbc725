/** Long averages of Bitcoin's daily closes that charts of its cycle are made of. */
import type { DayClose } from './days.ts';
import { movingMeans, newest } from './statistics.ts';

/** Days of the two-year average (Philip Swift's investor tool, 2017). */
export const twoYearDays = 730;
/** Weeks of the long average, and the closes that it needs. */
const longWeeks = 200;
export const longWeeksDays = (longWeeks - 1) * 7 + 1;
/** Days of the average of the golden ratio multiplier (Philip Swift, 2019). */
export const goldenDays = 350;
/** Multiples of that average: the golden ratio, two, and Fibonacci numbers. */
export const goldenMultiples = [1.6, 2, 3, 5, 8, 13, 21] as const;
/** A day to compare with, and the one that is compared. */
export const profitableLeast = 2;

/** Points of the days that have an average: `averages[0]` is that of the day with index `first`. */
const pointsOf = (closes: readonly DayClose[], averages: readonly number[], first: number) =>
  closes.slice(first).map(({ day, close, provisional }, at) => ({
    timestamp: day,
    price: close,
    average: averages[at] ?? Number.NaN,
    ...(provisional && { provisional }),
  }));
export type AveragePoint = ReturnType<typeof pointsOf>[number];

/** The mean of the last `days` closes, from the first day that has so many; `closes` has every day once. */
export const averageSeries = (closes: readonly DayClose[], days: number) =>
  pointsOf(
    closes,
    movingMeans(
      closes.map(({ close }) => close),
      days,
    ),
    days - 1,
  );

/** The mean of 200 closes, each a week after the one before, the last that of the day itself. */
export function longWeeksSeries(closes: readonly DayClose[]) {
  const averages = closes.slice(longWeeksDays - 1).map((_, at) => {
    let sum = 0;
    for (let week = 0; week < longWeeks; week++) sum += closes[at + 7 * week]?.close ?? Number.NaN;
    return sum / longWeeks;
  });
  return pointsOf(closes, averages, longWeeksDays - 1);
}

/** The average of the last of the closes. */
export const newestAverage = (closes: readonly DayClose[], days: number) =>
  newest(averageSeries(closes.slice(-days), days), days, closes.length);

/** The average of 200 weeks of the last of the closes. */
export const newestLongWeeks = (closes: readonly DayClose[]) =>
  newest(longWeeksSeries(closes.slice(-longWeeksDays)), longWeeksDays, closes.length);

/** Where a price is between the two-year average and five times it, which tops of the past came near to. */
export function twoYearState({ price, average }: AveragePoint) {
  if (price < average) return 'below_average';
  return price > 5 * average ? 'above_multiplier' : 'between';
}

/** The largest multiple of the average that the price has reached; null below all of them. */
export const goldenReached = ({ price, average }: AveragePoint): number | null =>
  goldenMultiples.findLast((each) => price >= average * each) ?? null;

/** On how many of the days before `at` a purchase would be in profit on it. */
function profitableAt(closes: readonly DayClose[], at: number) {
  const last = closes[at];
  if (last === undefined || at === 0) return [];
  let profitable_days = 0;
  for (let i = 0; i < at; i++) if ((closes[i]?.close ?? last.close) < last.close) profitable_days++;
  return [
    {
      timestamp: last.day,
      price: last.close,
      days: at,
      profitable_days,
      share: profitable_days / at,
      ...(last.provisional && { provisional: last.provisional }),
    },
  ];
}

/** One point each `every` days, counted back from the last: all earlier closes are compared with each. */
export const profitableSeries = (closes: readonly DayClose[], every: number) =>
  closes.flatMap((_, at) =>
    (closes.length - 1 - at) % every === 0 ? profitableAt(closes, at) : [],
  );

/** The profitable days of the last of the closes. */
export const profitableDays = (closes: readonly DayClose[]) =>
  newest(profitableAt(closes, closes.length - 1), profitableLeast, closes.length);
