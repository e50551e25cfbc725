/**
 * Worked values of small series, of which every step can be done by hand: how indicators that go on from their last value begin, and
 * outputs that no library of `libraries.test.ts` has.
 */
import t from 'tap';
import { findIndicator } from '../../../indicators/catalogue.ts';
import type { Chosen, Columns } from '../../../indicators/spec.ts';
import { chosenFor, columnsOf, monday } from '../candles.ts';

const day = 86_400_000;

/** null: no value. */
type Expected = Record<string, (number | null)[]>;

/** The outputs that are expected, as they are computed, rounded to ten decimals. */
function computed(name: string, given: Chosen, columns: Columns, expected: Expected): Expected {
  const entry = findIndicator(name);
  if (!entry) throw new Error(`no indicator ${name}`);
  const got = entry.compute(columns, chosenFor(entry, given));
  const rounded = Object.keys(expected).map((output) => {
    const column = got[entry.outputs.indexOf(output)] ?? [];
    return [output, Array.from(column, (v) => (Number.isNaN(v) ? null : round(v)))];
  });
  return Object.fromEntries(rounded);
}

/** Adding 0 makes a 0 of what rounds to -0. */
const round = (value: number) => Math.round(value * 1e10) / 1e10 + 0;

/** Daily candles whose four prices are one. */
const closes = (...prices: number[]) =>
  columnsOf(prices.map((price, i) => [monday + i * day, price, price, price, price, 1]));

/** Daily candles from open, high, low, close and volume. */
const candles = (...rows: number[][]) =>
  columnsOf(rows.map((row, i) => [monday + i * day, ...row]));

const none = null;

