/** Values beside those of another library, technicalindicators; and how soon the start of a series is forgotten. */
import t from 'tap';
import * as library from 'technicalindicators';
import { catalogue, findIndicator } from '../../../indicators/catalogue.ts';
import { chosenFor, mapColumns, walk } from '../candles.ts';

const columns = walk(700, 3, 100);
const high = [...columns.high];
const low = [...columns.low];
const close = [...columns.close];
const volume = [...columns.volume];
const bars = { high, low, close };

/** Name, parameters, the last values of the library by output, and what it rounds them to. */
type Pair = readonly [
  name: string,
  chosen: Readonly<Record<string, number>>,
  last: Readonly<Record<string, number | undefined>>,
  rounded?: number,
];

function ofLength(period: number): Pair[] {
  const chosen = { length: period };
  const values = { period, values: close };
  const ofBars = { period, ...bars };
  const adx = library.ADX.calculate(ofBars).at(-1);
  const bands = library.BollingerBands.calculate({ ...values, stdDev: 2 }).at(-1);
  const { upper, middle, lower } = bands ?? {};
  return [
    ['sma', chosen, { value: library.SMA.calculate(values).at(-1) }],
    ['ema', chosen, { value: library.EMA.calculate(values).at(-1) }],
    ['wma', chosen, { value: library.WMA.calculate(values).at(-1) }],
    ['rma', chosen, { value: library.WEMA.calculate(values).at(-1) }],
    ['roc', chosen, { value: library.ROC.calculate(values).at(-1) }],
    ['trix', chosen, { value: library.TRIX.calculate(values).at(-1) }],
    ['atr', chosen, { value: library.ATR.calculate(ofBars).at(-1) }],
    ['cci', chosen, { value: library.CCI.calculate(ofBars).at(-1) }],
    ['willr', chosen, { value: library.WilliamsR.calculate(ofBars).at(-1) }],
    ['adx', chosen, { adx: adx?.adx, plus_di: adx?.pdi, minus_di: adx?.mdi }],
    ['bbands', { ...chosen, ddof: 0, mult: 2 }, { upper, middle, lower, percent_b: bands?.pb }],
    [
      'force_index',
      chosen,
      { value: library.ForceIndex.calculate({ period, close, volume }).at(-1) },
    ],
    ['rsi', chosen, { value: library.RSI.calculate(values).at(-1) }, 0.01],
    ['mfi', chosen, { value: library.MFI.calculate({ ...ofBars, volume }).at(-1) }, 0.01],
  ];
}

const macd = library.MACD.calculate({
  values: close,
  fastPeriod: 12,
  slowPeriod: 26,
  signalPeriod: 9,
  SimpleMAOscillator: false,
  SimpleMASignal: false,
}).at(-1);
const awesome = library.AwesomeOscillator.calculate({ high, low, fastPeriod: 5, slowPeriod: 34 });

const pairs: readonly Pair[] = [
  ...[2, 9, 50].flatMap(ofLength),
  ['macd', {}, { value: macd?.MACD, signal: macd?.signal, histogram: macd?.histogram }],
  ['awesome', {}, { value: awesome.at(-1) }],
  ['psar', {}, { value: library.PSAR.calculate({ high, low, step: 0.02, max: 0.2 }).at(-1) }],
  ['obv', {}, { value: library.OBV.calculate({ close, volume }).at(-1) }],
  ['ad', {}, { value: library.ADL.calculate({ ...bars, volume }).at(-1) }, 1],
];

t.test('values are those of another library', async (t) => {
  for (const [name, chosen, last, rounded = 0] of pairs) {
    const entry = findIndicator(name);
    if (!entry) throw new Error(`there is no ${name}`);
    const got = entry.compute(columns, chosenFor(entry, chosen));
    for (const [field, wanted = Number.NaN] of Object.entries(last)) {
      const own = got[entry.outputs.indexOf(field)]?.at(-1) ?? Number.NaN;
      const within = rounded / 2 + 1e-9 * Math.max(1, Math.abs(own));
      t.ok(Math.abs(own - wanted) <= within, `${name} ${JSON.stringify(chosen)} ${field}: ${own}`);
    }
  }
});

t.test('after the candles that an entry states its start is forgotten', async (t) => {
  const other = walk(700, 11, 130);
  const price = close.at(-1) ?? 0;
  for (const entry of catalogue.values()) {
    const chosen = chosenFor(entry);
    const count = entry.settle?.(chosen) ?? Number.POSITIVE_INFINITY;
    if (!Number.isFinite(count)) continue;
    const mixed = mapColumns(columns, (column, name) =>
      column.map((value, i) =>
        i < 700 - count && name !== 'time' ? (other[name][i] ?? 0) : value,
      ),
    );
    const [a, b] = [entry.compute(columns, chosen), entry.compute(mixed, chosen)];
    for (const [k, field] of entry.outputs.entries()) {
      const [x = Number.NaN, y = Number.NaN] = [a[k]?.at(-1), b[k]?.at(-1)];
      // Differences of prices are held against the price; the jump into the other walk weighs more than a usual seed.
      const within = 1e-5 * Math.max(price, Math.abs(x));
      t.ok(Math.abs(x - y) <= within, `${entry.name} ${field}: ${x} ${y}`);
    }
  }
});
