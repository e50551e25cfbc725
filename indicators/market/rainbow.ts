/** The rainbow chart: bands around a logarithmic regression of the price on its age. */
import { type DayClose, daysBetween } from './days.ts';
import { enough, newest } from './statistics.ts';

/** 2009-01-09, the day from which the published lines count. */
const start = 1_231_459_200_000;

/**
 * `base = exp(a + b ln(days))`, least squares of ln(close) on ln(days) over all daily closes from 2010-08-16 to
 * `fitted_through`. The constants change by decision only: a line that is fitted again changes its past.
 */
export const rainbowModel = { a: -37.576227, b: 5.639091, fitted_through: '2024-05-24' } as const;

/** Height of a band as a difference of logarithms: each ends 1.35 times above its beginning. */
const width = 0.3;
/** Bands below the base. */
const below = 2.5;

/** From the lowest; the order and names of the public charts, after a public implementation under MIT licence. */
export const rainbowBands = [
  { name: 'fire_sale', color: '#4472c4' },
  { name: 'buy', color: '#54989f' },
  { name: 'accumulate', color: '#63be7b' },
  { name: 'still_cheap', color: '#b1d580' },
  { name: 'hodl', color: '#feeb84' },
  { name: 'is_this_a_bubble', color: '#f6b45a' },
  { name: 'fomo_intensifies', color: '#ed7d31' },
  { name: 'sell_seriously_sell', color: '#d64018' },
  { name: 'maximum_bubble_territory', color: '#c00200' },
] as const;

/** Days since 2009-01-09. */
const ageOf = (day: number) => daysBetween(start, day);

/** The regression's price, US dollars. */
const baseOf = (age: number) => Math.exp(rainbowModel.a + rainbowModel.b * Math.log(age));

/** `log10(P) = 2.66167155005961 ln(d) - 17.9183761889864`, https://bitcointalk.org/index.php?topic=831547.0 */
const trolololo = (age: number) => 10 ** (2.66167155005961 * Math.log(age) - 17.9183761889864);

/** The band of a price; the outer bands hold all beyond them. */
const bandOf = (price: number, base: number) =>
  Math.min(Math.max(Math.floor(Math.log(price / base) / width + below), 0), 8);

/** One point a day, or each seventh counted back from the last with `every` 7. */
export function rainbowSeries(closes: readonly DayClose[], every = 1) {
  const last = closes.length - 1;
  return closes
    .filter((_, at) => (last - at) % every === 0)
    .map(({ day, close, provisional }) => {
      const base = baseOf(ageOf(day));
      const band = bandOf(close, base);
      const point = { timestamp: day, price_usd: close, base_usd: base, band };
      return { ...point, ...(provisional && { provisional }) };
    });
}

/** The chart of the last of the closes; one is enough, as the model's constants are given. */
export function rainbow(closes: readonly DayClose[]) {
  const found = newest(rainbowSeries(closes.slice(-1)), 1, closes.length);
  if (!found.ok) return found;
  const { base_usd, band, ...point } = found.value;
  const days = ageOf(point.timestamp);
  const edge = (index: number) => base_usd * Math.exp((index - below) * width);
  const bands = rainbowBands.map((each, index) => ({
    index,
    ...each,
    lower_usd: edge(index),
    upper_usd: edge(index + 1),
  }));
  const classification = (rainbowBands[band] ?? rainbowBands[8]).name;
  const lines = { base_usd, trolololo_line_usd: trolololo(days), days, band, classification };
  return enough({ ...point, ...lines, bands, model: rainbowModel });
}
