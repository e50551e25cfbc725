/** The options of the simulated world: strikes around the price at a few expiries, what is open in each, and its value. */
import { greeksOf, yearsBetween } from '../../../indicators/options/black76.ts';
import { quarters } from '../calendar.ts';
import { seedOf, sequence, unit } from '../noise.ts';
import { dayLength } from '../path.ts';
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
  /** Implied volatility, fraction a year. */
  volatility: number;
  /** Value of the option on one unit, USD. */
  value: number;
}

/** Fridays, 08:00 UTC: the next two, and the next four ends of a quarter. */
function expiries(now: number): number[] {
  const friday =
    Math.floor((now - dayLength - 8 * 3_600_000) / week + 1) * week + dayLength + 8 * 3_600_000;
  const later = quarters().filter((time) => time > friday + week);
  return [friday, friday + week, ...later.slice(0, 4)];
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

/** A smile that is steeper for puts: 0.45 a year at the money, more for what is far and soon. */
function volatilityOf(strike: number, forward: number, years: number): number {
  const distance = Math.log(strike / forward) / Math.sqrt(years + 0.05);
  return Math.max(0.1, 0.45 - 0.1 * distance + 0.25 * distance ** 2 + 0.05 * Math.sqrt(years));
}

/** Options of an asset at an exchange; `part` of what all markets turn over in a day is open in all of them. */
export function optionsAt(
  { model, now }: Pick<Ask, 'model' | 'now'>,
  [exchange, asset]: readonly [string, string],
  part: number,
): Option[] {
  const path = pathOf(model, asset);
  const price = path.price(now);
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
    const years = yearsBetween(now, row.expires);
    const volatility = Number(volatilityOf(row.strike, forward, years).toFixed(4));
    const type = row.side === 'C' ? 'call' : 'put';
    const value = greeksOf({ type, strike: row.strike, forward, volatility, years })?.price ?? 0;
    // A third of them have nothing open.
    const open = drawn < 0.33 ? 0 : Number((2 * each * drawn).toFixed(1));
    return { ...row, forward, volatility, value, open };
  });
}

/** A trade of an option. */
export interface OptionTrade {
  option: Option;
  /** What the taker did. */
  bought: boolean;
  /** In the asset. */
  quantity: number;
  /** For one unit, USD. */
  price: number;
  /** Of the asset, USD. */
  index: number;
  /** Agreed on beside the order book. */
  block: boolean;
  /** Unix ms. */
  time: number;
  id: number;
}

/** Smallest trade by the price of the asset, USD, and how many times larger the largest one is. */
const [smallest, range] = [5_000, 4_000];

/** The trades of the second before `now`, of the options of `optionsAt`: one or none. */
export function optionTradesOf(
  at: Pick<Ask, 'model' | 'now'>,
  about: readonly [exchange: string, asset: string],
  part: number,
): OptionTrade[] {
  const { model, now } = at;
  const draw = sequence(seedOf(model.seed ^ (now / 1_000), `option trades ${about.join(' ')}`));
  if (draw() > 0.3) return [];
  const all = optionsAt(at, about, part);
  const option = all[Math.floor(all.length * draw())];
  if (option === undefined) return [];
  const index = pathOf(model, option.asset).price(now);
  const bought = draw() < 0.5;
  return [
    {
      option,
      bought,
      index,
      quantity: Math.max(0.1, Number(((smallest * range ** draw()) / index).toFixed(1))),
      price: option.value * (bought ? 1.02 : 0.98),
      block: draw() < 0.1,
      time: now - Math.floor(draw() * 900),
      id: now / 1_000,
    },
  ];
}
