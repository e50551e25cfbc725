import { type OpenInterestRow, topics } from '../../actors/topics/index.ts';
import type { Rates } from '../../indicators/market/fold.ts';
import { foldOpenInterest, totalInterest } from '../../indicators/market/open-interest.ts';
import { agedInputs, type Dated, type Explanation } from './explanation.ts';
import type { InterestOfSymbol, InterestSummary, OpenInterestEntry } from './market-schemas.ts';
import type { Explained } from './symbol-view-options.ts';
import { SymbolView } from './symbols.ts';

/** The prices that an exchange's open interest is converted and checked with. */
export interface InterestContext {
  /** USD per unit of each dollar quote. */
  rates(): Rates;
  /** 24 h turnover of a symbol at one exchange, USD; null when unknown. */
  turnover(exchange: string, symbol: string): number | null;
}

/** The open interest of each market that the total is the sum of. */
function explainInterest(
  { one, rows }: Explained<OpenInterestRow, OpenInterestEntry, InterestOfSymbol>,
  rates: Rates,
): Explanation {
  const inputs = rows.flatMap(({ exchange, row, received }): Dated[] => {
    const conversion = rates.get(row.quote);
    if (conversion === undefined) return [];
    const isOut = one.exchanges[exchange]?.excluded === true;
    return [
      {
        exchange,
        market: row.market,
        value: row.value,
        unit: row.quote,
        conversion,
        weight: isOut ? 0 : 1,
        received_at: received,
        excluded: isOut ? 'implausible beside the turnover and all other exchanges' : null,
      },
    ];
  });
  return {
    field: 'total_oi_usd',
    result: one.total_oi_usd,
    method: 'weighted_sum',
    rule: 'One side of every dollar perpetual, in US dollars by the live rate of its quote; all but implausible exchanges count whole.',
    inputs: agedInputs(inputs),
  };
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
      explain: (found) => explainInterest(found, prices.rates()),
      summary(symbol, entries) {
        const { excluded: _, ...sums } = totalOf(symbol, entries);
        return sums;
      },
    });
  }
}
