/** The ahr999 index: price against its 200-day cost and against its growth with age. */
import { type DayClose, daysBetween } from './days.ts';
import { enough, movingMeans, newest } from './statistics.ts';

/** 2009-01-03, the day of the first block. */
const genesis = 1_230_940_800_000;
/** Days of the cost basis, the current one included. */
export const ahr999Days = 200;

/**
 * Where the price stands. Above 5 is added by charting sites; the rest is the author's.
 */
export const ahr999Zones = [
  { below: 0.45, zone: 'bottom_fishing', signal: 'buy' },
  { below: 1.2, zone: 'dca_zone', signal: 'accumulate' },
  { below: 5, zone: 'wait', signal: 'hold' },
  { below: Infinity, zone: 'overheated', signal: 'sell' },
] as const;

/** US dollars for a coin of this age by the author's fit of 2018: `10^(5.84 log10(days) - 17.01)`. */
export const growthValuation = (age: number): number => 10 ** (5.84 * Math.log10(age) - 17.01);

/**
 * `(P / G) x (P / V)`, a ratio: P the close, G the geometric mean of the last 200 closes, V the growth valuation of
 * the days since 2009-01-03. By the Weibo user ahr999, 2018; sites that mean arithmetically, and the author's 5.8 and
 * -16.88 of 2020, give other values. One point a day from the 200th on; `closes` has every day once.
 */
export function ahr999Series(closes: readonly DayClose[]) {
  const logs = movingMeans(
    closes.map(({ close }) => Math.log(close)),
    ahr999Days,
  );
  return closes.slice(ahr999Days - 1).map(({ day, close, provisional }, at) => {
    const cost = Math.exp(logs[at] ?? Number.NaN);
    const age = daysBetween(genesis, day);
    const growth = growthValuation(age);
    return {
      timestamp: day,
      value: (close / cost) * (close / growth),
      price_usd: close,
      cost_200d_usd: cost,
      growth_valuation_usd: growth,
      age_days: age,
      ...(provisional && { provisional }),
    };
  });
}

/** The index of the last of the closes. */
export function ahr999(closes: readonly DayClose[]) {
  const found = newest(ahr999Series(closes.slice(-ahr999Days)), ahr999Days, closes.length);
  if (!found.ok) return found;
  const { zone, signal } = ahr999ZoneOf(found.value.value);
  return enough({ ...found.value, zone, signal });
}

/** The zone of a value; a value on an edge belongs to the zone above it. */
export const ahr999ZoneOf = (value: number): (typeof ahr999Zones)[number] =>
  ahr999Zones.find(({ below }) => value < below) ?? ahr999Zones[3];
