/** The markets whose order books are kept, and whose trades are folded. */

import type { InstrumentMap } from '../sources/define.ts';
import type { InstrumentBook } from '../sources/instruments.ts';
import { steadyFirst, steadyTop } from '../sources/polling/plan.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Instrument } from '../topics/index.ts';

const kinds = ['spot', 'perpetual'] as const;

interface TrackedOptions {
  market: MarketState;
  book: InstrumentBook;
  /** How many assets are tracked. */
  assets: number;
}

/**
 * Of every tracked asset the most traded dollar market of each kind, as far as the part of the exchange has it; of a part with the
 * markets of builders, which are assets of their own, as many of the most traded ones. Assets and markets that were chosen before stay
 * until others are clearly ahead of them.
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
  /** By part. */
  const ofBuilders = new Map<string, ReadonlySet<string>>();
  const builtIn = (source: string, part: string, built: readonly Instrument[]) => {
    const turnovers = market.turnovers(source);
    const ranked = built
      .filter((one) => turnovers.has(one.market))
      .sort((a, b) => (turnovers.get(b.market) ?? 0) - (turnovers.get(a.market) ?? 0));
    const key = `${source} ${part}`;
    const names = ranked.map((one) => one.market);
    const chosen = new Set(steadyTop(names, assets, ofBuilders.get(key) ?? new Set()));
    ofBuilders.set(key, chosen);
    return new Map(ranked.flatMap((one) => (chosen.has(one.market) ? [[one.market, one]] : [])));
  };
  return (source: string, part: string, now: number): InstrumentMap => {
    const listed = book.part(source, part);
    const built = [...listed.values()].filter(
      ({ dex, kind }) => dex !== undefined && kind === 'perpetual',
    );
    if (built.length > 0) return builtIn(source, part, built);
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
