/** The common form of what exchanges ask for a loan. */

/** The price of borrowing one asset at the lowest tier of users. */
export interface BorrowRow {
  /** Upper case, in the field's usual ticker. */
  asset: string;
  /** Fraction of the loan an hour. */
  hourly_rate: number;
  /** Most that one user may borrow, in the asset; null where it is not said. */
  borrow_limit: number | null;
  /** When the exchange says that the rate is from, Unix ms; null where it does not. */
  stated: number | null;
}

/** Assets asked of exchanges that answer for one asset a call. */
export const borrowAssets = ['USDT', 'USDC', 'BTC', 'ETH', 'SOL', 'XRP'];

/** A row, or null without an asset or with a rate that is negative or not finite. */
export function borrowOf(row: BorrowRow): BorrowRow | null {
  const sound = row.asset !== '' && row.hourly_rate >= 0 && row.hourly_rate < Infinity;
  const limit = row.borrow_limit;
  return sound ? { ...row, borrow_limit: limit !== null && limit >= 0 ? limit : null } : null;
}
