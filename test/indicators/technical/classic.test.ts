import t from 'tap';
import { catalogue } from '../../../indicators/catalogue.ts';
import type { Chosen, Columns } from '../../../indicators/spec.ts';
import { classic, classicMinimum } from '../../../indicators/technical/classic.ts';
import { chosenFor, mapColumns, walk } from '../candles.ts';

/** The newest value of an output of the catalogue. */
function newest(columns: Columns, name: string, output: string, given: Chosen = {}): number {
  const entry = catalogue.get(name);
  const column = entry?.compute(columns, chosenFor(entry, given))[entry.outputs.indexOf(output)];
  return column?.at(-1) ?? Number.NaN;
}

/** What `classic` is to give, from the entries of the catalogue. */
const separately = (columns: Columns) => ({
  rsi: newest(columns, 'rsi', 'value'),
  macd: {
    value: newest(columns, 'macd', 'value'),
    signal: newest(columns, 'macd', 'signal'),
    histogram: newest(columns, 'macd', 'histogram'),
  },
  bollinger: {
    upper: newest(columns, 'bbands', 'upper'),
    middle: newest(columns, 'bbands', 'middle'),
    lower: newest(columns, 'bbands', 'lower'),
  },
  atr: newest(columns, 'atr', 'value'),
  ema20: newest(columns, 'ema', 'value'),
  ema50: newest(columns, 'ema', 'value', { length: 50 }),
});

/** Rounded to twelve digits: sums that are added in another order differ in the last ones. */
const digits = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_, v) => (typeof v === 'number' ? v.toPrecision(12) : v)));

t.test('the fused pass gives what the entries of the catalogue give', (t) => {
  for (const count of [51, 52, 99, 500]) {
    const columns = walk(count, count);
    t.strictSame(digits(classic(columns)), digits(separately(columns)), `${count} candles`);
  }
  t.end();
});

t.test('fewer than 51 candles have no answer', (t) => {
  t.equal(classicMinimum, 51);
  t.equal(classic(walk(50)), null);
  t.equal(classic(walk(0)), null);
  t.end();
});

t.test('a flat market', (t) => {
  const columns = mapColumns(walk(80), (column) => column.map(() => 0.3));
  t.strictSame(digits(classic(columns)), {
    rsi: '50.0000000000',
    macd: { value: '0.00000000000', signal: '0.00000000000', histogram: '0.00000000000' },
    bollinger: { upper: '0.300000000000', middle: '0.300000000000', lower: '0.300000000000' },
    atr: '0.00000000000',
    ema20: '0.300000000000',
    ema50: '0.300000000000',
  });
  t.end();
});
