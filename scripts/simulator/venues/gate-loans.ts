/** Gate: the unified account's past loan rates. */
import { plain } from '../format.ts';
import { annualRate } from '../market/borrowing.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const hour = 3_600_000;

function count({ query }: Ask, name: string, [fallback, most]: readonly [number, number]): number {
  const value = Number(query.get(name) ?? fallback);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Refused(400, { label: 'INVALID_PARAM_VALUE', message: `invalid argument: ${name}` });
}

/** `unified/history_loan_rate?currency=&limit=&page=&tier=`: each hour's fraction, newest first. */
export function loanRates(ask: Ask) {
  const { query, model, now } = ask;
  const currency = query.get('currency') ?? '';
  if (!model.assets.some(({ symbol, listed }) => symbol === currency && listed <= now)) {
    throw new Refused(400, { label: 'INVALID_CURRENCY', message: `Invalid currency ${currency}` });
  }
  const limit = count(ask, 'limit', [100, 100]);
  const newest = Math.floor(now / hour) - (count(ask, 'page', [1, 1000]) - 1) * limit;
  return {
    currency,
    tier: query.get('tier') ?? '1',
    tier_up_rate: '1.18',
    rates: Array.from({ length: limit }, (_, at) => {
      const time = (newest - at) * hour;
      return { time, rate: plain(annualRate(model.seed, ['gate', currency], time) / 8760, 12) };
    }),
  };
}
