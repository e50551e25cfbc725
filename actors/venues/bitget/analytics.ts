/** Histories of Bitget futures: long and short accounts, settled funding. https://www.bitget.com/api-doc */
import { intervals } from '../../../indicators/market/intervals.ts';
import { field, positive, required, time } from '../../read.ts';
import type { HistoryForm } from '../../sources/history-query.ts';
import type {
  FundingPoint,
  HistoryParams,
  Interval,
  LongShortParams,
  LongShortPoint,
} from '../../topics/index.ts';
import { fundingLife } from '../fundings.ts';
import {
  fundingQuery,
  fundingStep,
  longShortQuery,
  rowsIn,
  seriesLife,
  withHours,
} from '../histories.ts';
import { type Ask, type Futures, getFutures } from './api.ts';

/** The exchange has these under our own words. */
const words: ReadonlySet<Interval> = new Set(['5m', '15m', '30m', '1h', '4h', '1d']);

const dataIn = (body: unknown) => rowsIn(field(body, 'data'), 'data');

const futuresOf = (part: string): Futures | null =>
  part === 'usdt-futures' || part === 'usdc-futures' || part === 'coin-futures' ? part : null;

/**
 * Shares of the accounts of a USDT contract, the newest rows only; `longShortAccountRatio` is not a ratio of the two and is
 * not read.
 */
const longShortForm: HistoryForm<LongShortParams, LongShortPoint, Ask> = {
  ...{ ttl: seriesLife, page: 500, thinned: true },
  step: ({ part, interval, of }) =>
    part === 'usdt-futures' && of === 'accounts' && words.has(interval)
      ? intervals[interval]
      : null,
  requests: ({ market, interval }) => [
    getFutures('usdt-futures', '/market/account-long-short', 'ratios', {
      ...{ symbol: market, period: interval },
    }),
  ],
  parse: ([body]) =>
    dataIn(body).map((row) => ({
      timestamp: time(row.ts) ?? required(null),
      long: positive(row.longAccountRatio),
      short: positive(row.shortAccountRatio),
    })),
};

/** Rows of one answer. */
const page = 100;

/** Pages are counted from the newest on: a range is asked for by the pages in which it lies. */
const fundingForm: HistoryForm<HistoryParams, FundingPoint, Ask> = {
  ...{ ttl: fundingLife, page, most: 4 * page, step: fundingStep },
  requests(asked, { limit, range }) {
    const part = futuresOf(asked.part);
    const step = fundingStep(asked);
    if (part === null || step === null) return [];
    const newer = range === null ? 0 : Math.max(0, Math.floor((asked.now - range.end) / step) - 1);
    const first = Math.floor(newer / page);
    const count = Math.ceil((newer + limit) / page) - first;
    return Array.from({ length: count }, (_, i) =>
      getFutures(part, '/market/history-fund-rate', 'fundings', {
        ...{ symbol: asked.market, pageSize: page, pageNo: first + i + 1 },
      }),
    );
  },
  parse: (bodies, { instrument }) =>
    withHours(
      bodies.flatMap(dataIn).map((row) => ({
        timestamp: time(row.fundingTime) ?? required(null),
        rate: required(row.fundingRate),
        hours: null,
      })),
      instrument,
    ),
};

export const histories = {
  longShort: longShortQuery(longShortForm),
  fundingHistory: fundingQuery(fundingForm),
};
