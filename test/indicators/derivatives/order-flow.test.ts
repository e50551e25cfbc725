import t from 'tap';
import {
  buySellRatio,
  buyShare,
  delta,
  deltasOf,
  longShortRatio,
  meanShares,
  netPositions,
} from '../../../indicators/derivatives/order-flow.ts';

t.test('ratios, differences and means', async (t) => {
  t.equal(buySellRatio(3, 2), 1.5);
  t.equal(buySellRatio(3, 0), null);
  t.equal(buySellRatio(null, 2), null);
  t.equal(delta(3, 5), -2);
  t.equal(delta(3, null), null);
  t.equal(longShortRatio(0.6, 0.4), 0.6 / 0.4);
  t.equal(longShortRatio(1, 0), null);
  t.strictSame(meanShares([0.5, 1]), { long: 0.75, short: 0.25, ratio: 3 });
  t.same([meanShares([]), meanShares([1])], [null, null]);
});

t.test('net positions: the changes of both sides add up to that of open interest', async (t) => {
  t.equal(buyShare(3, 1), 0.75);
  t.equal(buyShare(0, 0), null);
  t.same([buyShare(null, 1), buyShare(1, null), delta(null, 1)], [null, null, null]);
  const rows = [
    { interest: 100, buyShare: 0.5 },
    { interest: 108, buyShare: 0.75 },
    { interest: 104, buyShare: 0.75 },
    { interest: 200, buyShare: null },
  ];
  t.strictSame(netPositions(rows), [
    { longChange: null, shortChange: null, long: 0, short: 0 },
    { longChange: 6, shortChange: 2, long: 6, short: 2 },
    { longChange: -1, shortChange: -3, long: 5, short: -1 },
    { longChange: null, shortChange: null, long: 5, short: -1 },
  ]);
});

t.test('differences of several markets: what is missing is left out', async (t) => {
  const row = (timestamp: number, buy_usd: number | null, sell_usd: number) => ({
    timestamp,
    buy_usd,
    sell_usd,
  });
  const markets = [
    { exchange: 'a', rows: [row(1, 9, 1), row(2, 5, 4), row(3, 5, 7)] },
    { exchange: 'b', rows: [row(3, 10, 4), row(2, null, 4)] },
    { exchange: 'a', rows: [row(3, 2, 1)] },
  ];
  t.strictSame(deltasOf(markets, 2), [
    { timestamp: 2, exchanges: { a: 1 }, delta: 1, cumulated: 1 },
    { timestamp: 3, exchanges: { a: -1, b: 6 }, delta: 5, cumulated: 6 },
  ]);
});
