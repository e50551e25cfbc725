/** What is 0 but for the rounding of how it was computed is 0. */
import t from 'tap';
import { catalogue, findIndicator } from '../../../indicators/catalogue.ts';
import { rounded } from '../../../indicators/digits.ts';
import { blockOf, columnsOf as columnsIn } from '../../../indicators/job-columns.ts';
import { pearson } from '../../../indicators/market/correlations.ts';
import { deviation } from '../../../indicators/market/statistics.ts';
import type { Chosen, Columns } from '../../../indicators/spec.ts';
import { classic } from '../../../indicators/technical/classic.ts';
import { hl2, hlc3, ohlc4 } from '../../../indicators/technical/columns.ts';
import { chosenFor, columnsOf, monday, numbers } from '../candles.ts';

const minute = 60_000;

/** One output from its first value on. */
function output(name: string, field: string, columns: Columns, given: Chosen = {}): number[] {
  const entry = findIndicator(name);
  if (!entry) throw new Error(name);
  const values = entry.compute(columns, chosenFor(entry, given))[entry.outputs.indexOf(field)];
  return Array.from(values ?? []).slice(entry.minimum(chosenFor(entry, given)) - 1);
}

/** Candles of one price each, as decimal numbers of so many places. */
const closes = (prices: readonly number[], places = 8): Columns =>
  columnsOf(
    prices.map((price, i) => {
      const p = Number(price.toFixed(places));
      return [monday + i * minute, p, p, p, p, 1];
    }),
  );

/** A price, its tick and the decimals of that. */
const markets = [
  [100, 0.1, 1],
  [97_812.34, 0.01, 2],
  [0.525, 0.0001, 4],
  [0.00001234, 0.00000001, 8],
] as const;

t.test('the range of an RSI that stands still is 0', async (t) => {
  for (const [price, tick, places] of markets) {
    const steps = [0, 1, 0, 2, 1, 3, 2, 0, 1, 4, 3, 5, 2, 1, 2, 3, 1, 0, 2, 1];
    const quiet = closes(
      [...steps, ...Array(120).fill(1)].map((n) => price + n * tick),
      places,
    );
    const rising = closes(
      Array.from({ length: 140 }, (_, i) => price + i * tick),
      places,
    );
    const k = output('stochrsi', 'k', quiet);
    t.same(new Set(k.slice(-80)), new Set([0]), `${price}: moves, then none`);
    t.same(new Set(output('stochrsi', 'k', rising)), new Set([0]), `${price}: only rises`);
    t.same(new Set(output('rsi', 'value', rising)), new Set([100]), `${price}: RSI`);
    t.equal(classic(rising)?.rsi, 100);
  }
});

t.test('what is at its mean, or in the middle of its range, is 0', async (t) => {
  for (const [price, tick, places] of markets) {
    // Each third price is the mean of the three until then; the sums of changes over three candles are 0.
    const around = closes(
      Array.from({ length: 240 }, (_, i) => price + ([-1, 1, 0][i % 3] ?? 0) * tick),
      places,
    );
    const thirds = (values: readonly number[]) => values.filter((_, i) => i % 3 === 0);
    const three = { length: 3 };
    for (const name of ['zscore', 'cci'])
      t.same(
        new Set(thirds(output(name, 'value', around, three))),
        new Set([0]),
        `${price} ${name}`,
      );
    const rates = { roc_1: 3, roc_2: 3, roc_3: 3, roc_4: 3 };
    for (const field of ['value', 'signal'])
      t.same(new Set(output('kst', field, around, rates)), new Set([0]), `${price} kst ${field}`);
    const middle = columnsOf(
      Array.from({ length: 60 }, (_, i) => {
        const [high, low, close] = [1, -1, 0].map((n) =>
          Number((price + n * tick).toFixed(places)),
        );
        return [monday + i * minute, close ?? 0, high ?? 0, low ?? 0, close ?? 0, 1 + (i % 7) / 10];
      }),
    );
    t.same(new Set(output('cmf', 'value', middle)), new Set([0]), `${price} cmf`);
  }
  // -0.1, -0.2, -0.69 and 0.99 of the range.
  const balanced = columnsOf(
    Array.from({ length: 90 }, (_, i) => {
      const close = [98, 96, 86.2, 109.9][i % 4] ?? 0;
      return [monday + i * minute, 100, 110, i % 4 === 3 ? 100 : 90, close, 1];
    }),
  );
  t.same(new Set(output('bop', 'value', balanced, { length: 4 })), new Set([0]));
});

