import t from 'tap';
import {
  amplitudePct,
  netflowOf,
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
