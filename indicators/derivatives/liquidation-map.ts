/**
 * Where positions would be liquidated, estimated from candles and open interest (model `oi_delta_leverage_v1`). Pure.
 * The growth of open interest is taken for the opened positions; their leverage is an assumption.
 */
import { bucketStart, roundStep } from '../market/round-step.ts';

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
interface LeverageShare {
  leverage: number;
  weight: number;
  maintenance: number;
}

interface MapLevel {
  /** Start of the bucket. */
  price: number;
  side: 'long' | 'short';
  value_usd: number;
  /** US dollars by leverage. */
  by_leverage: Record<string, number>;
  /** From the current price to this level, US dollars. */
  cumulative_usd: number;
}

export interface LiquidationMap {
  price: number;
  bucket: number;
  /** Ascending by price. */
  levels: MapLevel[];
}

/** Positions of one side and leverage that were opened in one candle. */
interface Pool {
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

function poolsOf(entry: number, usd: number, shares: readonly LeverageShare[]): Pool[] {
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

/** The pools that live at the end of the candles. */
function livingPools(
  candles: readonly MapCandle[],
  interest: ReadonlyMap<number, number>,
  shares: readonly LeverageShare[],
): Pool[] {
  let pools: Pool[] = [];
  let before: number | null = null;
  for (const { timestamp, high, low, close, volume, turnover } of candles) {
    pools = pools.filter(({ side, at }) => (side === 'long' ? low > at : high < at));
    const now = interest.get(timestamp) ?? null;
    const quote = turnover ?? close * volume;
    const entry = volume > 0 ? quote / volume : close;
    if (now !== null && before !== null && before > 0 && now < before) {
      const shrink = now / before;
      pools = pools.map((pool) => ({ ...pool, usd: pool.usd * shrink }));
    }
    const opened =
      now !== null && before !== null ? Math.max(0, now - before) * entry : openedShare * quote;
    pools.push(...poolsOf(entry, opened, shares));
    before = now ?? before;
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

/**
 * The map at the last close. `interest`: base units by the start of a candle. Null without candles.
 * Source: analytics fact sheet 6.16; the formula ignores fees, funding and added margin.
 */
export function liquidationMap(
  candles: readonly MapCandle[],
  interest: ReadonlyMap<number, number>,
  shares: readonly LeverageShare[],
): LiquidationMap | null {
  const price = candles.at(-1)?.close;
  if (price === undefined) return null;
  const bucket = roundStep(price * width);
  const found = new Map<string, MapLevel>();
  for (const { side, at, leverage, usd } of livingPools(candles, interest, shares)) {
    const isBeyond = side === 'long' ? at > price : at < price;
    if (isBeyond || Math.abs(at / price - 1) > reach) continue;
    const number = Math.floor(at / bucket);
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

/** The largest level of one side; undefined without any. */
export const largestLevel = (
  { levels }: LiquidationMap,
  side: MapLevel['side'],
): MapLevel | undefined =>
  levels
    .filter((level) => level.side === side)
    .reduce<MapLevel | undefined>(
      (most, level) => (most && most.value_usd >= level.value_usd ? most : level),
      undefined,
    );
