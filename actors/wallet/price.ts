/** The price of a token from several sources. Pure. */
import type { Coin } from '../providers/defillama/coins.ts';
import type { Market } from '../providers/dexscreener.ts';

/** The known prices of a token. */
export interface PriceEvidence {
  market: Market | null;
  coin: Coin | null;
  /** The price of the token index; null where it has none. */
  rate: number | null;
  /** In whole tokens. */
  balance: number;
}

/** `contested`: the sources contradict each other. `unlisted`: none has a price to go by. */
export type Pricing = number | 'unlisted' | 'contested';

/** Factor between two prices beyond which they contradict each other. */
const farApart = 3;
/** Least depth, US dollars, of a pool whose price is preferred to an index. */
const deepPool = 50_000;
/** Depth, US dollars, below which a pool alone prices only holdings that could be sold into it. */
const shallowPool = 10_000;
/** Most value of a holding for each dollar in a shallow pool. */
const maxShareOfPool = 10;

const agree = (a: number, b: number): boolean => a <= farApart * b && b <= farApart * a;

/**
 * The first price that is the only one or agrees with another. Any one source may be wrong by a factor of 100, and
 * neither its stated confidence nor the depth of a pool shows it; so between two prices that contradict each other a
 * third decides, and without a third there is no price. `vetoes` can support or contradict a price but never supply it.
 */
export function settled(
  prices: readonly (number | null)[],
  vetoes: readonly (number | null)[] = [],
): Pricing {
  const stated = [...prices, ...vetoes].map((price, at) => ({ price, at }));
  const stands = ({ price, at }: (typeof stated)[number]): boolean => {
    if (price === null || at >= prices.length) return false;
    const others = stated.flatMap((other) =>
      other.at === at || other.price === null ? [] : [other.price],
    );
    return others.length === 0 || others.some((other) => agree(other, price));
  };
  const found = stated.find(stands)?.price;
  if (typeof found === 'number') return found;
  return prices.every((price) => price === null) ? 'unlisted' : 'contested';
}

/**
 * The price of a token, US dollars. `floor` is the least liquidity, US dollars: a token whose pools are known to be
 * shallower has no price, even if a source states one, as it could not be sold. The deepest pool's price is taken if it
 * is deep, else the index's; a shallow pool alone does not price a holding worth far more than its liquidity.
 */
export function tokenPrice({ market, coin, rate, balance }: PriceEvidence, floor: number): Pricing {
  if (market !== null && market.deepest < floor) return 'unlisted';
  const pool = market?.pool && market.pool.liquidity >= floor ? market.pool : null;
  const listed = coin?.price ?? null;
  if (pool !== null && listed === null && pool.liquidity < shallowPool) {
    if (balance * pool.price > maxShareOfPool * pool.liquidity) return 'unlisted';
  }
  const traded = pool?.price ?? null;
  const deep = pool !== null && pool.liquidity >= deepPool;
  return settled(deep ? [traded, listed] : [listed, traded], [rate]);
}
