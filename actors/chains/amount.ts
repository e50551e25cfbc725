/** Amounts of coins as numbers. */
import { formatUnits } from 'viem';

/**
 * `raw` smallest units in whole coins, as the double nearest to the exact value: the decimal text is exact, and reading
 * it rounds once. Dividing would round twice, and `raw` itself may lie far beyond 2^53. Decimals from 0 to 255.
 */
export const wholeCoins = (raw: bigint, decimals: number): number =>
  Number(formatUnits(raw, decimals));
