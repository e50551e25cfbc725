import t from 'tap';
import {
  amplitudePct,
  netflowOf,
  pricesChanged,
  ranked,
  rankingWindowNames,
  rankingWindows,
} from '../../../indicators/derivatives/rankings.ts';

t.test('the windows, in minutes', async (t) => {
  const windows = { '5m': 5, '15m': 15, '30m': 30, '1h': 60, '4h': 240, '12h': 720, '24h': 1_440 };
  t.same(
    rankingWindowNames.map((name) => [name, rankingWindows[name] / 60_000]),
    Object.entries(windows),
  );
});

t.test('the range of prices in percent of the lowest', async (t) => {
  t.ok(Math.abs((amplitudePct([100, null, 110, 105]) ?? 0) - 10) < 1e-9);
  t.equal(amplitudePct([100, null]), null);
  t.equal(amplitudePct([]), null);
});

t.test('bought less sold in the time before an end', async (t) => {
  const steps = [
    { time: 0, buy: 5, sell: 3 },
    { time: 1, buy: 1, sell: 4 },
  ];
  t.equal(netflowOf(steps, { end: 2, length: 2, step: 1 }), -1);
  t.equal(netflowOf(steps, { end: 2, length: 1, step: 1 }), -3);
  t.equal(netflowOf(steps, { end: 2, length: 3, step: 1 }), null);
  t.equal(netflowOf(steps, { end: 1, length: 1, step: 1 }), 2);
  const twenty = Array.from({ length: 20 }, (_, time) => ({ time, buy: 2, sell: 1 }));
  const found = [1, 2].map((gone) =>
    netflowOf(twenty.slice(gone), { end: 20, length: 20, step: 1 }),
  );
  t.same(found, [19, null], '95 % of the steps are enough');
});

t.test('prices of now, what they were, and how far they went', async (t) => {
  // Now, and before each of the seven windows.
  const minutes = { symbols: ['A', 'B', 'C'], prices: [[110, null, 50], [100], [], [], [88]] };
  const ends = Array.from({ length: 24 }, (_, i) => [i === 0 ? 55 : 120, null]);
  const hours = { symbols: ['A', 'D'], prices: ends };
  const stated = (symbol: string) =>
    symbol === 'C' ? { percent: 3, basis: 'asset' as const } : null;
  const found = pricesChanged(minutes, hours, stated);
  t.match(found, [
    {
      symbol: 'A',
      price_change_percent_15m: null,
      price_change_percent_1h: 25,
      price_change_percent_12h: (-10 / 120) * 100,
      price_change_percent_24h: 100,
      price_change_24h_basis: 'recorded',
    },
    { symbol: 'C', price_change_percent_24h: 3, price_change_24h_basis: 'asset' },
  ]);
  t.equal(found.length, 2, 'without a price now there is no row');
  t.ok(Math.abs((found[0]?.price_amplitude_percent_24h ?? 0) - (120 / 55 - 1) * 100) < 1e-9);
  const [none] = pricesChanged({ symbols: ['A'], prices: [[1]] }, null, stated);
  t.match(none, { price_change_24h_basis: null, price_amplitude_percent_24h: null });
});

t.test('ranked rows: those without a value are last, in their order', async (t) => {
  const rows = [null, 1, 3, null, 2].map((value, i) => ({ value, i }));
  const order = (by: 'asc' | 'desc') => ranked(rows, by, ({ value }) => value).map(({ i }) => i);
  t.same(
    [order('desc'), order('asc')],
    [
      [2, 4, 1, 0, 3],
      [1, 4, 2, 0, 3],
    ],
  );
});
