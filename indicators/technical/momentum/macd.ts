/** Distances between two exponential averages. */

import { less, unlessRounding } from '../../digits.ts';
import { anyPrice, candles, define, emaSettle, source, type Words } from '../../entry.ts';
import { ema } from '../averages.ts';
import { at, blank, difference, price, ratio } from '../columns.ts';

/** Lengths of the two averages and of the signal. */
export interface MacdLengths {
  readonly fast: number;
  readonly slow: number;
  readonly signal: number;
}

/** A distance with its signal; `size` is that of what it is the distance between: less than the rounding of that is 0. */
function withSignal(value: Float64Array, signalLength: number, size: (i: number) => number) {
  const signal = ema(value, signalLength);
  const histogram = difference(value, signal);
  for (let i = 0; i < value.length; i++) {
    signal[i] = unlessRounding(at(signal, i), size(i));
    histogram[i] = unlessRounding(at(histogram, i), size(i));
  }
  return { value, signal, histogram };
}

/** `EMA(fast) - EMA(slow)`, each seeded on its own first values. */
export const apo = (x: Float64Array, fast: number, slow: number): Float64Array =>
  difference(ema(x, fast), ema(x, slow));

/** Moving average convergence divergence: the distance, its EMA as signal, and what is between them (G. Appel). */
export const macd = (x: Float64Array, { fast, slow, signal }: MacdLengths) =>
  withSignal(apo(x, fast, slow), signal, (i) => at(x, i));

/** The same in percent of the slow average; no value where that is 0. */
export function ppo(x: Float64Array, { fast, slow, signal }: MacdLengths) {
  const near = ema(x, fast);
  const far = ema(x, slow);
  const value = blank(x.length);
  for (let i = 0; i < x.length; i++)
    value[i] = 100 * ratio(less(at(near, i), at(far, i)), at(far, i));
  return withSignal(value, signal, () => 100);
}

const between = {
  fast: candles(12, 'Candles of the fast EMA'),
  slow: candles(26, 'Candles of the slow EMA'),
};

/** Parameters of MACD and its kin. */
export const macdParameters = { ...between, signal: candles(9, 'Values in the EMA of the signal') };

/** Candles until MACD and its kin have a first signal. */
export const macdMinimum = ({ fast, slow, signal }: MacdLengths): number =>
  Math.max(fast, slow) + signal - 1;

/** Candles until the seeds of MACD and its kin have faded. */
export const macdSettle = ({ fast, slow, signal }: MacdLengths): number =>
  emaSettle(Math.max(fast, slow)) + emaSettle(signal);

/** An entry about a distance between two averages, with its signal. */
const withSignalOf = ({
  compute,
  ...entry
}: Words & {
  compute(x: Float64Array, lengths: MacdLengths): ReturnType<typeof withSignal>;
}) =>
  define({
    ...entry,
    category: 'momentum',
    parameters: { ...macdParameters, source },
    inputs: anyPrice,
    outputs: ['value', 'signal', 'histogram'],
    minimum: macdMinimum,
    settle: macdSettle,
    compute: (columns, { source, ...lengths }) => {
      const { value, signal, histogram } = compute(price(columns, source), lengths);
      return [value, signal, histogram];
    },
  });

export const macdEntries = [
  withSignalOf({
    name: 'macd',
    title: 'Moving average convergence divergence',
    compute: macd,
    formula:
      'value = EMA(fast) − EMA(slow), each seeded on its own first values; signal = EMA(value), seeded with the mean of its first values; histogram = value − signal',
    source:
      'Appel; TA-Lib seeds the fast EMA at the bar of the slow one: the same after about 110 bars',
  }),
  withSignalOf({
    name: 'ppo',
    title: 'Percentage price oscillator',
    compute: ppo,
    formula: '100·(EMA(fast) − EMA(slow))/EMA(slow); signal and histogram as macd',
    source: 'TA-Lib PPO with exponential averages',
  }),
  define({
    name: 'apo',
    title: 'Absolute price oscillator',
    category: 'momentum',
    parameters: { ...between, source },
    inputs: anyPrice,
    outputs: ['value'],
    minimum: ({ fast, slow }) => Math.max(fast, slow),
    settle: ({ fast, slow }) => emaSettle(Math.max(fast, slow)),
    compute: (columns, { fast, slow, source }) => [apo(price(columns, source), fast, slow)],
    formula: 'EMA(fast) − EMA(slow)',
    source: 'TA-Lib APO with exponential averages, by default simple ones',
  }),
];
