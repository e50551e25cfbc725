/** Funding rates of one asset over exchanges and over time. Pure. Times are Unix ms, rates fractions. */
import { day } from '../../config/time.ts';
import { quotientOf, sumKnown, weightedMean } from '../market/assets.ts';
import { byTime } from '../market/recorded.ts';
import { mean, median } from '../market/statistics.ts';
import { rateOf8Hours } from './funding.ts';
import { type Funding, per8Hours } from './funding-rates.ts';

/**
 * Means of the rates of eight hours by turnover, by open interest (null where none is known) and each counted once, with the contracts by
 * their share of the turnover, largest first; null where no turnover is known. Example: 0.0001 of 8 hours with a turnover of 3 and
 * 0.0001 of 1 hour (0.0008 of 8 hours) with a turnover of 1: by turnover 0.000275, plain 0.00045.
 */
export function weightedFundings(all: readonly Funding[]) {
  const volume = sumKnown(all.map((one) => one.volume_24h_usd)) ?? 0;
  if (volume <= 0) return null;
  const traded = all.filter((one) => (one.volume_24h_usd ?? 0) > 0);
  const open = all.filter((one) => (one.open_interest_usd ?? 0) > 0);
  return {
    byVolume: weightedMean(traded.map((one) => [per8Hours(one), one.volume_24h_usd])) ?? 0,
    byInterest: weightedMean(open.map((one) => [per8Hours(one), one.open_interest_usd])),
    plain: mean(all.map(per8Hours)),
    volume,
    exchanges: new Set(all.map(({ exchange }) => exchange)).size,
    weights: all
      .map((funding) => ({ funding, weight: quotientOf(funding.volume_24h_usd, volume) }))
      .sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0)),
  };
}

/** Rates settled within a step: their sum, and the hours that they are for. */
export interface Settled {
  time: number;
  rate: number;
  hours: number;
}

/** The settled rates of one contract, ascending. */
export interface SettledSeries {
  exchange: string;
  rows: readonly Settled[];
}

/** The same with the turnover of each step, US dollars, where it is known. */
export interface TradedSeries extends SettledSeries {
  turnover: ReadonlyMap<number, number>;
}

/**
 * The rates of eight hours by step, ascending: of each contract the sum of what was settled, x 8 / the hours that it is for.
 * Example: settled 0.0001 and 0.0003 of 4 hours each are 0.0004 of 8 hours.
 */
function ratesByStep<S extends Pick<SettledSeries, 'rows'>>(all: readonly S[]) {
  const settled = all.flatMap((of) =>
    of.rows
      .filter(({ hours }) => hours > 0)
      .map(({ time, rate, hours }) => ({ of, time, rate: rateOf8Hours(rate, hours) })),
  );
  return [...Map.groupBy(settled, ({ time }) => time)]
    .map(([time, rates]) => ({ time, rates }))
    .sort((a, b) => a.time - b.time);
}

/** The means of each step: by the turnover of that step, and each counted once. Example: 0.0001 of 3 and 0.0005 of 1: 0.0002, and 0.0003. */
export const settledMeans = (all: readonly TradedSeries[]) =>
  ratesByStep(all).map(({ time, rates }) => {
    const plain = mean(rates.map(({ rate }) => rate));
    const traded = rates.filter(({ of }) => (of.turnover.get(time) ?? 0) > 0);
    const byVolume = weightedMean(traded.map(({ of, rate }) => [rate, of.turnover.get(time) ?? 0]));
    return {
      ...{ time, plain, byVolume: byVolume ?? plain },
      ...{ exchanges: rates.length, weighted: traded.length },
    };
  });

/** The settled rates of one contract, and its open interest at the end of a step, US dollars. */
export interface OpenSeries extends Pick<SettledSeries, 'exchange' | 'rows'> {
  open: ReadonlyMap<number, number>;
}

/**
 * The means of each step by open interest. A contract without one at the end of the step is not part of it, and a step without
 * any is left out. Example: 0.0001 of 3 and 0.0005 of 1: 0.0002.
 */
