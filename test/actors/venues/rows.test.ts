import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { candles, inOrder, levels } from '../../../actors/venues/levels-and-bars.ts';
import { followedOf, instrument as instrumentOf } from '../../../actors/venues/rows.ts';
import { interestRow, priceRow } from '../../../actors/venues/tables.ts';
import { instrument as perpetual } from '../../support/makers.ts';

/** Of an exchange without words of its own. */
const instrument = (facts: Parameters<typeof instrumentOf>[1]) =>
  instrumentOf('aster', facts, () => 'crypto');

const native = { scale: 1, contract: 1, inverse: false };
const facts = { market: 'A', kind: 'spot', quote: 'USD', contract: 1, inverse: false } as const;

t.test('a row without base, quote or contract size is not an instrument', async (t) => {
  t.match(instrument({ ...facts, base: '1000PEPE' }), { symbol: 'PEPE', scale: 1000 });
  t.equal(instrument({ ...facts, base: '' }), null);
  t.equal(instrument({ ...facts, base: 'A', quote: '' }), null);
  for (const contract of [0, -1, Number.NaN]) {
    t.equal(instrument({ ...facts, base: 'A', contract }), null);
  }
  const { market, kind, quote } = facts;
  const usual = { contract: 1, inverse: false, funding_hours: null };
  t.strictSame(instrument({ market, kind, quote, base: 'A' }), {
    ...{ market, kind, quote, symbol: 'A', scale: 1 },
    ...usual,
  });
  const stated = { ...facts, base: 'A', contract: 0.5, inverse: true, fundingHours: 4 };
  t.match(instrument(stated), { contract: 0.5, inverse: true, funding_hours: 4 });
});

const pepe = { ...facts, symbol: 'PEPE', scale: 1000, funding_hours: null };
const unknown = Number.NaN;

/** Rows of tables whose fields are named as these. */
type Fields = Readonly<Record<string, unknown>> & { stated?: number | null };
const named = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>;
const about = ({ stated = null }: Fields) => ({ received: 0, stated });
const prices = {
  ...named('last', 'open', 'bid', 'ask', 'high', 'low', 'base'),
  quote: 'volume',
  percent: 'change',
};
const interests = named('base', 'value', 'mark', 'again');
const priceOf = (market: Instrument, row: Fields) => priceRow(prices, row, market, about(row));
const openInterestOf = (market: Instrument, row: Fields) =>
  interestRow(interests, row, market, about(row));

t.test('the markets that are followed', async (t) => {
  const usual = { ...facts, symbol: 'A', scale: 1 };
  const markets = [
    { ...usual, market: 'A' },
    { ...usual, market: 'OLD', kind: 'other' as const },
    { ...usual, market: 'YEN', quote: 'JPY' },
  ];
  const instruments = new Map(markets.map((one) => [one.market, { ...one, funding_hours: null }]));
  t.strictSame(followedOf(instruments), ['A']);
});

t.test('levels: quantities by the kind of contract', async (t) => {
  const rows = [['50', '4']];
  const quantity = (size: Parameters<typeof levels>[1]) => levels(rows, size)[0]?.quantity;
  t.equal(quantity(native), 4);
  t.equal(quantity({ ...native, contract: 0.01 }), 0.04, 'linear: 4 x 0.01');
  t.equal(quantity({ ...native, contract: 100, inverse: true }), 8, 'inverse: 4 x 100 / 50');
  t.equal(quantity({ ...native, scale: 1000 }), 4000);
  // 4 contracts of 100 USD at 0.05 a coin are 8,000 coins, in whatever lots the price is stated.
  t.strictSame(levels(rows, { scale: 1000, contract: 100, inverse: true }), [
    { price: 0.05, quantity: 8000 },
  ]);
});

t.test('levels: other keys, truncated rows, nothing readable', async (t) => {
  const named = { price: 'p', quantity: 'q' };
  t.strictSame(levels([{ p: 1, q: '2' }], native, named), [{ price: 1, quantity: 2 }]);
  const three = { price: 0, quantity: 1, columns: 3 };
  const rows = [
    [100, 2, 9],
    [2, 9], // the price is missing
  ];
  t.strictSame(levels(rows, native, three), [{ price: 100, quantity: 2 }]);
  t.strictSame(levels([['1'], [], null, ['1', '0'], ['3', '4']], native), [
    { price: 3, quantity: 4 },
  ]);
  t.strictSame(levels([], native), [], 'a side may be empty');
  t.strictSame(
    levels(
      [
        ['1', '0'],
        ['2', '0.000'],
      ],
      native,
    ),
    [],
    'and is where nothing is left',
  );
  const pair = { price: 0, quantity: 1 };
  const huge = ['1', '1e308'];
  const ten = { ...native, contract: 10 };
  t.strictSame(levels([huge, ['1', '2']], ten, pair), [{ price: 1, quantity: 20 }]);
  t.throws(() => levels([huge], ten), ShapeError);
  t.throws(() => levels([['1'], 'x'], native), ShapeError);
});

