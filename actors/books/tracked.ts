/** The markets whose order books are kept, and whose trades are folded. */

import type { InstrumentMap } from '../sources/define.ts';
import type { InstrumentBook } from '../sources/instruments.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Instrument } from '../topics/index.ts';

const kinds = ['spot', 'perpetual'] as const;

/**
 * Of every tracked asset the most traded dollar market of each kind, as far as the part of the exchange has it. `assets` is
 * how many assets are tracked.
 */
export const trackedMarkets =
  ({ market, book, assets }: { market: MarketState; book: InstrumentBook; assets: number }) =>
  (source: string, part: string, now: number): InstrumentMap => {
    const listed = book.part(source, part);
    const found = new Map<string, Instrument>();
    for (const symbol of market.tracked(now).slice(0, assets)) {
      for (const kind of kinds) {
        const [first] = market.markets(source, kind, symbol);
        const instrument = first && listed.get(first.market);
        if (instrument?.kind === kind) found.set(instrument.market, instrument);
      }
    }
    return found;
  };
