/** Histories by tables: where the rows and their times are, the unit and sign of each column, rows that are left out. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { asRow, list } from '../../../actors/read.ts';
import { interest, longShort, takerVolume } from '../../../actors/venues/series.ts';
import { ownWords } from '../../../actors/venues/words.ts';
import { instrument } from '../../support/makers.ts';
import { sameRows } from '../../support/table.ts';

const hour = 3_600_000;
/** 2023-11-13 22:00 UTC. */
const start = 1_699_912_800_000;
const now = start + 24 * hour;

/** A contract is 10 lots of 1,000 coins. */
const pepe = instrument({
  market: 'PEPE',
  symbol: 'PEPE',
  scale: 1_000,
  contract: 10,
  funding_hours: 8,
});
/** A contract is 100 dollars. */
const inverse = { ...pepe, market: 'BTCUSD', scale: 1, contract: 100, inverse: true };

const asked = { market: 'PEPE', part: 'linear', instrument: pepe, now, limit: 100 };
const series = { ...asked, interval: '1h' as const };
const ratios = { ...series, of: 'accounts' as const };
const dollars = { ...series, instrument: inverse };

const table = {
  page: 200,
  rows: 'data',
  at: 't',
  words: () => ownWords('1h', '4h'),
  requests: () => [{ api: 'rest', path: '/series' }],
};
const bodyOf = (...rows: object[]) => [{ data: rows }];

t.test('accounts that are long and short, as shares or as a ratio', async (t) => {
  const shares = longShort({ ...table, columns: { long: 'l', short: 's', locked: 'k' } });
  const rows = [
    { t: start + hour, l: '0.7', s: '0.2', k: '0.1' },
    { t: start, l: '0.6', s: '0.3', k: 'x' },
  ];
  t.strictSame(shares.parse(bodyOf(...rows), ratios), {
    market: 'PEPE',
    points: [
      { timestamp: start, long: 0.6, short: 0.3 },
      { timestamp: start + hour, long: 0.7, short: 0.2, locked: 0.1 },
    ],
  });
  const ratio = longShort({ ...table, columns: { ratio: 'q' } });
  const [point] = ratio.parse(bodyOf({ t: start, q: '3' }), ratios).points;
  t.strictSame(point, { timestamp: start, long: 0.75, short: 0.25 });
  t.match(shares.parse(bodyOf({ t: start, l: 0, s: 1 }), ratios).points, [{ long: 0, short: 1 }]);
  t.throws(() => shares.parse(bodyOf({ t: start, l: 0, s: 0 }), ratios), 'shares of nothing');
});

t.test('what takers bought and sold, in base units and in dollars', async (t) => {
  const all = { buyBase: 'b', sellBase: 's', buyUsd: 'x', sellUsd: 'y' };
  const row = { t: start, b: '2', s: '3', x: '40', y: '50' };
  const parse = (columns: object, at = series) =>
    takerVolume({ ...table, columns }).parse(bodyOf(row), at).points;
  sameRows(t, parse(all))`
    timestamp buy_base sell_base buy_usd sell_usd closed
    ${start}  2_000    3_000     40      50       true
  `;
  t.match(parse({ buyUsd: 'x', sellUsd: 'y' }), [
    { buy_base: null, sell_base: null, buy_usd: 40, sell_usd: 50 },
  ]);
  t.match(parse({ ...all, buyUsd: () => null }), [{ buy_base: 2_000, buy_usd: null }]);
  t.match(parse(all, { ...series, now: start + hour - 1 }), [{ closed: false }]);
  const unknown = Object.fromEntries(Object.keys(all).map((key) => [key, () => null]));
  t.match(parse(unknown), [{ buy_base: null, sell_base: null, buy_usd: null, sell_usd: null }]);
});