t.test('what has moved and then stands still stays as it is, however long', async (t) => {
  const steps = [0, 1, 0, 2, 1, 3, 2, 0, 1, 4, 3, 5, 2, 1, 2, 3, 1, 0, 2, 1];
  const still = closes([...steps, ...Array(2_500).fill(1)].map((n) => 100 + n / 10));
  const short: [string, string, Chosen][] = [
    ['rsi', 'value', { length: 2 }],
    ['stochrsi', 'd', { length: 2 }],
    ['tsi', 'value', { long: 3, short: 2, signal: 2 }],
    ['adx', 'plus_di', { length: 2 }],
    ['adx', 'minus_di', { length: 2 }],
    ['adx', 'dx', { length: 2 }],
    ['adx', 'adx', { length: 2 }],
  ];
  for (const [name, field, given] of short) {
    const values = output(name, field, still, given).slice(200);
    const [first = NaN] = values;
    t.ok(
      values.every((value) => Math.abs(value - first) < 1e-9),
      `${name} ${field} ${first}`,
    );
  }
  const level = closes(Array(2_500).fill(100));
  for (const length of [1, 2, 14])
    t.same(new Set(output('rsi', 'value', level, { length })), new Set([50]));
  const [before, flat] = output('rsi', 'value', still, { length: 1 }).slice(18, 20);
  t.same([before, flat], [0, 50], 'one candle says nothing of those before it');
});

/** Candles with the same hl2, hlc3 and ohlc4 in decimals, whose ranges differ. */
const level = columnsOf(
  Array.from({ length: 160 }, (_, i) => {
    const reach = 0.1 * ((i * 7) % 11) + 0.1;
    const [high, low] = [Number((15.9 + reach).toFixed(1)), Number((15.9 - reach).toFixed(1))];
    return [monday + i * minute, 15.9, high, low, 15.9, 1];
  }),
);

t.test('a price that is level but for the rounding of its mean is level', async (t) => {
  for (const [name, column] of Object.entries({
    hl2: hl2(level),
    hlc3: hlc3(level),
    ohlc4: ohlc4(level),
  })) {
    t.ok(new Set(column).size > 1, `the doubles of ${name} differ`);
  }
  const expected: [string, string, number][] = [
    ['rsi', 'value', 50],
    ['stochrsi', 'd', 0],
    ['cmo', 'value', 0],
    ['roc', 'value', 0],
    ['zscore', 'value', Number.NaN],
    ['bbands', 'percent_b', Number.NaN],
    ['linreg', 'r2', Number.NaN],
    ['tsi', 'signal', Number.NaN],
    ['stddev', 'value', 0],
    ['hv', 'value', 0],
  ];
  for (const source of ['hl2', 'hlc3', 'ohlc4']) {
    for (const [name, field, value] of expected) {
      t.same(
        new Set(output(name, field, level, { source })),
        new Set([value]),
        `${name} ${source}`,
      );
    }
  }
  t.same(new Set(output('cci', 'value', level)), new Set([0]));
  t.same(new Set(output('fisher', 'value', level)), new Set([0]));
  t.same(new Set(output('mfi', 'value', level)), new Set([50]));
});

t.test(
  'what comes to rest rests: an average that follows does not hurry on rounding',
  async (t) => {
    const rows = Array.from({ length: 60 }, (_, i) => [monday + i * minute, 14, 14, 14, 14, 1]);
    const late = Array.from(level.time, (time, i) => [
      time + 60 * minute,
      ...[level.open, level.high, level.low, level.close].map((column) => column[i] ?? 0),
      1,
    ]);
    // The efficiency of a series that stands still is 0: each candle takes (2/31)² of what is left.
    const kama = output('kama', 'value', columnsOf([...rows, ...late]), { source: 'hlc3' });
    const [before = 0, after = 0] = kama.slice(-2);
    t.ok(Math.abs((15.9 - after) / (15.9 - before) - (1 - (2 / 31) ** 2)) < 1e-9);
  },
);

