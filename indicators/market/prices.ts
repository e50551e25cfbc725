/** Prices of assets: folded by exchange, and averaged over exchanges. */
import { isAround } from '../digits.ts';
import { isNear } from './checks.ts';
import { type Fold, foldReadings, type MarketRow, type Rates, type ReadingOf } from './fold.ts';
import { heardAt, unheardAfter } from './heard.ts';
import { mean, median } from './statistics.ts';

/** The last trade and 24 h turnover of one market. */
interface PriceFacts extends MarketRow {
  market: string;
  kind: 'spot' | 'perpetual';
  /** In `quote`. */
  price: number;
  /** 24 h turnover in `quote`; null when unknown. */
  volume: number | null;
  /** Unix ms; null when the exchange states none. */
  stated: number | null;
}

/** The price of one asset at one exchange. */
export interface PriceEntry {
  /** Last trade of the most traded dollar market of the asset, US dollars. */
  price: number;
  /** Rolling 24 h turnover over all its dollar markets, spot and perpetual, US dollars. */
  volume_24h: number;
  /** How many markets state the turnover that this is the sum of. */
  markets: number;
  /** Receive time of the price, Unix ms. */
  updated_at: number;
  /** Time that the exchange states for the price, Unix ms; null where it states none. */
  venue_time: number | null;
  /** The market that the price is of. */
  market: string;
  kind: 'spot' | 'perpetual';
  quote: string;
}

/** What a fold takes beside the readings. */
export interface FoldContext {
  rates: Rates;
  /** Unix ms. */
  now: number;
  /** Oldest age of a row that counts, ms. */
  maxAge: number;
}

/** Turnover of the leading market of each entry, as far as it counts. */
const leading = new WeakMap<PriceEntry, number>();
/** The share of its turnover that counts of a market that was not heard for a while. */
const unheardShare = 0.5;

/**
 * Adds one market: its turnover to the sum, and its price when its turnover is the largest of the asset so far, of which half
 * counts where the market was not heard for ten seconds (`unheard`): of markets that are traded alike the newer one gives the price. A
 * market without a stated turnover adds nothing to the sum.
 */
function addPrice(
  entries: Map<string, PriceEntry>,
  row: PriceFacts,
  { rate, received, now }: { rate: number; received: number; now: number },
): void {
  const volume = (row.volume ?? 0) * rate;
  const isUnheard = now - heardAt(received, row.stated) > unheardAfter;
  const weight = isUnheard ? unheardShare * volume : volume;
  const before = entries.get(row.symbol);
  const total = (before?.volume_24h ?? 0) + volume;
  const markets = (before?.markets ?? 0) + (row.volume === null ? 0 : 1);
  if (before && weight <= (leading.get(before) ?? 0)) {
    before.volume_24h = total;
    before.markets = markets;
    return;
  }
  const entry: PriceEntry = {
    price: row.price * rate,
    volume_24h: total,
    markets,
    updated_at: received,
    venue_time: row.stated,
    market: row.market,
    kind: row.kind,
    quote: row.quote,
  };
  leading.set(entry, weight);
  entries.set(row.symbol, entry);
}

/** The prices of one exchange by asset: of each the last trade of its most traded dollar market. Turnovers are sums. */
export const foldPrices = (
  readings: Iterable<ReadingOf<PriceFacts>>,
  context: FoldContext,
): Fold<PriceEntry> => foldReadings(readings, { ...context, add: addPrice, isSum: true });

/** 24 h turnover of one asset at one exchange by the kind of its markets. */
export interface KindTurnover {
  kind: 'spot' | 'futures';
  /** US dollars; markets that state none add nothing. */
  value: number;
  /** Receive time of the newest of its markets, Unix ms. */
  at: number;
}

function addTurnover(
  entries: Map<string, KindTurnover[]>,
  { symbol, kind: stated, volume }: PriceFacts,
  { rate, received }: { rate: number; received: number },
): void {
  const kind = stated === 'spot' ? 'spot' : 'futures';
  const value = (volume ?? 0) * rate;
  const known = entries.get(symbol) ?? [];
  const sum = known.find((one) => one.kind === kind);
  if (sum) {
    sum.value += value;
    sum.at = Math.max(sum.at, received);
  } else entries.set(symbol, [...known, { kind, value, at: received }]);
}

/** The turnovers of one exchange by asset. */
export const foldTurnovers = (
  readings: Iterable<ReadingOf<PriceFacts>>,
  context: FoldContext,
): Fold<KindTurnover[]> => foldReadings(readings, { ...context, add: addTurnover, isSum: true });

