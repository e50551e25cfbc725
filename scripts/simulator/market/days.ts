/** Days of the simulated world: a day is the Unix ms of its 00:00 UTC. */
import type { Model } from '../model.ts';
import { dayLength, type Path } from '../path.ts';

export { dayLength } from '../path.ts';

/** The day that holds a Unix ms. */
export const dayAt = (time: number): number => Math.floor(time / dayLength) * dayLength;

/** The days from one to another, both included. */
export const daysFrom = (from: number, to: number): number[] =>
  Array.from(
    { length: Math.max(0, (to - from) / dayLength + 1) },
    (_, at) => from + at * dayLength,
  );

/** The last day that is over. */
export const lastDay = (now: number): number => dayAt(now) - dayLength;

/** The path of an asset, USD; throws where the model has none. */
export function pathOf({ assets }: Model, symbol: string): Path {
  const found = assets.find((asset) => asset.symbol === symbol);
  if (!found) throw new Error(`no asset ${symbol}`);
  return found.path;
}

/** The price of an asset at the end of a day, USD. */
export const closeOf = (path: Path, day: number): number => path.price(day + dayLength);

/** Bitcoin's price now, USD. */
export const bitcoinPrice = (model: Model, now: number): number => pathOf(model, 'BTC').price(now);
