/** Large resting orders. Books state the sum at a price, so that one "order" may be several. */
import { day } from '../../config/time.ts';
import { less } from '../digits.ts';
import { median } from '../market/statistics.ts';
import { type Book, type Ladder, type Ladders, type Level, laddersOf } from './book.ts';
import type { Reached } from './followed-book.ts';
import { spread } from './spread.ts';

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

/** A level is large at this multiple of the median of the nearest levels of its side, within this distance of the mid price, percent. */
const large = { times: 10, nearest: 200, within: 5 } as const;
/** A level is an order when it was there for this time, ms, at every look, and at two looks at least. */
const lasting = 10_000;
/** An order whose value is below this share of its first one is gone. */
const gone = 0.3;
/** How long an open order is remembered that no look has found, ms: its price is out of reach, or nobody looks. */
const patience = 600_000;
/** Levels of one book that are followed at the same time at most. */
const mostOpen = 100;
/** How long closed orders are kept, ms, and the most of them. */
const closedKept = { ms: 7 * day, most: 200 } as const;

const bestOf = (ladder: Ladder) => (ladder.length > 0 ? { price: ladder.price(0) } : undefined);
const midOf = ({ bids, asks }: Ladders) => spread(bestOf(bids), bestOf(asks)).mid_price;

/** The median value of the nearest levels. */
function typicalOf(ladder: Ladder): number {
  const worth = (_: unknown, at: number) => ladder.price(at) * ladder.quantity(at);
  return median(Array.from({ length: Math.min(ladder.length, large.nearest) }, worth));
}

function largeOf(ladder: Ladder, side: OrderSide, mid: number, floor: number): LargeLevel[] {
  const found: LargeLevel[] = [];
  for (let at = 0; at < ladder.length; at++) {
    const [price, quantity] = [ladder.price(at), ladder.quantity(at)];
    const distance_percent = (price / mid - 1) * 100;
    if (less(Math.abs(distance_percent), large.within) > 0) break;
    const value_usd = price * quantity;
    if (less(value_usd, floor) >= 0)
      found.push({ price, quantity, side, value_usd, distance_percent });
  }
  if (found.length === 0) return found;
  // Most books have no level above the floor, and need no median.
  const least = large.times * typicalOf(ladder);
  return found.filter(({ value_usd }) => less(value_usd, least) >= 0);
}

const largeIn = ({ bids, asks }: Ladders, mid: number, floor: number): LargeLevel[] => [
  ...largeOf(bids, 'bid', mid, floor),
  ...largeOf(asks, 'ask', mid, floor),
];

/** The large levels of a book; none of one that is crossed or has an empty side. `floor` is their least value, US dollars. */
export function largeLevels(book: Book, floor: number): LargeLevel[] {
  const ladders = laddersOf(book);
  const mid = midOf(ladders);
  return mid === null ? [] : largeIn(ladders, mid, floor);
}

/** The quantity at a price; 0 where there is no such level. */
function quantityAt(ladder: Ladder, side: OrderSide, price: number): number {
  const sign = side === 'bid' ? -1 : 1;
  let [low, high] = [0, ladder.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sign * (ladder.price(middle) - price) < 0) low = middle + 1;
    else high = middle;
  }
  return low < ladder.length && ladder.price(low) === price ? ladder.quantity(low) : 0;
}

/** A look at a book. */
interface Look {
  ladders: Ladders;
  mid: number;
  reached: Reached;
  now: number;
}

/** What a look says about an order of before. */
function stateOf(
  { side, price, initial_value_usd }: LargeOrder,
  { ladders, mid, reached }: Look,
  value: number,
): OrderState | 'unknown' {
  const sign = side === 'bid' ? -1 : 1;
  const nearest = side === 'bid' ? Math.min(reached.low, mid) : Math.max(reached.high, mid);
  const isLeft = value >= gone * initial_value_usd;
  if (sign * (mid - price) >= 0 || (!isLeft && sign * (nearest - price) >= 0)) return 'filled';
  const ladder = side === 'bid' ? ladders.bids : ladders.asks;
  const last = ladder.price(ladder.length - 1);
  if (sign * (price - last) > 0) return 'unknown';
  return isLeft ? 'active' : 'cancelled';
}

