/** Back-fill of the tracked assets, of which each key is asked of one market. */

import type { Backfilled, MarketState } from '../../state/market-state.ts';
import type { Margin, RecordedName } from '../../topics/index.ts';
import type { Ask } from '../define.ts';

/** The keys of the tracked assets at each exchange that answers a query. */
export const trackedKeys =
  (query: Backfilled, keysOf: (source: string, symbol: string) => readonly string[]) =>
  (market: MarketState, now: number): string[] =>
    market
      .supportedExchanges(query)
      .flatMap((source) => market.tracked(now).flatMap((symbol) => keysOf(source, symbol)));

/** Where a key is asked. */
export interface Place {
  query: Backfilled;
  source: string;
  kind: 'spot' | 'perpetual';
  symbol: string;
  margin?: Margin;
}

/** One question about the most traded market of a key; none where the exchange has no such query or market. */
export function askLeading<Name extends RecordedName>(
  market: MarketState,
  { query, source, kind, symbol, margin }: Place,
  askOf: (market: string) => Ask<Name>,
): Ask<Name>[][] {
  if (!market.supportedExchanges(query).includes(source)) return [];
  const [leading] = market.markets(source, kind, symbol, margin);
  return leading ? [[askOf(leading.market)]] : [];
}
