/** What holds for every indicator, whatever its formula. */
import assert from 'node:assert/strict';
import t from 'tap';
import { catalogue } from '../../../indicators/catalogue.ts';
import type { Columns } from '../../../indicators/spec.ts';
import { classic } from '../../../indicators/technical/classic.ts';
import { chosenFor, columnsOf, firstOf, mapColumns, monday, numbers, walk } from '../candles.ts';

const hour = 3_600_000;

const columns = walk(500);
const all = [...catalogue.values()];
const cut = (count: number) => mapColumns(columns, (column) => column.slice(0, count));

/** Outputs that look ahead: a value may appear later, but none changes. */
const ahead = new Set(['ichimoku chikou', 'fractal bull', 'fractal bear']);

t.test('a value does not depend on the candles after it', (t) => {
  const centred = catalogue.get('dpo');
  if (!centred) throw new Error('dpo');
  const cases = [
    ...all.map((entry) => ({ entry, chosen: chosenFor(entry) })),
    { entry: centred, chosen: chosenFor(centred, { centered: 'true' }) },
  ];
  for (const { entry, chosen } of cases) {
    const whole = entry.compute(columns, chosen);
    for (const count of [97, 240, 499]) {
      const part = entry.compute(cut(count), chosen);
      for (const [k, column] of part.entries()) {
        const looksAhead =
          ahead.has(`${entry.name} ${entry.outputs[k]}`) || chosen.centered === 'true';
        const wrong = column.findIndex(
          (value, i) => !Object.is(value, whole[k]?.[i]) && !(looksAhead && Number.isNaN(value)),
        );
        t.equal(wrong, -1, `${entry.name} ${entry.outputs[k]}, cut at ${count}`);
      }
    }
  }
  t.end();
});

/** How an output changes when every price is multiplied; outputs that are not here stay the same. */
const withPrice: Record<string, number | Record<string, number>> = {
  variance: 2,
  linreg: { value: 1, slope: 1, intercept: 1, r2: 0, tsf: 1 },
  psar: { value: 1, direction: 0, reversal: 0 },
  supertrend: { value: 1, direction: 0, upper: 1, lower: 1 },
  bbands: { upper: 1, middle: 1, lower: 1, percent_b: 0, bandwidth: 0 },
  squeeze: { on: 0, off: 0, momentum: 1 },
  emv: 2,
};

const inPrice = new Set(
  `sma ema wma dema tema trima hma kama rma vwma t3 alma zlema midprice vwap hl2 hlc3 ohlc4 ichimoku
   ma_envelope keltner donchian chandelier tr atr stddev macd apo mom awesome dpo elder_ray heikin_ashi
   pivot_points fractal force_index`.split(/\s+/),
);

const inVolume = new Set('obv ad adosc force_index kvo vpt'.split(' '));

function power(name: string, output: string): number {
  const own = withPrice[name];
  if (own === undefined) return inPrice.has(name) ? 1 : 0;
  return typeof own === 'number' ? own : (own[output] ?? Number.NaN);
}

/** The first index where two columns differ by more than rounding can explain, or -1. */
function apart(got: Float64Array, expected: Float64Array): number {
  const size = expected.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0);
  return got.findIndex((value, i) => {
    const wanted = expected[i] ?? 0;
    if (Number.isNaN(wanted)) return !Number.isNaN(value);
    return !(Math.abs(value - wanted) <= 1e-9 * Math.abs(wanted) + 1e-9 * size);
  });
}

t.test('what is in units of price grows with it, everything else stays', (t) => {
  const factor = 1_000;
  const larger = mapColumns(columns, (column, name) =>
    name === 'time' || name === 'volume' ? column : column.map((value) => value * factor),
  );
  for (const entry of all) {
    const chosen = chosenFor(entry);
    const before = entry.compute(columns, chosen);
    const after = entry.compute(larger, chosen);
    for (const [k, output] of entry.outputs.entries()) {
      const wanted = (before[k] ?? new Float64Array()).map(
        (value) => value * factor ** power(entry.name, output),
      );
      t.equal(apart(after[k] ?? new Float64Array(), wanted), -1, `${entry.name} ${output}`);
    }
  }
  t.end();
});

/** Candles of whole prices with small moves, so that much is equal: a close and the middle, a fall and a rise, a band and a channel. */
function whole(seed: number, count: number): number[][] {
  const next = numbers(seed);
  const upTo = (most: number) => Math.floor(next() * (most + 1));
  let close = 40;
  return Array.from({ length: count }, (_, i) => {
    const open = close;
    close = Math.max(5, open + upTo(2) - 1);
    const [high, low] = [Math.max(open, close) + upTo(2), Math.min(open, close) - upTo(2)];
    return [monday + i * hour, open, high, low, close, upTo(2)];
  });
}