/** Of closes alone: [name, parameters, closes, expected]. */
const ofCloses: [string, Chosen, number[], Expected][] = [
  // Seed (1+3)/2, then 2 + 2/3·(5−2).
  ['ema', { length: 2 }, [1, 3, 5, 4], { value: [none, 2, 4, 4] }],
  // e1 = -,2,4,6; e2 = -,-,3,5; 2·4−3, 2·6−5.
  ['dema', { length: 2 }, [1, 3, 5, 7], { value: [none, none, 5, 7] }],
  // On a straight line the lag of each EMA is 1: e3 = -,-,-,4, and 3·6 − 3·5 + 4.
  ['tema', { length: 2 }, [1, 3, 5, 7], { value: [none, none, none, 7] }],
  // WMA(1)·2 − WMA(2), of which WMA(1): 2·4 − 11/3.
  ['hma', { length: 2 }, [1, 3, 4], { value: [none, round(6 - 7 / 3), round(8 - 11 / 3)] }],
  // 3 is seed; ER 1 on a straight line: sc = (2/3)², 3 + 4/9·2.
  ['kama', { length: 2 }, [1, 3, 5], { value: [none, 3, round(3 + 8 / 9)] }],
  // Weights of the same size on both sides of their middle.
  ['alma', { length: 2, offset: 0.5, sigma: 1 }, [1, 3], { value: [none, 2] }],
  // The four polynomials add up to 1.
  ['t3', { length: 1, factor: 0.5 }, [4, 5], { value: [4, 5] }],
  // RSI 100, 0, 100.
  [
    'stochrsi',
    { length: 1, stoch_length: 2, k: 1, d: 1 },
    [1, 2, 1, 2],
    { k: [none, none, 0, 100], d: [none, none, 0, 100] },
  ],
  // lag 1: lead = -,5,7; seed of 3 values is missing one, so the fourth candle has the first.
  ['zlema', { length: 3 }, [1, 3, 5, 7], { value: [none, none, none, 7] }],
  // Least squares through 1, 2, 6: slope 2.5, mean 3; r2 = 2.5²·2/14.
  [
    'linreg',
    { length: 3 },
    [1, 2, 6],
    {
      value: [none, none, 5.5],
      slope: [none, none, 2.5],
      intercept: [none, none, 0.5],
      r2: [none, none, round(12.5 / 14)],
      tsf: [none, none, 8],
    },
  ],
  // Deviation of 2, 4: sample √2, population 1.
  [
    'bbands',
    { length: 2 },
    [2, 4],
    {
      upper: [none, round(3 + 2 * Math.SQRT2)],
      middle: [none, 3],
      lower: [none, round(3 - 2 * Math.SQRT2)],
      percent_b: [none, round((1 + 2 * Math.SQRT2) / (4 * Math.SQRT2))],
      bandwidth: [none, round((4 * Math.SQRT2) / 3)],
    },
  ],
  ['bbands', { length: 2, ddof: 0 }, [2, 4], { upper: [none, 5], lower: [none, 1] }],
  ['variance', { length: 3 }, [1, 2, 6], { value: [none, none, 7] }],
  // ln 2 and ln 1: sample deviation ln2/√2; √365 of daily candles.
  [
    'hv',
    { length: 2 },
    [1, 2, 2],
    { value: [none, none, round(100 * (Math.LN2 / Math.SQRT2) * Math.sqrt(365))] },
  ],
  // g 1, l 0.5 (mean of +2, −1 over 2), then g 0.5, l 0.25+0.5·… = (0.5+1)/2.
  ['rsi', { length: 2 }, [1, 3, 2, 1], { value: [none, none, round(200 / 3), 40] }],
  ['rsi', { length: 2 }, [1, 2, 3], { value: [none, none, 100] }],
  ['rsi', { length: 2 }, [3, 2, 1], { value: [none, none, 0] }],
  ['rsi', { length: 2 }, [5, 5, 5], { value: [none, none, 50] }],
  // EMA1 is the close, EMA2 = 2, 4, 6; the difference is 1, its EMA2 as well.
  [
    'macd',
    { fast: 1, slow: 2, signal: 2 },
    [1, 3, 5, 7],
    { value: [none, 1, 1, 1], signal: [none, none, 1, 1], histogram: [none, none, 0, 0] },
  ],
  ['ppo', { fast: 1, slow: 2, signal: 1 }, [1, 3, 5], { value: [none, 50, 25] }],
  // Changes +2, −1, −1.
  ['cmo', { length: 2 }, [1, 3, 2, 1], { value: [none, none, round(100 / 3), -100] }],
  ['trix', { length: 1, signal: 1 }, [4, 5, 6], { value: [none, 25, 20], signal: [none, 25, 20] }],
  ['tsi', { long: 1, short: 1, signal: 1 }, [4, 5, 3, 3], { value: [none, 100, -100, none] }],
  // 1·ROC1 + 2·ROC1 + 3·ROC1 + 4·ROC1.
  [
    'kst',
    { roc_1: 1, roc_2: 1, roc_3: 1, roc_4: 1, sma_1: 1, sma_2: 1, sma_3: 1, sma_4: 1, signal: 2 },
    [4, 5, 6],
    { value: [none, 250, 200], signal: [none, none, 225] },
  ],
  // Shift ⌊2/2⌋+1 = 2: 1 − 6, and centred the same at the first candle.
  ['dpo', { length: 2 }, [1, 5, 7], { value: [none, none, -5] }],
  ['dpo', { length: 2, centered: 'true' }, [1, 5, 7], { value: [-5, none, none] }],
  // RSI 1: 100 or 0; streaks 0, 1, 2, −1; returns 100 %, 50 %, −33 %, none of the 2 before is below.
  [
    'crsi',
    { rsi_length: 1, streak_length: 1, rank_length: 2 },
    [1, 2, 3, 2],
    { value: [none, none, none, 0] },
  ],
  // 1 + 0.02·1 at the third candle: in the first step the low before is the candle's own, 2 and not 1.
  ['psar', {}, [1, 2, 3], { value: [none, 1, 1.02] }],
  // A step above the highest is the highest, as in TA-Lib.
  ['psar', { step: 0.5, max: 0.2 }, [1, 2, 3], { value: [none, 1, 1.2] }],
];

t.test('of closes', (t) => {
  for (const [name, given, prices, expected] of ofCloses)
    t.strictSame(computed(name, given, closes(...prices), expected), expected, name);
  t.end();
});

/** Three candles: rising, wide, falling. */
const three = candles([10, 12, 9, 11, 100], [11, 15, 10, 14, 200], [14, 14, 8, 9, 50]);

