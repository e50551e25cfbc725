/** The time that all funding rates of the page are for: the reader chooses it once. */
import { choice } from '../dom.ts';
import { percent } from '../format.ts';
import { reopen } from '../place.ts';
import { kept } from '../settings.ts';

/** Intervals of eight hours in the 365 days that a year has in this service. */
const eightHours = 3 * 365;

const units = [
  ['year', 'a year'],
  ['8h', 'per 8 h'],
] as const;

const chosen = kept<(typeof units)[number][0]>('funding-per', 'year');

const isYear = () => chosen.get() !== '8h';

/** Such as `a year`. */
export const unitWords = (): string => (isYear() ? 'a year' : 'per 8 h');

/** A rate a year, a fraction, in the chosen unit. */
export const ofYear = (annual: number): number => (isYear() ? annual : annual / eightHours);

/** A rate per eight hours, a fraction, in the chosen unit. */
export const of8Hours = (rate: number | null): number | null =>
  isYear() && rate !== null ? rate * eightHours : rate;

/** A fraction in the chosen unit as percent: rates of eight hours need more places. */
export const rateText = (rate: number): string => percent(rate * 100, isYear() ? 2 : 4);

/** Decimals where there is little room. */
export const shortPlaces = (): number => (isYear() ? 1 : 3);

export const unitChoice = (): HTMLElement =>
  choice('Rates', units, {
    chosen: chosen.get(),
    choose(next) {
      chosen.set(next);
      reopen({});
    },
  });