t.test('a price in decimals gives what the same one in whole ticks gives', (t) => {
  for (const places of [1, 2, 8])
    for (let seed = 1; seed <= 40; seed++) {
      const rows = whole(seed, 60);
      const columns = columnsOf(rows);
      const decimal = columnsOf(
        rows.map(([time = 0, ...rest]) => [
          time,
          ...rest.map((value, at) => (at < 4 ? Number(`${value}e-${places}`) : value)),
        ]),
      );
      for (const entry of all) {
        const short = Object.keys(entry.parameters).filter((name) => name.endsWith('length'));
        const chosen = chosenFor(entry, Object.fromEntries(short.map((name) => [name, 3])));
        const expected = entry.compute(columns, chosen);
        const got = entry.compute(decimal, chosen);
        const wrong = entry.outputs.filter((output, k) => {
          const scale = 10 ** (-places * power(entry.name, output));
          const wanted = (expected[k] ?? new Float64Array()).map((value) => value * scale);
          return apart(got[k] ?? new Float64Array(), wanted) !== -1;
        });
        if (wrong.length > 0) t.fail(`${entry.name} ${wrong.join(' ')}, seed ${seed}, ${places}`);
      }
    }
  t.end();
});

t.test('what is in units of volume grows with it, everything else stays', (t) => {
  const factor = 1e-3;
  const smaller = mapColumns(columns, (column, name) =>
    name === 'volume' ? column.map((value) => value * factor) : column,
  );
  for (const entry of all) {
    const chosen = chosenFor(entry);
    const before = entry.compute(columns, chosen);
    const after = entry.compute(smaller, chosen);
    const scale = inVolume.has(entry.name) ? factor : entry.name === 'emv' ? 1 / factor : 1;
    for (const [k, output] of entry.outputs.entries()) {
      const wanted = (before[k] ?? new Float64Array()).map((value) => value * scale);
      t.equal(apart(after[k] ?? new Float64Array(), wanted), -1, `${entry.name} ${output}`);
    }
  }
  t.end();
});

/** Outputs that may be without a value after their first one, on the walk with its candles without range or trades. */
const gaps = new Set(['emv value', 'fractal bull', 'fractal bear', 'ichimoku chikou']);

t.test('values never turn into NaN or infinity but where a division by zero is documented', (t) => {
  for (const entry of all) {
    for (const [k, column] of entry.compute(columns, chosenFor(entry)).entries()) {
      const label = `${entry.name} ${entry.outputs[k]}`;
      t.notOk(column.includes(Number.POSITIVE_INFINITY), label);
      t.notOk(column.includes(Number.NEGATIVE_INFINITY), label);
      const first = firstOf(column);
      if (first < 0 || gaps.has(label)) continue;
      t.notOk(column.subarray(first).includes(Number.NaN), label);
    }
  }
  t.end();
});

/** Candles without range at one price, the same volume each. */
const flat = (count: number, price: number, volume: number): Columns =>
  columnsOf(
    Array.from({ length: count }, (_, i) => [
      monday + i * hour,
      price,
      price,
      price,
      price,
      volume,
    ]),
  );

/** The last values on a flat series at 123.45 with 10 traded in each candle; NaN: none. */
const none = Number.NaN;
const limits: Record<string, number | number[]> = {
  linreg: [123.45, 0, 123.45, none, 123.45],
  ichimoku: [123.45, 123.45, 123.45, 123.45, none],
  ma_envelope: [123.45 * 1.025, 123.45, 123.45 * 0.975],
  psar: [123.45, -1, 1],
  supertrend: [123.45, -1, 123.45, 123.45],
  bbands: [123.45, 123.45, 123.45, none, 0],
  natr: 0,
  chop: none,
  mass_index: none,
  zscore: none,
  squeeze: [0, 0, 0],
  rsi: 50,
  stochrsi: [0, 0],
  crsi: (50 + 50 + 0) / 3,
  ultosc: none,
  tsi: [none, none],
  adx: [none, none, 0, 0, 0],
  aroon: [100, 100, 0],
  vortex: [none, none],
  elder_ray: [0, 0, 123.45],
  heikin_ashi: [123.45, 123.45, 123.45, 123.45],
  pivot_points: [123.45, 123.45, 123.45, 123.45, none, 123.45, 123.45, 123.45, none],
  fractal: [none, none],
  mfi: 50,
  emv: none,
  nvi: 1_000,
  pvi: 1_000,
  relative_volume: 1,
};
const atPrice = new Set(
  `sma ema wma dema tema trima hma kama rma vwma t3 alma zlema midprice vwap hl2 hlc3 ohlc4
   keltner donchian chandelier`.split(/\s+/),
);

