/** The map over time: by hand, and its last column against the liquidation map of the same candles. */
import fc from 'fast-check';
import t from 'tap';
import { liquidationHeatmap } from '../../../indicators/derivatives/liquidation-heatmap.ts';
import { liquidationMap } from '../../../indicators/derivatives/liquidation-map.ts';

const shares = [{ leverage: 10, weight: 1, maintenance: 0.01 }];
const candle = (timestamp: number, close: number, low = close, high = close) => ({
  timestamp,
  low,
  high,
  close,
  volume: 10,
  turnover: close * 10,
});

t.test('positions stay until the price comes to them', async (t) => {
  // 5 base units open at 100: longs go at 91, shorts at 109. Then the price falls to 90.
  const candles = [candle(1, 100), candle(2, 100), candle(3, 100, 90, 101)];
  const interest = new Map([
    [1, 100],
    [2, 105],
    [3, 105],
  ]);
  const found = liquidationHeatmap([{ candles, interest }], shares);
  t.strictSame(found?.timestamps, [1, 2, 3]);
  t.strictSame(found?.close, [100, 100, 100]);
  const at = (time: number) =>
    found?.cells
      .filter(([one]) => one === time)
      .map(([, row, usd]) => [found.prices[row], Math.round(usd * 1e6) / 1e6]);
  // The first candle has no open interest before it: 2 % of its turnover of 1,000.
  t.strictSame(at(0), [
    [91, 20],
    [109, 20],
  ]);
  t.strictSame(at(1), [
    [91, 520],
    [109, 520],
  ]);
  t.strictSame(at(2), [[109, 520]]);
  t.equal(found?.max_value_usd, 520);
});

t.test('several exchanges on one grid: sums of both, the close of the first', async (t) => {
  // One opens 2 % of 1,000 at 100, the other of 1,200 at 120 a candle later: longs at 91 and 109.2.
  const [first, second] = [[candle(1, 100), candle(2, 100)], [candle(2, 120)]];
  const none = new Map<number, number>();
  const both = liquidationHeatmap(
    [
      { candles: first, interest: none },
      { candles: second, interest: none },
    ],
    shares,
  );
  t.strictSame(both?.timestamps, [1, 2]);
  t.strictSame(both?.close, [100, 100]);
  const sumAt = (time: number) =>
    both?.cells.reduce((sum, [at, , usd]) => (at === time ? sum + usd : sum), 0);
  // Each position has a long and a short side: 2 x 20, then 20 more of the same market and 24 of the other.
  t.equal(sumAt(0), 40);
  t.equal(sumAt(1), 2 * (20 + 20 + 24));
});

t.test('no candles, no map', async (t) => t.equal(liquidationHeatmap([], shares), null));

t.test('the last column is the liquidation map', async () => {
  const step = fc.record({
    move: fc.double({ min: -0.02, max: 0.02, noNaN: true }),
    wick: fc.double({ min: 0, max: 0.01, noNaN: true }),
    interest: fc.double({ min: 1, max: 100, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 6 }), (steps) => {
      let price = 100;
      const candles = steps.map(({ move, wick }, i) => {
        price *= 1 + move;
        return candle(i, price, price * (1 - wick), price * (1 + wick));
      });
      const interest = new Map(steps.map(({ interest }, i) => [i, interest]));
      const heat = liquidationHeatmap([{ candles, interest }], shares);
      const map = liquidationMap([{ candles, interest }], shares);
      if (heat === null || map === null) return false;
      // Six moves of 2 % at most keep all positions within the 25 % of the price that the map shows.
      const column = heat.cells.filter(([time]) => time === steps.length - 1);
      const sum = column.reduce((total, [, , usd]) => total + usd, 0);
      const levels = map.levels.reduce((total, { value_usd }) => total + value_usd, 0);
      return Math.abs(levels - sum) <= 1e-9 * sum;
    }),
  );
});
