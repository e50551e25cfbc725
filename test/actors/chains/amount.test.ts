import t from 'tap';
import { maxUint256 } from 'viem';
import { wholeCoins } from '../../../actors/chains/amount.ts';

t.test('the nearest double, whatever the size and the decimals', async (t) => {
  for (const [raw, decimals, coins] of [
    [0n, 0, 0],
    [0n, 77, 0],
    [7n, 0, 7],
    [1n, 6, 0.000001],
    [1_500_000n, 6, 1.5],
    [123_456_789_012_345n, 6, 123_456_789.012345],
    [1n, 18, 1e-18],
    [1_000_000n, 9, 0.001],
    [1n, 77, 1e-77],
    [10n ** 77n, 77, 1],
    [10n ** 77n + 5n * 10n ** 76n, 77, 1.5],
    [2n ** 53n + 1n, 0, 9_007_199_254_740_992],
    [9_007_199_254_740_993_000_000_000_000_000_000n, 18, 9_007_199_254_740_992],
    [9_007_199_254_740_993_000_000_000_000_000_001n, 18, 9_007_199_254_740_994],
    [maxUint256, 0, 1.157920892373162e77],
    [maxUint256, 18, 1.157920892373162e59],
    [1n, 255, 1e-255],
  ] as const) {
    t.equal(wholeCoins(raw, decimals), coins, `${raw} with ${decimals}`);
  }
});

t.test('dividing doubles would round twice', async (t) => {
  const raw = 900_719_925_474_099_301n;
  t.equal(wholeCoins(raw, 6), 900_719_925_474.0992);
  t.not(Number(raw) / 1e6, 900_719_925_474.0992);
});
