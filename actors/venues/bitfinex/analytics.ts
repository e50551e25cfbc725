/** Settled funding and open interest of Bitfinex. https://docs.bitfinex.com/reference/rest-public-derivatives-status-history */
import { intervals } from '../../../indicators/market/intervals.ts';
import { positive, required, time } from '../../read.ts';
import type { InterestPoint } from '../../topics/index.ts';
import { fundingLife, fundingPoints } from '../fundings.ts';
import { fundingQuery, interestQuery, rowsIn, seriesLife } from '../histories.ts';
import { type Ask, get, segment } from './api.ts';

/** Rows of one answer, about one a minute: three and a half days. */
const rows = 5000;
const hours = 8;
const step = hours * 3_600_000;

const isPerpetual = (market: string): boolean => market.includes('F0:');
const maxBody = 4 * 2 ** 20;

/** The rows until a time, newest first. */
const statusUntil = (market: string, end: number | null) =>
  get('status', `status/deriv/${segment(market)}/hist`, {
    limit: rows,
    ...(end !== null && { end }),
  });

/**
 * Rows state what the last funding charged (11) beside the time of the next one (7): all rows before the same next
 * funding are one point, and what they state was charged eight hours before it.
 */
export const fundingHistory = {
  ...fundingQuery<Ask>({
    ttl: fundingLife,
    page: Math.floor(rows / (hours * 60)),
    step: ({ market }) => (isPerpetual(market) ? step : null),
    requests: ({ market }, { range }) => [statusUntil(market, range && range.end + step)],
    parse: ([body]) =>
      fundingPoints(body, hours, (row) => {
        const next = time(row[7]);
        return { timestamp: next === null ? null : next - step, rate: required(row[11]) };
      }),
  }),
  maxBody,
};

/** Mark price at 14, base units at 17: the last row of an interval stands for it. */
export const openInterestHistory = {
  ...interestQuery<Ask>({
    ttl: seriesLife,
    page: rows,
    step: ({ market, interval }) =>
      isPerpetual(market) && intervals[interval] <= intervals['1d'] ? intervals[interval] : null,
    requests: ({ market, interval }, { range }) => [
      statusUntil(market, range && range.end + intervals[interval] - 1),
    ],
    parse([body], { interval, instrument: { scale } }) {
      const every = intervals[interval];
      const last = new Map<number, InterestPoint>();
      // Newest first: an older row of the same interval is left out.
      for (const row of rowsIn(body, 'status')) {
        const timestamp = Math.floor((time(row[0]) ?? required(null)) / every) * every;
        const base = required(row[17]);
        const point = { timestamp, base: base * scale, usd: base * positive(row[14]) };
        if (!last.has(timestamp)) last.set(timestamp, point);
      }
      return [...last.values()];
    },
  }),
  maxBody,
};
