/** Settled funding of dYdX. https://docs.dydx.xyz/indexer-client/http */
import { field, required } from '../../read.ts';
import type { Query } from '../../upstream/request.ts';
import { fundingLife, fundingPoints, hourly } from '../fundings.ts';
import { fundingQuery } from '../histories.ts';
import { timeOf, timeText } from '../iso.ts';

/** Rows of one answer. */
const page = 1000;

/** Hourly rates; the end is inclusive, and a row is written a little after the full hour. */
export const fundingHistory = <R>(get: (path: string, query: Query) => R) =>
  fundingQuery<R>({
    ttl: fundingLife,
    page,
    step: () => hourly,
    requests: ({ market }, { range }) => [
      get(`historicalFunding/${encodeURIComponent(market)}`, {
        limit: page,
        ...(range && { effectiveBeforeOrAt: timeText(range.end + hourly - 1) }),
      }),
    ],
    parse: ([body]) =>
      fundingPoints(field(body, 'historicalFunding'), 1, (row) => ({
        timestamp: timeOf(row.effectiveAt),
        rate: required(row.rate),
      })),
  });
