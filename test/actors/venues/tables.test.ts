/** Rows by tables: which column each field becomes, in which unit, and what a field that cannot be read costs. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics/index.ts';
import { bySort } from '../../../actors/venues/cells.ts';
import {
  derivativeRow,
  interestRow,
  isUntraded,
  type PriceTable,
  priceRow,
  seconds,
  sizeIn,
} from '../../../actors/venues/tables.ts';
import { instrument } from '../../support/makers.ts';
import { likeRows, sameRows } from '../../support/table.ts';

/** A contract is 10 lots of 1,000 coins. */
const pepe = instrument({
  market: '1000PEPEUSDT',
  symbol: 'PEPE',
  scale: 1_000,
  contract: 10,
  funding_hours: 8,
});
/** A contract is 100 dollars. */
const inverse = instrument({ quote: 'USD', contract: 100, inverse: true });
const received = 1_790_000_000_000;
const about = { received, stated: received - 1_000 };

const ticker = {
  l: '5000',
  b: '4990',
  a: '5010',
  h: '5200',
  w: '4800',
  v: '7',
  q: '35000',
  o: '4000',
  p: '24',
  f: '0.23',
  t: received - 2_000,
};
const price: PriceTable = {
  last: 'l',
  bid: 'b',
  ask: 'a',
  high: 'h',
  low: 'w',
  base: 'v',
  quote: 'q',
  open: 'o',
  stated: 't',
};

t.test('each column of a price row, in canonical units', async (t) => {
  sameRows(t, priceRow(price, ticker, pepe, about))`
    market       kind      symbol quote price bid  ask  high low base  volume change stated
    1000PEPEUSDT perpetual PEPE   USDT  5     4.99 5.01 5.2  4.8 7_000 35_000 25     ${received - 2_000}
  `;
  const nothing = { bid: null, ask: null, high: null, low: null, base: null, volume: null };
  const bare = { price: 5, ...nothing, change: null, stated: about.stated };
  t.match(priceRow({ last: 'l' }, ticker, pepe, about), bare, 'columns that a table lacks');
});

t.test('a field that cannot be read costs its column, the price the row', async (t) => {
  const columns = { b: 'bid', a: 'ask', h: 'high', w: 'low', v: 'base', q: 'volume', o: 'change' };
  for (const [key, column] of Object.entries(columns)) {
    for (const bad of ['', 'x', null, undefined, '-1', {}]) {
      const row = priceRow(price, { ...ticker, [key]: bad }, pepe, about);
      const whole = priceRow(price, ticker, pepe, about);
      t.strictSame(row, { ...whole, [column]: null }, `${column}: ${bad}`);
    }
  }
  const none = priceRow(price, { ...ticker, b: '0', v: '0', q: '0' }, pepe, about);
  t.match(none, { bid: null, base: 0, volume: 0 }, 'no price is zero, an amount may be');
  for (const bad of ['', 'x', null, undefined, '-1', '0', Number.MIN_VALUE])
    t.equal(priceRow(price, { ...ticker, l: bad }, pepe, about), null, `the price: ${bad}`);
  t.equal(priceRow(price, ticker, { ...pepe, kind: 'other' }, about), null);
});

t.test('a quirk is a function of the row, its market and the reading', async (t) => {
  const odd: PriceTable = {
    last: ({ b, a }) => (Number(b) + Number(a)) / 2,
    high: ({ h }) => `${Number(h) + 100}`,
    low: () => NaN,
    base: sizeIn('v'),
    quote: bySort('q', 'v'),
    stated: (_row, _market, { received: at }) => at - 3,
  };
  likeRows(t, priceRow(odd, ticker, pepe, about))`
    price high low base   volume stated
    5     5.3  -   70_000 35_000 ${received - 3}
  `;
  t.match(priceRow({ last: 'l', quote: bySort('q', 'v') }, ticker, inverse, about), { volume: 7 });
});

t.test('the change follows from the price of 24 h ago, else it is the stated one', async (t) => {
  const changeBy = (columns: Partial<PriceTable>, row: object = {}) =>
    priceRow({ last: 'l', ...columns }, { ...ticker, ...row }, pepe, about)?.change;
  t.equal(changeBy({ open: 'o' }), 25);
  t.equal(changeBy({ percent: 'p' }), 24);
  t.equal(changeBy({ fraction: 'f' }), 23);
  t.equal(changeBy({ open: 'o', percent: 'p' }, { p: '24.96' }), 25, 'the exact one');
  t.equal(changeBy({ open: 'o', fraction: 'f' }, { f: '0.2504' }), 25);
  t.equal(changeBy({ open: 'o', percent: 'p' }), 24, 'the price is another one');
  t.equal(changeBy({ open: 'o', percent: 'p' }, { p: '' }), 25);
  t.equal(changeBy({ open: 'o', percent: 'p' }, { o: '' }), 24);
  t.equal(changeBy({ open: 'o', fraction: 'f' }, { o: '0' }), 23);
  t.equal(changeBy({ percent: 'p' }, { p: '-100.5' }), null);
});

