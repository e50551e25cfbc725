import t from 'tap';
import { footprintMinutes } from '../../../actors/topics/footprint.ts';
import { footprintBars, mostLevels } from '../../../indicators/derivatives/footprint.ts';
import { mostBuckets, type Trade, TradeFold } from '../../../indicators/derivatives/trade-fold.ts';
import { roundStep } from '../../../indicators/market/round-step.ts';

const minute = 60_000;
const row = (at: number, [low, high]: [number, number], buy: number, sell: number) => ({
  ...{ timestamp: at * minute, open: low, high, low, close: high },
  ...{ buy_base: buy, sell_base: sell, buy_usd: buy * 100, sell_usd: sell * 100 },
});

t.test('a recorded minute without one of its columns is left out', async (t) => {
  const prices = { open: [1], high: [1], low: [1], close: [1] };
  const whole = { ...prices, step: [1], first: [1] };
  t.equal(footprintMinutes({ times: [0], columns: whole }).length, 1);
  for (const name of Object.keys(whole))
    t.same(footprintMinutes({ times: [0], columns: { ...whole, [name]: [] } }), []);
});

t.test('the volume of each minute is spread over its levels, and bars add it up', async (t) => {
  // 100 to 102 are three levels of one: 2 bought and 1 sold in each.
  const minutes = [row(0, [100, 102], 6, 3), row(1, [102, 102.5], 9, 1), row(5, [50, 50], 1, 0)];
  const [bar, next] = footprintBars(minutes, { length: 5 * minute, step: 1 });
  t.same(
    bar?.levels.map(({ price, buy_base, sell_base }) => [price, buy_base, sell_base]),
    [
      [100, 2, 1],
      [101, 2, 1],
      [102, 11, 2],
    ],
  );
  t.match(bar?.levels[2], { buy_usd: 1_100, sell_usd: 200, delta_base: 9 });
  t.match(bar, { timestamp: 0, open: 100, high: 102.5, low: 100, close: 102.5, delta_base: 11 });
  t.match(bar, { volume_base: 19, poc_price: 102, value_area_low: 101, value_area_high: 102 });
  t.match(next, { timestamp: 5 * minute, poc_price: 50, value_area_low: 50, volume_base: 1 });
  t.equal(mostLevels(minutes, 0.5), 4);
  const falling = [5, 2, 2, 2].map((volume, i) => row(i, [100 + i, 100 + i], volume, 0));
  const [edge] = footprintBars(falling, { length: 5 * minute, step: 1 });
  t.match(edge, { poc_price: 100, value_area_low: 100, value_area_high: 102 }, 'at the edge');
  const even = [2, 5, 2].map((volume, i) => row(i, [100 + i, 100 + i], volume, 0));
  const [upper] = footprintBars(even, { length: 5 * minute, step: 1 });
  t.match(upper, { value_area_low: 101, value_area_high: 102 }, 'of equal neighbours the upper');
});

t.test('steps are 1, 2 or 5 times a power of ten', async (t) => {
  t.same([0.034, 1.3, 64, 80, 0.99].map(roundStep), [0.05, 1, 50, 100, 1]);
});

const trade = (id: number, seconds: number, price: number, quantity: number): Trade => ({
  ...{ market: 'A', id, timestamp: seconds * 1_000, price },
  ...{ quantity: Math.abs(quantity), bought: quantity > 0 },
});

/** A fold that received all of the minutes after the first. */
function heard(...trades: readonly Trade[]): TradeFold {
  const fold = new TradeFold();
  for (const one of trades) fold.take(one);
  return fold;
}

t.test('trades are folded by minute, side and bucket', async (t) => {
  // Buckets of a hundredth of a percent of 1000 are 0.1 wide.
  const fold = heard(
    trade(1, 30, 1_000, 5),
    trade(2, 60, 1_000, 2),
    trade(3, 70, 1_000.3, -1),
    trade(4, 80, 1_000.05, 4),
    trade(5, 125, 999, -1),
  );
  const [only, ...none] = fold.close(2 * minute);
  t.same(none, [], 'the first minute was not heard from its beginning');
  t.match(only, { timestamp: minute, open: 1_000, high: 1_000.3, low: 1_000, close: 1_000.05 });
  t.match(only, { step: 0.1, first: 10_000 });
  t.same(
    only?.buckets.map(({ buy_base, sell_base, buy_usd, sell_usd }) =>
      [buy_base, sell_base, buy_usd, sell_usd].map((sum) => Number(sum.toFixed(6))),
    ),
    [
      [6, 0, 6_000.2, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 1, 0, 1_000.3],
    ],
  );
  t.match(fold.close(4 * minute), [
    { timestamp: 2 * minute, close: 999 },
    { timestamp: 3 * minute, open: 999, high: 999, buckets: [] },
  ]);
});

