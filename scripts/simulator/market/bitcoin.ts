/** Bitcoin in the simulated world: its closes by day, and the blocks of its chain at days' ends. */

import { chains } from '../../../config/chains.ts';
import { supplyAfter } from '../../../indicators/market/issuance.ts';
import { heightAt } from '../chains/ledger.ts';
import type { Model } from '../model.ts';
import { mix, unit } from '../noise.ts';
import { dayLength } from '../path.ts';
import { priceAt } from '../range.ts';
import { closeOf, daysFrom, pathOf } from './days.ts';

/** The first day of the chain. */
export const genesis = Date.UTC(2009, 0, 3);
/** The first day with a price: what sources of prices say of the days before is 0 or nothing. */
export const firstPrice = Date.UTC(2010, 7, 16);

/** Bitcoin's price at the end of a day, USD; 0 before the first. */
export const bitcoinClose = (model: Model, day: number): number =>
  day < firstPrice ? 0 : closeOf(pathOf(model, 'BTC'), day);

/** Bitcoin's price now, USD. */
export const bitcoinPrice = (model: Model, now: number): number =>
  priceAt(pathOf(model, 'BTC'), now);

const { blockTime } = chains.bitcoin;
/** Miners' clocks are off by at most this, ms: less than half the time between two blocks, so that order is kept. */
const skew = 280_000;

/** What a block says of its time, Unix ms: within minutes of when it is found. */
function blockTimeOf(height: number, seed: number): number {
  const found = (height - heightAt('bitcoin', 0)) * blockTime;
  return found + Math.round((2 * unit(seed ^ 0xb10c, height) - 1) * skew);
}

/** A block of the chain. */
export interface Block {
  height: number;
  hash: string;
  /** Unix ms. */
  time: number;
}

/** The block whose stated time is nearest to `time`, of those that are found. */
export function nearestBlock({ seed }: Model, time: number, now: number): Block {
  const tip = heightAt('bitcoin', now);
  const about = heightAt('bitcoin', time);
  const near = [about - 1, about, about + 1].filter((height) => height <= tip);
  const distance = (height: number) => Math.abs(blockTimeOf(height, seed) - time);
  const height = near.reduce((a, b) => (distance(b) < distance(a) ? b : a), Math.min(about, tip));
  const words = Array.from({ length: 6 }, (_, at) => mix(seed ^ height, at).toString(16));
  const hash = words
    .map((word) => word.padStart(8, '0'))
    .join('')
    .slice(-44)
    .padStart(64, '0');
  return { height, hash, time: blockTimeOf(height, seed) };
}

/** Height of the last block that states a time of the day or before. */
export function heightAfterDay({ seed }: Model, day: number): number {
  const end = day + dayLength;
  const about = heightAt('bitcoin', end);
  return blockTimeOf(about, seed) < end ? about : about - 1;
}

/** What the chain did on a day. */
export interface ChainDay {
  day: number;
  blocks: number;
  /** BTC at the day's end. */
  supply: number;
  /** USD; 0 before the first. */
  close: number;
}

/** The days from one to another, both included. */
export function chainDays(model: Model, from: number, to: number): ChainDay[] {
  let before = heightAfterDay(model, from - dayLength);
  return daysFrom(from, to).map((day) => {
    const height = heightAfterDay(model, day);
    const supply = supplyAfter(height);
    const blocks = height - before;
    before = height;
    return { day, blocks, supply, close: bitcoinClose(model, day) };
  });
}