t.test('the time is that of the cell, of the rows, of the body, in this order', async (t) => {
  const statedBy = (stated: PriceTable['stated'], time?: PriceTable['stated'], row: object = {}) =>
    priceRow({ last: 'l', ...(stated && { stated }) }, { ...ticker, ...row }, pepe, {
      ...about,
      time,
    })?.stated;
  const row = { u: received - 5_000, s: received / 1_000 - 7 };
  t.equal(statedBy('t', 'u', row), received - 2_000);
  t.equal(statedBy(undefined, 'u', row), received - 5_000);
  t.equal(statedBy(undefined, undefined, row), about.stated);
  t.equal(statedBy('t', 'u', { ...row, t: 'x' }), about.stated, 'a cell that is unreadable');
  t.equal(statedBy(seconds('s'), 'u', row), received - 7_000);
  t.equal(priceRow({ last: 'l' }, ticker, pepe, { received, stated: null })?.stated, null);
});

t.test('a market that was never traded has neither a price nor a volume', async (t) => {
  const table: PriceTable = { last: 'l', untraded: 'v' };
  const untraded = (row: object, columns: PriceTable = table) =>
    isUntraded(columns, { ...row }, pepe, about);
  t.ok(untraded({ l: '', v: '0' }));
  t.ok(untraded({ l: 0, v: null }));
  t.notOk(untraded({ l: '', v: '7' }), 'a volume without a price is a fault');
  t.notOk(untraded({ l: '5', v: '0' }));
  t.notOk(untraded({ l: '', v: '0' }, { last: 'l' }), 'a table that does not say where');
});

const funding = {
  m: '5000',
  i: '4995',
  r: '-0.0001',
  h: '4',
  n: received + 3_600_000,
  e: '0.0002',
  x: '-0.0003',
  t: received - 2_000,
};
const derivative = {
  mark: 'm',
  index: 'i',
  rate: 'r',
  hours: 'h',
  next: 'n',
  predicted: 'e',
  premium: 'x',
  stated: 't',
};

t.test('each column of a derivative row', async (t) => {
  sameRows(t, derivativeRow(derivative, funding, pepe, about))`
    market       symbol quote mark index funding_rate funding_hours funding_rate_8h next_funding            predicted_rate premium stated
    1000PEPEUSDT PEPE   USDT  5    4.995 -0.0001      4             -0.0002         ${received + 3_600_000} 0.0002         -0.0003 ${received - 2_000}
  `;
  const read = (row: object) => derivativeRow(derivative, { ...funding, ...row }, pepe, about);
  t.match(read({ m: '0' }), { mark: null, index: 4.995 });
  t.match(read({ i: 'x' }), { mark: 5, index: null });
  t.match(read({ r: '0' }), { funding_rate: 0, funding_rate_8h: 0 });
  t.match(read({ n: 'soon' }), { next_funding: null });
  const unsaid = read({ e: '', x: null });
  t.notOk(unsaid && ('predicted_rate' in unsaid || 'premium' in unsaid));
  t.equal(read({ m: '', i: '', r: '' }), null, 'neither mark, index nor rate');
});

t.test('hours that a table does not have are those of the list', async (t) => {
  const table = { mark: 'm', rate: 'r' };
  const read = (market: Instrument) => derivativeRow(table, funding, market, about);
  t.match(read(pepe), { funding_hours: 8, funding_rate_8h: -0.0001 });
  t.match(read(inverse), { funding_hours: null, funding_rate_8h: null });
  const own = derivativeRow({ ...table, hours: 'h' }, { ...funding, h: '' }, pepe, about);
  t.match(own, { funding_hours: null, funding_rate_8h: null }, 'its own are unreadable');
});

t.test('open interest in base units, in contracts, in quote', async (t) => {
  const open = { o: '20', c: '3', v: '99000', m: '5000', t: received - 2_000 };
  const read = (table: object, market = pepe, row: object = {}) =>
    interestRow(table, { ...open, ...row }, market, about);
  sameRows(t, read({ base: 'o', value: 'v', mark: 'm', stated: 't' }))`
    market       symbol quote units  value  mark stated
    1000PEPEUSDT PEPE   USDT  20_000 99_000 5    ${received - 2_000}
  `;
  t.match(read({ base: 'o', mark: 'm' }), { units: 20_000, value: 100_000 });
  t.match(read({ value: 'v', mark: 'm' }), { units: 19_800, value: 99_000 });
  t.match(read({ contracts: 'c', mark: 'm' }), { units: 30_000, value: 150_000 });
  const dollars = read({ contracts: 'c', mark: 'm' }, inverse, { m: '50' });
  t.match(dollars, { units: 6, value: 300, mark: 50 }, 'contracts of 100 dollars');
  t.match(read({ contracts: 'c', base: 'o' }, inverse), { units: 20, value: 300 });
  t.match(read({ contracts: 'c', value: 'v' }), { units: 30_000, value: 99_000 });
  t.match(read({ base: 'o', mark: 'm' }, pepe, { o: '0' }), { units: 0, value: 0 });
  t.equal(read({ base: 'o', mark: 'm' }, pepe, { o: 'x' }), null);
  t.equal(read({ base: 'o' }), null, 'without a price it has no value');
});

t.test('open interest that is stated twice is in doubt where the two differ', async (t) => {
  const table = { base: 'o', mark: 'm', again: 'c' };
  const read = (again: string) =>
    interestRow(table, { o: '20', m: '5000', c: again }, pepe, about)?.doubt;
  t.equal(read('20.1'), undefined);
  t.equal(read('20000'), 'unit');
  t.equal(read(''), undefined, 'nothing to hold it against');
});
