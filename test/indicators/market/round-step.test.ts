import t from 'tap';
import { liquidationMap } from '../../../indicators/derivatives/liquidation-map.ts';
import {
  bucketAt,
  bucketFrom,
  bucketStart,
  roundStep,
} from '../../../indicators/market/round-step.ts';

t.test('a price on a border is in the bucket that begins there', async (t) => {
  t.same([bucketAt(0.3, 0.1), bucketFrom(0.3, 0.1)], [3, 3], '0.3 / 0.1 is 2.9999999999999996');
  t.same([bucketAt(0.29999, 0.1), bucketFrom(0.30001, 0.1)], [2, 4]);
  for (const [digit, power] of [1, 2, 5].flatMap((one) =>
    [-8, -2, -1, 0, 2].map((p) => [one, p]),
  )) {
    const step = Number(`${digit}e${power}`);
    for (const number of [1, 3, 7, 29, 1_001, 97_813, 9_781_234, 123_456_789]) {
      // The decimal number, as an exchange writes it.
      const price = Number(`${number * (digit ?? 1)}e${power}`);
      t.same(
        [bucketAt(price, step), bucketFrom(price, step)],
        [number, number],
        `${price} ${step}`,
      );
      t.equal(bucketStart(number, step), price);
    }
  }
});

t.test('the map of liquidations has each price in the bucket that holds it', async (t) => {
  const shares = [{ leverage: 4, weight: 1, maintenance: 0 }];
  for (let cents = 4; cents <= 4_000; cents += 4) {
    const close = cents / 100;
    const candle = { timestamp: 0, low: close, high: close, close, volume: 1, turnover: close };
    const map = liquidationMap([{ candles: [candle], interest: new Map() }], shares);
    const bucket = roundStep(close * 0.001);
    const long = map?.levels.find(({ side }) => side === 'long')?.price ?? 0;
    // A long of leverage 4 ends at three quarters, in whole numbers: 0.03 for each 4 cents.
    const [exact, width] = [(cents / 4) * 3 * 1e6, Math.round(bucket * 1e8)];
    t.equal(Math.round(long * 1e8), exact - (exact % width), `${close}: ${long} in ${bucket}`);
  }
});
