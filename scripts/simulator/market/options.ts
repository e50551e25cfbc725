/** The options of the simulated world: strikes around the price at a few expiries, and what is open in each. */
import { quarters } from '../calendar.ts';
import { seedOf, unit } from '../noise.ts';
import { dayLength } from '../path.ts';
import { priceAt } from '../range.ts';
import type { Ask } from '../venue.ts';
import { pathOf } from './days.ts';

const week = 7 * dayLength;
const year = 365.25 * dayLength;

/** One option; what is open is counted once, in the asset. */
export interface Option {
  asset: string;
  strike: number;
  side: 'C' | 'P';
  /** Unix ms. */
  expires: number;
  open: number;
  /** The forward of the expiry, USD. */
  forward: number;
}

/** Fridays, 08:00 UTC: the next two, and the next three ends of a quarter. */
function expiries(now: number): number[] {
  const friday =
    Math.floor((now - dayLength - 8 * 3_600_000) / week + 1) * week + dayLength + 8 * 3_600_000;
  const later = quarters().filter((time) => time > friday + week);
  return [friday, friday + week, ...later.slice(0, 3)];
}

/** Two leading digits of the price's size: 5,000 at 100,000, 200 at 3,600. */
const stepOf = (price: number) => {
  const size = 10 ** Math.floor(Math.log10(price) - 1);
  return price / size < 40 ? size * 2 : size * 5;
};

/** Ten strikes around a price. */
function strikesAround(price: number): number[] {
  const step = stepOf(price);
  const first = Math.round(price / step) - 4;
  return Array.from({ length: 10 }, (_, at) => Number(((first + at) * step).toPrecision(6)));
}

/** Options of an asset at an exchange; `part` of what all markets turn over in a day is open in all of them. */
export function optionsAt(
  { model, now }: Pick<Ask, 'model' | 'now'>,
  [exchange, asset]: readonly [string, string],
  part: number,
): Option[] {
  const path = pathOf(model, asset);
  const price = priceAt(path, now);
  const own = seedOf(model.seed, `options ${exchange} ${asset}`);
  const series = expiries(now).flatMap((expires) =>
    strikesAround(price).flatMap((strike) => [
      { asset, strike, expires, side: 'C' as const },
      { asset, strike, expires, side: 'P' as const },
    ]),
  );
  const each = (part * path.volume(Math.floor(now / dayLength))) / series.length;
  return series.map((row): Option => {
    const drawn = unit(seedOf(own, `${row.expires} ${row.strike}${row.side}`), 0);
    const forward = price * (1 + (0.05 * (row.expires - now)) / year);
    // A third of them have nothing open.
    return { ...row, forward, open: drawn < 0.33 ? 0 : Number((2 * each * drawn).toFixed(1)) };
  });
}