/** The large orders of one market, followed from look to look. */
export class LargeOrders {
  readonly #floor: number;
  /** By side and price; some are no orders yet. */
  #open = new Map<string, Followed>();
  #closed: LargeOrder[];

  /** `closed` are those of before. */
  constructor(floor: number, known: readonly LargeOrder[] = []) {
    this.#floor = floor;
    this.#closed = known.filter(({ state }) => state !== 'active');
    for (const order of known) {
      if (order.state === 'active') this.#open.set(keyOf(order), { ...order, seen: 2 });
    }
  }

  /**
   * Takes a book of `now`, Unix ms; one that is crossed or has an empty side says nothing. `reached` are the mid prices since
   * the last look, where they are known. True where an order was opened or closed.
   */
  take(ladders: Ladders, now: number, reached: Reached = unknownReach): boolean {
    let changed = this.expire(now);
    const mid = midOf(ladders);
    if (mid === null) return changed;
    for (const [key, order] of this.#open) {
      if (this.#judge(key, order, { ladders, mid, reached, now })) changed = true;
    }
    for (const level of largeIn(ladders, mid, this.#floor)) {
      const key = keyOf(level);
      if (this.#open.has(key) || this.#open.size >= mostOpen) continue;
      const times = { first_seen: now, last_seen: now };
      const first = { initial_value_usd: level.value_usd, state: 'active', ...times } as const;
      this.#open.set(key, { ...level, ...first, seen: 1 });
    }
    return changed;
  }

  /** Forgets what no look has found for too long. `now` is Unix ms. True where an order went that was active. */
  expire(now: number): boolean {
    let changed = false;
    for (const [key, order] of this.#open) {
      if (now - order.last_seen < patience) continue;
      this.#open.delete(key);
      changed ||= isOrder(order);
    }
    this.#forget(now);
    return changed;
  }

  /** Whether nothing is followed or remembered. */
  get isEmpty(): boolean {
    return this.#open.size === 0 && this.#closed.length === 0;
  }

  /** Active ones, and those that were closed in the last days. */
  get orders(): LargeOrder[] {
    const active = [...this.#open.values()].filter(isOrder);
    return [...active.map(({ seen: _, ...order }) => order), ...this.#closed];
  }

  /** Closed orders that are too old, or too many. */
  #forget(now: number): void {
    const since = now - closedKept.ms;
    const [oldest] = this.#closed;
    if (this.#closed.length <= closedKept.most && (oldest?.last_seen ?? now) >= since) return;
    this.#closed = this.#closed
      .filter(({ last_seen }) => last_seen >= since)
      .slice(-closedKept.most);
  }

  /** True where it became an order, or is none any more. */
  #judge(key: string, order: Followed, look: Look): boolean {
    const { ladders, mid, now } = look;
    const ladder = order.side === 'bid' ? ladders.bids : ladders.asks;
    const quantity = quantityAt(ladder, order.side, order.price);
    const value_usd = quantity * order.price;
    const state = stateOf(order, look, value_usd);
    const was = isOrder(order);
    if (state === 'active') {
      order.seen += 1;
      order.quantity = quantity;
      order.value_usd = value_usd;
      order.distance_percent = (order.price / mid - 1) * 100;
      order.last_seen = now;
      return !was && isOrder(order);
    }
    if (state === 'unknown') return false;
    this.#open.delete(key);
    if (!was) return false;
    const { seen: _, ...last } = order;
    this.#closed.push({ ...last, state, last_seen: now });
    return true;
  }
}

/** Looks that have found it. */
type Followed = LargeOrder & { seen: number };

const isOrder = ({ seen, first_seen, last_seen }: Followed): boolean =>
  seen > 1 && last_seen - first_seen >= lasting;

const unknownReach: Reached = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };

const keyOf = ({ side, price }: { side: OrderSide; price: number }): string => `${side}${price}`;
