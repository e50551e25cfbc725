/** Settled funding of Bitfinex. https://docs.bitfinex.com/reference/rest-public-derivatives-status-history */
import { required, time } from '../../read.ts';
import { historyQuery } from '../../sources/history-query.ts';
import type { FundingPoint, HistoryParams } from '../../topics/index.ts';
import { fundingLife, fundingPoints } from '../fundings.ts';
import { type Ask, get, segment } from './api.ts';

/** Rows of one answer, about one a minute: three and a half days. */
const rows = 5000;
const hours = 8;
const step = hours * 3_600_000;

/**
 * Rows state what the last funding charged (11) beside the time of the next one (7): all rows before the same next
 * funding are one point, and what they state was charged eight hours before it.
 */
export const fundingHistory = {
  ...historyQuery<HistoryParams, FundingPoint, Ask>({
    ttl: fundingLife,
    page: Math.floor(rows / (hours * 60)),
    step: ({ market }) => (market.includes('F0:') ? step : null),
    requests: ({ market }, { range }) => [
      get('status', `status/deriv/${segment(market)}/hist`, {
        limit: rows,
        ...(range && { end: range.end + step }),
      }),
    ],
    parse: ([body]) =>
      fundingPoints(body, hours, (row) => {
        const next = time(row[7]);
        return { timestamp: next === null ? null : next - step, rate: required(row[11]) };
      }),
  }),
  maxBody: 4 * 2 ** 20,
};
