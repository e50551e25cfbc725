/** The newest public trades of WhiteBIT. https://docs.whitebit.com/public/http-v4/#recent-trades */
import { positive, required, type WireRow } from '../../read.ts';
import { takerWord } from '../trades.ts';

/** How far the product of price and base may be from the quote. */
const near = 0.001;

/**
 * The base units of a trade. The documentation's example has them under `quote_volume`, beside the price under
 * `base_volume`: of the two the one counts that times the price is the other, or that stands beside the price itself. NaN
 * where neither does.
 */
function baseOf(row: WireRow): number {
  const price = positive(row.price);
  const [base, quote] = [positive(row.base_volume), positive(row.quote_volume)];
  const isNear = (a: number, b: number) => Math.abs(a / b - 1) <= near;
  if (isNear(base * price, quote)) return base;
  return isNear(quote * price, base) || base === price ? quote : required(null);
}

export const trades = {
  most: 100,
  rows: '',
  columns: {
    ...{ id: 'tradeID', at: 'trade_timestamp', unit: 1000, price: 'price', quantity: baseOf },
    bought: takerWord('type'),
  },
};
