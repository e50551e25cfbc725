/** Order books: a seeded ladder around the last price that changes every second. */
import type { Market } from './market.ts';
import { mix, sequence } from './noise.ts';

/** A level: price in quote, quantity in the market's own unit, number of orders. */
export interface BookLevel {
  price: number;
  quantity: number;
  orders: number;
}
/** Best first on both sides; the best bid is below the best ask, the last trade is on one of them. */
export interface Book {
  bids: BookLevel[];
  asks: BookLevel[];
  /** Grows with time. */
  updateId: number;
}

const side = (market: Market, best: number, step: 1 | -1, draw: () => number) => {
  const tick = 10 ** -market.decimals;
  const price = best * tick;
  const gap = Math.max(1, Math.round((price * 0.00006) / tick));
  const typical = market.typicalSize;
  const minimum = 10 ** -market.lot;
  return (ticks: number, i: number): [BookLevel, number] => {
    const size = typical * (0.05 + draw() ** 3 * 4) * (1 + i / 40);
    const quantity = Math.max(minimum, Math.round(size / minimum) * minimum);
    const level = { price: ticks * tick, quantity, orders: 1 + Math.floor(draw() * 8) };
    return [level, ticks + step * (1 + Math.floor(draw() * 2 * (gap - 1) + draw()))];
  };
};

/** At most `depth` levels a side; bids end early where the next price would not be positive. */
export function bookOf(market: Market, now: number, depth: number): Book {
  const last = Math.round(market.price(now) * 10 ** market.decimals);
  if (last <= 0) return { bids: [], asks: [], updateId: 0 };
  const second = Math.floor(now / 1000);
  const draw = sequence(mix(market.seed ^ 0x77, second));
  const spread = 1 + Math.floor(draw() * Math.max(0, last * 0.00004));
  const onBid = draw() < 0.5;
  const ladder = (best: number, step: 1 | -1, seed: number) => {
    const next = side(market, best, step, sequence(mix(seed, second)));
    const levels: BookLevel[] = [];
    for (let ticks = best, i = 0; i < depth && ticks > 0; i++) {
      const [level, following] = next(ticks, i);
      levels.push(level);
      ticks = following;
    }
    return levels;
  };
  return {
    bids: ladder(onBid ? last : last - spread, -1, market.seed ^ 0x78),
    asks: ladder(onBid ? last + spread : last, 1, market.seed ^ 0x79),
    updateId: second * 10 + (market.seed % 1_000_000_000),
  };
}
