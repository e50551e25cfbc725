import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { catalogue, findIndicator, nearest, pricesOf } from '../../indicators/catalogue.ts';
import {
  anyPrice,
  candles,
  ddof,
  emaSettle,
  factor,
  rmaSettle,
  source,
} from '../../indicators/entry.ts';
import type { Chosen, Columns, Indicator } from '../../indicators/spec.ts';
import { chosenFor, firstOf, mapColumns, walk } from './candles.ts';

const columns = walk(700);

t.test('names and aliases are unique, in lower snake case, and found in any case', (t) => {
  const names = [...catalogue.values()].flatMap((entry) => [entry.name, ...(entry.aliases ?? [])]);
  t.equal(new Set(names).size, names.length);
  for (const name of names) {
    t.match(name, /^[a-z][a-z0-9_]*$/);
    t.equal(findIndicator(name.toUpperCase()), findIndicator(name), name);
    t.ok(findIndicator(name), name);
  }
  t.equal(findIndicator('bollinger')?.name, 'bbands');
  t.equal(findIndicator('no such thing'), undefined);
  t.equal(findIndicator('constructor'), undefined);
  t.end();
});

t.test(
  'what the entries share: kinds of parameters, inputs, candles until a seed is forgotten',
  (t) => {
    const bounds = (type: string, ...[fallback, minimum, maximum]: number[]) => ({
      type,
      default: fallback,
      minimum,
      maximum,
    });
    t.match(
      [candles(20, 'a'), candles(20, 'a', 2), factor(3, 'a'), ddof],
      [
        bounds('integer', 20, 1, 500),
        bounds('integer', 20, 2, 500),
        bounds('number', 3, 0.001, 100),
        bounds('integer', 1, 0, 1),
      ],
    );
    const mixed = ['hl2', 'hlc3', 'ohlc4', 'volume'];
    const { default: price, allowed } = source;
    t.strictSame([price, allowed], ['close', ['open', 'high', 'low', 'close', ...mixed]]);
    t.strictSame(anyPrice, ['open', 'high', 'low', 'close', 'volume']);
    t.strictSame(findIndicator('sma')?.inputs, anyPrice);
    // By then the seed weighs (9 / 11) ** 76 = 2.4e-7 and 0.9 ** 140 = 3.9e-7.
    t.strictSame([emaSettle(10), rmaSettle(10)], [76, 140]);
    t.end();
  },
);

t.test('categories stand together', (t) => {
  const order = [...catalogue.values()].map((entry) => entry.category);
  const runs = order.filter((category, i) => category !== order[i - 1]);
  t.equal(new Set(runs).size, runs.length);
  t.end();
});

t.test('an output is on the scale of the prices exactly if its values are near them', (t) => {
  const { low, high } = columns;
  const [least, most] = [Math.min(...low) * 0.8, Math.max(...high) * 1.25];
  for (const entry of catalogue.values()) {
    const found = entry.compute(columns, chosenFor(entry));
    const near = entry.outputs.filter((_, at) => {
      const values = found[at]?.filter((value) => !Number.isNaN(value)) ?? [];
      return values.length > 0 && values.every((value) => value > least && value < most);
    });
    // DeMark and the other forms have fewer levels than there are names.
    const empty = entry.outputs.filter((_, at) => found[at]?.every(Number.isNaN));
    const stated = pricesOf(entry).filter((name) => !empty.includes(name));
    t.strictSame(stated, near, entry.name);
  }
  t.end();
});

t.test('the nearest name', (t) => {
  t.equal(nearest('RSII'), 'rsi');
  t.equal(nearest('supertrnd'), 'supertrend');
  t.equal(nearest('bolinger'), 'bbands', 'by an alias');
  t.ok(catalogue.has(nearest('')));
  t.ok(catalogue.has(nearest('x'.repeat(100_000))));
  t.end();
});

/** The choices of words of an entry, each with the other defaults. */
const wordings = (entry: Indicator): Chosen[] => [
  chosenFor(entry),
  ...Object.entries(entry.parameters).flatMap(([name, p]) =>
    p.type === 'word' ? p.allowed.map((word) => chosenFor(entry, { [name]: word })) : [],
  ),
];