t.test('of equal movements neither leads', async (t) => {
  const widening = columnsOf(
    Array.from({ length: 60 }, (_, i) => {
      const [high, low] = [100 + (i + 1) / 10, 50 - (i + 1) / 10];
      return [monday + i * minute, 75, high, low, 75, 1];
    }),
  );
  t.same(new Set(output('adx', 'dx', widening)), new Set([0]));
});

t.test('a close that reaches a band is not beyond it', async (t) => {
  const ticks = Array.from({ length: 120 }, (_, i) => i);
  for (const [price, tick, places] of markets) {
    const rising = closes(
      ticks.map((i) => price + i * tick),
      places,
    );
    const upper = output('supertrend', 'upper', rising, { length: 10, mult: 3 });
    // Three ticks above the price; five candles later the close before is four above that.
    const expected = upper.map((_, at) => 10 + 3 + 5 * Math.floor(at / 5));
    t.same(
      upper.map((value) => Math.round((value - price) / tick)),
      expected,
      `${price}`,
    );
  }
});

t.test('equal returns are not below each other', async (t) => {
  const growing = closes(
    Array.from({ length: 160 }, (_, i) => 100 * 1.01 ** i),
    12,
  );
  const expected = (100 + 100 + 0) / 3;
  for (const value of output('crsi', 'value', growing).slice(-40)) {
    t.ok(Math.abs(value - expected) < 1e-9, `${value}`);
  }
  const returns = Array.from({ length: 40 }, (_, i) => Math.log(1.01 ** (i + 1) / 1.01 ** i));
  t.ok(new Set(returns).size > 1, 'the doubles differ');
  t.equal(pearson(returns.map((bitcoin, day) => ({ day, bitcoin, asset: Math.sin(day) }))), null);
  t.equal(deviation(returns), 0);
});

/** Candles in ticks of 0.1 with many equal prices and volumes; `off` gives the last digits of each number. */
function ticks(scale: number, off: () => number): Columns {
  const next = numbers(5);
  let price = 1_000;
  const rows = Array.from({ length: 400 }, (_, i) => {
    const open = price;
    price += i < 200 ? Math.floor(next() * 3) - 1 : 0;
    const [up, down] = i < 200 ? [Math.floor(next() * 2), Math.floor(next() * 2)] : [0, 0];
    const written = (tenths: number) => (tenths / 10) * scale * (1 + off());
    const [o, c] = [written(open), written(price)];
    const high = Math.max(o, c, written(Math.max(open, price) + up));
    const low = Math.min(o, c, written(Math.min(open, price) - down));
    const volume = Math.floor(next() * 3) * 0.3 * (1 + off());
    return { timestamp: monday + i * minute, open: o, high, low, close: c, volume };
  });
  return columnsIn(blockOf(rows));
}

t.test('candles of computed numbers have the indicators of the decimal ones', async (t) => {
  const noise = numbers(11);
  for (const scale of [1, 1e-9, 1e9]) {
    const exact = ticks(scale, () => 0);
    const computed = ticks(scale, () => (noise() - 0.5) * 4e-15);
    for (const entry of catalogue.values()) {
      const chosen = chosenFor(entry);
      const served = (columns: Columns) =>
        entry.compute(columns, chosen).map((column) => Array.from(column, rounded));
      t.same(served(computed), served(exact), `${entry.name} of prices about ${100 * scale}`);
    }
  }
});

t.test('what is from 0 to 100 is not above it', async (t) => {
  for (let step = 1; step <= 60; step++) {
    const rising = columnsOf(
      Array.from({ length: 60 }, (_, i) => {
        const price = 1 + (i * step) / 7;
        return [monday + i * minute, price, price + step / 7, price, price + step / 7, 1];
      }),
    );
    const bounded: [string, string][] = [
      ['rsi', 'value'],
      ['cmo', 'value'],
      ['stoch', 'k'],
      ['stochf', 'k'],
      ['ultosc', 'value'],
      ['adx', 'dx'],
      ['mfi', 'value'],
      ['crsi', 'value'],
    ];
    for (const [name, field] of bounded) {
      const most = Math.max(...output(name, field, rising).slice(-5));
      t.ok(most <= 100, `${name} ${most}`);
    }
    t.ok(
      output('chop', 'value', rising).every((value) => value >= 0),
      'chop',
    );
  }
});
