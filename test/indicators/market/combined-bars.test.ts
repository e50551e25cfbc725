/** Candles of several exchanges as one. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { combinedBars } from '../../../indicators/market/combined-bars.ts';
import { property } from '../../support/property.ts';
import { sameRows } from '../../support/table.ts';

const hour = 3_600_000;
const one = (timestamp: number, price: number, volume: number, more: object = {}) => ({
  timestamp,
  open: price,
  high: price + 4,
  low: price - 4,
  close: price + 2,
  volume,
  turnover: price * volume,
  closed: true,
  ...more,
});

t.test('prices by volume, sums of volumes, and of how many exchanges', async (t) => {
  // 1 at 100 and 3 at 104 are 103 in the mean.
  const bars = combinedBars([
    [one(0, 100, 1), one(hour, 100, 0), one(2 * hour, 100, 5, { closed: false })],
    [one(0, 104, 3), one(hour, 102, 0, { turnover: null })],
    [],
  ]);
  sameRows(t, bars)`
    timestamp  open high low close volume turnover closed exchange_count
    0          103  107  99  105   4      412      true   2
    ${hour}    101  105  97  103   0      -        true   2
    ${2 * hour} 100 104  96  102   5      500      false  1
  `;
  t.strictSame(combinedBars([]), []);
});

t.test('a combined bar holds its open and close, and lies within its exchanges', async (t) => {
  const candle = fc
    .tuple(fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 4, maxLength: 4 }), fc.nat(1000))
    .map(([prices, volume]) => {
      const [low = 0, open = 0, close = 0, high = 0] = prices.toSorted((a, b) => a - b);
      return { timestamp: 0, low, open, close, high, volume, turnover: null, closed: true };
    });
  await property(t, fc.array(candle, { minLength: 1, maxLength: 8 }), (candles) => {
    const [bar] = combinedBars(candles.map((each) => [each]));
    assert.ok(bar);
    const near = 1e-9 * bar.high;
    assert.ok(bar.low <= Math.min(bar.open, bar.close) + near);
    assert.ok(bar.high >= Math.max(bar.open, bar.close) - near);
    assert.ok(bar.high <= Math.max(...candles.map(({ high }) => high)) + near);
    assert.ok(bar.low >= Math.min(...candles.map(({ low }) => low)) - near);
    assert.equal(bar.exchange_count, candles.length);
  });
});
