/** Perpetuals of many exchanges, in US dollars: open interest that can be true, exchanges by their size. */
import {
  type AssetMarket,
  type AssetSummary,
  bySymbol,
  quotientOf,
  sumKnown,
  weightedMean,
} from '../market/assets.ts';
import { implausibleInterest } from '../market/open-interest.ts';
import { rateOf8Hours } from './funding.ts';
import type { Perpetual } from './perpetuals.ts';

/** One perpetual with its price, turnover and open interest in US dollars. */
export interface PerpetualMarket extends AssetMarket {
  row: Perpetual;
  /** Open interest, US dollars, one side; null when unknown. */
  interest: number | null;
  /** What the exchange states of the open interest cannot be true. */
  implausible?: true;
}

/**
 * The perpetual of a row, at `rate` US dollars a unit of its quote; null without a price. The price is the last one, or the
 * mark price of an exchange that states none.
 */
export function perpetualMarket(
  exchange: string,
  row: Perpetual,
  rate: number,
): PerpetualMarket | null {
  const last = row.last ?? row.mark;
  if (last === null) return null;
  const { contract: market, symbol, asset_class, quote, change } = row;
  return {
    exchange,
    market,
    symbol,
    asset_class,
    quote,
    last,
    price: last * rate,
    change,
    row,
    turnover: row.volume === null ? null : row.volume * rate,
    interest: row.value === null ? null : row.value * rate,
    received: row.received,
  };
}

/** Turnover and open interest of the markets of one asset by exchange. */
function byExchange(markets: readonly PerpetualMarket[]) {
  const found = new Map<string, { exchange: string; value: number; turnover: number | null }>();
  for (const { exchange, interest, turnover } of markets) {
    const known = found.get(exchange) ?? { exchange, value: 0, turnover: null };
    known.value += interest ?? 0;
    if (turnover !== null) known.turnover = (known.turnover ?? 0) + turnover;
    found.set(exchange, known);
  }
  return [...found.values()];
}

/** The markets with open interest that cannot be true (`implausibleInterest`) as unknown. */
export function withPlausibleInterest(markets: readonly PerpetualMarket[]): PerpetualMarket[] {
  return [...bySymbol(markets).values()].flatMap((own) => {
    const wrong = implausibleInterest(byExchange(own));
    if (wrong.size === 0) return own;
    return own.map((one) =>
      wrong.has(one.exchange) ? { ...one, interest: null, implausible: true } : one,
    );
  });
}

/** The funding rate of markets of one asset per eight hours, weighted by turnover; null where none is known. */
export const weightedFunding = (markets: readonly PerpetualMarket[]): number | null =>
  weightedMean(
    markets.map(({ row: { rate, hours }, turnover }) => [
      rate === null || hours === null ? null : rateOf8Hours(rate, hours),
      turnover,
    ]),
  );

/** The exchanges of markets by open interest, largest first, with the sums over their perpetuals in US dollars and their shares of all. */
export function exchangeRanks(markets: readonly PerpetualMarket[]) {
  const own = Map.groupBy(markets, ({ exchange }) => exchange);
  const sums = [...own].map(([exchange, all]) => ({
    exchange,
    interest: sumKnown(all.map(({ interest }) => interest)),
    turnover: sumKnown(all.map(({ turnover }) => turnover)),
    pairs: all.length,
    received: Math.max(...all.map(({ received }) => received)),
  }));
  const interests = sumKnown(sums.map(({ interest }) => interest));
  const turnovers = sumKnown(sums.map(({ turnover }) => turnover));
  return sums
    .map((one) => ({
      ...one,
      interestShare: quotientOf(one.interest, interests),
      turnoverShare: quotientOf(one.turnover, turnovers),
      interestToTurnover: quotientOf(one.interest, one.turnover),
    }))
    .sort((a, b) => (b.interest ?? -1) - (a.interest ?? -1));
}
export type ExchangeRank = ReturnType<typeof exchangeRanks>[number];

/** An asset with the open interest of the markets that count, US dollars; null where none is known. */
export type FuturesAsset = AssetSummary<PerpetualMarket> & { interest: number | null };

/** The assets by open interest, largest first. */
export const byInterest = (assets: readonly AssetSummary<PerpetualMarket>[]): FuturesAsset[] =>
  assets
    .map((asset) => ({ ...asset, interest: sumKnown(asset.counted.map((one) => one.interest)) }))
    .sort((a, b) => (b.interest ?? -1) - (a.interest ?? -1));
