/** The markets whose order books are kept, and whose trades are folded. */

import type { InstrumentMap } from '../sources/define.ts';
import type { InstrumentBook } from '../sources/instruments.ts';
import { steadyFirst, steadyTop } from '../sources/polling/plan.ts';
import type { MarketState } from '../state/market-state.ts';

const kinds = ['spot', 'perpetual'] as const;

interface TrackedOptions {
  market: MarketState;
  book: InstrumentBook;
  /** How many assets are tracked. */
  assets: number;
}

/**
 * Of every tracked asset the most traded dollar market of each kind, as far as the part of the exchange has it. Assets and markets
 * that were chosen before stay until others are clearly ahead of them.
 */
export const trackedMarkets = ({ market, book, assets }: TrackedOptions) => {
  let symbols: readonly string[] = [];
  /** By exchange, kind and symbol. */
  const leading = new Map<string, string>();
  const leadingOf = (source: string, kind: (typeof kinds)[number], symbol: string) => {
    const key = `${source} ${kind} ${symbol}`;
    const first = steadyFirst(market.markets(source, kind, symbol), leading.get(key));
    if (first) leading.set(key, first.market);
    return first?.market ?? '';
  };
  return (source: string, part: string, now: number): InstrumentMap => {
    const listed = book.part(source, part);
    symbols = steadyTop(market.tracked(now), assets, new Set(symbols));
    const found = symbols.flatMap((symbol) =>
      kinds.flatMap((kind) => {
        const one = listed.get(leadingOf(source, kind, symbol));
        return one?.kind === kind ? one : [];
      }),
    );
    return new Map(found.map((one) => [one.market, one]));
  };
};
