import t from 'tap';
import { liquidationPoints } from '../../../indicators/derivatives/liquidation-history.ts';
import { liquidationMap, maxPain } from '../../../indicators/derivatives/liquidation-map.ts';

const candle = (timestamp: number, low: number, high: number, close: number) => ({
  timestamp,
  low,
  high,
  close,
  volume: 10,
  turnover: 10 * close,
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
  const map = liquidationMap([{ candles, interest }], ten);
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
    const values = liquidationMap([{ candles, interest }], ten)?.levels.map(
      (level) => level.value_usd,
    );
    // 2 % of the turnover of the first candle, and what was added.
    t.same(values, [420, 420]);
  }
});

t.test('a later candle that reaches its price ends a pool', async (t) => {
  const four = [{ leverage: 4, weight: 1, maintenance: 0 }];
  const values = (low: number, high: number) =>
    liquidationMap(
      [{ candles: [candle(0, 99, 101, 100), candle(1, low, high, 100)], interest: none }],
      four,
    )?.levels.map(({ side, value_usd }) => `${side} ${value_usd}`);
  // Without open interest 2 % of the turnover of 1,000 is opened; of the first candle one side is left.
  t.same(values(75, 100), ['long 20', 'short 40']);
  t.same(values(100, 125), ['long 40', 'short 20']);
  const sides = (close: number) =>
    liquidationMap(
      [{ candles: [{ ...candle(0, close, close, close), turnover: 1_000 }], interest: none }],
      ten,
    )?.levels.map(({ side }) => side);
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
  const map = liquidationMap([{ candles, interest }], ten);
  t.same(
    map?.levels.map(({ value_usd }) => value_usd),
    [15, 15],
  );
});

t.test('levels add up from the price outwards, within a quarter of it', async (t) => {
  const shares = [2, 4, 10, 20].map((leverage) => ({
    leverage,
    weight: leverage === 20 ? 0.5 : 1,
    maintenance: 0,
  }));
  const map = liquidationMap([{ candles: [candle(0, 100, 100, 100)], interest: none }], shares);
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
  t.match(map && maxPain(map), { long: { price: 75 }, short: { price: 110 }, most: { price: 75 } });
  t.equal(liquidationMap([{ candles: [], interest: none }], shares), null);
});

t.test('markets together: the levels of each, about the price of the first', async (t) => {
  const market = (close: number, turnover: number) => ({
    candles: [{ ...candle(0, close, close, close), volume: turnover / close, turnover }],
    interest: none,
  });
  const [one, other, nothing] = [market(100, 1_000), market(100, 500), market(200, 1_000)];
  const values = (...markets: (typeof one)[]) =>
    liquidationMap(markets, ten)?.levels.map(({ side, value_usd }) => [side, value_usd]);
  t.same(values(one), [
    ['long', 20],
    ['short', 20],
  ]);
  t.same(values(one, other), [
    ['long', 30],
    ['short', 30],
  ]);
  t.same(values(one, nothing), values(one), 'what is further than a quarter away is not shown');
});

t.test('history: the sums of all exchanges, null for unstated orders', async (t) => {
  const sums = [
    { exchange: 'okx', times: [1, 2], long: [5, 1], short: [3, null], count: [2, null] },
    { exchange: 'gate', times: [0, 2], long: [0, 0], short: [0, 4], count: [0, 1] },
  ];
  const points = liquidationPoints(sums);
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
    long_usd: 1,
    short_usd: 4,
    exchanges: { gate: { long_usd: 0, short_usd: 4 }, okx: { long_usd: 1, short_usd: 0 } },
  });
});

type Candle = Omit<ReturnType<typeof candle>, 'turnover'> & { turnover: number | null };
const shares = [
  { leverage: 5, weight: 0.6, maintenance: 0.005 },
  { leverage: 20, weight: 0.4, maintenance: 0.005 },
];

/** What a candle opens in dollars and at which price, and the share that is left of earlier positions. */
function openedIn({ close, volume, turnover }: Candle, now?: number, before?: number) {
  const quote = turnover ?? close * volume;
  const entry = volume > 0 ? quote / volume : close;
  if (now === undefined || before === undefined) return { entry, opened: 0.02 * quote, left: 1 };
  return { entry, opened: Math.max(0, now - before) * entry, left: Math.min(1, now / before) };
}

/** Dollars of each side, by keeping every position from candle to candle. */
function slowly(candles: readonly Candle[], interest: ReadonlyMap<number, number>) {
  let pools: { side: 'long' | 'short'; at: number; usd: number }[] = [];
  let before: number | undefined;
  for (const one of candles) {
    pools = pools.filter(({ side, at }) => (side === 'long' ? one.low > at : one.high < at));
    const now = interest.get(one.timestamp);
    const { entry, opened, left } = openedIn(one, now, before);
    pools = pools.map((pool) => ({ ...pool, usd: pool.usd * left }));
    for (const { leverage, weight, maintenance } of shares) {
      const off = 1 / leverage - maintenance;
      pools.push({ side: 'long', at: entry * (1 - off), usd: opened * weight });
      pools.push({ side: 'short', at: entry * (1 + off), usd: opened * weight });
    }
    before = now ?? before;
  }
  const close = candles.at(-1)?.close ?? 0;
  const isAhead = ({ side, at }: (typeof pools)[number]) =>
    (side === 'long' ? at <= close : at >= close) && Math.abs(at / close - 1) <= 0.25;
  return pools.filter(isAhead).map(({ side, usd }) => ({ side, value_usd: usd }));
}

const sumOf = (rows: readonly { side: string; value_usd: number }[], side: string) =>
  rows.reduce((sum, row) => (row.side === side ? sum + row.value_usd : sum), 0);

t.test('it equals a model that keeps every position from candle to candle', async (t) => {
  let state = 11;
  const draw = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let round = 0; round < 20; round++) {
    let close = 100;
    const candles = Array.from({ length: 60 }, (_, timestamp): Candle => {
      close *= 1 + (draw() - 0.5) / 20;
      const [low, high] = [close * (1 - draw() / 30), close * (1 + draw() / 30)];
      const turnover = draw() > 0.1 ? close * 10 * draw() : null;
      return { timestamp, low, high, close, volume: draw() > 0.1 ? 10 * draw() : 0, turnover };
    });
    const known = candles.filter(() => draw() > 0.2);
    const interest = new Map(known.map(({ timestamp }) => [timestamp, 900 + 200 * draw()]));
    const { levels = [] } = liquidationMap([{ candles, interest }], shares) ?? {};
    for (const side of ['long', 'short']) {
      const [found, wanted] = [sumOf(levels, side), sumOf(slowly(candles, interest), side)];
      t.ok(Math.abs(found - wanted) <= 1e-9 * wanted, `${side} of round ${round}`);
    }
  }
});