/** Of whole candles. */
const ofCandles: [string, Chosen, Expected][] = [
  ['atr', { length: 2 }, { value: [none, none, 5.5] }],
  [
    'keltner',
    { length: 1, mult: 1, atr_length: 1 },
    { upper: [none, 19, 15], middle: [11, 14, 9] },
  ],
  ['mass_index', { ema_length: 1, length: 2 }, { value: [none, 2, 2] }],
  // Starts rising (low did not fall): stop 9, touched at once by no candle; the third reaches below.
  ['psar', {}, { value: [none, 9, 15], direction: [none, 1, -1], reversal: [none, 0, 1] }],
  // ATR 1: bands 17.5, 7.5 then 17 and 7.5 (5 does not tighten).
  [
    'supertrend',
    { length: 1, mult: 1 },
    {
      value: [none, 7.5, 7.5],
      direction: [none, 1, 1],
      upper: [none, 17.5, 17],
      lower: [none, 7.5, 7.5],
    },
  ],
  [
    'ichimoku',
    { conversion: 1, base: 2, span_b: 1, displacement: 1 },
    {
      tenkan: [10.5, 12.5, 11],
      kijun: [none, 12, 11.5],
      senkou_a: [none, none, 12.25],
      senkou_b: [none, 10.5, 12.5],
      chikou: [14, 9, none],
    },
  ],
  ['stoch', { length: 2, k: 1, d: 1 }, { j: [none, round(500 / 6), round(100 / 7)] }],
  // Range 10.5 to 12.5, at its top: x 0.33; then 0.66·(0.25 − 0.5) + 0.67·0.33 = 0.0561.
  [
    'fisher',
    {},
    {
      value: [
        0,
        round(0.5 * Math.log(1.33 / 0.67)),
        round(0.5 * Math.log(1.0561 / 0.9439) + 0.25 * Math.log(1.33 / 0.67)),
      ],
      trigger: [none, 0, round(0.5 * Math.log(1.33 / 0.67))],
    },
  ],
  // +DM 3, 0; −DM 0, 2 (the second falls by 2, rises −1).
  [
    'adx',
    { length: 1 },
    {
      plus_di: [none, 60, 0],
      minus_di: [none, 0, round(200 / 6)],
      dx: [none, 100, 100],
      adx: [none, 100, 100],
      adxr: [none, 100, 100],
    },
  ],
  ['fractal', { span: 1 }, { bull: [none, none, none], bear: [none, 15, none] }],
  ['obv', {}, { value: [0, 200, 150] }],
  // mfm 1/3, 0.6, −2/3.
  ['ad', {}, { value: [round(100 / 3), round(100 / 3 + 120), 120] }],
  // ad 33.33, 153.33, 120; its EMA2 93.33, then 93.33 + 2/3·26.67.
  ['adosc', { fast: 1, slow: 2 }, { value: [none, 60, round(80 / 9)] }],
  [
    'pvo',
    { fast: 1, slow: 2, signal: 1 },
    { value: [none, round(100 / 3), round((100 * (50 - 250 / 3)) / (250 / 3))] },
  ],
  ['nvi', {}, { value: [1_000, 1_000, round((1_000 * 9) / 14)] }],
  ['pvi', {}, { value: [1_000, round((1_000 * 14) / 11), round((1_000 * 14) / 11)] }],
  ['vpt', {}, { value: [0, round(600 / 11), round(600 / 11 - 250 / 14)] }],
  // Bands 2·(3/√2), channel 1.5·5 at the second window; deviation of 14, 9 is 5/√2.
  ['squeeze', { length: 2 }, { on: [none, none, 1], off: [none, none, 0] }],
];

t.test('volatility a year: by the time between candles, a day where there is none', (t) => {
  const deviation = 100 * (Math.LN2 / Math.SQRT2);
  const perYear = [
    [0, 365],
    [day / 24, 24 * 365],
    [day, 365],
    [7 * day, 365 / 7],
    [28 * day, 12],
    [31 * day, 12],
  ] as const;
  for (const [between, times] of perYear) {
    const rows = [1, 2, 2].map((p, i) => [monday + i * between, p, p, p, p, 1]);
    const expected = { value: [none, none, round(deviation * Math.sqrt(times))] };
    t.strictSame(computed('hv', { length: 2 }, columnsOf(rows), expected), expected);
  }
  // Days that open with a session: one is an hour shorter, where clocks go forward, and three are a weekend.
  const hours = [0, 24, 48, 71, 143, 167];
  const rows = hours.map((hour, i) => {
    const p = 2 ** (i % 2);
    return [monday + (hour * day) / 24, p, p, p, p, 1];
  });
  const value = hours.map((_, i) => (i < 2 ? none : round(2 * deviation * Math.sqrt(365))));
  t.strictSame(computed('hv', { length: 2 }, columnsOf(rows), { value }), { value });
  t.end();
});

t.test('of candles', (t) => {
  for (const [name, given, expected] of ofCandles)
    t.strictSame(computed(name, given, three, expected), expected, name);
  t.end();
});
