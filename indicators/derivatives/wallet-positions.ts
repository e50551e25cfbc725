/** Positions of wallets: what has become of them, how much of a market they are, and their distribution. Pure. */
import { less, unlessRounding } from '../digits.ts';
import { bucketAt } from '../market/round-step.ts';

/** What is needed of a position. */
export interface HeldPosition {
  contract: string;
  side: 'long' | 'short';
  quantity_base: number;
  value_usd: number;
  unrealized_pnl_usd: number;
  address: string;
}

const keyOf = ({ contract, side }: HeldPosition): string => `${side} ${contract}`;

/**
 * The positions of a wallet that are in the second list alone, which it has opened, and those in the first alone, which it has closed;
 * both of `least` US dollars at least. Example: a long of BTC before and a short of it now is a close and an open.
 */
export function changesBetween<P extends HeldPosition>(
  before: readonly P[],
  now: readonly P[],
  least: number,
): { opened: P[]; closed: P[] } {
  const [old, held] = [before, now].map((all) => new Set(all.map(keyOf)));
  const isLarge = ({ value_usd }: P) => less(value_usd, least) >= 0;
  return {
    opened: now.filter((one) => isLarge(one) && !old?.has(keyOf(one))),
    closed: before.filter((one) => isLarge(one) && !held?.has(keyOf(one))),
  };
}

/**
 * The parts of the open interest that positions are, by side; `interest` gives base assets of one side by contract. Markets without a
 * known open interest count on neither side of the fraction; null where there is none.
 */
export function coveredBy(
  positions: readonly HeldPosition[],
  interest: ReadonlyMap<string, { units: number; price: number }>,
): { long: number | null; short: number | null } {
  const held = { long: 0, short: 0 };
  for (const { contract, side, quantity_base } of positions)
    held[side] += quantity_base * (interest.get(contract)?.price ?? 0);
  let whole = 0;
  for (const { units, price } of interest.values()) whole += units * price;
  const share = (part: number) => (whole > 0 ? part / whole : null);
  return { long: share(held.long), short: share(held.short) };
}

/** The least numbers of the groups, US dollars. */
export const valueGroups = [
  0, 250, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000,
] as const;
export const profitGroups = [
  ...[Number.NEGATIVE_INFINITY, -100_000, -10_000, -1_000],
  ...[0, 1_000, 10_000, 100_000],
] as const;

/** One wallet with the sums over its positions, US dollars. */
interface Holder {
  long: number;
  short: number;
  profit: number;
  /** Profits and losses without their signs. */
  moved: number;
}

function holdersOf(positions: readonly HeldPosition[]): Holder[] {
  const found = new Map<string, Holder>();
  for (const { address, side, value_usd, unrealized_pnl_usd } of positions) {
    const known = found.get(address) ?? { long: 0, short: 0, profit: 0, moved: 0 };
    known[side] += value_usd;
    known.profit += unrealized_pnl_usd;
    known.moved += Math.abs(unrealized_pnl_usd);
    found.set(address, known);
  }
  return [...found.values()].map((one) => ({
    ...one,
    profit: unlessRounding(one.profit, one.moved),
  }));
}

/**
 * Wallets by the value of their positions, or by their profit: each is in the last group whose least number it reaches. Examples of
 * sizes: 249 is in the group from 0, 250 in that from 250.
 */
export function groupedWallets(positions: readonly HeldPosition[], by: 'value' | 'profit') {
  const bounds = by === 'value' ? valueGroups : profitGroups;
  const groups = bounds.map((from: number) => ({
    from,
    wallets: 0,
    long_usd: 0,
    short_usd: 0,
    profitable: 0,
  }));
  for (const { long, short, profit } of holdersOf(positions)) {
    const value = by === 'value' ? long + short : profit;
    const group = groups.findLast(({ from }) => less(value, from) >= 0);
    if (group === undefined) continue;
    group.wallets += 1;
    group.long_usd += long;
    group.short_usd += short;
    if (profit > 0) group.profitable += 1;
  }
  return groups;
}

/** Share of the price in which levels are shown, and their width. */
const span = 0.25;
const width = 0.0025;

/** A position with what closes it, and when it was seen, Unix ms. */
export interface LiquidablePosition extends HeldPosition {
  liquidation_price: number | null;
  updated_at: number;
}

/**
 * The positions by the level of their liquidation price, ascending, within 25 % of the price now, which is that of the one seen last; a
 * level is 0.25 % of it wide. Sums grow from the price outwards: of longs downwards, of shorts upwards. A position whose price has been
 * reached since it was seen is left out.
 */
export function liquidationLevels(positions: readonly LiquidablePosition[]) {
  const [newest] = positions.toSorted((a, b) => b.updated_at - a.updated_at);
  if (newest === undefined) return [];
  const price = newest.value_usd / newest.quantity_base;
  const step = price * width;
  const levels = new Map<
    string,
    { at: number; side: 'long' | 'short'; value: number; of: Set<string> }
  >();
  for (const { side, value_usd, liquidation_price, address } of positions) {
    if (liquidation_price === null || less(Math.abs(liquidation_price / price - 1), span) > 0)
      continue;
    if (side === 'long' ? liquidation_price > price : liquidation_price < price) continue;
    const at = bucketAt(liquidation_price, step);
    const key = `${side} ${at}`;
    const known = levels.get(key) ?? { at, side, value: 0, of: new Set<string>() };
    known.value += value_usd;
    levels.set(key, { ...known, of: known.of.add(address) });
  }
  const shown = (side: 'long' | 'short') => {
    let sum = 0;
    const outwards = [...levels.values()]
      .filter((one) => one.side === side)
      .sort((a, b) => (side === 'long' ? b.at - a.at : a.at - b.at));
    return outwards.map(({ at, value, of }) => {
      sum += value;
      return { price: at * step, side, value_usd: value, wallets: of.size, cumulative_usd: sum };
    });
  };
  return [...shown('long').reverse(), ...shown('short')].sort((a, b) => a.price - b.price);
}
