/** The words of exchanges for the intervals of candles and of other series. */
import { minute } from '../../config/time.ts';
import { intervals } from '../../indicators/market/intervals.ts';
import type { Interval } from '../topics/index.ts';

/** Our intervals and the exchange's words for them. */
export type Words = Readonly<Partial<Record<Interval, string>>>;

const worded =
  (wordFor: (name: Interval) => string) =>
  (...names: readonly Interval[]): Words =>
    Object.fromEntries(names.map((name) => [name, wordFor(name)]));

/** The words of an exchange that has these intervals under our own. */
export const ownWords = worded((name) => name);

/** The words of an exchange that counts minutes: `60` is 1h. */
export const minuteWords = worded((name) => `${intervals[name] / minute}`);

/** The words of an exchange that counts seconds: `3600` is 1h. */
export const secondWords = worded((name) => `${intervals[name] / 1000}`);

/** The words of an exchange that has other units for ours: with `{ h: 'hour' }` 4h is `4hour`. */
export const unitWords = (units: Readonly<Record<string, string>>) =>
  worded((name) => name.replace(/\D$/, (unit) => units[unit] ?? unit));

/** The words `6Hutc` and the like: without `utc` such intervals open at 16:00 UTC. */
export const utcWords = unitWords({ h: 'Hutc', d: 'Dutc', w: 'Wutc', M: 'Mutc' });

/** The length of the interval that a word of the exchange names, ms; 0 for any other text. */
export const lengthsOf = (words: Words): ((word: string) => number) => {
  const lengths = new Map(
    Object.entries(intervals).map(([name, length]) => [
      Object.entries(words).find(([own]) => own === name)?.[1],
      length,
    ]),
  );
  return (word) => lengths.get(word) ?? 0;
};
