/** Prices of loans in the units that are served, and their means. */
import { hour } from '../../config/time.ts';
import type { BorrowRow } from './rows.ts';

/** 365 days of 24 hours. */
const hoursPerYear = 8760;

/** An hourly fraction in the units that are served, percent; the year is simple, without interest on interest. */
export const ratesOf = (hourly: number) => ({
  hourly_rate_pct: hourly * 100,
  daily_rate_pct: hourly * 24 * 100,
  annual_rate_pct: hourly * hoursPerYear * 100,
});

/** A rate of one exchange, and when it was received (Unix ms). */
export interface ExchangeRate extends BorrowRow {
  exchange: string;
  received: number;
}

/** How old an exchange's answer may be to count in a mean. */
export const freshness = 2 * hour;

const extreme = ({ exchange, hourly_rate: rate }: ExchangeRate) => ({
  exchange,
  annual_rate_pct: ratesOf(rate).annual_rate_pct,
});

/** The simple mean over the exchanges that answered within two hours; null when none did. */
export function averageRate(asset: string, rates: readonly ExchangeRate[], now: number) {
  const fresh = rates
    .filter((row) => row.asset === asset && now - row.received <= freshness)
    .sort((a, b) => a.hourly_rate - b.hourly_rate);
  const [lowest, highest] = [fresh[0], fresh.at(-1)];
  if (!lowest || !highest) return null;
  const hourly = fresh.reduce((sum, row) => sum + row.hourly_rate, 0) / fresh.length;
  const { annual_rate_pct: annual, daily_rate_pct: daily } = ratesOf(hourly);
  return {
    asset,
    average_annual_rate_pct: annual,
    average_daily_rate_pct: daily,
    min: extreme(lowest),
    max: extreme(highest),
    exchange_count: fresh.length,
  };
}

/** A year's fraction above which a rate is doubted, and below which all others have to be for that. */
const doubtful = { above: 2, others: 0.5 };

/**
 * Rates that are refused: more than 200 % a year while every other exchange asks less than 50 % for the asset. So a
 * unit that an exchange documents badly (Gate's rates are taken as hourly ones, which no page of it states) shows.
 */
export function refusedRates(rates: readonly ExchangeRate[]): ReadonlySet<ExchangeRate> {
  const byAsset = Map.groupBy(rates, ({ asset }) => asset);
  const isRefused = (row: ExchangeRate) => {
    const others = (byAsset.get(row.asset) ?? []).filter((other) => other !== row);
    return (
      row.hourly_rate * hoursPerYear > doubtful.above &&
      others.length > 0 &&
      others.every((other) => other.hourly_rate * hoursPerYear < doubtful.others)
    );
  };
  return new Set(rates.filter(isRefused));
}
