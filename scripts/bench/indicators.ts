/** The indicators of GET /v1/indicators against a library, and the whole catalogue, on 500 candles. */
import { IndicatorsSync } from '@ixjb94/indicators';
import { catalogue } from '../../indicators/catalogue.ts';
import type { Chosen, Columns, Indicator } from '../../indicators/spec.ts';
import { classic } from '../../indicators/technical/classic.ts';
import { inTurns, printTable } from './report.ts';

const count = 500;

/** Hourly candles of a random walk, the same in every run. */
function walk(): Columns {
  let state = 7;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const column = () => new Float64Array(count);
  const columns = {
    time: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  let price = 60_000;
  for (let i = 0; i < count; i++) {
    columns.time[i] = 1_700_000_000_000 + i * 3_600_000;
    columns.open[i] = price;
    const close = price * (1 + (next() - 0.5) * 0.02);
    columns.high[i] = Math.max(price, close) * (1 + next() * 0.003);
    columns.low[i] = Math.min(price, close) * (1 - next() * 0.003);
    columns.close[i] = close;
    columns.volume[i] = next() * 1_000;
    price = close;
  }
  return columns;
}

const columns = walk();

/** What the library takes: plain arrays, made beforehand. */
const high = Array.from(columns.high);
const low = Array.from(columns.low);
const close = Array.from(columns.close);

function ixjb94(): unknown {
  const library = new IndicatorsSync();
  return [
    library.rsi(close, 14),
    library.macd(close, 12, 26, 9),
    library.bbands(close, 20, 2),
    library.atr(high, low, close, 14),
    library.ema(close, 20),
    library.ema(close, 50),
  ];
}

const defaults = ({ parameters }: Indicator): Chosen =>
  Object.fromEntries(Object.entries(parameters).map(([name, p]) => [name, p.default]));

const all = [...catalogue.values()].map((entry) => ({ entry, chosen: defaults(entry) }));

const classicEntries: [string, Chosen][] = [
  ['rsi', {}],
  ['macd', {}],
  ['bbands', {}],
  ['atr', {}],
  ['ema', {}],
  ['ema', { length: 50 }],
];

const asColumns = classicEntries.flatMap(([name, given]) => {
  const entry = catalogue.get(name);
  return entry ? [{ entry, chosen: { ...defaults(entry), ...given } }] : [];
});

const compute = (entries: typeof all): unknown =>
  entries.map(({ entry, chosen }) => entry.compute(columns, chosen));

const works: readonly [name: string, work: () => unknown][] = [
  ['Tidemark, one pass, newest values', () => classic(columns)],
  ['Tidemark, entries of the catalogue, whole columns', () => compute(asColumns)],
  ['@ixjb94/indicators', ixjb94],
  [`Tidemark, all ${all.length} indicators with their defaults`, () => compute(all)],
];

/** Prints what each costs against the one pass. */
export function benchIndicators(): void {
  const figures = inTurns(works.map(([, work]) => work));
  printTable(`RSI, MACD, Bollinger, ATR, EMA 20 and 50 of ${count} candles, processor time`, [
    ['', 'µs', 'to one pass'],
    ...figures.map(({ ms, ratio }, i) => [works[i]?.[0] ?? '', ms * 1_000, ratio]),
  ]);
}