/** Whether all rows of one of these parts of an exchange are too old: the sums of the others are not those of the exchange. */
export const lacksPart = (
  readings: readonly ReadingOf<PriceFacts>[],
  context: FoldContext,
): boolean =>
  readings
    .map((one) => foldTurnovers([one], context))
    .some(({ entries, stale }) => entries.size === 0 && stale.size > 0);

/** Share of the median beyond which a price is excluded, and how many exchanges it takes to judge. */
const outlier = { share: 0.1, quorum: 3 };

/** What the prices of one asset average to. */
export interface Consensus {
  /** Plain mean of the prices that count. */
  mean: number;
  median: number;
  /** How many prices count. */
  count: number;
  /** Two prices differ by more than 10 %, or no majority of them agrees: the mean is of little worth. */
  disputed: boolean;
  /** Whether a price is left out of the mean. */
  isExcluded(price: number): boolean;
}

/**
 * The mean of the prices; of three or more, those more than 10 % from the median are excluded. There is at least one.
 * Examples: [100, 104]: mean 102. [100, 100000]: mean 50050, disputed. [100, 101, 100000]: mean 100.5, the last one is
 * excluded. [100, 100, 900, 900]: all are far from the median of 500, so all count, disputed.
 */
export function consensus(prices: readonly number[]): Consensus {
  const middle = median(prices);
  const isFar = (price: number) =>
    prices.length >= outlier.quorum && !isAround(price, middle, outlier.share);
  const near = prices.filter((price) => !isFar(price));
  const counted = near.length > 0 ? near : prices;
  const isPair = prices.length === 2;
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  return {
    mean: mean(counted),
    median: middle,
    count: counted.length,
    disputed: isPair ? !isAround(most, least, outlier.share) : near.length * 2 <= prices.length,
    isExcluded: (price) => near.length > 0 && isFar(price),
  };
}

/** When the price of one exchange was heard last, Unix ms. */
export const priceHeard = ({ updated_at, venue_time }: PriceEntry): number =>
  heardAt(updated_at, venue_time);

/** The consensus of the prices of one asset at the exchanges, of which there is at least one. */
export function averagePrice(
  entries: readonly (readonly [exchange: string, PriceEntry])[],
): Consensus & { updated_at: number; heard: number } {
  const found = consensus(entries.map(([, { price }]) => price));
  const counted = entries.filter(([, { price }]) => !found.isExcluded(price));
  return {
    ...found,
    updated_at: Math.max(0, ...counted.map(([, entry]) => entry.updated_at)),
    heard: Math.max(0, ...counted.map(([, entry]) => priceHeard(entry))),
  };
}

/**
 * US dollars a unit of a currency that is meant to be worth one dollar, out of its price at each exchange: the median.
 * Of one or two exchanges a price more than 30 % away from one dollar counts only when the other exchange is within
 * 30 % of it; 1 when no price is left. Examples: [0.998] is 0.998, [1000] is 1, [1, 1000] is 1, [0.5, 0.52] is 0.51.
 */
export function dollarRate(stated: readonly number[]): number {
  const [one = 1, other] = stated;
  const agreed = stated.length > 2 || (other !== undefined && isNear(one, other));
  const counted = agreed ? stated : stated.filter((price) => isNear(price, 1));
  return counted.length === 0 ? 1 : median(counted);
}

/** US dollars a unit of dollar quotes as one reading states them: its spot markets of a quote against the dollar. */
export function statedRates(
  { rows, received, frozen }: ReadingOf<PriceFacts>,
  { quotes, since }: { quotes: ReadonlySet<string>; since: number },
): Rates {
  const rates = new Map<string, number>();
  for (const row of frozen ? [] : rows) {
    const isRate = row.quote === 'USD' && row.kind === 'spot' && quotes.has(row.symbol);
    if (isRate && (row.received ?? received) >= since) rates.set(row.symbol, row.price);
  }
  return rates;
}

/** US dollars a unit of each quote, out of the rates that readings state (`dollarRate`); of the dollar itself 1. */
export function dollarRates(stated: readonly Rates[], quotes: ReadonlySet<string>): Rates {
  const rateOf = (quote: string) => dollarRate(stated.flatMap((rates) => rates.get(quote) ?? []));
  return new Map([...quotes].map((quote) => [quote, quote === 'USD' ? 1 : rateOf(quote)]));
}
