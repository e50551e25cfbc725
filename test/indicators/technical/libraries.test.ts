/**
 * Every indicator beside other libraries: @ixjb94/indicators (a port of Tulip Indicators), technicalindicators and
 * trading-signals, value by value over the last hundred candles of a walk. An
 * indicator that no library has whole is put together of their parts.
 */
import { IndicatorsSync } from '@ixjb94/indicators';
import t from 'tap';
import * as other from 'technicalindicators';
import * as signals from 'trading-signals';
import { catalogue } from '../../../indicators/catalogue.ts';
import type { Indicator } from '../../../indicators/spec.ts';
import { chosenFor, walk } from '../candles.ts';

const columns = walk(700, 3, 100);
const open = [...columns.open];
const high = [...columns.high];
const low = [...columns.low];
const close = [...columns.close];
const volume = [...columns.volume];
const bars = { high, low, close };
const candles = close.map((last, i) => ({
  open: open[i] ?? 0,
  high: high[i] ?? 0,
  low: low[i] ?? 0,
  close: last,
  volume: volume[i] ?? 0,
}));
const tulip = new IndicatorsSync();

type Series = readonly (number | undefined)[];
type Outputs = Readonly<Record<string, Series>>;

/** Values of several series that end with the same candle. */
function zip(join: (...values: number[]) => number, ...all: Series[]): number[] {
  const count = Math.min(...all.map(({ length }) => length));
  return Array.from({ length: count }, (_, i) =>
    join(...all.map((series) => series.at(i - count) ?? Number.NaN)),
  );
}
const column = <K extends string>(rows: readonly unknown[], name: K): (number | undefined)[] =>
  rows.map((row) => Object(row)[name]);
const scaled = (series: Series, by: number) => zip((value) => value * by, series);
const divided = (a: Series, b: Series) => zip((x, y) => x / y, a, b);
const less = (a: Series, b: Series) => zip((x, y) => x - y, a, b);
const mean = (a: Series, b: Series) => zip((x, y) => (x + y) / 2, a, b);

/** What an indicator of trading-signals gives of one candle after the other. */
const each = <In, Out>(one: { update(value: In, replace: boolean): Out }, all: readonly In[]) =>
  all.map((value) => one.update(value, false));
const numbers = (values: readonly (number | null)[]): Series =>
  values.map((one) => one ?? undefined);

/** Highest and lowest of so many candles. */
const tops = (n: number) => tulip.max(high, n);
const floors = (n: number) => tulip.min(low, n);

/** One value of each candle: the name, and the series for a length. */
const single: Readonly<Record<string, (n: number) => Series>> = {
  sma: (n) => tulip.sma(close, n),
  ema: (n) => tulip.ema(close, n),
  wma: (n) => tulip.wma(close, n),
  dema: (n) => tulip.dema(close, n),
  tema: (n) => tulip.tema(close, n),
  trima: (n) => tulip.trima(close, n),
  hma: (n) => tulip.hma(close, n),
  rma: (n) => tulip.wilders(close, n),
  zlema: (n) => tulip.zlema(close, n),
  kama: (n) => tulip.kama(close, n),
  vwma: (n) => tulip.vwma(close, volume, n),
  t3: (n) => numbers(each(new signals.T3(n, 0.7), close)),
  alma: (n) => numbers(each(new signals.ALMA(n, 0.85, 6), close)),
  midprice: (n) => mean(tops(n), floors(n)),
  psar: () => tulip.psar(high, low, 0.02, 0.2),
  tr: () => tulip.tr(high, low, close),
  atr: (n) => tulip.atr(high, low, close, n),
  natr: (n) => tulip.natr(high, low, close, n),
  chop: (n) =>
    zip(
      (sum, top, floor) => (100 * Math.log10(sum / (top - floor))) / Math.log10(n),
      tulip.sum(tulip.tr(high, low, close), n),
      tops(n),
      floors(n),
    ),
  mass_index: (n) => tulip.mass(high, low, n),
  stddev: (n) => tulip.stddev(close, n),
  variance: (n) => tulip.var(close, n),
  zscore: (n) => divided(less(close, tulip.sma(close, n)), tulip.stddev(close, n)),
  // The sample's deviation of logarithms, in percent of a year of hours.
  hv: (n) =>
    scaled(
      tulip.stddev(zip(Math.log, divided(close.slice(1), close.slice(0, -1))), n),
      100 * Math.sqrt((n / (n - 1)) * 365 * 24),
    ),
  ulcer: (n) => numbers(each(new signals.UlcerIndex(n), close)),
  rsi: (n) => tulip.rsi(close, n),
  cmo: (n) => tulip.cmo(close, n),
  crsi: () => numbers(each(new signals.ConnorsRSI(), close)),
  apo: () => tulip.apo(close, 12, 26),
  willr: (n) => tulip.willr(high, low, close, n),
  roc: (n) => scaled(tulip.roc(close, n), 100),
  mom: (n) => tulip.mom(close, n),
  coppock: () =>
    tulip.wma(
      zip((a, b) => 100 * (a + b), tulip.roc(close, 14), tulip.roc(close, 11)),
      10,
    ),
  dpo: (n) => tulip.dpo(close, n),
  cci: (n) => tulip.cci(high, low, close, n),
  ultosc: () => tulip.ultosc(high, low, close, 7, 14, 28),
  awesome: () => tulip.ao(high, low),
  bop: (n) => tulip.sma(tulip.bop(open, high, low, close), n),
  // Of the day that the last four hours are of.
  vwap: () => {
    const [h, l, c, v] = [high, low, close, volume].map((all) => all.slice(-4));
    return other.VWAP.calculate({ high: h ?? [], low: l ?? [], close: c ?? [], volume: v ?? [] });
  },
  obv: () => tulip.obv(close, volume),
  ad: () => tulip.ad(high, low, close, volume),
  adosc: () => tulip.adosc(high, low, close, volume, 3, 10),
  cmf: (n) => tulip.cmf(high, low, close, volume, n),
  mfi: (n) => tulip.mfi(high, low, close, volume, n),
  force_index: (n) => tulip.fi(close, volume, n),
  emv: () => tulip.emv(high, low, volume),
  nvi: () => tulip.nvi(close, volume),
  pvi: () => tulip.pvi(close, volume),
  vpt: () => numbers(each(new signals.PVT(), candles)),
  relative_volume: (n) => divided(volume, tulip.sma(volume, n)),
  hl2: () => tulip.medprice(high, low),
  hlc3: () => tulip.typprice(high, low, close),
  ohlc4: () => tulip.avgprice(open, high, low, close),
};

