import t from 'tap';
import { footprintBars, mostLevels } from '../../../indicators/derivatives/footprint.ts';
import { roundStep } from '../../../indicators/market/round-step.ts';

const minute = 60_000;
const row = (at: number, [low, high]: [number, number], buy: number, sell: number) => ({
  ...{ timestamp: at * minute, open: low, high, low, close: high },
  ...{ buy_base: buy, sell_base: sell, buy_usd: buy * 100, sell_usd: sell * 100 },
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
  t.match(bar, { timestamp: 0, open: 100, high: 102.5, low: 100, close: 102.5, delta_base: 11 });
  t.match(bar, { volume_base: 19, poc_price: 102, value_area_low: 101, value_area_high: 102 });
  t.match(next, { timestamp: 5 * minute, poc_price: 50, value_area_low: 50, volume_base: 1 });
  t.equal(mostLevels(minutes, 0.5), 4);
});

t.test('steps are 1, 2 or 5 times a power of ten', async (t) => {
  t.same([0.034, 1.3, 64, 80, 0.99].map(roundStep), [0.05, 1, 50, 100, 1]);
});
