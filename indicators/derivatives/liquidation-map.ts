/**
 * Where positions would be liquidated, estimated from candles and open interest (model `oi_delta_leverage_v1`). Pure.
 * The growth of open interest is taken for the opened positions; their leverage is an assumption.
 */
import { less } from '../digits.ts';
import { bucketAt, bucketStart, roundStep } from '../market/round-step.ts';

export interface MapCandle {
  timestamp: number;
  high: number;
  low: number;
  close: number;
  /** Base units. */
  volume: number;
  /** In quote; null where it is not known. */
  turnover: number | null;
}

/** How new positions divide over leverages. */
export interface LeverageShare {
  leverage: number;
  weight: number;
  maintenance: number;
}

export interface MapLevel {
  /** Start of the bucket. */
  price: number;
  side: 'long' | 'short';
  value_usd: number;
  /** US dollars by leverage. */
  by_leverage: Record<string, number>;
  /** From the current price to this level, US dollars. */
  cumulative_usd: number;
}

/** Positions of one side and leverage that were opened in one candle. */
export interface Pool {
  side: 'long' | 'short';
  leverage: number;
  /** Where they are liquidated. */
  at: number;
  usd: number;
}

/** Share of the turnover of a candle without open interest that counts as opened. */
const openedShare = 0.02;
/** Levels so far from the price are shown, and the width of a level, as fractions of the price. */
const [reach, width] = [0.25, 0.001];

/** The positions that are opened at a price. */
export function poolsOf(entry: number, usd: number, shares: readonly LeverageShare[]): Pool[] {
  if (!(usd > 0)) return [];
  return shares.flatMap(({ leverage, weight, maintenance }): Pool[] => {
    const distance = 1 / leverage - maintenance;
    const pool = { leverage, usd: usd * weight };
    return [
      { ...pool, side: 'long', at: entry * (1 - distance) },
      { ...pool, side: 'short', at: entry * (1 + distance) },
    ];
  });
}

/** What happens in a candle: positions are opened at a price, and all earlier ones shrink to a share. */
interface Step {
  entry: number;
  opened: number;
  shrink: number;
}

/** The step of a candle, where the open interest went from `before` to `now`; null where one of them is unknown. */
function stepOf(
  { close, volume, turnover }: MapCandle,
  change: { now: number; before: number } | null,
): Step {
  const quote = turnover ?? close * volume;
  const entry = volume > 0 ? quote / volume : close;
  if (change === null) return { entry, opened: openedShare * quote, shrink: 1 };
  const { now, before } = change;
  return {
    entry,
    opened: Math.max(0, now - before) * entry,
    shrink: before > 0 ? Math.min(1, now / before) : 1,
  };
}

/** The steps of candles; `interest`: base units by the start of a candle. */
export function stepsOf(
  candles: readonly MapCandle[],
  interest: ReadonlyMap<number, number>,
): readonly Step[] {
  let before: number | null = null;
  return candles.map((candle) => {
    const now = interest.get(candle.timestamp) ?? null;
    const step = stepOf(candle, now !== null && before !== null ? { now, before } : null);
    before = now ?? before;
    return step;
  });
}

/**
 * The pools that live at the end of the candles. From the last candle back, so that what comes after a candle is known in one
 * lowest and highest price and one share: those of each candle against all later ones would be quadratic.
 */
function livingPools({ candles, interest }: MapMarket, shares: readonly LeverageShare[]): Pool[] {
  const steps = stepsOf(candles, interest);
  const pools: Pool[] = [];
  let [lowest, highest, left] = [Number.POSITIVE_INFINITY, 0, 1];
  for (let i = candles.length - 1; i >= 0; i--) {
    const { entry = 0, opened = 0, shrink = 1 } = steps[i] ?? {};
    for (const pool of poolsOf(entry, opened * left, shares))
      if (pool.side === 'long' ? lowest > pool.at : highest < pool.at) pools.push(pool);
    const { low = lowest, high = highest } = candles[i] ?? {};
    lowest = Math.min(lowest, low);
    highest = Math.max(highest, high);
    left *= shrink;
  }
  return pools;
}

/** Adds up from the current price outwards; the levels of one side, nearest first. */
function accumulate(levels: readonly MapLevel[]): void {
  let sum = 0;
  for (const level of levels) {
    sum += level.value_usd;
    level.cumulative_usd = sum;
  }
}

/** The candles of a market, ascending, and its open interest: base units by the start of a candle. */
export interface MapMarket {
  candles: readonly MapCandle[];
  interest: ReadonlyMap<number, number>;
}

/**
 * The map of some markets of one asset together, at the last close of the first. Null without candles of that.
 * Source: analytics fact sheet 6.16; the formula ignores fees, funding and added margin.
 */
export function liquidationMap(markets: readonly MapMarket[], shares: readonly LeverageShare[]) {
  const price = markets[0]?.candles.at(-1)?.close;
  if (price === undefined) return null;
  const bucket = roundStep(price * width);
  const found = new Map<string, MapLevel>();
  const pools = markets.flatMap((market) => livingPools(market, shares));
  for (const { side, at, leverage, usd } of pools) {
    const isBeyond = side === 'long' ? at > price : at < price;
    if (isBeyond || less(Math.abs(at / price - 1), reach) > 0) continue;
    const number = bucketAt(at, bucket);
    const key = `${side} ${number}`;
    const empty = { side, value_usd: 0, by_leverage: {}, cumulative_usd: 0 };
    const level: MapLevel = found.get(key) ?? { price: bucketStart(number, bucket), ...empty };
    found.set(key, level);
    level.value_usd += usd;
    level.by_leverage[leverage] = (level.by_leverage[leverage] ?? 0) + usd;
  }
  const levels = [...found.values()].sort((a, b) => a.price - b.price);
  accumulate(levels.filter(({ side }) => side === 'long').reverse());
  accumulate(levels.filter(({ side }) => side === 'short'));
  return { price, bucket, levels };
}
export type LiquidationMap = NonNullable<ReturnType<typeof liquidationMap>>;

/** The sum of the levels of one side, US dollars. */
export const sideValue = ({ levels }: LiquidationMap, of: MapLevel['side']): number =>
  levels.reduce((sum, { side, value_usd }) => (side === of ? sum + value_usd : sum), 0);

/** The largest of some levels, the first of equal ones: its price, its value in US dollars and how far it is, percent. */
function largestOf(price: number, levels: readonly MapLevel[]) {
  const [most] = levels.toSorted((a, b) => b.value_usd - a.value_usd);
  return {
    price: most?.price ?? null,
    value: most?.value_usd ?? null,
    distance: most === undefined ? null : (most.price / price - 1) * 100,
  };
}

/** The largest level of each side and the larger of the two, the long one of equal ones; nulls without a level. */
export function maxPain({ price, levels }: LiquidationMap) {
  const sides = (['long', 'short'] as const).map((of) => levels.filter(({ side }) => side === of));
  const [longs = [], shorts = []] = sides;
  return {
    long: largestOf(price, longs),
    short: largestOf(price, shorts),
    most: largestOf(price, [...longs, ...shorts]),
  };
}
