/** Settled funding of Deribit. https://docs.deribit.com/api-reference/market-data/public-get_funding_rate_history */
import { field, required, time } from '../../read.ts';
import { fundingLife, fundingPoints, hourly } from '../fundings.ts';
import { fundingQuery } from '../histories.ts';
import { type Ask, get } from './api.ts';

/** Rows of one answer: 31 days. */
const page = 744;

/** Funding accrues continuously; `interest_1h` is the charge of the hour before the time, a fraction. */
export const fundingHistory = fundingQuery<Ask>({
  ttl: fundingLife,
  page,
  step: ({ part }) => (part === 'spot' ? null : hourly),
  requests({ market, now }, { range }) {
    const end = range?.end ?? now;
    const times = { start_timestamp: Math.max(0, end - page * hourly), end_timestamp: end };
    return [get('get_funding_rate_history', { instrument_name: market, ...times })];
  },
  parse: ([body]) =>
    fundingPoints(field(body, 'result'), 1, (row) => ({
      timestamp: time(row.timestamp),
      rate: required(row.interest_1h),
    })),
});