export const interestMeans = (all: readonly OpenSeries[]) =>
  ratesByStep(all).flatMap(({ time, rates }) => {
    const known = rates.flatMap(({ of, rate }) => {
      const weight = of.open.get(time) ?? 0;
      return weight > 0 ? [{ of, rate, weight }] : [];
    });
    const byInterest = weightedMean(known.map(({ rate, weight }) => [rate, weight]));
    if (byInterest === null) return [];
    return {
      ...{ time, byInterest },
      plain: mean(known.map(({ rate }) => rate)),
      interest: known.reduce((sum, { weight }) => sum + weight, 0),
      exchanges: new Set(known.map(({ of }) => of.exchange)).size,
    };
  });

/** The rates of eight hours by step, ascending: those of each exchange, their mean and their median. */
export function predictedMeans(
  all: readonly { exchange: string; rows: readonly Pick<Settled, 'time' | 'rate'>[] }[],
) {
  const valued = all.map(({ exchange, rows }) => ({
    exchange,
    rows: rows.map(({ time, rate }) => ({ time, value: rate })),
  }));
  return byTime(valued).map(({ timestamp: time, exchanges }) => {
    const rates = Object.values(exchanges);
    return { time, exchanges, mean: mean(rates), median: median(rates) };
  });
}

/** The part of a period that must be covered by settlements. */
const wholeShare = 0.95;

/**
 * What a constant long paid per unit of its size in the `days` days before `now`: the sum of the rates settled after
 * `now - days` and until `now`. Null where the settlements are for less than 95 % of that time.
 * Example: three rates of 0.0001 of 8 hours in the last day are 0.0003.
 */
export function cumulativeFunding(
  rows: readonly Settled[],
  days: number,
  now: number,
): number | null {
  const own = rows.filter(({ time }) => time > now - days * day && time <= now);
  const hours = own.reduce((sum, row) => sum + row.hours, 0);
  if (hours < wholeShare * days * 24) return null;
  return own.reduce((sum, { rate }) => sum + rate, 0);
}

/** The running sums of some contracts by exchange, in the `days` days before `now`, a row for each day, ascending. */
export function runningFundings(
  all: readonly Pick<SettledSeries, 'exchange' | 'rows'>[],
  days: number,
  now: number,
) {
  const from = now - days * day;
  const found: { time: number; sums: Record<string, number> }[] = [];
  const state = all.map(({ exchange, rows }) => ({
    ...{ exchange, sum: 0, at: 0 },
    rows: rows.filter(({ time }) => time > from && time <= now),
  }));
  for (let time = Math.floor(from / day) * day; time <= now; time += day) {
    const sums: Record<string, number> = {};
    for (const one of state) {
      for (let row = one.rows[one.at]; row && row.time < time + day; row = one.rows[one.at]) {
        one.sum += row.rate;
        one.at += 1;
      }
      sums[one.exchange] = one.sum;
    }
    found.push({ time, sums });
  }
  return found;
}

/** What a constant long paid on each contract in the `days` days before `now`, the most first, and the running sums of those days. */
export function paidFunding(
  series: readonly (SettledSeries & { contract: string })[],
  days: number,
  now: number,
) {
  const all = series.map((one) => ({ ...one, total: cumulativeFunding(one.rows, days, now) }));
  const exchanges = all.map(({ exchange, contract, rows, total }) => ({
    exchange,
    contract,
    interval_hours: rows.at(-1)?.hours ?? null,
    settlements: rows.filter(({ time }) => time > now - days * day).length,
    cumulative_1d: cumulativeFunding(rows, 1, now),
    cumulative_7d: cumulativeFunding(rows, 7, now),
    cumulative_30d: cumulativeFunding(rows, 30, now),
    cumulative_range: total,
    annualized: total === null ? null : (total * 365) / days,
  }));
  const least = Number.NEGATIVE_INFINITY;
  exchanges.sort((a, b) => (b.cumulative_range ?? least) - (a.cumulative_range ?? least) || 0);
  const whole = all.filter(({ total }) => total !== null);
  const points = runningFundings(whole, days, now);
  return { exchanges, points: points.map(({ time, sums }) => ({ ...sums, timestamp: time })) };
}
