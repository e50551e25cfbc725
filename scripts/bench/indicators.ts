/** The indicators of GET /v1/indicators against a library, and the whole catalogue, on 500 candles. */
import { IndicatorsSync } from '@ixjb94/indicators';
import { catalogue } from '../../indicators/catalogue.ts';
import type { Chosen, Columns, Indicator } from '../../indicators/spec.ts';
import { classic } from '../../indicators/technical/classic.ts';
import { percentile, printTable } from './report.ts';

const count = 500;
const rounds = 101;
const warmUp = 300;

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

/** Name, work, and how often it runs for one sample. */
const works: [string, () => unknown, number][] = [
  ['Tidemark, one pass, newest values', () => classic(columns), 50],
  ['Tidemark, entries of the catalogue, whole columns', () => compute(asColumns), 10],
  ['@ixjb94/indicators', ixjb94, 10],
  [`Tidemark, all ${all.length} indicators with their defaults`, () => compute(all), 1],
];

/** Microseconds per run. */
function sample(work: () => unknown, runs: number): number {
  const from = performance.now();
  for (let i = 0; i < runs; i++) work();
  return ((performance.now() - from) * 1_000) / runs;
}

/**
 * Prints what each costs against the one pass. Samples are about a millisecond and the fastest tenth counts: what
 * else the machine does only ever adds, and to long samples more.
 */
export function benchIndicators(): void {
  for (const [, work] of works) sample(work, warmUp);
  const samples: number[][] = works.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, [, work, runs]] of works.entries()) samples[i]?.push(sample(work, runs));
  }
  const polls = samples.map((values) => percentile(values, 0.1));
  const [own = 1] = polls;
  printTable(
    `RSI, MACD, Bollinger, ATR, EMA 20 and 50 of ${count} candles (fastest tenth of ${rounds})`,
    [
      ['', 'µs', 'to one pass'],
      ...works.map(([name], i) => [name, polls[i] ?? 0, (polls[i] ?? 0) / own]),
    ],
  );
}