t.test('the columns that an entry names are those that it reads, by one choice or another', (t) => {
  const names = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
  const bent = (changed: string) =>
    mapColumns(columns, (column, name) =>
      name === changed ? column.map((value, i) => value * (1 + (i % 7) / 100)) : column,
    );
  const others = names.map((name) => ({ name, changed: bent(name) }));
  for (const entry of catalogue.values()) {
    const choices = wordings(entry).map((chosen) => ({
      chosen,
      plain: entry.compute(columns, chosen),
    }));
    const isRead = (changed: Columns) =>
      choices.some(
        ({ chosen, plain }) => !isDeepStrictEqual(entry.compute(changed, chosen), plain),
      );
    const read = others.filter(({ changed }) => isRead(changed)).map(({ name }) => name);
    t.strictSame([...entry.inputs].sort(), read.sort(), entry.name);
  }
  t.end();
});

/** Outputs whose first values wait for an event, not for a number of candles. */
const eventual = new Set(['pivot_points', 'fractal']);

/** Two of the smallest and some larger parameters of an entry. */
function variations(entry: Indicator): Chosen[] {
  const numbers = Object.entries(entry.parameters).filter(([, p]) => p.type === 'integer');
  const all = (pick: (minimum: number, place: number) => number) =>
    Object.fromEntries(
      numbers.map(([name, p], i) => [name, p.type === 'word' ? 0 : pick(p.minimum, i)]),
    );
  const small = all((minimum) => minimum);
  const uneven = all((minimum, i) => minimum + 4 + 3 * i);
  const falling = all((minimum, i) => minimum + 20 - 2 * i);
  return [{}, small, uneven, falling]
    .map((chosen) => ('ddof' in chosen ? { ...chosen, ddof: 1 } : chosen))
    .map((chosen) => ('periods_per_year' in chosen ? { ...chosen, periods_per_year: 0 } : chosen));
}

t.test('every entry is described, and its defaults are allowed', (t) => {
  for (const entry of catalogue.values()) {
    for (const text of [entry.title, entry.formula, entry.source]) t.ok(text.length > 3);
    for (const [name, p] of Object.entries(entry.parameters)) {
      const allowed =
        p.type === 'word'
          ? p.allowed.includes(p.default)
          : p.minimum <= p.default && p.default <= p.maximum;
      t.ok(allowed, `${entry.name} ${name}`);
    }
  }
  t.end();
});

/** Whether each output has a value when computed from the oldest candles only. */
const present = (entry: Indicator, chosen: Chosen, count: number): boolean[] =>
  entry
    .compute(
      mapColumns(columns, (column) => column.slice(0, count)),
      chosen,
    )
    .map((column) => firstOf(column) >= 0);

for (const entry of catalogue.values()) {
  t.test(`${entry.name}: columns and the candles they need`, (t) => {
    for (const different of variations(entry)) {
      const chosen = chosenFor(entry, different);
      const minimum = entry.minimum(chosen);
      t.ok(Number.isInteger(minimum) && minimum >= 1, 'a whole minimum');
      t.ok((entry.settle?.(chosen) ?? minimum) >= minimum, 'settles after the minimum');
      const got = entry.compute(columns, chosen);
      t.equal(got.length, entry.outputs.length, 'as many columns as outputs');
      t.ok(got.every((column) => column.length === columns.close.length));
      if (eventual.has(entry.name)) continue;
      const where = `${minimum} candles: ${JSON.stringify(chosen)}`;
      t.ok(!present(entry, chosen, minimum).includes(false), `every output after ${where}`);
      t.ok(present(entry, chosen, minimum - 1).includes(false), `not every one before ${where}`);
    }
    t.end();
  });
}

t.test('few candles or none give columns as long, and no error', (t) => {
  for (const entry of catalogue.values()) {
    for (const count of [0, 1, 2, 5]) {
      const few = mapColumns(columns, (column) => column.slice(0, count));
      const got = entry.compute(few, chosenFor(entry));
      t.strictSame(new Set(got.map((column) => column.length)), new Set([count]), entry.name);
    }
  }
  t.end();
});