t.test('open interest in base units, in dollars, in contracts', async (t) => {
  const row = { t: start, b: '2', u: '90', c: '3', m: '50' };
  const parse = (columns: object, at = series, sides: 1 | 2 = 1) =>
    interest({ ...table, columns: { ...columns, sides } }).parse(bodyOf(row), at).points;
  t.strictSame(parse({ base: 'b', usd: 'u' }), [{ timestamp: start, base: 2_000, usd: 90 }]);
  t.match(parse({ base: 'b' }), [{ base: 2_000, usd: null }]);
  t.match(parse({ base: 'b', mark: 'm' }), [{ base: 2_000, usd: 100 }]);
  t.match(parse({ usd: 'u' }), [{ base: null, usd: 90 }]);
  t.match(parse({ usd: 'u', mark: 'm' }), [{ base: 1_800, usd: 90 }]);
  t.match(parse({ contracts: 'c', mark: 'm' }), [{ base: 30_000, usd: 1_500 }]);
  t.match(parse({ contracts: 'c', mark: 'm' }, dollars), [{ base: 6, usd: 300 }]);
  t.match(parse({ contracts: 'c' }, dollars), [{ base: null, usd: 300 }]);
  t.match(parse({ base: 'b', usd: 'u' }, series, 2), [{ base: 1_000, usd: 45 }]);
  const byMarket = ({ c, b }: object & Record<string, unknown>, { instrument }: typeof series) =>
    instrument.inverse ? c : b;
  t.match(parse({ base: byMarket }), [{ base: 2_000 }]);
  t.match(parse({ base: byMarket }, dollars), [{ base: 3 }]);
});

t.test('intervals that an exchange has no word for, or not for this market', async (t) => {
  const linear = interest({
    ...table,
    columns: { usd: 'u' },
    words: ({ part }) => (part === 'linear' ? { '1h': '60', '1d': 'day' } : null),
  });
  t.match(linear.page(series), { limit: 200, interval: '1h' });
  t.equal(linear.page({ ...series, interval: '4h' }), null);
  t.equal(linear.page({ ...series, part: 'inverse' }), null);
  t.strictSame(ownWords('5m', '1d'), { '5m': '5m', '1d': '1d' });
});

t.test('the page, the requests and the lifetime of a history', async (t) => {
  const seen: unknown[] = [];
  const long = interest({
    ...table,
    most: 500,
    columns: { usd: 'u' },
    requests: ({ market }, { limit, range }) => {
      seen.push([market, limit, range]);
      return [];
    },
  });
  t.match(long.page({ ...series, limit: 201 }), { limit: 500 });
  long.requests({ ...series, limit: 3, to: start });
  t.strictSame(seen, [['PEPE', 3, { start: start - 2 * hour - 1, end: start }]]);
  t.equal(long.ttl, 60_000);
  const thin = interest({ ...table, thinned: true, columns: { usd: 'u' } });
  t.match(thin.page({ ...series, interval: '2h' }), { interval: '1h' });
});

t.test('rows of several bodies, of one that is not there, by a function', async (t) => {
  const columns = { usd: 'u' };
  const path = interest({ ...table, columns });
  const bodies = [{ data: [{ t: start, u: 1 }] }, undefined, { data: [{ t: start + hour, u: 2 }] }];
  const times = (points: readonly { timestamp: number }[]) =>
    points.map(({ timestamp }) => (timestamp - start) / hour);
  t.strictSame(times(path.parse(bodies, series).points), [0, 1]);
  t.throws(() => path.parse([{ data: {} }], series), ShapeError);
  const own = interest({
    ...table,
    columns,
    rows: ([first], { market }) => list(asRow(first)[market], 'rows').map(asRow),
    at: ({ s }, { interval }) => Number(s) + (interval === '1h' ? 0 : 1),
    unit: 1_000,
    keep: ({ u }, { now: at }) => u !== at,
  });
  const rows = [
    { s: start / 1_000, u: 5 },
    { s: start / 1_000 + 3_600, u: now },
  ];
  t.strictSame(own.parse([{ PEPE: rows }], series).points, [
    { timestamp: start, base: null, usd: 5 },
  ]);
});

t.test('a bad row is left out alone; of too many the history is refused', async (t) => {
  const query = interest({ ...table, columns: { base: 'b', usd: 'u' } });
  const good = Array.from({ length: 9 }, (_, i) => ({ t: start + i * hour, b: 1, u: 2 }));
  for (const bad of [{ t: 'x' }, { t: 5 }, { b: 'x' }, { b: null }, { u: '' }]) {
    const rows = [{ t: start + 9 * hour, b: 1, u: 2, ...bad }, ...good];
    t.equal(query.parse(bodyOf(...rows), series).points.length, 9, JSON.stringify(bad));
  }
  const worse = [...good.slice(0, 7), { t: start }, { t: start }];
  t.throws(() => query.parse(bodyOf(...worse), series), ShapeError, 'two of nine');
});