const crossing = (value: number[], signal: number) => ({ value, signal: tulip.ema(value, signal) });
const withHistogram = ({ value, signal }: ReturnType<typeof crossing>) => ({
  value,
  signal,
  histogram: less(value, signal),
});
const moves = (a: readonly number[], b: readonly number[]) =>
  zip((x, y) => Math.abs(x - y), a.slice(1), b.slice(0, -1));

/** Several values of each candle. */
const several: Readonly<Record<string, (n: number) => Outputs>> = {
  ma_envelope: (n) => {
    const middle = tulip.sma(close, n);
    return { middle, upper: scaled(middle, 1.025), lower: scaled(middle, 0.975) };
  },
  linreg: (n) => ({
    value: tulip.linreg(close, n),
    slope: tulip.linregslope(close, n),
    intercept: tulip.linregintercept(close, n),
    tsf: tulip.tsf(close, n),
  }),
  ichimoku: () => {
    const periods = { conversionPeriod: 9, basePeriod: 26, spanPeriod: 52, displacement: 26 };
    const rows = other.IchimokuCloud.calculate({ high, low, ...periods });
    return {
      tenkan: column(rows, 'conversion'),
      kijun: column(rows, 'base'),
      // Stated there for the candle that they are of, here for the one that they are drawn at.
      senkou_a: column(rows, 'spanA').slice(0, -26),
      senkou_b: column(rows, 'spanB').slice(0, -26),
    };
  },
  supertrend: (n) => {
    const rows = each(new signals.SuperTrend({ interval: n, multiplier: 3 }), candles);
    const direction = rows.map((row) => (row?.trend === 'BULLISH' ? 1 : -1));
    return { value: column(rows, 'supertrend'), direction };
  },
  bbands: (n) => {
    const [lower = [], middle = [], upper = []] = tulip.bbands(close, n, 2);
    const width = less(upper, lower);
    const percent_b = divided(less(close, lower), width);
    return { lower, middle, upper, percent_b, bandwidth: divided(width, middle) };
  },
  keltner: (n) => {
    const about = { maPeriod: n, atrPeriod: 10, multiplier: 2, useSMA: false };
    const rows = other.KeltnerChannels.calculate({ ...bars, ...about });
    const [upper, middle, lower] = ['upper', 'middle', 'lower'].map((name) => column(rows, name));
    return { upper: upper ?? [], middle: middle ?? [], lower: lower ?? [] };
  },
  donchian: (n) => ({ upper: tops(n), lower: floors(n), middle: mean(tops(n), floors(n)) }),
  chandelier: (n) => {
    const rows = other.ChandelierExit.calculate({ ...bars, period: n, multiplier: 3 });
    return { long: column(rows, 'exitLong'), short: column(rows, 'exitShort') };
  },
  squeeze: () => {
    const rows = each(new signals.TTMSqueeze(), candles);
    const on = rows.map((row) => (row?.isSqueezed ? 1 : 0));
    return { on, momentum: column(rows, 'momentum') };
  },
  stochrsi: (n) => {
    const rsi = tulip.rsi(close, n);
    const [top, floor] = [tulip.max(rsi, 14), tulip.min(rsi, 14)];
    const k = tulip.sma(scaled(divided(less(rsi, floor), less(top, floor)), 100), 3);
    return { k, d: tulip.sma(k, 3) };
  },
  macd: () => withHistogram(crossing(less(tulip.ema(close, 12), tulip.ema(close, 26)), 9)),
  ppo: () => withHistogram(crossing(tulip.ppo(close, 12, 26), 9)),
  pvo: () => withHistogram(crossing(tulip.ppo(volume, 12, 26), 9)),
  stoch: (n) => {
    const [k = [], d = []] = tulip.stoch(high, low, close, n, 3, 3);
    return { k, d, j: zip((a, b) => 3 * a - 2 * b, k, d) };
  },
  stochf: (n) => {
    const [k = [], d = []] = tulip.stoch(high, low, close, n, 1, 3);
    return { k, d };
  },
  trix: (n) => crossing(other.TRIX.calculate({ period: n, values: close }), 9),
  tsi: () => crossing(tulip.tsi(close, 25, 13), 13),
  kst: () => {
    const rates = { ROCPer1: 10, ROCPer2: 15, ROCPer3: 20, ROCPer4: 30 };
    const means = { SMAROCPer1: 10, SMAROCPer2: 10, SMAROCPer3: 10, SMAROCPer4: 15 };
    const rows = other.KST.calculate({ values: close, ...rates, ...means, signalPeriod: 9 });
    return { value: column(rows, 'kst'), signal: column(rows, 'signal') };
  },
  fisher: (n) => {
    const [value = [], trigger = []] = tulip.fisher(high, low, n);
    return { value, trigger };
  },
  adx: (n) => {
    const [plus_di = [], minus_di = []] = tulip.di(high, low, close, n);
    const smoothed = { adx: tulip.adx(high, low, n), adxr: tulip.adxr(high, low, n) };
    return { ...smoothed, dx: tulip.dx(high, low, n), plus_di, minus_di };
  },
  aroon: (n) => {
    const [down = [], up = []] = tulip.aroon(high, low, n);
    return { down, up, oscillator: tulip.aroonosc(high, low, n) };
  },
  vortex: (n) => {
    const ranges = tulip.sum(tulip.tr(high, low, close).slice(1), n);
    const [plus, minus] = [moves(high, low), moves(low, high)].map((all) =>
      divided(tulip.sum(all, n), ranges),
    );
    return { plus: plus ?? [], minus: minus ?? [] };
  },
  elder_ray: (n) => {
    const ema = tulip.ema(close, n);
    return { ema, bull_power: less(high, ema), bear_power: less(low, ema) };
  },
  heikin_ashi: () => {
    const about = { timestamp: [...columns.time], volume };
    const found = new other.HeikinAshi({ open, ...bars, ...about }).getResult();
    const [o = [], h = [], l = [], c = []] = ['open', 'high', 'low', 'close'].map(
      (name): number[] => Object(found)[name],
    );
    return { open: o, high: h, low: l, close: c };
  },
};

