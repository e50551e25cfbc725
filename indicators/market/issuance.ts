/** Bitcoin's issue by its own rule: 50 coins a block, halved every 210,000 blocks. */
import { type DayValue, dayLength } from './days.ts';

/** Blocks of an era. */
export const era = 210_000;
/** Blocks of a day as intended, one in ten minutes. */
export const blocksPerDay = 144;
const satoshi = 100_000_000;

/** What the block of a height creates, in satoshi; halving drops the remainder. */
const subsidyUnits = (height: number) => {
  const halvings = Math.floor(height / era);
  // Shifted out after 33 halvings: 50 coins are 5e9 satoshi.
  return halvings > 33 ? 0 : Math.floor((50 * satoshi) / 2 ** halvings);
};

/** What the block of a height creates, BTC. */
export const subsidyAt = (height: number): number => subsidyUnits(height) / satoshi;

/** Coins that exist after the block of a height, the first block's and all others taken as claimed, BTC. */
export function supplyAfter(height: number): number {
  let units = 0;
  for (let first = 0; first <= height; first += era) {
    const blocks = Math.min(era, height - first + 1);
    units += blocks * subsidyUnits(first);
  }
  return units / satoshi;
}

/** The first height of the next era. */
export const nextHalving = (height: number): number => (Math.floor(height / era) + 1) * era;

/** The last block of a supply; within a few blocks of it, as miners left some coins unclaimed. */
export function heightAfter(supply: number): number {
  let left = Math.round(supply * satoshi);
  for (let first = 0; subsidyUnits(first) > 0; first += era) {
    const whole = era * subsidyUnits(first);
    if (left <= whole) return first + Math.floor(left / subsidyUnits(first)) - 1;
    left -= whole;
  }
  return 33 * era - 1;
}

/** What was issued on one UTC day. */
export interface IssuanceDay {
  day: number;
  issuance_btc: number;
  /** Coins that exist at the day's end, BTC. */
  supply_btc: number;
  /** Height at the day's end; from the supply where the source states no height. */
  height: number;
  /** Null where the source gives coins, not blocks. */
  blocks: number | null;
}

/** Daily issues from heights at days' ends. A day whose day before is unknown, or whose height went back, is left out. */
export function issuanceOfHeights(
  heights: readonly { day: number; height: number }[],
): IssuanceDay[] {
  const found: IssuanceDay[] = [];
  for (const [at, { day, height }] of heights.entries()) {
    const before = heights[at - 1];
    if (before?.day !== day - dayLength || height < before.height) continue;
    const supply = supplyAfter(height);
    found.push({
      day,
      issuance_btc: supply - supplyAfter(before.height),
      supply_btc: supply,
      height,
      blocks: height - before.height,
    });
  }
  return found;
}

/** Daily issues from coins that exist at days' ends, BTC; left out as above. */
export function issuanceOfSupply(supplies: readonly DayValue[]): IssuanceDay[] {
  const found: IssuanceDay[] = [];
  for (const [at, { day, value }] of supplies.entries()) {
    const before = supplies[at - 1];
    if (before?.day !== day - dayLength || value < before.value) continue;
    const issued = value - before.value;
    const height = heightAfter(value);
    found.push({ day, issuance_btc: issued, supply_btc: value, height, blocks: null });
  }
  return found;
}

/** Used for a day that no source has: 144 blocks after the day before. */
export function nominalIssuance({ day, height }: { day: number; height: number }): IssuanceDay {
  const end = height + blocksPerDay;
  const supply = supplyAfter(end);
  return {
    day: day + dayLength,
    issuance_btc: supply - supplyAfter(height),
    supply_btc: supply,
    height: end,
    blocks: null,
  };
}
