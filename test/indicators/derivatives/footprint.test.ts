import t from 'tap';
import { footprintMinutes } from '../../../actors/topics/footprint.ts';
import { footprintBars, mostLevels } from '../../../indicators/derivatives/footprint.ts';
import { roundStep } from '../../../indicators/market/round-step.ts';
import { heard, trade } from './trades.ts';

const minute = 60_000;
/** A time behind all bars. */
const now = 100 * minute;
const row = (at: number, [low, high]: [number, number], buy: number, sell: number) => ({
  timestamp: at * minute,
  open: low,
  high,
  low,
  close: high,
  buy_base: buy,
  sell_base: sell,
  buy_usd: buy * 100,
  sell_usd: sell * 100,
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
  const [bar, next] = footprintBars(minutes, { length: 5 * minute, step: 1, now });
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
  const [edge] = footprintBars(falling, { length: 5 * minute, step: 1, now });
  t.match(edge, { poc_price: 100, value_area_low: 100, value_area_high: 102 }, 'at the edge');
  const even = [2, 5, 2].map((volume, i) => row(i, [100 + i, 100 + i], volume, 0));
  const [upper] = footprintBars(even, { length: 5 * minute, step: 1, now });
  t.match(upper, { value_area_low: 101, value_area_high: 102 }, 'of equal neighbours the upper');
  const parts = [0.1, 0.5, 0.3, 0.2].map((volume, i) =>
    row(i, [100 + (i % 3), 100 + (i % 3)], volume, 0),
  );
  const [sums] = footprintBars(parts, { length: 5 * minute, step: 1, now });
  t.match(sums, { value_area_low: 101, value_area_high: 102 }, 'equal but for rounding');
});

t.test('steps are 1, 2 or 5 times a power of ten', async (t) => {
  t.same([0.034, 1.3, 64, 80, 0.99].map(roundStep), [0.05, 1, 50, 100, 1]);
});

t.test('folded minutes and candles make one bar', async (t) => {
  const folded = heard(trade(1, 0, 1_000, 1), trade(2, 60, 1_000, 3), trade(3, 61, 1_000.9, -1));
  const bars = footprintBars([row(0, [1_001, 1_001], 1, 1), ...folded.close(2 * minute)], {
    length: 5 * minute,
    step: 0.5,
    now,
  });
  t.match(bars, [{ trade_minutes: 1, candle_minutes: 1, missing_minutes: 3, method: 'mixed' }]);
  t.match(bars, [{ open: 1_001, close: 1_000.9 }]);
  t.same(
    bars[0]?.levels.map(({ price, buy_base, sell_base }) => [price, buy_base, sell_base]),
    [
      [1_000, 3, 0],
      [1_000.5, 0, 1],
      [1_001, 1, 1],
    ],
  );
  // A bucket of 0.1 lies in two levels of 0.15, or wholly in one.
  const [thin] = footprintBars(folded.close(2 * minute), { length: minute, step: 0.15, now });
  t.equal(thin, undefined, 'a closed minute is given once');
  const one = {
    timestamp: 0,
    open: 1,
    high: 1.1,
    low: 1,
    close: 1,
    step: 0.1,
    first: 10,
    trades: 2,
  };
  const sums = { buy_base: 4, sell_base: 4, buy_usd: 4, sell_usd: 8 };
  const [divided] = footprintBars([{ ...one, buckets: [sums] }], {
    length: minute,
    step: 0.15,
    now,
  });
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
