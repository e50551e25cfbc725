/** Order books: a seeded ladder around the last price. */
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

/** So many levels next to the best price change every second; the others, like those of a real book, once a minute. */
const busy = 10;
const calm = 60;

/** A ladder from `best` on, of which only the levels beyond `limit` ticks are taken. */
function ladder(
  market: Market,
  { step, seed }: { step: 1 | -1; seed: number },
  { best, from, to, limit }: { best: number; from: number; to: number; limit: number | null },
): BookLevel[] {
  const next = side(market, best, step, sequence(seed));
  const levels: BookLevel[] = [];
  for (let ticks = best; from + levels.length < to && ticks > 0; ) {
    const [level, following] = next(ticks, from + levels.length);
    if (limit === null || (ticks - limit) * step > 0) levels.push(level);
    ticks = following;
  }
  return levels;
}

/** At most `depth` levels a side; bids end early where the next price would not be positive. */
export function bookOf(market: Market, now: number, depth: number): Book {
  const ticksAt = (time: number) => Math.round(market.price(time) * 10 ** market.decimals);
  const last = ticksAt(now);
  if (last <= 0) return { bids: [], asks: [], updateId: 0 };
  const second = Math.floor(now / 1000);
  const draw = sequence(mix(market.seed ^ 0x77, second));
  const spread = 1 + Math.floor(draw() * Math.max(0, last * 0.00004));
  const onBid = draw() < 0.5;
  // Markets change their calm levels at different seconds.
  const since = second - ((second + market.seed) % calm);
  const levels = (best: number, step: 1 | -1, salt: number): BookLevel[] => {
    const seed = market.seed ^ salt;
    const way = { step, seed: mix(seed, second) };
    const near = ladder(market, way, { best, from: 0, to: Math.min(depth, busy), limit: null });
    const worst = near.at(-1);
    if (near.length < busy || depth <= busy || !worst) return near;
    const limit = Math.round(worst.price * 10 ** market.decimals);
    const calmWay = { step, seed: mix(seed, since) };
    const start = { best: ticksAt(since * 1000), from: busy, to: depth, limit };
    return [...near, ...ladder(market, calmWay, start)];
  };
  return {
    bids: levels(onBid ? last : last - spread, -1, 0x78),
    asks: levels(onBid ? last + spread : last, 1, 0x79),
    updateId: second * 10 + (market.seed % 1_000_000_000),
  };
}
