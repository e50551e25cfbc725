import t from 'tap';
import { liquidationPoints } from '../../../indicators/derivatives/liquidation-history.ts';
import { largestLevel, liquidationMap } from '../../../indicators/derivatives/liquidation-map.ts';

const candle = (timestamp: number, low: number, high: number, close: number) => ({
  ...{ timestamp, low, high, close, volume: 10, turnover: 10 * close },
});
// A long opened at 100 is liquidated at 91, a short at 109.
const ten = [{ leverage: 10, weight: 1, maintenance: 0.01 }];
const none = new Map<number, number>();

t.test('what open interest adds is opened on both sides at the price of the candle', async (t) => {
  const interest = new Map([
    [0, 1_000],
    [1, 1_004],
  ]);
  const candles = [
    { ...candle(0, 100, 100, 100), volume: 0, turnover: 0 },
    // At the mean price of its trades, which is not its close.
    { ...candle(1, 99, 101, 101), volume: 20, turnover: 2_000 },
  ];
  const map = liquidationMap(candles, interest, ten);
  t.same(map, {
    price: 101,
    bucket: 0.1,
    levels: [
      { price: 91, side: 'long', value_usd: 400, by_leverage: { 10: 400 }, cumulative_usd: 400 },
      { price: 109, side: 'short', value_usd: 400, by_leverage: { 10: 400 }, cumulative_usd: 400 },
    ],
  });
});

t.test('without a turnover, or without a trade, it is opened at the close', async (t) => {
  const interest = new Map([
    [0, 1_000],
    [1, 1_004],
  ]);
  for (const more of [{ turnover: null }, { volume: 0, turnover: 0 }]) {
    const candles = [candle(0, 100, 100, 100), { ...candle(1, 100, 100, 100), ...more }];
    const values = liquidationMap(candles, interest, ten)?.levels.map((level) => level.value_usd);
    // 2 % of the turnover of the first candle, and what was added.
    t.same(values, [420, 420]);
  }
});

t.test('a later candle that reaches its price ends a pool', async (t) => {
  const four = [{ leverage: 4, weight: 1, maintenance: 0 }];
  const values = (low: number, high: number) =>
    liquidationMap([candle(0, 99, 101, 100), candle(1, low, high, 100)], none, four)?.levels.map(
      ({ side, value_usd }) => `${side} ${value_usd}`,
    );
  // Without open interest 2 % of the turnover of 1,000 is opened; of the first candle one side is left.
  t.same(values(75, 100), ['long 20', 'short 40']);
  t.same(values(100, 125), ['long 40', 'short 20']);
  const sides = (close: number) =>
    liquidationMap([{ ...candle(0, close, close, close), turnover: 1_000 }], none, ten)?.levels.map(
      ({ side }) => side,
    );
  t.same([sides(90), sides(110)], [['short'], ['long']], 'what the price has passed');
});

t.test('pools shrink with open interest; nothing is opened while it falls', async (t) => {
  const interest = new Map([
    [1, 100],
    [2, 75],
  ]);
  const candles = [
    candle(0, 100, 100, 100),
    { ...candle(1, 100, 100, 100), volume: 0, turnover: 0 },
    candle(2, 100, 100, 100),
  ];
  const map = liquidationMap(candles, interest, ten);
  t.same(
    map?.levels.map(({ value_usd }) => value_usd),
    [15, 15],
  );
});

t.test('levels add up from the price outwards, within a quarter of it', async (t) => {
  const shares = [2, 4, 10, 20].map((leverage) => ({
    ...{ leverage, weight: leverage === 20 ? 0.5 : 1, maintenance: 0 },
  }));
  const map = liquidationMap([candle(0, 100, 100, 100)], none, shares);
  t.same(
    map?.levels.map(({ price, cumulative_usd }) => [price, cumulative_usd]),
    [
      [75, 50],
      [90, 30],
      [95, 10],
      [105, 10],
      [110, 30],
      [125, 50],
    ],
  );
  t.same(map && [largestLevel(map, 'long')?.price, largestLevel(map, 'short')?.price], [75, 110]);
  t.equal(liquidationMap([], none, shares), null);
});

t.test('history: zero where the stream was received, null for unstated orders', async (t) => {
  const sums = [
    { exchange: 'okx', times: [1, 2], long: [5, 1], short: [3, null], count: [2, null] },
    { exchange: 'gate', times: [2], long: [0], short: [4], count: [1] },
  ];
  const points = liquidationPoints(sums, [{ exchange: 'gate', times: [0, 2] }]);
  t.same(
    points.map(({ timestamp, total_usd, order_count }) => [timestamp, total_usd, order_count]),
    [
      [0, 0, 0],
      [1, 8, 2],
      [2, 5, null],
    ],
  );
  t.same(points[0]?.exchanges, { gate: { long_usd: 0, short_usd: 0 } });
  t.match(points[2], {
    ...{ long_usd: 1, short_usd: 4 },
    exchanges: { gate: { long_usd: 0, short_usd: 4 }, okx: { long_usd: 1, short_usd: 0 } },
  });
});
