/** Bitget: margin loans. */
import { plain } from '../format.ts';
import { annualRate, borrowLimit } from '../market/borrowing.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

/** `market/margin-loans?coin=`: one coin; the answer does not name it. */
export function marginLoan({ query, model, now }: Ask) {
  const coin = model.assets.find(({ symbol }) => symbol === query.get('coin'));
  if (!coin || coin.listed > now) {
    const msg = `Parameter ${query.get('coin')} does not exist`;
    throw new Refused(400, { code: '40034', msg, requestTime: now, data: null });
  }
  const annual = annualRate(model.seed, ['bitget', coin.symbol], now);
  return {
    code: '00000',
    msg: 'success',
    requestTime: now,
    data: {
      dailyInterest: plain(annual / 365, 10),
      annualInterest: plain(annual, 10),
      limit: plain(borrowLimit(coin.price), 8),
    },
  };
}