const asked = (size: Partial<Instrument>) => ({
  market: 'A',
  part: 'a',
  instrument: perpetual({ quote: 'USD', ...size }),
});

t.test('candles: canonical units, truncated rows, nothing readable', async (t) => {
  const time = 1_750_000_000_000;
  const columns = { ...inOrder, base: () => 2, quote: () => 3 };
  const bars = (rows: readonly unknown[], scale = 1) =>
    candles({ rows: '', time: 0, columns })(rows, asked({ scale }));
  const good = [time, '2', '4', '1', 3];
  const bar = { timestamp: time, open: 0.2, high: 0.4, low: 0.1, close: 0.3, volume: 20 };
  t.strictSame(bars([good, [time, '2']], 10), [{ ...bar, turnover: 3 }]);
  t.strictSame(bars([]), [], 'a page before the listing is empty');
  t.throws(() => bars([[time, '2']]), ShapeError);
  t.throws(() => bars([good, good, good, 'x', [time]]), ShapeError, '2 of 5 are bad');
  t.equal(bars([...Array(8).fill(good), 'x', [time]]).length, 8, '2 of 10 are bad');
});

t.test('candles: what contracts are worth', async (t) => {
  const form = { rows: 'c', time: ({ t }: { t?: unknown }) => t, unit: 1000 };
  const row = { t: 1_750_000_000, 1: '10', 2: '20', 3: '10', 4: '20', n: '100', q: '7', b: '5' };
  const read = (columns: object, size: object) => {
    const parse = candles({ ...form, columns: { ...inOrder, ...columns } });
    const [bar] = parse({ c: [row] }, asked(size));
    return bar && [bar.timestamp, bar.volume, bar.turnover];
  };
  const time = 1_750_000_000_000;
  const linear = { contract: 0.5 };
  const inverse = { contract: 3, inverse: true };
  t.strictSame(read({ contracts: 'n' }, linear), [time, 50, null], '100 x 0.5');
  t.strictSame(read({ contracts: 'n', quote: 'q' }, linear), [time, 50, 7]);
  t.strictSame(read({ contracts: 'n' }, inverse), [time, 20, 300], '300 USD at the mean of 15');
  t.strictSame(read({ contracts: 'n', base: 'b' }, inverse), [time, 5, 300], 'base as stated');
  t.strictSame(read({ contracts: 'n', base: () => null }, inverse), [time, 20, 300]);
  t.throws(() => read({ quote: 'q' }, linear), ShapeError, 'no volume at all');
});

t.test('a candle one column short is not read', async (t) => {
  const columns = { ...inOrder, base: 5, quote: 7 };
  const bars = (rows: readonly unknown[], width?: number) =>
    candles({ rows: '', time: 0, columns, ...(width && { width }) })(rows, asked({}));
  const open = 1_749_996_000_000;
  const whole = [open, '2', '4', '1', '3', '7', open + 3_599_999, '14'];
  const short = whole.filter((_, at) => at !== 5);
  t.equal(bars([short])[0]?.volume, open + 3_599_999);
  t.throws(() => bars([short], 8), ShapeError);
  t.match(bars([whole, short], 8), [{ volume: 7, turnover: 14 }]);
});

t.test(
  'a price far outside its own bid and ask is doubted; a large spread is accepted',
  async (t) => {
    const ticker = { last: 5, volume: 7, change: 0, stated: null };
    t.equal(priceOf(pepe, { ...ticker, bid: 4.9, ask: 5.1 })?.doubt, undefined);
    const small = { ...ticker, last: 0.5, bid: 0.001, ask: 0.002 };
    t.match(priceOf(pepe, small), { doubt: 'unit' });
    for (const side of [{ bid: 0 }, { ask: 0 }])
      t.equal(priceOf(pepe, { ...small, ...side })?.doubt, undefined);
    t.match(priceOf(pepe, { ...ticker, last: 5_000, bid: 4.9, ask: 5.1 }), { doubt: 'unit' });
    t.equal(priceOf(pepe, { ...ticker, bid: 0.001, ask: 90 })?.doubt, undefined);
    t.equal(priceOf(pepe, { ...ticker, bid: unknown, ask: 90 })?.doubt, undefined, 'a lone side');
  },
);

t.test('an open interest that its own row contradicts is doubted', async (t) => {
  const stated = { base: 2, value: 20, mark: 10, stated: null };
  t.equal(openInterestOf(pepe, stated)?.doubt, undefined);
  t.match(openInterestOf(pepe, { ...stated, value: 20_000 }), { doubt: 'unit' });
  t.equal(openInterestOf(pepe, { ...stated, again: 2.01 })?.doubt, undefined);
  t.match(openInterestOf(pepe, { ...stated, again: 2e6 }), { doubt: 'unit' });
  t.equal(openInterestOf(pepe, { ...stated, mark: unknown })?.doubt, undefined, 'nothing to check');
});
