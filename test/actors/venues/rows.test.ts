import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import {
  bars,
  bulk,
  by,
  changeOf,
  derivativeOf,
  field,
  instrument,
  levels,
  list,
  marketRows,
  ohlc,
  openInterestOf,
  priceOf,
  sizeOf,
} from '../../../actors/venues/rows.ts';

const native = { scale: 1, contract: 1, inverse: false };
const facts = { market: 'A', kind: 'spot', quote: 'USD', contract: 1, inverse: false } as const;

t.test('shapes', async (t) => {
  t.strictSame(list([], 'x'), []);
  t.throws(() => list({}, 'x'), ShapeError);
  t.strictSame(bulk([1], 'x'), [1]);
  t.throws(() => bulk([], 'x'), ShapeError, 'a venue that lists nothing is not believed');
  t.equal(field({ a: 1 }, 'a'), 1);
  t.equal(field([7], 0), 7);
  t.throws(() => field(null, 'a'), ShapeError);
  t.throws(() => field('a', 'a'), ShapeError);
});

t.test('an instrument without base, quote or contract size is none', async (t) => {
  t.match(instrument({ ...facts, base: '1000PEPE' }), { symbol: 'PEPE', scale: 1000 });
  t.equal(instrument({ ...facts, base: '' }), null);
  t.equal(instrument({ ...facts, base: 'A', quote: '' }), null);
  for (const contract of [0, -1, Number.NaN]) {
    t.equal(instrument({ ...facts, base: 'A', contract }), null);
  }
});

const pepe = { ...facts, symbol: 'PEPE', scale: 1000 };
const unknown = Number.NaN;

t.test('a price row: an unknown or impossible volume is null, a real zero stays', async (t) => {
  const ticker = { last: 5, volume: 7, change: -1.5, stated: 9 };
  t.strictSame(priceOf(pepe, ticker), {
    market: 'A',
    kind: 'spot',
    symbol: 'PEPE',
    quote: 'USD',
    price: 0.005,
    volume: 7,
    change: -1.5,
    stated: 9,
  });
  for (const volume of [unknown, Number.POSITIVE_INFINITY, -1]) {
    t.equal(priceOf(pepe, { ...ticker, volume })?.volume, null);
  }
  t.equal(priceOf(pepe, { ...ticker, volume: 0 })?.volume, 0);
  t.equal(priceOf(pepe, { ...ticker, change: unknown })?.change, null);
  t.equal(priceOf(pepe, { ...ticker, last: unknown }), null);
  t.equal(priceOf(pepe, { ...ticker, last: Number.MIN_VALUE }), null, 'divides to zero');
  t.equal(changeOf(110, 100).toFixed(9), '10.000000000');
  t.ok(Number.isNaN(changeOf(110, unknown)));
});

t.test('a derivative row: canonical prices, the rate as stated and per 8 hours', async (t) => {
  const stated = { mark: 5, index: 4, rate: -0.0001, hours: 4, next: 77, stated: 9 };
  t.strictSame(derivativeOf(pepe, stated), {
    market: 'A',
    symbol: 'PEPE',
    quote: 'USD',
    mark: 0.005,
    index: 0.004,
    funding_rate: -0.0001,
    funding_hours: 4,
    funding_rate_8h: -0.0002,
    next_funding: 77,
    stated: 9,
  });
  const vague = derivativeOf(pepe, { ...stated, hours: unknown });
  t.match(vague, { funding_rate: -0.0001, funding_hours: null, funding_rate_8h: null });
  const nothing = { ...stated, mark: unknown, index: unknown, rate: unknown };
  t.equal(derivativeOf(pepe, nothing), null);
});

t.test('open interest: base and value, each from the other by the mark price', async (t) => {
  const stated = { base: 30, value: unknown, mark: 5, stated: null };
  const want = { units: 30_000, value: 150, mark: 0.005 };
  t.match(openInterestOf(pepe, stated), want, '30 x 1000 coins, 30 x 5 in quote');
  t.match(openInterestOf(pepe, { ...stated, base: unknown, value: 150 }), want);
  t.match(openInterestOf(pepe, { ...stated, value: 149, mark: unknown }), {
    value: 149,
    mark: null,
  });
  t.match(openInterestOf(pepe, { ...stated, base: 0 }), { units: 0, value: 0 });
  for (const bad of [{ mark: unknown }, { base: unknown }, { base: Number.POSITIVE_INFINITY }]) {
    t.equal(openInterestOf(pepe, { ...stated, ...bad }), null);
  }
  t.match(
    openInterestOf(pepe, { ...stated, base: unknown, value: 150, mark: unknown }),
    { units: null, value: 150, mark: null },
    'a value without a price says nothing of the units',
  );
});

t.test('rows in arrays are read by index', async (t) => {
  const market = { ...facts, symbol: 'A', scale: 1 };
  const tickers = {
    id: by(0),
    read: (row: Readonly<Record<string | number, unknown>>, of: typeof market) =>
      priceOf(of, {
        last: row[1] === 2 ? 2 : unknown,
        volume: unknown,
        change: unknown,
        stated: null,
      }),
  };
  const parsed = marketRows([['A', 2], ['A'], ['B', 2], 7, []], new Map([['A', market]]), tickers);
  t.equal(parsed.rows.length, 1);
  t.strictSame(
    parsed.dropped.map(({ key, code }) => [key, code]),
    [
      ['A', 'bad_row'],
      ['B', 'unknown_instrument'],
      ['', 'bad_row'],
      ['', 'bad_row'],
    ],
  );
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
  t.strictSame(levels([{ p: 1, q: '2' }], native, 'p', 'q'), [{ price: 1, quantity: 2 }]);
  t.strictSame(levels([['1'], [], null, ['1', '0'], ['3', '4']], native), [
    { price: 3, quantity: 4 },
  ]);
  t.strictSame(levels([], native), [], 'a side may be empty');
  t.throws(() => levels([['1'], 'x'], native), ShapeError);
});

t.test('the sizes of a market that the list does not hold', async (t) => {
  const ask = { market: '1000PEPEUSDT', part: 'linear', instrument: null };
  t.strictSame(sizeOf(ask, false), { ...native, scale: 1000 });
  t.throws(() => sizeOf(ask, true), ShapeError);
});

t.test('bars: canonical units, truncated rows, nothing readable', async (t) => {
  const read = (row: Readonly<Record<string | number, unknown>>) => ohlc(row, 2, 3);
  t.strictSame(bars([[60_000, '2', '4', '1', 3], [60_000, '2'], 'x'], 10, read), [
    { timestamp: 60_000, open: 0.2, high: 0.4, low: 0.1, close: 0.3, volume: 20, turnover: 3 },
  ]);
  t.strictSame(bars([], 1, read), [], 'a page before the listing is empty');
  t.throws(() => bars([[60_000, '2']], 1, read), ShapeError);
});
