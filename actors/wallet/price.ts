/** What a token is worth, out of what several sources say of it. Pure. */
import type { Coin } from '../providers/defillama/coins.ts';
import type { Market } from '../providers/dexscreener.ts';

/** All that is known of a token's price. */
export interface PriceEvidence {
  market: Market | null;
  coin: Coin | null;
  /** What the index of tokens says; null where it says nothing. */
  rate: number | null;
  /** In whole tokens. */
  balance: number;
}

/** `contested`: the sources contradict each other. `unlisted`: none has a price to go by. */
export type Pricing = number | 'unlisted' | 'contested';

/** Two prices further apart contradict each other. */
const farApart = 3;
/** A pool at least so deep, US dollars, has a price closer to the market's than an index. */
const deepPool = 50_000;
/** A pool below, US dollars, is believed by itself only for what could be sold into it. */
const shallowPool = 10_000;
/** Most value of a holding for each dollar in a shallow pool. */
const mostOfPool = 10;

const agree = (a: number, b: number): boolean => a <= farApart * b && b <= farApart * a;

/**
 * The first price that stands: nobody else has a word about the token, or somebody else says about the same. Any one
 * source may be wrong by a factor of 100 and sure of itself, and neither its own confidence nor the depth of a pool
 * shows it; so between two that contradict each other a third decides, and without one there is no price. Witnesses
 * have a word and are never the price.
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
  if (found !== undefined && found !== null) return found;
  return prices.every((price) => price === null) ? 'unlisted' : 'contested';
}

/**
 * The price of a token, US dollars. `floor` is the least liquidity, US dollars: a token whose pools are known to be
 * shallower has no price, whoever states one, as it could not be sold. The deepest pool's price is taken where that is
 * deep, else the index's; a shallow pool alone is not believed for a holding worth far more than lies in it.
 */
export function tokenPrice({ market, coin, rate, balance }: PriceEvidence, floor: number): Pricing {
  if (market !== null && market.deepest < floor) return 'unlisted';
  const pool = market?.pool && market.pool.liquidity >= floor ? market.pool : null;
  const listed = coin?.price ?? null;
  if (pool !== null && listed === null && pool.liquidity < shallowPool) {
    if (balance * pool.price > mostOfPool * pool.liquidity) return 'unlisted';
  }
  const traded = pool?.price ?? null;
  const deep = (pool?.liquidity ?? 0) >= deepPool;
  return settled(deep ? [traded, listed] : [listed, traded], [rate]);
}
