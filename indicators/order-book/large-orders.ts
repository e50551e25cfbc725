/** Large resting orders. Books state the sum at a price, so that one "order" may be several. */
import { median } from '../market/statistics.ts';
import { type Book, type Level, midOf } from './book.ts';

export type OrderSide = 'bid' | 'ask';

/** A level that is large. */
export interface LargeLevel extends Level {
  side: OrderSide;
  value_usd: number;
  /** From the mid price, percent of it: negative below. */
  distance_percent: number;
}

export const orderStates = ['active', 'filled', 'cancelled'] as const;
export type OrderState = (typeof orderStates)[number];

/** A large order from its first sample on; times are Unix ms. */
export interface LargeOrder extends LargeLevel {
  initial_value_usd: number;
  state: OrderState;
  first_seen: number;
  /** While it is active the newest sample with it, then when it was found filled or cancelled. */
  last_seen: number;
}

/** Least value of a large order, US dollars. */
const floors: Readonly<Record<string, number>> = {
  BTC: 1_000_000,
  ETH: 500_000,
  SOL: 200_000,
  XRP: 200_000,
  BNB: 200_000,
  DOGE: 200_000,
};
const otherFloor = 50_000;
export const floorOf = (symbol: string): number => floors[symbol] ?? otherFloor;

/** A level is large at so many times the median of the nearest levels of its side, within so many percent of the mid price. */
const large = { times: 10, nearest: 200, within: 5 } as const;
/** An order whose value is below this share of its first one is gone. */
const gone = 0.3;
/** A price that the book does not reach is remembered for so long, ms. */
const patience = 600_000;
/** Closed orders are kept for so long, ms, and so many of them at most. */
const closedKept = { ms: 7 * 86_400_000, most: 200 } as const;

const worthOf = ({ price, quantity }: Level): number => price * quantity;

function largeOf(levels: readonly Level[], side: OrderSide, mid: number, floor: number) {
  if (levels.length === 0) return [];
  const typical = median(levels.slice(0, large.nearest).map(worthOf));
  const least = Math.max(floor, large.times * typical);
  return levels.flatMap((level): LargeLevel[] => {
    const value_usd = worthOf(level);
    const distance_percent = (level.price / mid - 1) * 100;
    if (value_usd < least || Math.abs(distance_percent) > large.within) return [];
    return [{ ...level, side, value_usd, distance_percent }];
  });
}

/** The large levels of a book; none of one that is crossed or has an empty side. `floor` is their least value, US dollars. */
export function largeLevels(book: Book, floor: number): LargeLevel[] {
  const mid = midOf(book);
  if (mid === null) return [];
  return [...largeOf(book.bids, 'bid', mid, floor), ...largeOf(book.asks, 'ask', mid, floor)];
}

/** What a sample says about an order of before. */
function stateOf(
  { side, price, initial_value_usd }: LargeOrder,
  { book, mid }: { book: Book; mid: number },
  value: number,
): OrderState | 'unknown' {
  const sign = side === 'bid' ? -1 : 1;
  if (sign * (mid - price) >= 0) return 'filled';
  const last = (side === 'bid' ? book.bids : book.asks).at(-1)?.price;
  if (last === undefined || sign * (price - last) > 0) return 'unknown';
  return value < gone * initial_value_usd ? 'cancelled' : 'active';
}

/** The large orders of one market, followed from sample to sample. */
export class LargeOrders {
  readonly #floor: number;
  /** By side and price; those seen once are no orders yet. */
  #open = new Map<string, LargeOrder & { seen: number }>();
  #closed: LargeOrder[];

  /** `closed` are those of before. */
  constructor(floor: number, known: readonly LargeOrder[] = []) {
    this.#floor = floor;
    this.#closed = known.filter(({ state }) => state !== 'active');
    for (const order of known) {
      if (order.state === 'active') this.#open.set(keyOf(order), { ...order, seen: 2 });
    }
  }

  /** Takes a book of `now`, Unix ms; one that is crossed or has an empty side says nothing. */
  take(book: Book, now: number): void {
    const mid = midOf(book);
    if (mid === null) return;
    const quantities = { bid: quantitiesOf(book.bids), ask: quantitiesOf(book.asks) };
    for (const [key, order] of this.#open) {
      const quantity = quantities[order.side].get(order.price) ?? 0;
      this.#judge(key, order, { book, mid, now, quantity });
    }
    for (const level of largeLevels(book, this.#floor)) {
      const key = keyOf(level);
      if (this.#open.has(key)) continue;
      const times = { first_seen: now, last_seen: now };
      const first = { initial_value_usd: level.value_usd, state: 'active', ...times } as const;
      this.#open.set(key, { ...level, ...first, seen: 1 });
    }
    const since = now - closedKept.ms;
    this.#closed = this.#closed
      .filter(({ last_seen }) => last_seen >= since)
      .slice(-closedKept.most);
  }

  /** Active ones, and those that were closed in the last days. */
  get orders(): LargeOrder[] {
    const active = [...this.#open.values()].filter(({ seen }) => seen > 1);
    return [...active.map(({ seen: _, ...order }) => order), ...this.#closed];
  }

  #judge(
    key: string,
    order: LargeOrder & { seen: number },
    at: { book: Book; mid: number; now: number; quantity: number },
  ): void {
    const { mid, now, quantity } = at;
    const value_usd = quantity * order.price;
    const state = stateOf(order, at, value_usd);
    if (state === 'active') {
      order.seen += 1;
      order.quantity = quantity;
      order.value_usd = value_usd;
      order.distance_percent = (order.price / mid - 1) * 100;
      order.last_seen = now;
      return;
    }
    if (state === 'unknown' && now - order.last_seen < patience) return;
    this.#open.delete(key);
    if (state === 'unknown' || order.seen < 2) return;
    const { seen: _, ...last } = order;
    this.#closed.push({ ...last, state, last_seen: now });
  }
}

const keyOf = ({ side, price }: { side: OrderSide; price: number }): string => `${side}${price}`;

const quantitiesOf = (levels: readonly Level[]): ReadonlyMap<number, number> =>
  new Map(levels.map(({ price, quantity }) => [price, quantity]));
