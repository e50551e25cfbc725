import { type OpenInterestRow, topics } from '../../actors/topics/index.ts';
import type { Rates } from '../../indicators/market/fold.ts';
import { foldOpenInterest, totalInterest } from '../../indicators/market/open-interest.ts';
import type { InterestOfSymbol, InterestSummary, OpenInterestEntry } from './market-schemas.ts';
import { SymbolView } from './symbols.ts';

/** The prices that an exchange's open interest is converted and checked with. */
export interface InterestContext {
  /** USD per unit of each dollar quote. */
  rates(): Rates;
  /** 24 h turnover of a symbol at one exchange, USD; null when unknown. */
  turnover(exchange: string, symbol: string): number | null;
}

/**
 * The answers of `/v1/open-interest`: per exchange the sum over its dollar perpetuals of the symbol, over the
 * exchanges the sum of those. Rows that have become too old are left out and their exchanges named.
 */
export class OpenInterestView extends SymbolView<
  OpenInterestRow,
  OpenInterestEntry,
  InterestOfSymbol,
  InterestSummary
> {
  constructor(prices: InterestContext) {
    const { maxAge } = topics.openInterest;
    const totalOf = (symbol: string, entries: readonly [string, OpenInterestEntry][]) =>
      totalInterest(entries, (exchange) => prices.turnover(exchange, symbol));
    super({
      maxAge,
      fold: (readings, now) => foldOpenInterest(readings, { rates: prices.rates(), now, maxAge }),
      one(symbol, entries) {
        const { excluded, ...sums } = totalOf(symbol, entries);
        const marked = entries.map(([exchange, entry]): [string, OpenInterestEntry] => [
          exchange,
          excluded.has(exchange) ? { ...entry, excluded: true } : entry,
        ]);
        return { symbol, ...sums, exchanges: Object.fromEntries(marked) };
      },
      summary(symbol, entries) {
        const { excluded: _, ...sums } = totalOf(symbol, entries);
        return sums;
      },
    });
  }
}