/** Those that none of the libraries has as we define them, and what they are tested with. */
const elsewhere: Readonly<Record<string, string>> = {
  kvo: 'references.test.ts: values of Stock.Indicators; the libraries sum the range up in other ways',
  fractal: 'values.test.ts, by hand',
  pivot_points: 'levels.test.ts, by hand',
};

const outputsOf = (name: string, length: number): Outputs | null => {
  const value = single[name]?.(length);
  return value ? { value } : (several[name]?.(length) ?? null);
};

/** Where a series differs from ours in the last hundred candles, in words; of what has no value in both nothing. */
function differs(own: Float64Array | undefined, theirs: Series): string | null {
  for (let back = 1; back <= Math.min(100, theirs.length); back++) {
    const [a = Number.NaN, b = Number.NaN] = [own?.at(-back), theirs.at(-back)];
    const isSame = Number.isNaN(a)
      ? Number.isNaN(b)
      : Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
    if (!isSame) return `${back} from the end: ${a}, there ${b}`;
  }
  return theirs.length === 0 ? 'no values there' : null;
}

/**
 * By default and, where there is one, of another length, an even one: the port of Tulip has no trima and dpo of odd ones. The deviation is that of all values, which the libraries have.
 */
function chosen({ parameters }: Indicator): Record<string, number>[] {
  const usual: Record<string, number> = 'ddof' in parameters ? { ddof: 0 } : {};
  const { length } = parameters;
  if (length === undefined || typeof length.default !== 'number') return [usual];
  return [length.default, 8].map((n) => ({ ...usual, length: n }));
}

for (const entry of catalogue.values()) {
  t.test(`${entry.name}, as other libraries have it`, async (t) => {
    const { name } = entry;
    if (elsewhere[name] !== undefined) return t.comment(elsewhere[name]);
    for (const given of chosen(entry)) {
      // Of one length only there.
      if (name === 'squeeze' && given.length !== 20) continue;
      const theirs = outputsOf(name, given.length ?? 0);
      const own = entry.compute(columns, chosenFor(entry, given));
      t.not(theirs, null, 'a library has it');
      for (const [field, series] of Object.entries(theirs ?? {})) {
        const found = differs(own[entry.outputs.indexOf(field)], series);
        t.equal(found, null, `${field} ${JSON.stringify(given)}`);
      }
    }
  });
}