t.test('a minute with a large range has larger buckets, with the same sums', async (t) => {
  const trades = Array.from({ length: 300 }, (_, at) =>
    trade(2 + at, 60, 1_000 + at, at % 3 === 0 ? -1 : 1),
  );
  const [wide] = heard(trade(1, 0, 1_000, 1), ...trades).close(2 * minute);
  t.ok((wide?.buckets.length ?? 0) <= mostBuckets);
  const sumOf = (name: 'buy_base' | 'sell_base' | 'buy_usd' | 'sell_usd') =>
    wide?.buckets.reduce((sum, bucket) => sum + bucket[name], 0);
  const sums = [sumOf('buy_base'), sumOf('sell_base'), sumOf('buy_usd'), sumOf('sell_usd')];
  t.strictSame(sums, [200, 100, 230_000, 114_850]);
  const { first = 0, step = 0, buckets = [] } = wide ?? {};
  t.ok(first * step <= 1_000 && (first + buckets.length) * step > 1_299);
});

t.test('a minute of which a trade may be missing is not handed over', async (t) => {
  const fold = heard(trade(1, 0, 100, 1), trade(2, 61, 100, 1));
  t.equal(fold.take(trade(2, 62, 100, 1)), 'repeated');
  t.equal(fold.take(trade(4, 63, 100, 1)), 'gap');
  t.same(fold.close(2 * minute), []);
  fold.take(trade(5, 121, 100, 1));
  fold.lost();
  t.equal(fold.take(trade(6, 122, 100, 1)), 'taken', 'nothing was missed while it was away');
  t.match(fold.close(3 * minute), [{ timestamp: 2 * minute }]);
  t.equal(fold.take(trade(7, 170, 100, 1)), 'late');
  fold.take(trade(8, 181, 100, 1));
  fold.lost();
  t.same(fold.close(4 * minute), [], 'it is not known what followed');
  fold.take(trade(9, 250, 100, 1));
  t.match(fold.close(5 * minute), [{ timestamp: 4 * minute }]);
});

t.test('folded minutes and candles make one bar', async (t) => {
  const folded = heard(trade(1, 0, 1_000, 1), trade(2, 60, 1_000, 3), trade(3, 61, 1_000.9, -1));
  const bars = footprintBars([row(0, [1_001, 1_001], 1, 1), ...folded.close(2 * minute)], {
    length: 5 * minute,
    step: 0.5,
  });
  t.match(bars, [{ trade_minutes: 1, candle_minutes: 1, open: 1_001, close: 1_000.9 }]);
  t.same(
    bars[0]?.levels.map(({ price, buy_base, sell_base }) => [price, buy_base, sell_base]),
    [
      [1_000, 3, 0],
      [1_000.5, 0, 1],
      [1_001, 1, 1],
    ],
  );
  // A bucket of 0.1 lies in two levels of 0.15, or wholly in one.
  const [thin] = footprintBars(folded.close(2 * minute), { length: minute, step: 0.15 });
  t.equal(thin, undefined, 'a closed minute is given once');
  const one = { timestamp: 0, open: 1, high: 1.1, low: 1, close: 1, step: 0.1, first: 10 };
  const sums = { buy_base: 4, sell_base: 4, buy_usd: 4, sell_usd: 8 };
  const [divided] = footprintBars([{ ...one, buckets: [sums] }], { length: minute, step: 0.15 });
  t.same(
    divided?.levels.map(({ price, buy_base, sell_usd }) =>
      [price, buy_base, sell_usd].map((value) => Number(value.toFixed(9))),
    ),
    [
      [0.9, 2, 4],
      [1.05, 2, 4],
    ],
  );
});
