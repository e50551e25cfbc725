/** Order books: a seeded ladder around the last price. */
import { plain } from './format.ts';
import type { Market } from './market.ts';
import { mix, sequence } from './noise.ts';

/** A level of a stream: price and quantity as text; a quantity of `0` deletes. */
export type WireLevel = readonly [price: string, quantity: string];

/** A level: price in quote, quantity in the market's own unit, number of orders. */
export class BookLevel {
  readonly price: number;
  readonly quantity: number;
  readonly orders: number;
  readonly #market: Market;
  #wire: WireLevel | null = null;

  constructor(market: Market, price: number, quantity: number, orders: number) {
    this.#market = market;
    this.price = price;
    this.quantity = quantity;
    this.orders = orders;
  }

  /** Written once: most levels are in the updates of many seconds. */
  get wire(): WireLevel {
    const { decimals, lot } = this.#market;
    this.#wire ??= [plain(this.price, decimals), plain(this.quantity, Math.max(0, lot))];
    return this.#wire;
  }
}

/** Best first on both sides; the best bid is below the best ask, the last trade is on one of them. */
export interface Book {
  bids: BookLevel[];
  asks: BookLevel[];
  /** Grows with time. */
  updateId: number;
}

const side = (market: Market, step: 1 | -1, best: number, draw: () => number) => {
  const tick = 10 ** -market.decimals;
  const price = best * tick;
  const gap = Math.max(1, Math.round((price * 0.00006) / tick));
  const typical = market.typicalSize;
  const minimum = 10 ** -market.lot;
  return (ticks: number, i: number): [BookLevel, number] => {
    const size = typical * (0.05 + draw() ** 3 * 4) * (1 + i / 40);
    const quantity = Math.max(minimum, Math.round(size / minimum) * minimum);
    const level = new BookLevel(market, ticks * tick, quantity, 1 + Math.floor(draw() * 8));
    return [level, ticks + step * (1 + Math.floor(draw() * 2 * (gap - 1) + draw()))];
  };
};

/** So many levels next to the best price change every second; the others, like those of a real book, once a minute. */
const busy = 10;
const calm = 60;

/** A side of a book from `best` ticks on: its level at each place, the first of which counts as the place `from`. */
type Ladder = (place: number) => BookLevel | undefined;

const steps = { bids: -1, asks: 1 } as const;
type Side = keyof typeof steps;

/** The ladder of one second; its levels are drawn when they are first asked for. */
function ladder(
  market: Market,
  of: Side,
  { second, best, from }: { second: number; best: number; from: number },
): Ladder {
  const seed = mix(market.seed ^ (of === 'bids' ? 0x78 : 0x79), second);
  const next = side(market, steps[of], best, sequence(seed));
  const levels: BookLevel[] = [];
  let ticks = best;
  return (place) => {
    while (levels.length <= place && ticks > 0) {
      const [level, following] = next(ticks, from + levels.length);
      levels.push(level);
      ticks = following;
    }
    return levels[place];
  };
}

const ticksAt = (market: Market, time: number): number =>
  Math.round(market.price(time) * 10 ** market.decimals);

/** The calm sides of the markets whose books were asked for within a minute, the oldest first. */
const calmSides = new Map<Market, { since: number } & Record<Side, Ladder>>();

function calmOf(market: Market, second: number): Record<Side, Ladder> {
  // Markets change their calm levels at different seconds.
  const since = second - ((second + market.seed) % calm);
  const known = calmSides.get(market);
  if (known?.since === since) return known;
  const start = { second: since, best: ticksAt(market, since * 1000), from: busy };
  const made = {
    since,
    bids: ladder(market, 'bids', start),
    asks: ladder(market, 'asks', start),
  };
  calmSides.delete(market);
  for (const [old, sides] of calmSides) {
    if (second - sides.since < calm) break;
    calmSides.delete(old);
  }
  calmSides.set(market, made);
  return made;
}

/** The first `depth` levels of a side: busy ones, and beyond them calm ones. */
function levelsOf(
  market: Market,
  of: Side,
  { second, best, depth }: { second: number; best: number; depth: number },
): BookLevel[] {
  const near = ladder(market, of, { second, best, from: 0 });
  const levels: BookLevel[] = [];
  while (levels.length < Math.min(depth, busy)) {
    const level = near(levels.length);
    if (!level) return levels;
    levels.push(level);
  }
  const worst = levels.at(-1);
  if (depth <= busy || !worst) return levels;
  const far = calmOf(market, second)[of];
  for (let place = 0; levels.length < depth; place++) {
    const level = far(place);
    if (!level) break;
    if ((level.price - worst.price) * steps[of] > 0) levels.push(level);
  }
  return levels;
}

/** At most `depth` levels a side; bids end early where the next price would not be positive. */
export function bookOf(market: Market, now: number, depth: number): Book {
  const last = ticksAt(market, now);
  if (last <= 0) return { bids: [], asks: [], updateId: 0 };
  const second = Math.floor(now / 1000);
  const draw = sequence(mix(market.seed ^ 0x77, second));
  const spread = 1 + Math.floor(draw() * Math.max(0, last * 0.00004));
  const onBid = draw() < 0.5;
  return {
    bids: levelsOf(market, 'bids', { second, best: onBid ? last : last - spread, depth }),
    asks: levelsOf(market, 'asks', { second, best: onBid ? last + spread : last, depth }),
    updateId: second * 10 + (market.seed % 1_000_000_000),
  };
}