/** Equal but for rounding; NaN equals itself. */
const same = (got: number, wanted: number): boolean =>
  Number.isNaN(wanted) ? Number.isNaN(got) : Math.abs(got - wanted) <= 1e-9;

t.test('a flat series gives the limits', (t) => {
  for (const entry of all) {
    const got = entry.compute(flat(200, 123.45, 10), chosenFor(entry));
    const wanted = [limits[entry.name] ?? (atPrice.has(entry.name) ? 123.45 : 0)].flat();
    for (const [k, output] of entry.outputs.entries()) {
      const last = got[k]?.at(-1) ?? 0;
      const limit = wanted[k] ?? wanted[0] ?? 0;
      t.ok(same(last, limit), `${entry.name} ${output}: ${last} for ${limit}`);
    }
  }
  t.end();
});

t.test('what is a difference of a flat price and its own mean is exactly 0', (t) => {
  for (const price of [0.3, 98_209.123, 1e-9, 3.7e-8, 0.0000123])
    for (const name of ['awesome', 'dpo', 'squeeze', 'macd', 'apo', 'elder_ray', 'mom']) {
      const entry = catalogue.get(name);
      if (!entry) throw new Error(name);
      const column = entry.compute(flat(200, price, 10), chosenFor(entry))[
        name === 'squeeze' ? 2 : 0
      ];
      t.equal(Math.abs(column?.at(-1) ?? Number.NaN), 0, `${name} at ${price}`);
    }
  t.end();
});

t.test('a market that goes flat is flat once the window has passed, whatever came before', (t) => {
  const last = (name: string, series: Columns) => {
    const entry = catalogue.get(name);
    if (!entry) throw new Error(name);
    return entry.compute(series, chosenFor(entry))[0]?.at(-1);
  };
  const wild = walk(100, 3, 1e6);
  const calm = flat(60, 0.1, 3);
  const series = mapColumns(wild, (column, name) => Float64Array.of(...column, ...calm[name]));
  t.equal(last('stddev', series), 0);
  t.equal(last('variance', series), 0);
  t.ok(Number.isNaN(last('zscore', series)));
  t.equal(last('cmo', series), 0);
  t.equal(last('cci', series), 0);
  t.equal(last('mfi', series), 50);
  t.ok(Number.isNaN(last('vortex', series)));
  t.ok(Number.isNaN(last('chop', series)));
  t.end();
});

t.test('a market that has long been flat is at its averages', (t) => {
  const outputs: Record<string, number> = {
    macd: 3,
    ppo: 3,
    pvo: 3,
    apo: 1,
    awesome: 1,
    elder_ray: 2,
  };
  for (const price of [0.1, 0.7, 1.1, 0.0000123, 97_812.34]) {
    const calm = flat(900, price, 3);
    const series = mapColumns(walk(100, 3, price), (column, name) =>
      Float64Array.of(...column, ...calm[name]),
    );
    for (const entry of all.filter(({ name }) => name in outputs)) {
      const columns = entry.compute(series, chosenFor(entry)).slice(0, outputs[entry.name]);
      const ends = columns.map((column) => Math.abs(column.at(-1) ?? Number.NaN));
      t.equal(Math.max(...ends), 0, `${entry.name} at ${price}`);
    }
    const { value, signal, histogram } = classic(series)?.macd ?? assert.fail();
    t.equal(Math.hypot(value, signal, histogram), 0, `of /v1/indicators at ${price}`);
  }
  t.end();
});

t.test('without any trade, what divides by volume has no value', (t) => {
  const series = mapColumns(walk(120), (column, name) =>
    name === 'volume' ? column.map(() => 0) : column,
  );
  for (const entry of all) {
    if (!['vwma', 'vwap', 'cmf', 'relative_volume', 'pvo', 'emv'].includes(entry.name)) continue;
    for (const column of entry.compute(series, chosenFor(entry)))
      t.equal(firstOf(column), -1, entry.name);
  }
  t.end();
});

t.test(
  'a series with zeros in it gives no infinity, and is computed again once they have passed',
  (t) => {
    for (const entry of all) {
      if (!('source' in entry.parameters)) continue;
      const chosen = chosenFor(entry, { source: 'volume' });
      for (const [k, column] of entry.compute(columns, chosen).entries()) {
        const label = `${entry.name} ${entry.outputs[k]}`;
        t.notOk(column.includes(Number.POSITIVE_INFINITY), label);
        t.notOk(column.includes(Number.NEGATIVE_INFINITY), label);
        // Volume is 0 at 439 and at 479; windows up to 35 are past the one and before the other.
        if (entry.name !== 'kst') t.notOk(Number.isNaN(column[475]), label);
      }
    }
    t.end();
  },
);
