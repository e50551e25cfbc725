/** The perpetuals of Hyperliquid, those of builders among them, as they were published last. */
import type { MarketState } from '../state/market-state.ts';
import type { MarketRows } from '../topics/index.ts';

/** A market with the open interest of its side, base assets, and the mark price of these; both 0 where that is not known. */
interface Perpetual {
  symbol: string;
  scale: number;
  units: number;
  price: number;
}

const none = { units: 0, price: 0 };

/** By their own names. */
export function perpetualsIn(
  market: Pick<MarketState, 'bySource'>,
): ReadonlyMap<string, Perpetual> {
  const rowsOf = <T extends 'instruments' | 'openInterest'>(topic: T) =>
    (market.bySource(topic).get('hyperliquid') ?? []).flatMap(
      ({ rows }): readonly MarketRows[T][] => rows,
    );
  const perpetuals = rowsOf('instruments').filter(({ kind }) => kind === 'perpetual');
  const interests = new Map(rowsOf('openInterest').map((row) => [row.market, row]));
  return new Map(
    perpetuals.map(({ market: name, symbol, scale }) => {
      const { units = 0, value = 0 } = interests.get(name) ?? {};
      const known = units !== null && units > 0 ? { units, price: value / units } : none;
      return [name, { symbol, scale, ...known }];
    }),
  );
}
