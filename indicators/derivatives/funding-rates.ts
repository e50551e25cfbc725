/** Funding rates of one asset over exchanges: each per eight hours and per year, their mean, and the largest difference. */
import type { MarketClass } from '../../config/assets/symbols.ts';
import { isAround, less } from '../digits.ts';
import { mean, median } from '../market/statistics.ts';
import { annualRate, rateOf8Hours } from './funding.ts';

/** The funding of one perpetual with a known rate and interval. */
export interface Funding {
  exchange: string;
  contract: string;
  quote: string;
  asset_class: MarketClass;
  /** Fractions per `hours`; the predicted one null where the exchange states none. */
  rate: number;
  predicted: number | null;
  hours: number;
  /** When the rate is charged, Unix ms; null where it is not known. */
  next: number | null;
  /** In `quote`. */
  mark: number | null;
  index: number | null;
  /** US dollars; null when unknown. */
  open_interest_usd: number | null;
  volume_24h_usd: number | null;
  /** Unix ms. */
  received: number;
}

export const per8Hours = ({ rate, hours }: Pick<Funding, 'rate' | 'hours'>): number =>
  rateOf8Hours(rate, hours);
export const perYear = ({ rate, hours }: Pick<Funding, 'rate' | 'hours'>): number =>
  annualRate(rate, hours);

/**
 * Means of the rates of the perpetuals of one asset, each counted once, and the extremes; null without any. Example: 0.0001 of 8 hours and 0.00005 of 1 hour are
 * 0.0001 and 0.0004 per 8 hours: mean 0.00025, 0.27375 a year.
 */
export function fundingSummary(all: readonly Funding[]) {
  const falling = all.toSorted((a, b) => perYear(b) - perYear(a));
  const [first, highest, lowest] = [all[0], falling[0], falling.at(-1)];
  if (!first || !highest || !lowest) return null;
  const rates = all.map(per8Hours);
  const mean8Hours = mean(rates);
  return {
    asset_class: first.asset_class,
    mean8Hours,
    median8Hours: median(rates),
    annual: annualRate(mean8Hours, 8),
    falling,
    highest,
    lowest,
    exchanges: new Set(all.map(({ exchange }) => exchange)).size,
  };
}

type FundingSummary = NonNullable<ReturnType<typeof fundingSummary>>;

/** One asset with its perpetuals. */
export type AssetFundings = FundingSummary & { symbol: string };

/** What assets are sorted by, each largest first. */
const orders = {
  rate: ({ mean8Hours }) => mean8Hours,
  exchanges: ({ exchanges }) => exchanges,
  annualized: ({ highest, lowest }) =>
    Math.max(Math.abs(perYear(highest)), Math.abs(perYear(lowest))),
  open_interest: ({ falling }) =>
    falling.reduce((sum, { open_interest_usd: usd }) => sum + (usd ?? 0), 0),
} as const satisfies Record<string, (one: AssetFundings) => number>;

/** The summaries of lists that have not changed since. */
const summaries = new WeakMap<readonly Funding[], FundingSummary | null>();

function knownSummary(fundings: readonly Funding[]): FundingSummary | null {
  const known = summaries.get(fundings);
  if (known !== undefined) return known;
  const made = fundingSummary(fundings);
  summaries.set(fundings, made);
  return made;
}

/** The assets of a class, or all, by a number of theirs; equal ones by name, so that pages do not overlap. */
export function fundingsInOrder(
  all: Iterable<readonly [symbol: string, readonly Funding[]]>,
  { sort, class: of }: { sort: keyof typeof orders; class?: MarketClass | undefined },
): AssetFundings[] {
  const found = [...all].flatMap(([symbol, fundings]): AssetFundings[] => {
    const summary = knownSummary(fundings);
    return summary && (of ?? summary.asset_class) === summary.asset_class
      ? [{ symbol, ...summary }]
      : [];
  });
  const by = orders[sort];
  return found.sort((a, b) => by(b) - by(a) || (a.symbol < b.symbol ? -1 : 1));
}

/** Marks of one asset differ by less; beyond it two different assets share a ticker, or one of the marks is wrong. */
const mostBasis = 0.05;

/**
 * Pairs of perpetuals of one asset on two exchanges that receive `least` a year or more, best first. The side with the
 * lower rate is long: it pays less, or is paid. A pair whose marks are unknown or differ by more than 5 % is left out.
 * Example: 0.0001 of 8 hours on one exchange and 0.0001 of 1 hour on another are 0.1095 and 0.876 a year: long on the
 * first and short on the second receives 0.7665.
 */
export function fundingPairs(all: readonly Funding[], least: number) {
  const pairs: { long: Funding; short: Funding; annual: number; basis: number }[] = [];
  for (const long of all) {
    for (const short of all) {
      const annual = less(perYear(short), perYear(long));
      if (long.exchange === short.exchange || annual <= 0 || less(annual, least) < 0) continue;
      const [sold, bought] = [short.mark ?? Number.NaN, long.mark ?? Number.NaN];
      if (isAround(sold, bought, mostBasis))
        pairs.push({ long, short, annual, basis: sold / bought - 1 });
    }
  }
  return pairs.sort((a, b) => b.annual - a.annual);
}
